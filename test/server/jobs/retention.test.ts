import { expect, test } from 'vitest';
import type { Job } from '../../../server/jobs/model/job.ts';
import { storeExport } from '../../../server/storage/store-export.ts';
import { archiveKey, fileKey, manifestKey } from '../../../server/storage/storage-keys.ts';
import { removeOldExports } from '../../../server/jobs/retention.ts';
import type { Storage } from '../../../server/storage/storage.ts';
import type { Services } from '../../../server/services.ts';
import { completeJob, makeExport, registerSite, runJob, startJob } from '../storage/exports.ts';
import { openLinkServer, type LinkServer } from '../storage/services.ts';
import { digestOf, openDisk } from '../storage/storages.ts';

const domain = 'docs.test';

/** Exports one after another, a second apart, each with these texts as files. */
async function exportAll({ services, clock }: LinkServer, exports: string[][], organization?: string): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const texts of exports) {
    clock.now += 1001;
    const made = await makeExport(Object.fromEntries(texts.map((text, at) => [`${at}.txt`, text])));
    jobs.push(await runJob(services, domain, made, organization));
  }
  return jobs;
}

async function isThere(storage: Storage, text: string): Promise<boolean> {
  return (await storage.get(fileKey(domain, digestOf(text)))) !== undefined;
}

async function expired(services: Services, jobs: Job[]): Promise<boolean[]> {
  return Promise.all(jobs.map(async ({ id }) => (await services.jobs.get(id))!.expiredAt !== null));
}

async function openSite(keepExports: number): Promise<LinkServer & { storage: Storage }> {
  const storage = await openDisk();
  const server = await openLinkServer({ storage, keepExports });
  await registerSite(server.services, domain);
  return { ...server, storage };
}

test('keeps the newest exports, and the files that they share with older ones', async () => {
  const server = await openSite(2);
  const { services, storage } = server;
  const jobs = await exportAll(server, [
    ['1', 'all', '1 and 3'],
    ['2', 'all'],
    ['3', 'all', '1 and 3'],
    ['4', 'all'],
  ]);
  await removeOldExports(services, domain);
  expect(await expired(services, jobs)).toEqual([true, true, false, false]);
  const texts = ['1', '2', '3', '4', 'all', '1 and 3'];
  expect(await Promise.all(texts.map((text) => isThere(storage, text)))).toEqual([false, false, true, true, true, true]);
  for (const { result } of jobs.slice(0, 2)) {
    expect(await storage.get(archiveKey(domain, result!.archive.sha256))).toBeUndefined();
    expect(await storage.get(manifestKey(domain, result!.manifest))).toBeUndefined();
    expect(await storage.get(manifestKey(domain, result!.manifest, 'carrel.config.js'))).toBeUndefined();
  }
  expect(await storage.get(archiveKey(domain, jobs[2]!.result!.archive.sha256))).toBeDefined();
  expect(await storage.get(manifestKey(domain, jobs[2]!.result!.manifest, 'carrel.config.js'))).toBeDefined();
  // Once more changes nothing.
  await removeOldExports(services, domain);
  expect(await isThere(storage, '1 and 3')).toBe(true);
});

test('keeps the active export, regardless of its age', async () => {
  const server = await openSite(1);
  const { services, storage } = server;
  const jobs = await exportAll(server, [['1'], ['2'], ['3']]);
  await services.database.query('update carrel.sites set active_job = $1', [jobs[0]!.id]);
  await removeOldExports(services, domain);
  expect(await expired(services, jobs)).toEqual([false, true, false]);
  expect(await isThere(storage, '1')).toBe(true);
});

test('the same content exported again keeps all files', async () => {
  const server = await openSite(1);
  const jobs = await exportAll(server, [['same'], ['same']]);
  await removeOldExports(server.services, domain);
  expect(await expired(server.services, jobs)).toEqual([true, false]);
  expect(await isThere(server.storage, 'same')).toBe(true);
  expect(await server.storage.get(archiveKey(domain, jobs[1]!.result!.archive.sha256))).toBeDefined();
  expect(await server.storage.get(manifestKey(domain, jobs[1]!.result!.manifest))).toBeDefined();
});

test('removes nothing while a job of the site runs, and the rest after it', async () => {
  const server = await openSite(1);
  const { services, storage, clock } = server;
  const jobs = await exportAll(server, [['back again'], ['2']]);
  const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
  const running = await startJob(services, id);
  await removeOldExports(services, domain);
  expect(await expired(services, jobs)).toEqual([false, false]);
  clock.now += 1001;
  await completeJob(services, running, await makeExport({ 'a.txt': 'back again' }));
  await removeOldExports(services, domain);
  expect(await expired(services, jobs)).toEqual([true, true]);
  expect(await isThere(storage, 'back again')).toBe(true);
  expect(await isThere(storage, '2')).toBe(false);
});

/** A site whose old export has more files than are removed at once, and what happens after the first of them are gone. */
async function openMany(meanwhile: (server: LinkServer) => Promise<unknown>) {
  const storage = await openDisk();
  let server: LinkServer;
  let removals = 0;
  const slow: Storage = {
    ...storage,
    async remove(keys) {
      await storage.remove(keys);
      if (++removals === 1) await meanwhile(server);
    },
  };
  server = await openLinkServer({ storage: slow, keepExports: 1 });
  await registerSite(server.services, domain);
  const [old] = await exportAll(server, [many, ['2']]);
  return { ...server, storage, old: old! };
}
const many = Array.from({ length: 40 }, (_, at) => `page ${at}`);

test('ends when a job starts in the meantime, and removes nothing that the job needs', async () => {
  const { services, storage, old } = await openMany(async (server) => {
    server.clock.now += 1001;
    await runJob(server.services, domain, await makeExport(Object.fromEntries(many.map((text, at) => [`${at}.html`, text]))));
  });
  await removeOldExports(services, domain);
  expect(await expired(services, [old])).toEqual([false]);
  await removeOldExports(services, domain);
  expect(await expired(services, [old])).toEqual([true]);
  expect(await Promise.all(many.map((text) => isThere(storage, text)))).toEqual(many.map(() => true));
});

test('ends when a job starts in the meantime and still runs', async () => {
  const { services, storage, old } = await openMany(async (server) => {
    const { id } = await server.services.jobs.create({ organization: 'default', domain, request: {} });
    await startJob(server.services, id);
  });
  await removeOldExports(services, domain);
  expect(await expired(services, [old])).toEqual([false]);
  expect(await storage.get(manifestKey(domain, old.result!.manifest))).toBeDefined();
});

test('continues an interrupted removal', async () => {
  const { services, storage, old } = await openMany(() => Promise.reject(new Error('away')));
  await expect(removeOldExports(services, domain)).rejects.toThrow('away');
  expect(await expired(services, [old])).toEqual([false]);
  await removeOldExports(services, domain);
  expect(await expired(services, [old])).toEqual([true]);
  expect(await Promise.all(many.map((text) => isThere(storage, text)))).toEqual(many.map(() => false));
});

test('removes all files of a deleted site, and those of its previous organization', async () => {
  const server = await openSite(5);
  const { services, storage } = server;
  const first = await exportAll(server, [['1'], ['2']]);
  await services.sites.remove('default', domain);
  await removeOldExports(services, domain);
  expect(await expired(services, first)).toEqual([true, true]);
  expect(await isThere(storage, '2')).toBe(false);

  await registerSite(services, domain);
  const second = await exportAll(server, [['3']]);
  await services.sites.remove('default', domain);
  await registerSite(services, domain, 'other');
  const third = await exportAll(server, [['4']], 'other');
  await removeOldExports(services, domain);
  expect(await expired(services, [...second, ...third])).toEqual([true, false]);
  expect([await isThere(storage, '3'), await isThere(storage, '4')]).toEqual([false, true]);
});
test('keeps as many reports of failed jobs as exports', async () => {
  const { services, clock } = await openLinkServer({ storage: await openDisk(), keepExports: 1 });
  await registerSite(services, domain);
  const ids: string[] = [];
  for (let times = 0; times < 2; times++) {
    clock.now += 1001;
    const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
    const { attempt } = await startJob(services, id);
    await services.jobs.saveReport({ id, attempt }, '{}');
    await services.jobs.fail({ id, attempt }, { code: 'Test', message: 'ended' });
    ids.push(id);
  }
  await removeOldExports(services, domain);
  expect(await Promise.all(ids.map((id) => services.jobs.readReport(id)))).toEqual([undefined, '{}']);
});

test('removes incomplete files of an interrupted run on disk', async () => {
  const storage = await openDisk();
  const server = await openLinkServer({ storage });
  const { services } = server;
  await registerSite(services, domain);
  const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
  const job = await startJob(services, id);
  await storeExport(services, { domain, ...(await makeExport({ 'a.txt': 'left', 'b.txt': 'shared' })) });
  await storeExport(services, { domain: 'docs.test.example', ...(await makeExport({ 'a.txt': 'of another site' })) });
  await removeOldExports(services, domain);
  expect(await isThere(storage, 'left')).toBe(true);
  await services.jobs.fail({ id, attempt: job.attempt }, { code: 'Test', message: 'ended' });
  await exportAll(server, [['shared', 'kept']]);
  await removeOldExports(services, domain);
  expect(await Promise.all(['left', 'shared', 'kept'].map((text) => isThere(storage, text)))).toEqual([false, true, true]);
  expect(await storage.list!(`sites/${domain}`)).toHaveLength(5);
  expect(await storage.list!('sites/docs.test.example')).toHaveLength(4);
  expect(await storage.list!('sites/nowhere.test')).toEqual([]);
});
