import { expect, test } from 'vitest';
import { chunksOf, openAssistantServer, refused } from '../assistant-server.ts';

const server = await openAssistantServer();
const { ask, post, newKey, clock, adminKey } = server;
const admin = '/v1/assistant/docs.example.com';
const get = (path: string, key = adminKey) => post(path, undefined, { method: 'GET', key });
const read = async (path: string) => await (await get(path)).json();

async function open(more?: object) {
  clock.now += 1000;
  const response = await ask(more);
  const [{ messageId }] = (await chunksOf(response)) as [{ messageId: string }];
  return { messageId, threadId: response.headers.get('x-thread-id')!, threadKey: response.headers.get('x-thread-key')! };
}

const threadPath = (id: string) => `/discovery/v2/assistant/docs.example.com/thread/${id}`;
const remove = (id: string, headers: Record<string, string> = {}) =>
  post(threadPath(id), undefined, { method: 'DELETE', headers });

test('operators read the conversations of a site, newest first, in pages', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) ids.unshift((await open()).threadId);
  const first = await read(`${admin}/threads?limit=2`);
  expect(first.threads.map(({ threadId }: { threadId: string }) => threadId)).toEqual(ids.slice(0, 2));
  expect(first.threads[0]).toEqual({
    threadId: ids[0],
    question: 'How do I install it?',
    answers: 1,
    createdAt: new Date(clock.now).toISOString(),
    updatedAt: new Date(clock.now).toISOString(),
  });
  // What comes in between moves nothing.
  await open();
  const second = await read(`${admin}/threads?limit=2&cursor=${first.cursor}`);
  expect(second.threads.map(({ threadId }: { threadId: string }) => threadId)).toEqual(ids.slice(2, 4));
  const last = await read(`${admin}/threads?limit=2&cursor=${second.cursor}`);
  expect(last).toEqual({ threads: [expect.objectContaining({ threadId: ids[4] })] });
});

test('operators read one conversation', async () => {
  const { threadId, messageId } = await open();
  await (await ask({ threadId })).text();
  expect(await read(`${admin}/threads/${threadId}`)).toMatchObject({
    threadId,
    messages: [
      {
        messageId,
        question: 'How do I install it?',
        answer: 'Run it [1].',
        sources: [{ number: 1, id: 'guides/install#npm' }, { number: 2 }],
        ended: 'stop',
        writtenBy: 'quotes',
      },
      { answer: 'Run it [1].' },
    ],
  });
  expect(await refused(get(`${admin}/threads/01ARYZ6S41TSV4RRFFQ69G5FAV`))).toEqual([404, 'ThreadUnknown']);
});

test('no other caller reads them', async () => {
  const { threadId } = await open();
  for (const path of ['/threads', `/threads/${threadId}`, '/feedback']) {
    expect(await refused(get(admin + path, server.key))).toEqual([403, 'KeyNotAdmin']);
    expect(await refused(get(admin + path, await server.keyOf('other')))).toEqual([404, 'SiteUnknown']);
    expect(await refused(get(admin.replace('docs', 'nowhere') + path))).toEqual([404, 'SiteUnknown']);
  }
  expect(await refused(get(`/v1/assistant/empty.example.com/threads/${threadId}`))).toEqual([404, 'ThreadUnknown']);
});

test.each(['cursor=x', 'cursor=%27%3B--', 'limit=0', 'limit=101', 'limit=many'])('%s is refused', async (query) => {
  for (const path of ['threads', 'feedback']) expect((await get(`${admin}/${path}?${query}`)).status).toBe(400);
});

test('a reader removes a conversation by its key, or as the reader who began it', async () => {
  const one = await open();
  expect(await refused(remove(one.threadId))).toEqual([404, 'ThreadUnknown']);
  expect(await refused(remove(one.threadId, { 'x-carrel-fp': 'reader-2' }))).toEqual([404, 'ThreadUnknown']);
  expect(await refused(remove(one.threadId, { 'x-thread-key': 'forged' }))).toEqual([404, 'ThreadUnknown']);
  expect((await remove(one.threadId, { 'x-carrel-fp': 'reader-1' })).status).toBe(204);
  expect(await refused(get(`${admin}/threads/${one.threadId}`))).toEqual([404, 'ThreadUnknown']);
  expect(await refused(ask({ threadId: one.threadId }))).toEqual([404, 'ThreadUnknown']);
  expect(await refused(remove(one.threadId, { 'x-carrel-fp': 'reader-1' }))).toEqual([404, 'ThreadUnknown']);

  const two = await open();
  const { secret: key } = await newKey();
  const headers = { 'x-thread-key': two.threadKey };
  expect((await post(threadPath(two.threadId), undefined, { method: 'DELETE', key, headers })).status).toBe(204);
});
