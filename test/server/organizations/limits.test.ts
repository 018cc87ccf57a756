import { beforeEach, expect, test } from 'vitest';
import { addressSubject, createLimits, type Limit, type Limits } from '../../../server/organizations/limits.ts';
import type { Database } from '../../../server/database/database.ts';
import { emptiedDatabase, freshPostgres } from '../support/databases.ts';
import { startChild } from '../support/child.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';

const start = Date.parse('2030-01-01T10:59:30Z');
const hourly: Limit = { name: 'organization', subject: 'team', most: 3, seconds: 3600 };
const daily: Limit = { name: 'address', subject: '192.0.2.1', most: 5, seconds: 86_400 };
const tooMany = (seconds: number) =>
  expect.objectContaining({
    status: 429,
    code: 'TooManyRequests',
    headers: expect.objectContaining({ 'retry-after': String(seconds) }),
  });

const open = emptiedDatabase();
let database: Database;
let limits: Limits;
let clock: { now: number };

beforeEach(async () => {
  clock = { now: start };
  database = await open();
  limits = createLimits(database, 'secret', () => clock.now);
});

test('requests are counted in windows that begin with the hour and the day', async () => {
  expect(await limits.count([hourly, daily])).toEqual({
    'ratelimit-policy': '"organization";q=3;w=3600, "address";q=5;w=86400',
    ratelimit: '"organization";r=2;t=30, "address";r=4;t=46830',
  });
  await limits.count([hourly, daily]);
  expect((await limits.count([hourly, daily])).ratelimit).toBe('"organization";r=0;t=30, "address";r=2;t=46830');
  await expect(limits.count([hourly, daily])).rejects.toEqual(tooMany(30));
  clock.now += 30_000;
  expect((await limits.count([hourly, daily])).ratelimit).toBe('"organization";r=2;t=3600, "address";r=1;t=46800');
});

test('a rejected request counts for no limit', async () => {
  for (let times = 0; times < 3; times++) await limits.count([hourly]);
  for (let times = 0; times < 10; times++) await expect(limits.count([hourly, daily])).rejects.toEqual(tooMany(30));
  expect((await limits.count([daily])).ratelimit).toBe('"address";r=4;t=46830');
});

test('the error names the limit that lasts longest', async () => {
  const full = { ...daily, most: 3 };
  for (let times = 0; times < 3; times++) await limits.count([hourly, full]);
  // Another process has not seen it.
  const elsewhere = createLimits(database, 'secret', () => clock.now);
  for (const limit of [limits, elsewhere]) await expect(limit.count([hourly, full])).rejects.toEqual(tooMany(46_830));
  await expect(elsewhere.count([hourly, full])).rejects.toThrow('limit of 3 requests per day for your IP address');
});

test('each subject has its own count, stored without its name', async () => {
  await limits.count([daily]);
  expect((await limits.count([{ ...daily, subject: '192.0.2.2' }])).ratelimit).toContain('r=4');
  const rows = await database.query('select * from carrel.counts');
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain('192.0.2');
});

test('the hour and the day of one subject are counted apart, also in the hour with which the day ends', async () => {
  clock.now = Date.parse('2030-01-01T23:30:00Z');
  const both = [hourly, { ...hourly, most: 5, seconds: 86_400 }];
  await limits.count([hourly]);
  expect((await limits.count(both)).ratelimit).toBe('"organization";r=1;t=1800, "organization";r=4;t=1800');
});

test('of a hundred concurrent requests, exactly the limit succeeds', async () => {
  const each = await Promise.allSettled(Array.from({ length: 100 }, () => limits.count([{ ...hourly, most: 37 }])));
  expect(each.filter(({ status }) => status === 'fulfilled')).toHaveLength(37);
});

test('removes the counts of windows that have ended', async () => {
  await limits.count([hourly, daily]);
  clock.now += 3_600_000;
  await limits.removeOld();
  expect(await database.query('select ends_at from carrel.counts')).toEqual([{ ends_at: new Date('2030-01-02T00:00:00Z') }]);
});

test('two processes count exactly together', async () => {
  const databaseUrl = await freshPostgres();
  const database = await openDatabase({ dataFolder: '', log: createLog('silent'), databaseUrl });
  try {
    await migrate(database);
    const script = new URL('count-process.ts', import.meta.url);
    const children = [1, 2].map(() => startChild(script, [databaseUrl]));
    for (const child of children) await child.line();
    for (const child of children) child.process.stdin!.write('go\n');
    const counted = await Promise.all(children.map(async (child) => Number(await child.line())));
    for (const child of children) await child.kill();
    expect(counted[0]! + counted[1]!).toBe(500);
  } finally {
    await database.close();
  }
});

test('an IPv6 address counts as its network', () => {
  expect(addressSubject('2001:db8:1:2:3:4:5:6')).toBe(addressSubject('2001:db8:1:2::'));
  expect(addressSubject('2001:db8:1:3::1')).not.toBe(addressSubject('2001:db8:1:2::1'));
  expect(addressSubject('192.0.2.1')).toBe('192.0.2.1');
  expect(addressSubject('')).toBe('');
});
