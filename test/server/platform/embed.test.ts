import { afterAll, beforeEach, expect, test } from 'vitest';
import { createEmbed } from '../../../server/platform/embed.ts';
import { openEmbeddingServer } from '../../support/embedding-server.ts';

const server = await openEmbeddingServer();
const untouched = structuredClone(server.answers);
beforeEach(() => void Object.assign(server.answers, structuredClone(untouched), { body: undefined }));
afterAll(() => server[Symbol.asyncDispose]());

const embed = createEmbed({ url: server.url, model: 'small', key: 'secret' });
const timeout = 60_000;

test('each text gets its vector, and the key is a bearer token', async () => {
  const [one, other, again] = await embed(['one', 'other', 'one'], { timeout });
  expect(one).toHaveLength(32);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  expect(server.requests.at(-1)).toEqual({ model: 'small', input: ['one', 'other', 'one'], authorization: 'Bearer secret' });
});

test('a busy endpoint is asked again, as often as the caller wants', async () => {
  server.answers.refuses = { status: 429, times: 1 };
  expect(await embed(['a'], { timeout, attempts: 2 })).toHaveLength(1);
  server.answers.refuses = { status: 503, times: 1 };
  await expect(embed(['a'], { timeout })).rejects.toThrow('it answered 503: {"error":"no vectors today"}');
});

test.each<[string, () => void, string]>([
  ['refuses the key', () => (server.answers.refuses = { status: 401, times: 1 }), 'it answered 401'],
  ['answers a page', () => (server.answers.body = '<html>'), 'its answer has no embeddings: <html>'],
  ['answers something else', () => (server.answers.body = '{"data":[{"embedding":["x"]}]}'), 'its answer has no embeddings'],
  [
    'forgets a text',
    () => (server.answers.body = '{"data":[{"embedding":[1]}]}'),
    'its answer is not valid: Expected 2 embeddings, but received 1',
  ],
  [
    'mixes dimensions',
    () => (server.answers.body = '{"data":[{"embedding":[1]},{"embedding":[1,2]}]}'),
    'its vectors have different dimensions',
  ],
])('an endpoint that %s is reported', async (_, prepare, message) => {
  prepare();
  await expect(embed(['a', 'b'], { timeout, attempts: 3 })).rejects.toThrow(message);
});

test('an endpoint that hangs, or is gone, is reported', async () => {
  server.answers.hangs = true;
  await expect(embed(['a'], { timeout: 100 })).rejects.toThrow('it did not answer');
  await expect(createEmbed({ url: 'http://127.0.0.1:9/v1', model: 'x' })(['a'], { timeout })).rejects.toThrow(
    'it did not answer',
  );
});
