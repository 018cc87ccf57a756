import { expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';

const { api } = await openTestServer();

test('redirects a browser to the dashboard', async () => {
  const answer = await api.request('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([303, '/dashboard', 'accept']);
});

test.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
  'returns the other URLs to a program with %o',
  async (headers) => {
    const answer = await api.request('/', { headers: headers as Record<string, string> });
    expect(answer.status).toBe(200);
    const { name, ...places } = await answer.json();
    expect(name).toBe('Carrel');
    expect(Object.keys(places)).toEqual(['dashboard', 'reference', 'openapi']);
    for (const place of Object.values<string>(places)) {
      expect(place).toMatch(/^http:\/\/api\.example\.com\//);
      expect((await api.request(new URL(place).pathname)).status).toBe(200);
    }
  },
);
