import { beforeEach, expect, test } from 'vitest';
import { createEvents, type Events } from '../../../server/analytics/events.ts';
import type { ReaderEvent } from '../../../server/analytics/event-schemas.ts';
import { createVisitors } from '../../../server/analytics/visitors.ts';
import type { Database } from '../../../server/database/database.ts';
import { DatabaseUnavailable } from '../../../server/database/unavailable.ts';
import { createOrganizations } from '../../../server/organizations/organizations.ts';
import { createLog } from '../../../server/platform/log.ts';
import { createMetrics } from '../../../server/platform/metrics.ts';
import { createSites } from '../../../server/sites/sites.ts';
import { emptiedDatabase } from '../support/databases.ts';

const start = Date.parse('2030-01-01T23:59:00Z');
const day = 86_400_000;
const domain = 'docs.example.com';
const view: ReaderEvent = { type: 'view', path: 'guides/install' };
const vote = (helpful: boolean, comment?: string): ReaderEvent => ({
  type: 'page_feedback',
  path: 'guides/install',
  helpful,
  comment,
});

const open = emptiedDatabase();
let database: Database;
let clock: { now: number };
/** What the database answers with instead. */
let failure: Error | undefined;
let events: Events;
let metrics: ReturnType<typeof createMetrics>;
const add = (given: ReaderEvent[], address = '192.0.2.1') =>
  events.add({ domain, address, userAgent: 'Firefox', events: given, isPage: () => true });
const count = async (table: string) =>
  (await database.query<{ count: number }>(`select count(*)::integer as count from carrel.${table}`))[0]!.count;

beforeEach(async () => {
  clock = { now: start };
  failure = undefined;
  database = await open();
  metrics = createMetrics();
  const now = () => clock.now;
  const failing: Database = {
    ...database,
    transaction: async (work) => {
      if (failure) throw failure;
      return database.transaction(work);
    },
  };
  events = createEvents({ database: failing, now, log: createLog('silent'), metrics, days: 90 });
  await createOrganizations(database, now).create({ id: 'team', name: 'team', plan: 'standard' });
  await createSites(database, now).put({
    ...{ domain, organization: 'team', source: { type: 'folder', path: '/docs' } },
    settings: { builder: 'docs', deployment: 'client-hosted' },
  });
});

test('events of many requests are stored together, and votes of one visitor replace each other', async () => {
  for (let turn = 0; turn < 150; turn++)
    await add([view, vote(turn % 2 === 0, turn === 3 ? 'Why?' : undefined)], `192.0.2.${turn % 3}`);
  await events.flush();
  expect(await count('events')).toBe(150);
  const votes = await database.query('select helpful, comment from carrel.page_feedback order by comment');
  expect(votes).toHaveLength(3);
  expect(votes[0]).toMatchObject({ comment: 'Why?' });
  // Also those of a later batch.
  await add([vote(true)], '192.0.2.0');
  await events.flush();
  expect(await database.query(`select helpful from carrel.page_feedback where comment is not null`)).toEqual([{ helpful: true }]);
  expect(await count('page_feedback')).toBe(3);
});

test('while the database is unavailable, events wait, as many as have room', async () => {
  await add([view]);
  failure = new DatabaseUnavailable('The database is unavailable.');
  const full = expect.objectContaining({ status: 503, code: 'EventsFull', headers: { 'retry-after': '5' } });
  const batch = Array.from({ length: 20 }, () => view);
  for (let turn = 0; turn < 999; turn++) await add(batch);
  await expect(add(batch)).rejects.toEqual(full);
  await events.flush();
  expect(await count('events')).toBe(0);
  failure = undefined;
  await events.flush();
  expect(await count('events')).toBe(19_981);
  await add(batch);
  await events.close();
  expect(await count('events')).toBe(20_001);
  expect(await metrics.registry.getSingleMetricAsString('carrel_events_total')).toContain('{result="stored"} 20001');
});

test('events that the database refuses do not hold up the others', async () => {
  await add([view]);
  failure = new Error('value out of range');
  await events.flush();
  failure = undefined;
  await add([view, view]);
  await events.flush();
  expect(await count('events')).toBe(2);
});

test('what is older than its days is removed', async () => {
  await add([view, vote(true)]);
  await events.flush();
  clock.now += day;
  await add([view, vote(true)]);
  await events.flush();
  clock.now = start + 90 * day - 1;
  await events.removeOld();
  expect([await count('events'), await count('page_feedback')]).toEqual([2, 2]);
  clock.now = start + 90 * day;
  await events.removeOld();
  expect([await count('events'), await count('page_feedback'), await count('visitor_salts')]).toEqual([1, 1, 0]);
});

test('a visitor is one within a UTC day and a site, in all processes, and someone else afterward', async () => {
  const one = createVisitors(database, () => clock.now);
  const other = createVisitors(database, () => clock.now);
  const reader = { address: '2001:db8::1', userAgent: 'Firefox' };
  const [first, same] = await Promise.all([
    one.hashOf(domain, reader),
    other.hashOf(domain, { ...reader, address: '2001:db8::2' }),
  ]);
  expect(first).toMatch(/^[\w-]{22}$/);
  expect(same).toBe(first);
  expect(await one.hashOf('other.example.com', reader)).not.toBe(first);
  expect(await one.hashOf(domain, { ...reader, userAgent: 'Chrome' })).not.toBe(first);
  expect(await one.hashOf(domain, { ...reader, address: '2001:db8:0:1::1' })).not.toBe(first);
  clock.now += 60_000;
  expect(await one.hashOf(domain, reader)).not.toBe(first);
  expect(await database.query(`select to_char(day, 'YYYY-MM-DD') as day from carrel.visitor_salts`)).toEqual([
    { day: '2030-01-02' },
  ]);
});
