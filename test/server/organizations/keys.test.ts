import { beforeEach, describe, expect, test } from 'vitest';
import { includesScope } from '../../../server/http/key.ts';
import { createKeys, hashOfSecret, kindOfSecret, newSecret, type Keys } from '../../../server/organizations/keys.ts';
import { createOrganizations } from '../../../server/organizations/organizations.ts';
import { sameText } from '../../../server/platform/secrets.ts';
import type { Database } from '../../../server/database/database.ts';
import { emptiedDatabase } from '../support/databases.ts';

const start = Date.parse('2030-01-01T00:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

const open = emptiedDatabase();
let database: Database;
let keys: Keys;
let clock: { now: number };
const now = () => clock.now;
const newKey = (name = 'a key', organization = 'team') => keys.create({ organization, kind: 'admin', name });

beforeEach(async () => {
  clock = { now: start };
  database = await open();
  keys = createKeys(database, now);
  const organizations = createOrganizations(database, now);
  for (const id of ['team', 'rivals']) await organizations.create({ id, name: id, plan: 'enterprise' });
});

test('a key is found by its secret, with all of its fields', async () => {
  const { key, secret } = await keys.create({
    organization: 'team',
    kind: 'assistant',
    name: 'Website’s "assistant"',
    addresses: ['192.0.2.0/24', '2001:db8::/32'],
    domains: ['docs.example.com'],
    origins: ['https://docs.example.com'],
    expiresAt: new Date(start + hour),
  });
  expect(secret).toMatch(/^svc_dsc_[0-9A-Za-z]{43}$/);
  expect(key).toEqual({
    id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
    organization: 'team',
    kind: 'assistant',
    name: 'Website’s "assistant"',
    hint: secret.slice(-4),
    scopes: [],
    addresses: ['192.0.2.0/24', '2001:db8::/32'],
    domains: ['docs.example.com'],
    origins: ['https://docs.example.com'],
    createdAt: new Date(start),
    expiresAt: new Date(start + hour),
    lastUsedAt: null,
    revokedAt: null,
    email: null,
    groups: [],
    editorOf: [],
    createdBy: null,
  });
  expect(await keys.find(secret)).toEqual(key);
  expect(await keys.list('team')).toEqual([key]);
});

test('an admin key can read and write by default', async () => {
  const { key, secret } = await newKey();
  expect(key.scopes).toEqual(['read', 'write']);
  expect(secret).toMatch(/^svc_[0-9A-Za-z]{43}$/);
});

test('stores only the hash of a secret', async () => {
  const { secret } = await newKey();
  const rows = await database.query('select * from carrel.keys');
  expect(JSON.stringify(rows)).not.toContain(secret.slice(4, -4));
});

test.each(['', 'svc_', 'nothing', `svc_${'a'.repeat(43)}`, `svc_dsc_${'a'.repeat(43)}`, 'svc_\0', `svc_${'a'.repeat(100_000)}`])(
  'an unknown secret finds nothing (%#)',
  async (secret) => {
    expect(await keys.find(secret)).toBeUndefined();
  },
);

test('the newest key is the first of the list, and no other organization sees it', async () => {
  for (const name of ['one', 'two', 'three']) {
    await newKey(name);
    clock.now += 1;
  }
  expect((await keys.list('team')).map(({ name }) => name)).toEqual(['three', 'two', 'one']);
  expect(await keys.list('rivals')).toEqual([]);
});

test('revoking takes effect immediately here, and within a second in another process', async () => {
  const { key, secret } = await newKey();
  const elsewhere = createKeys(database, now);
  expect((await keys.find(secret))?.revokedAt).toBeNull();
  expect((await elsewhere.find(secret))?.revokedAt).toBeNull();
  expect(await keys.revoke('team', key.id)).toBe(true);
  expect((await keys.find(secret))?.revokedAt).toEqual(new Date(start));
  clock.now += 1000;
  expect((await elsewhere.find(secret))?.revokedAt).toEqual(new Date(start));
  // The first time stays.
  expect(await keys.revoke('team', key.id)).toBe(true);
  expect((await keys.list('team'))[0]!.revokedAt).toEqual(new Date(start));
});

test('keys of another organization, and unknown ones, cannot be revoked', async () => {
  const { key, secret } = await newKey();
  expect(await keys.revoke('rivals', key.id)).toBe(false);
  expect(await keys.revoke('team', 'key_0000000000000000')).toBe(false);
  expect((await keys.find(secret))?.revokedAt).toBeNull();
});

describe('ten keys per hour', () => {
  const refused = { status: 429, code: 'TooManyKeys' };

  test('the eleventh is rejected until the first is an hour old, and the error says when', async () => {
    for (let n = 0; n < 10; n++) {
      await newKey();
      clock.now += minute;
    }
    expect(await keys.createdInHour('team')).toBe(10);
    await expect(newKey()).rejects.toMatchObject({ ...refused, headers: { 'retry-after': String(50 * 60) } });
    expect(await keys.createdInHour('rivals')).toBe(0);
    await newKey('of another organization', 'rivals');
    clock.now = start + hour;
    await newKey();
    await expect(newKey()).rejects.toMatchObject({ ...refused, headers: { 'retry-after': '60' } });
    expect(await keys.list('team')).toHaveLength(11);
  });

  test('revoking one does not allow another', async () => {
    for (let n = 0; n < 10; n++) await keys.revoke('team', (await newKey()).key.id);
    await expect(newKey()).rejects.toMatchObject(refused);
  });

  test('unlimited keys are not rejected', async () => {
    for (let n = 0; n < 12; n++) {
      await keys.create({ organization: 'team', kind: 'admin', name: 'first' }, { unlimited: true });
    }
    await expect(newKey()).rejects.toMatchObject(refused);
  });

  test('ten of many concurrent keys are created', async () => {
    const made = await Promise.allSettled(Array.from({ length: 30 }, () => newKey()));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await keys.list('team')).toHaveLength(10);
  });

  test('setting the clock back does not delay the next key', async () => {
    for (let n = 0; n < 10; n++) await newKey();
    clock.now -= 24 * hour;
    await newKey();
    expect(await keys.createdInHour('team')).toBe(1);
  });
});

test('writes the use of a key at most once a minute, and at the end', async () => {
  const { key } = await newKey();
  const lastUsed = async () => (await keys.list('team'))[0]!.lastUsedAt?.getTime();
  const written = async () => {
    // In another process nothing is noted: it sees what is written.
    return (await createKeys(database, now).list('team'))[0]!.lastUsedAt?.getTime();
  };
  keys.used(key.id);
  await keys.flush();
  expect(await lastUsed()).toBe(start);
  clock.now += 59_000;
  keys.used(key.id);
  expect(await written()).toBe(start);
  await keys.flush();
  expect(await written()).toBe(start + 59_000);
  clock.now += minute;
  keys.used(key.id);
  await keys.flush();
  expect(await written()).toBe(start + 59_000 + minute);
});

test('the use of a deleted key has no effect', async () => {
  keys.used('key_0000000000000000');
  await expect(keys.flush()).resolves.toBeUndefined();
});

/** Keys whose last uses are recorded as they are written. */
function recorded() {
  const clock = { now: 10 * minute };
  const written: [id: string, at: number][] = [];
  const database = {
    isAway: false,
    query: async (_: string, [id, at]: [string, Date]) => {
      if (database.isAway) throw new Error('away');
      written.push([id, at.getTime()]);
      return [];
    },
  };
  return { clock, written, database, keys: createKeys(database as unknown as Database, () => clock.now) };
}

test('the first use of each key in a minute is written at once, the last one when all are', async () => {
  const { clock, written, keys } = recorded();
  keys.used('a');
  keys.used('b');
  clock.now += minute - 1;
  keys.used('a');
  clock.now += 1;
  keys.used('b');
  expect(written).toEqual([
    ['a', 10 * minute],
    ['b', 10 * minute],
    ['b', 11 * minute],
  ]);
  await keys.flush();
  expect(written.slice(3)).toEqual([['a', 11 * minute - 1]]);
  await keys.flush();
  expect(written).toHaveLength(4);
});

test('a use that could not be written is written with the next one', async () => {
  const { clock, written, database, keys } = recorded();
  database.isAway = true;
  keys.used('a');
  await keys.flush();
  database.isAway = false;
  clock.now += 1;
  keys.used('a');
  expect(written).toEqual([['a', 10 * minute + 1]]);
});

test('a clock that was put back does not keep a use from being written', () => {
  const { clock, written, keys } = recorded();
  keys.used('a');
  clock.now -= 5 * minute;
  keys.used('a');
  expect(written.map(([, at]) => at)).toEqual([10 * minute, 5 * minute]);
});

test.each([
  [['read'], 'read', true],
  [['read'], 'write', false],
  [['write'], 'read', true],
  [['write'], 'operator', false],
  [['operator'], 'read', true],
  [['operator'], 'write', true],
  [[], 'read', false],
] as const)('%j includes %s: %s', (own, wanted, expected) => {
  expect(includesScope([...own], wanted)).toBe(expected);
});

test('a key is its prefix and 32 bytes in base62, always of the same length', () => {
  expect(newSecret('admin', new Uint8Array(32))).toBe(`svc_${'0'.repeat(43)}`);
  const most = newSecret('assistant', new Uint8Array(32).fill(255));
  expect(most).toMatch(/^svc_dsc_[0-9A-Za-z]{43}$/);
  expect(newSecret('admin', new Uint8Array(32).fill(1))).not.toBe(newSecret('admin', new Uint8Array(32).fill(2)));
});

test('all of the 32 bytes are in a key', () => {
  const random = Uint8Array.from({ length: 32 }, (_, at) => at * 7 + 1);
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const number = newSecret('admin', random)
    .slice('svc_'.length)
    .split('')
    .reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
  expect(number.toString(16).padStart(64, '0')).toBe(Buffer.from(random).toString('hex'));
});

test('the longer prefix is tried first', () => {
  expect(kindOfSecret(newSecret('admin', new Uint8Array(32).fill(7)))).toBe('admin');
  expect(kindOfSecret(newSecret('assistant', new Uint8Array(32).fill(7)))).toBe('assistant');
});

test.each([
  '',
  'svc_',
  'svc_dsc_',
  `svc_${'a'.repeat(42)}`,
  `svc_${'a'.repeat(44)}`,
  `svc_dsc_${'a'.repeat(39)}`,
  `sk_${'a'.repeat(43)}`,
  `SVC_${'a'.repeat(43)}`,
  `svc_${'-'.repeat(43)}`,
  `svc_${'a'.repeat(43)}\n`,
])('%j is not a key', (text) => {
  expect(kindOfSecret(text)).toBeUndefined();
});

test('compares whole texts', () => {
  const hash = hashOfSecret('svc_a');
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(sameText(hash, hashOfSecret('svc_a'))).toBe(true);
  expect(sameText(hash, hashOfSecret('svc_b'))).toBe(false);
  expect(sameText(hash, hash.slice(1))).toBe(false);
});
