import { expect, test } from 'vitest';
import { chunk, openModelServer } from '../assistant/model-server.ts';
import { firstExport, place, startServer } from './places.ts';

const domain = 'docs.example.com';
const question = 'How do I run a kettle at home?';

/** What has come of an answer so far. */
function readerOf(response: Response): { text: () => string; ended: Promise<void> } {
  let text = '';
  const read = async () => {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece;
  };
  return { text: () => text, ended: read() };
}

test('answers that a stopping server cannot wait for end in an error, in both versions', async () => {
  await using model = await openModelServer({ steps: [chunk({ content: 'It ' }), chunk({ content: 'is ' }), 'hang'] });
  const { data } = place();
  const server = await startServer(data, { SITE: domain, CARREL_MODEL_URL: model.url, CARREL_MODEL: 'scripted' });
  await firstExport(server);
  const made = await server.request('POST', '/v1/keys', { kind: 'assistant', name: 'reader', domains: [domain] });
  const { secret } = (await made.json()) as { secret: string };
  const ask = async (version: string, message: object) => {
    const body = { fp: 'reader', messages: [{ id: 'u1', role: 'user', ...message }] };
    const headers = { authorization: `Bearer ${secret}` };
    return readerOf(await server.request('POST', `/discovery/${version}/assistant/${domain}/message`, body, headers));
  };
  const second = await ask('v2', { parts: [{ type: 'text', text: question }] });
  const first = await ask('v1', { content: question });
  await expect.poll(second.text).toContain('"delta":" is"');
  await expect.poll(first.text).toMatch(/^0:" is"$/m);

  expect(await server.stop()).toBe(0);
  await Promise.all([second.ended, first.ended]);
  const message = '"The answer was cut off. Ask again."';
  expect(second.text().split('" is"}')[1]).toMatch(
    /^\n\ndata: {"type":"text-end".*"error".*"finish-step".*"finish".*\[DONE\]\n\n$/s,
  );
  expect(second.text()).toContain(`"errorText":${message}`);
  expect(first.text().trimEnd().split('\n').at(-1)).toBe(`3:${message}`);
  expect(await Promise.all(model.requests.map(({ left }) => left))).toEqual([true, true]);
  expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/);
});
