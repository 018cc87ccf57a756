// The routes with the assistant itself, over a small site and without a model.
import { expect, test } from 'vitest';
import { openEndpoint } from './clients/endpoint.ts';

const { base, v2, domain, headers, server, configure } = await openEndpoint();
await configure(null);
const post = (address: string, body: object, more: Record<string, string> = {}) =>
  fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
const asked = (text: string) => ({ fp: 'reader-1', messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text }] }] });

test('a page that the search finds can be read', async () => {
  const found = (await (await post(`${base}/v1/search/${domain}`, { query: 'tide setting', pageSize: 3 })).json()) as {
    content: string;
    path: string;
  }[];
  expect(found[0]).toMatchObject({
    path: 'guides/configure',
    metadata: { anchor: 'tides', title: expect.any(String), score: 1 },
  });
  expect(found[0]!.content).toContain('high or low');
  const page = await post(`${base}/v1/page/${domain}`, { path: found[0]!.path });
  expect(await page.json()).toEqual({ path: 'guides/configure', content: expect.stringContaining('tidewater.json') });
  expect((await post(`${base}/v1/page/${domain}`, { path: 'nowhere' })).status).toBe(404);
});

test('operators see what was found for a question', async () => {
  const authorization = `Bearer ${server.adminKey}`;
  const explained = await post(`${v2}?explain=1`, asked('How do I install it with npm?'), { authorization });
  expect(await explained.json()).toEqual({
    retrieved: expect.arrayContaining([expect.objectContaining({ id: expect.stringContaining('guides/install') })]),
  });
});
