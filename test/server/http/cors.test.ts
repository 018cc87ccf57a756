import { expect, test } from 'vitest';
import { messagePath, openAssistantServer, refused } from '../assistant/assistant-server.ts';

const { ask, post, newKey, api } = await openAssistantServer();
const origin = 'https://docs.example.com';

test.each([messagePath, `${messagePath}/chat/stream`, '/discovery/v1/search/docs.example.com', '/discovery/v1/nowhere'])(
  'the preflight of %s asks for no key',
  async (path) => {
    const response = await post(path, undefined, {
      method: 'OPTIONS',
      key: null,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS');
    const allowed = response.headers.get('access-control-allow-headers')!.split(', ');
    for (const name of ['authorization', 'content-type', 'user-agent', 'x-carrel-stream', 'x-carrel-fp'])
      expect(allowed).toContain(name);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  },
);

test('pages can read the headers that they need', async () => {
  const exposed = (await ask({}, { headers: { origin } })).headers.get('access-control-expose-headers')!.split(', ');
  for (const name of ['X-Thread-Id', 'X-Thread-Key', 'X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'])
    expect(exposed).toContain(name);
});

test('a key limited to some origins is rejected on others', async () => {
  const { secret: key } = await newKey({ origins: [origin, 'http://localhost:3000'] });
  const allowed = await ask({}, { key, headers: { origin } });
  expect(allowed.status).toBe(200);
  expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
  expect(allowed.headers.get('vary')).toBe('Origin');
  for (const other of ['https://evil.example.com', 'https://docs.example.com.evil.com', 'http://docs.example.com', 'null']) {
    const response = await ask({}, { key, headers: { origin: other } });
    // The page is to read why.
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused(response)).toEqual([403, 'OriginNotAllowed']);
  }
  expect((await ask({}, { key })).status).toBe(200);
});

test('any page can read errors', async () => {
  for (const response of [
    await ask({}, { key: null }),
    await post(messagePath, '{'),
    await post(messagePath, 'x', { headers: { 'content-type': 'text/plain' } }),
    await post('/discovery/v2/nothing', {}),
  ]) {
    expect(response.ok).toBe(false);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  }
});

test('admin routes allow no origin', async () => {
  const response = await api.request('/v1/sites', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET' },
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.status).toBe(405);
});
