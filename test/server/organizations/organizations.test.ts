import { beforeEach, expect, test } from 'vitest';
import { createOrganizations, type Organizations } from '../../../server/organizations/organizations.ts';
import type { Database } from '../../../server/database/database.ts';
import { emptiedDatabase } from '../support/databases.ts';

const start = Date.parse('2030-01-01T00:00:00Z');

const open = emptiedDatabase();
let database: Database;
let organizations: Organizations;
let clock: { now: number };

beforeEach(async () => {
  clock = { now: start };
  database = await open();
  organizations = createOrganizations(database, () => clock.now);
});

test('an organization exists from the moment it is created', async () => {
  expect(await organizations.get('team')).toBeUndefined();
  const team = await organizations.create({ id: 'team', name: 'The team', plan: 'enterprise' });
  expect(team).toEqual({ id: 'team', name: 'The team', plan: 'enterprise', createdAt: new Date(start) });
  expect(await organizations.get('team')).toEqual(team);
  await organizations.create({ id: 'also', name: 'Also', plan: 'standard' });
  expect((await organizations.list()).map(({ id }) => id)).toEqual(['also', 'team']);
});

test('an ID is unique', async () => {
  const make = () => organizations.create({ id: 'team', name: 'The team', plan: 'enterprise' });
  const made = await Promise.allSettled([make(), make(), make()]);
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(make()).rejects.toMatchObject({ status: 409, code: 'OrganizationExists' });
});

test('a plan changes immediately here, and within a second in another process', async () => {
  await organizations.create({ id: 'team', name: 'The team', plan: 'enterprise' });
  const elsewhere = createOrganizations(database, () => clock.now);
  expect((await elsewhere.get('team'))?.plan).toBe('enterprise');
  expect(await organizations.update('team', { plan: 'standard' })).toMatchObject({ name: 'The team', plan: 'standard' });
  expect((await organizations.get('team'))?.plan).toBe('standard');
  clock.now += 1000;
  expect((await elsewhere.get('team'))?.plan).toBe('standard');
  expect(await organizations.update('team', { name: 'We' })).toMatchObject({ name: 'We', plan: 'standard' });
});

test('does not change an unknown organization', async () => {
  expect(await organizations.update('nobody', { plan: 'standard' })).toBeUndefined();
});
