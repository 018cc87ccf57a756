import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../server/database/database.ts';
import { firstStart, type FirstSite } from '../../server/first-start.ts';
import { openServices, type Services } from '../../server/services.ts';
import { carrelExport } from './jobs/exporters.ts';
import { createLog } from '../../server/platform/log.ts';
import { serverOptionsSchema } from '../../server/platform/options.ts';
import { emptiedDatabase } from './support/databases.ts';

const site: FirstSite = { domain: 'manual', source: { type: 'folder', path: '/docs/manual' } };

/** The parts of one process over a database; its queue only notes what it is sent. */
async function processOver(database: Database): Promise<{ services: Services; sent: string[]; data: string }> {
  const data = mkdtempSync(join(tmpdir(), 'carrel-first-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const services = await openServices({
    exporter: carrelExport,
    options: serverOptionsSchema.parse({ data }),
    publicUrl: 'http://127.0.0.1:4400',
    sitesUrl: 'http://127.0.0.1:4401',
    secrets: ['x'.repeat(32)],
    now: () => 1_700_000_000_000,
    log: createLog('silent'),
    database,
  });
  const sent: string[] = [];
  return { services: { ...services, queue: { ...services.queue, send: async ({ id }) => void sent.push(id) } }, sent, data };
}

function keysIn(data: string): unknown {
  return JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'));
}

const open = emptiedDatabase();
test('an empty server gets its organization, site, keys and first export', async () => {
  const { services, sent, data } = await processOver(await open());
  const first = (await firstStart(services, site))!;

  expect(await services.organizations.list()).toMatchObject([{ id: 'default', plan: 'enterprise' }]);
  expect(await services.sites.list('default')).toMatchObject([{ ...site, settings: { builder: 'docs' } }]);
  expect(await services.keys.find(first.adminKey)).toMatchObject({ kind: 'admin', scopes: ['read', 'write', 'operator'] });
  expect(await services.keys.find(first.assistantKey)).toMatchObject({ kind: 'assistant', domains: ['manual'], scopes: [] });
  expect(await services.jobs.get(first.jobId)).toMatchObject({ organization: 'default', domain: 'manual', status: 'queued' });
  expect(sent).toEqual([first.jobId]);

  expect(first.file).toBe(join(data, 'keys.json'));
  const { adminKey, assistantKey } = first;
  expect(keysIn(data)).toEqual({ url: 'http://127.0.0.1:4400', adminKey, assistantKey });
  expect(process.platform === 'win32' || (statSync(first.file).mode & 0o777) === 0o600).toBe(true);
});

test('a second start makes nothing and keeps the keys', async () => {
  const { services, sent, data } = await processOver(await open());
  await firstStart(services, site);
  const before = keysIn(data);
  expect(await firstStart(services, { ...site, domain: 'other' })).toBeUndefined();
  expect(keysIn(data)).toEqual(before);
  expect(await services.sites.list('default')).toHaveLength(1);
  expect(sent).toHaveLength(1);
  expect(readdirSync(data).filter((name) => name.startsWith('keys'))).toEqual(['keys.json']);

  const moved = { ...services, publicUrl: 'http://127.0.0.1:4500' };
  await firstStart(moved, site);
  expect(keysIn(data)).toEqual({ ...(before as object), url: 'http://127.0.0.1:4500' });
  const ofOthers = { url: 'http://127.0.0.1:4400', adminKey: 'svc_others', assistantKey: 'svc_dsc_others' };
  writeFileSync(join(data, 'keys.json'), JSON.stringify(ofOthers));
  await firstStart(moved, site);
  expect(keysIn(data)).toEqual(ofOthers);
});

test('a server with any organization is not an empty one', async () => {
  const { services, data } = await processOver(await open());
  await services.organizations.create({ id: 'mine', name: 'Mine', plan: 'standard' });
  expect(await firstStart(services, site)).toBeUndefined();
  expect(existsSync(join(data, 'keys.json'))).toBe(false);
});

test('two processes that start at once make it once', async () => {
  const database = await open();
  const processes = await Promise.all([processOver(database), processOver(database), processOver(database)]);
  const results = await Promise.all(processes.map(({ services }) => firstStart(services, site)));
  expect(results.filter((first) => first !== undefined)).toHaveLength(1);
  expect(processes.map(({ data }) => existsSync(join(data, 'keys.json'))).filter(Boolean)).toHaveLength(1);
  expect(processes.flatMap(({ sent }) => sent)).toHaveLength(1);
  expect(await database.query('select id from carrel.keys')).toHaveLength(2);
});

test('keys that could not be written are not in the database either, and the next start makes others', async () => {
  const { services, sent, data } = await processOver(await open());
  const nowhere = { ...services, options: { ...services.options, data: join(data, 'gone') } };
  await expect(firstStart(nowhere, site)).rejects.toThrow('ENOENT');
  expect(sent).toEqual([]);
  expect(await services.database.query('select id from carrel.organizations')).toEqual([]);
  const first = (await firstStart(services, site))!;
  expect(await services.keys.find(first.adminKey)).toBeDefined();
});

test('a stop before the commit leaves a file of keys that the next start replaces, and keeps beside it', async () => {
  const database = await open();
  const { services, data } = await processOver(database);
  const stopped: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        await work(transaction);
        throw new Error('stopped');
      }),
  };
  await expect(firstStart({ ...services, database: stopped }, site)).rejects.toThrow('stopped');
  const lost = keysIn(data);
  const first = (await firstStart(services, site))!;
  expect(keysIn(data)).toMatchObject({ adminKey: first.adminKey });
  expect(JSON.parse(readFileSync(join(data, 'keys.before.json'), 'utf8'))).toEqual(lost);
});

test('a stop after the commit leaves a job that the next start sends', async () => {
  const { services } = await processOver(await open());
  const dead = { ...services, queue: { ...services.queue, send: () => Promise.reject(new Error('stopped')) } };
  await expect(firstStart(dead, site)).rejects.toThrow('stopped');
  expect(await services.jobs.unfinished()).toMatchObject([{ domain: 'manual' }]);
});
