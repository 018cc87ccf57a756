import { beforeEach, describe, expect, test } from 'vitest';
import { chunksOf, openAssistantServer, refused } from '../assistant-server.ts';

const server = await openAssistantServer({ questionsPerMinute: 20 });
const { ask, post, newKey, clock, adminKey } = server;
const admin = '/v1/assistant/docs.example.com';
const get = (path: string, key = adminKey) => post(path, undefined, { method: 'GET', key });
const read = async (path: string) => await (await get(path)).json();

async function open(more?: object) {
  clock.now += 1000;
  const response = await ask(more);
  const [{ messageId }] = (await chunksOf(response)) as [{ messageId: string }];
  const threadId = response.headers.get('x-thread-id')!;
  return { threadId, threadKey: response.headers.get('x-thread-key')!, answer: { messageId, threadId } };
}

beforeEach(() => {
  clock.now += 61_000;
});

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
  const { threadId, answer } = await open();
  await (await ask({ threadId })).text();
  expect(await read(`${admin}/threads/${threadId}`)).toMatchObject({
    threadId,
    messages: [
      {
        messageId: answer.messageId,
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

// More than a ULID can say.
const tooLarge = Buffer.from(`8${'0'.repeat(25)}`).toString('base64url');

test.each(['cursor=x', 'cursor=%27%3B--', `cursor=${tooLarge}`, 'limit=0', 'limit=101', 'limit=many'])(
  '%s is refused',
  async (query) => {
    for (const path of ['threads', 'feedback']) expect((await get(`${admin}/${path}?${query}`)).status).toBe(400);
  },
);

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

describe('feedback', () => {
  const path = '/discovery/v2/assistant/docs.example.com/feedback';
  const rate = (body: object) => post(path, { rating: 'up', fp: 'reader-1', ...body });
  const list = (query = '') => read(`${admin}/feedback${query}`);

  test('a reader rates an answer, and can change the rating', async () => {
    const { answer, threadKey } = await open();
    expect((await rate(answer)).status).toBe(204);
    expect((await rate({ ...answer, rating: 'down', comment: 'x'.repeat(2000), fp: undefined, threadKey })).status).toBe(204);
    expect(await list()).toEqual({
      feedback: [
        {
          ...answer,
          rating: 'down',
          comment: 'x'.repeat(2000),
          question: 'How do I install it?',
          answer: 'Run it [1].',
          givenAt: new Date(clock.now).toISOString(),
        },
      ],
    });
  });

  test('no other reader rates it', async () => {
    const { answer, threadKey } = await open();
    const unknown = [404, 'ThreadUnknown'];
    expect(await refused(rate({ ...answer, fp: 'reader-2' }))).toEqual(unknown);
    expect(await refused(rate({ ...answer, fp: null }))).toEqual(unknown);
    expect(await refused(rate({ ...answer, threadKey: 'forged' }))).toEqual(unknown);
    expect(await refused(rate({ ...answer, threadId: 'forged' }))).toEqual(unknown);
    expect(await refused(rate({ ...answer, messageId: 'msg_\0' }))).toEqual([404, 'AnswerUnknown']);
    const another = await open();
    expect(await refused(rate({ ...another.answer, messageId: answer.messageId, threadKey: another.threadKey }))).toEqual([
      404,
      'AnswerUnknown',
    ]);
    expect(await refused(rate({ ...answer, threadId: another.answer.threadId, threadKey }))).toEqual(unknown);
  });

  test.each<[string, object]>([
    ['no thread', { threadId: undefined }],
    ['no answer', { messageId: undefined }],
    ['no rating', { rating: undefined }],
    ['another rating', { rating: 5 }],
    ['a long comment', { comment: 'x'.repeat(2001) }],
    ['a comment that is no text', { comment: {} }],
    ['a long thread', { threadId: 'x'.repeat(201) }],
  ])('%s is refused', async (_, body) => {
    expect(await refused(rate({ threadId: 't', messageId: 'm', ...body }))).toEqual([400, 'RequestInvalid']);
  });

  test('operators read feedback in pages, and can filter by rating', async () => {
    const ids: string[] = [];
    for (const rating of ['up', 'down', 'up', 'up']) {
      const { answer } = await open();
      clock.now += 1000;
      await rate({ ...answer, rating });
      ids.unshift(answer.messageId);
    }
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.cursor}`);
    expect([...first.feedback, ...second.feedback].map(({ messageId }) => messageId)).toEqual(ids);
    expect((await list('?rating=down')).feedback[0].messageId).toBe(ids[2]);
  });

  test('ratings have the same limits as questions', async () => {
    const rated = [];
    for (let times = 0; times < 21; times++) rated.push((await rate({ threadId: 't', messageId: 'm' })).status);
    expect(rated).toEqual([...Array(20).fill(404), 429]);
  });

  test('without a limit for each minute, the daily limit of an address applies to ratings', async () => {
    const daily = await openAssistantServer({ questionsPerDay: 2 });
    const rated = [];
    for (let number = 0; number < 3; number++) {
      const body = { rating: 'up', fp: `reader-${number}`, threadId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', messageId: 'msg_0' };
      rated.push((await daily.post(path, body)).status);
    }
    expect(rated).toEqual([404, 404, 429]);
    expect((await daily.ask()).status).toBe(200);
  });
});
