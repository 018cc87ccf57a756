import { beforeEach, expect, test } from 'vitest';
import { createOrganizations } from '../../../../server/organizations/organizations.ts';
import type { Asker } from '../../../../server/assistant/request/asker.ts';
import { createThreads, type Threads } from '../../../../server/assistant/threads/threads.ts';
import { isUlid, ulid } from '../../../../server/platform/ulid.ts';
import type { Database } from '../../../../server/database/database.ts';
import { readThread } from '../../../../server/assistant/threads/read-threads.ts';
import { emptiedDatabase } from '../../support/databases.ts';

const start = Date.parse('2030-01-01T00:00:00Z');
const day = 86_400_000;
const asker: Asker = { organization: 'team', domain: 'docs.example.com', key: 'key_1', fp: 'reader-1' };

test('ids sort by their time and use all of their randomness', () => {
  expect(ulid(0, new Uint8Array(10))).toBe('0'.repeat(26));
  expect(ulid(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe(`7${'Z'.repeat(25)}`);
  // The example of the specification.
  expect(ulid(1469918176385, new Uint8Array(10)).slice(0, 10)).toBe('01ARYZ6S41');
  expect(ulid(start) < ulid(start + 1)).toBe(true);
  expect(ulid(start)).not.toBe(ulid(start));
  expect([ulid(start), 'x', '01ARYZ6S41TSV4RRFFQ69G5FAI', '81ARYZ6S41TSV4RRFFQ69G5FAV'].map(isUlid)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

const open = emptiedDatabase();
let database: Database;
let threads: Threads;
let clock: { now: number };
const openThread = (id = 'msg_1') => threads.open(asker, { id, question: 'How?' });

beforeEach(async () => {
  clock = { now: start };
  database = await open();
  threads = createThreads({ database, secrets: ['secret'], now: () => clock.now, days: 30 });
  for (const id of ['team', 'rivals'])
    await createOrganizations(database, () => start).create({ id, name: id, plan: 'standard' });
});

test('a thread is found by the reader who opened it, and by its secret', async () => {
  const { id, secret, secretHash } = await openThread();
  const thread = { id, secretHash };
  expect(isUlid(id)).toBe(true);
  expect(await threads.find({ ...asker, threadId: id })).toEqual(thread);
  expect(await threads.find({ ...asker, key: 'key_2', fp: 'someone', threadId: id, threadKey: secret })).toEqual(thread);
});

test.each<[string, Partial<Asker & { threadId: string; threadKey: string }>]>([
  ['another reader', { fp: 'reader-2' }],
  ['another key', { key: 'key_2' }],
  ['another site', { domain: 'other.example.com' }],
  ['another organization', { organization: 'rivals' }],
  ['a wrong secret, though all else is right', { threadKey: 'x'.repeat(43) }],
  ['an empty secret', { threadKey: '' }],
  ['an id that is made up', { threadId: ulid(start) }],
  ['an id that is none', { threadId: "' or true --\0" }],
])('a thread is not found by %s', async (_, difference) => {
  const { id } = await openThread();
  expect(await threads.find({ ...asker, threadId: id, ...difference })).toBeUndefined();
});

test('the secret of a thread does not open it in another site', async () => {
  const { id, secret } = await openThread();
  expect(await threads.find({ ...asker, domain: 'other.example.com', threadId: id, threadKey: secret })).toBeUndefined();
});

test('a thread expires some days after its last question', async () => {
  const { id } = await openThread();
  clock.now += 29 * day;
  await threads.ask(id, { id: 'msg_2', question: 'And?' });
  clock.now += 30 * day - 1;
  expect(await threads.find({ ...asker, threadId: id })).toBeDefined();
  await threads.removeOld();
  clock.now += 1;
  expect(await threads.find({ ...asker, threadId: id })).toBeUndefined();
  expect(await database.query('select id from carrel.threads')).toHaveLength(1);
  await threads.removeOld();
  for (const table of ['threads', 'answers']) expect(await database.query(`select id from carrel.${table}`)).toEqual([]);
});

test('questions, answers and ratings are stored; readers and secrets are not', async () => {
  const { id, secret } = await openThread();
  const source = { number: 1, id: 'a\0#b', url: '/a', title: '\\u0000 \ud800', headings: [], excerpt: '"', score: 1 };
  clock.now += 1000;
  await threads.answered('msg_1', { text: 'So\0.', sources: [source], ended: 'stop', writtenBy: 'model' });
  await threads.ask(id, { id: 'msg_2', question: 'x'.repeat(30_000) });
  expect(await threads.rate(id, 'msg_1', { rating: 'down', comment: 'No\0.' })).toBe(true);
  expect(await threads.rate(id, 'msg_1', { rating: 'up' })).toBe(true);
  expect(await threads.rate(id, 'msg_9', { rating: 'up' })).toBe(false);
  expect(await threads.rate(ulid(start), 'msg_1', { rating: 'up' })).toBe(false);
  const thread = await readThread(database, { organization: 'team', domain: 'docs.example.com', threadId: id });
  expect(JSON.parse(JSON.stringify(thread))).toEqual({
    threadId: id,
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:01.000Z',
    messages: [
      {
        messageId: 'msg_1',
        question: 'How?',
        answer: 'So\uFFFD.',
        sources: [{ ...source, id: 'a\uFFFD#b', title: '\\u0000 \uFFFD' }],
        ended: 'stop',
        writtenBy: 'model',
        askedAt: '2030-01-01T00:00:00.000Z',
        answeredAt: '2030-01-01T00:00:01.000Z',
        rating: 'up',
        comment: null,
      },
      {
        messageId: 'msg_2',
        question: `${'x'.repeat(19_999)}…`,
        answer: '',
        sources: [],
        ended: null,
        writtenBy: null,
        askedAt: '2030-01-01T00:00:01.000Z',
        answeredAt: null,
        rating: null,
        comment: null,
      },
    ],
  });
  const rows = JSON.stringify(await database.query('select * from carrel.threads'));
  expect(rows).not.toContain('reader-1');
  expect(rows).not.toContain(secret);
});

test('a removed thread leaves nothing, and a later answer is not stored', async () => {
  const { id } = await openThread();
  await threads.rate(id, 'msg_1', { rating: 'up' });
  await threads.remove(id);
  await threads.ask(id, { id: 'msg_2', question: 'And?' });
  await threads.answered('msg_1', { text: 'Late.', sources: [], ended: 'stop', writtenBy: 'model' });
  for (const table of ['threads', 'answers', 'feedback'])
    expect(await database.query(`select * from carrel.${table}`)).toEqual([]);
});
