import { beforeEach, describe, expect, test } from 'vitest';
import { messagePath, openAssistantServer, question, refused } from './assistant-server.ts';

const server = await openAssistantServer({ questionsPerHour: 6, questionsPerDay: 5, questionsPerMinute: 2 });
const { ask, assistant, clock, newKey, post } = server;
const limit = [429, 'TooManyRequests'];
let readers = 0;
/** Each asks for the first time. */
const newReader = (from: string, more = {}) => ask({ fp: `reader ${readers++}`, ...more }, { from });

beforeEach(() => {
  clock.now = Math.ceil((clock.now + 1) / 86_400_000) * 86_400_000;
  assistant.questions = [];
});

test('an organization has a limit for each hour, from all addresses together', async () => {
  for (let number = 0; number < 6; number++) expect((await newReader(`192.0.2.${number}`)).status).toBe(200);
  const refusal = await newReader('192.0.2.9');
  expect(refusal.headers.get('retry-after')).toBe('3600');
  expect(refusal.headers.get('ratelimit')).toBe('"organization";r=0;t=3600');
  expect(refusal.headers.get('x-thread-id')).toBeNull();
  expect(await refused(refusal)).toEqual(limit);
  const { secret: key } = await newKey();
  expect(await refused(ask({ fp: 'other key' }, { key, from: '192.0.2.10' }))).toEqual(limit);
  expect(assistant.questions).toHaveLength(6);
  clock.now += 3_600_000;
  expect((await newReader('192.0.2.9')).status).toBe(200);
});

test('an address has a limit for each day (UTC)', async () => {
  for (let number = 0; number < 5; number++) expect((await newReader('192.0.2.1')).status).toBe(200);
  clock.now += 3_600_000;
  const refusal = await newReader('192.0.2.1');
  expect(refusal.headers.get('retry-after')).toBe(String(23 * 3600));
  expect(await refused(refusal)).toEqual(limit);
  expect((await newReader('192.0.2.2')).status).toBe(200);
  clock.now += 23 * 3_600_000;
  expect((await newReader('192.0.2.1')).status).toBe(200);
});

test('a reader has a limit for each minute', async () => {
  const asked = () => ask({ fp: 'hasty' }, { from: '192.0.2.1' });
  for (let number = 0; number < 2; number++) expect((await asked()).status).toBe(200);
  expect(await refused(asked())).toEqual(limit);
  clock.now += 60_000;
  expect((await asked()).status).toBe(200);
});

test('each address counts as one anonymous reader', async () => {
  for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) expect((await ask({ fp: 'anonymous' }, { from })).status).toBe(200);
  expect(await refused(ask({ fp: 'anonymous' }, { from: '192.0.2.1' }))).toEqual(limit);
});

test('a reader has no limit of its own unless the operator sets one', async () => {
  const usual = await openAssistantServer();
  for (let number = 0; number < 61; number++) {
    const answer = await usual.ask({ fp: 'anonymous' });
    expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([
      200,
      '"organization";q=10000;w=3600, "address";q=10000;w=86400',
    ]);
    expect(answer.headers.get('ratelimit')).toMatch(
      new RegExp(`^"organization";r=${9999 - number};t=\\d+, "address";r=${9999 - number};t=\\d+$`),
    );
  }
});

test('refused requests of one reader do not count for others', async () => {
  for (let number = 0; number < 50; number++) await ask({ fp: 'hasty' }, { from: '192.0.2.1' });
  for (let number = 0; number < 4; number++) expect((await newReader(`192.0.2.${number + 2}`)).status).toBe(200);
});

describe('nothing is counted', () => {
  test('for a request without a valid key or body', async () => {
    for (let number = 0; number < 10; number++) {
      await ask({}, { key: `svc_dsc_${'a'.repeat(43)}` });
      await post(messagePath, { fp: 'reader-1', messages: [] });
    }
    expect((await ask({ messages: [question] })).headers.get('ratelimit')).toContain('"organization";r=5');
  });
});

test('a follow-up that is refused is not counted', async () => {
  for (const fields of [{ threadId: '01JD6Z0000ABCDEFGHJKMNPQRS' }, { threadId: 'x', threadKey: 'y' }, { threadId: '' }])
    expect(await refused(ask({ fp: 'lost', ...fields }))).toEqual([404, 'ThreadUnknown']);
  expect((await ask({ fp: 'lost' })).headers.get('ratelimit')).toContain('"organization";r=5');
});

test('behind a proxy that is trusted, the address is the reader’s', async () => {
  const proxied = await openAssistantServer({ questionsPerDay: 1, trustedProxies: ['10.0.0.0/8'] });
  const from = (address: string) =>
    proxied.ask({ fp: address }, { from: '10.0.0.1', headers: { 'x-forwarded-for': `6.6.6.6, ${address}` } });
  expect((await from('192.0.2.1')).status).toBe(200);
  expect((await from('192.0.2.2')).status).toBe(200);
  expect(await refused(from('192.0.2.1'))).toEqual(limit);
});
