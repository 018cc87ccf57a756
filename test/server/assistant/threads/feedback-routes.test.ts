import { beforeEach, expect, test } from 'vitest';
import { chunksOf, openAssistantServer, refused } from '../assistant-server.ts';

const server = await openAssistantServer({ questionsPerMinute: 20 });
const { ask, post, clock, adminKey } = server;
const path = '/discovery/v2/assistant/docs.example.com/feedback';
const rate = (body: object) => post(path, { rating: 'up', fp: 'reader-1', ...body });
const list = async (query = '') =>
  await (await post(`/v1/assistant/docs.example.com/feedback${query}`, undefined, { method: 'GET', key: adminKey })).json();

async function open(more?: object) {
  const response = await ask(more);
  const [{ messageId }] = (await chunksOf(response)) as [{ messageId: string }];
  return {
    answer: { messageId, threadId: response.headers.get('x-thread-id')! },
    threadKey: response.headers.get('x-thread-key')!,
  };
}

beforeEach(() => {
  clock.now += 61_000;
});

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
