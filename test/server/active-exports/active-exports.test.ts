import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createActiveExports } from '../../../server/active-exports/active-exports.ts';
import { createHostedSites } from '../../../server/hosting/hosted-sites.ts';
import { removeOldExports } from '../../../server/jobs/retention.ts';
import { fileKey } from '../../../server/storage/storage-keys.ts';
import { StorageUnavailable, type Storage } from '../../../server/storage/storage.ts';
import { collected, domain, harbour, openAssistantSite } from '../assistant/assistant-site.ts';
import { chunk, done, openModelServer } from '../assistant/model-server.ts';
import { questionOf } from '../assistant/written-question.ts';
import { makeExport, registerSite, runJob } from '../storage/exports.ts';
import { openLinkServer } from '../storage/services.ts';
import { digestOf, openDisk } from '../storage/storages.ts';

/** The registered sites of a server, and active exports whose page is read at each use. */
async function openPages({
  storage,
  most = 3,
  keepExports = 1,
}: { storage?: Storage; most?: number; keepExports?: number } = {}) {
  const server = await openLinkServer({ storage, keepExports });
  const { services, clock } = server;
  let made = 0;
  const exports = createActiveExports(services, {
    most,
    make: (name, { opened }) => ({
      number: ++made,
      text: async () => {
        const file = (await opened.file('index.html'))!;
        return `${name}: ${await new Response(await file.read(0, file.size - 1)).text()}`;
      },
    }),
  });
  return {
    ...server,
    exports,
    made: () => made,
    read: (name: string) => exports.use(name, ({ made: page }) => page.text()),
    exportPage: async (name: string, text: string) => {
      await registerSite(services, name);
      await runJob(services, name, await makeExport({ 'index.html': text }));
      clock.now += 1001;
    },
  };
}

test('concurrent callers share one opening, and an unknown or unexported site is undefined', async () => {
  const { services, exportPage, read, made } = await openPages();
  await exportPage('docs.test', 'one');
  expect(await Promise.all(Array.from({ length: 20 }, () => read('docs.test')))).toEqual(Array(20).fill('docs.test: one'));
  expect(made()).toBe(1);
  await registerSite(services, 'new.test');
  expect([await read('new.test'), await read('unknown.test')]).toEqual([undefined, undefined]);
});

test('above the maximum of open sites, the least recently used are closed and opened again', async () => {
  const { exports, exportPage, read, made } = await openPages({ most: 3 });
  const names = ['a.test', 'b.test', 'c.test', 'd.test'];
  for (const name of names) await exportPage(name, name);
  const numberOf = async (name: string) => (await exports.open(name))!.made.number;
  for (const name of names) expect(await read(name)).toBe(`${name}: ${name}`);
  expect(made()).toBe(4);
  expect([await numberOf('d.test'), await numberOf('b.test'), await numberOf('c.test')]).toEqual([4, 2, 3]);
  expect(await numberOf('a.test')).toBe(5);
  // Of the four, d.test was used longest ago.
  expect([await numberOf('b.test'), await numberOf('c.test'), await numberOf('d.test')]).toEqual([2, 3, 6]);
});

test('the next caller retries an opening that failed', async () => {
  const disk = await openDisk();
  let failures = 1;
  const storage: Storage = {
    ...disk,
    get: (key) => (failures-- > 0 ? Promise.reject(new StorageUnavailable('gone')) : disk.get(key)),
  };
  const { exportPage, read, made } = await openPages({ storage });
  failures = 0;
  await exportPage('docs.test', 'one');
  failures = 1;
  const both = await Promise.allSettled([read('docs.test'), read('docs.test')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await read('docs.test'), made()]).toEqual(['docs.test: one', 1]);
});

test('work that needs a removed file runs once more, on the next export', async () => {
  const { services, exports, clock, exportPage, read } = await openPages();
  await exportPage('docs.test', 'one');
  expect(await read('docs.test')).toBe('docs.test: one');
  await runJob(services, 'docs.test', await makeExport({ 'index.html': 'two' }));
  await removeOldExports(services, 'docs.test');
  let runs = 0;
  // The registry answers from memory: the former export is still the active one for it.
  const late = exports.use('docs.test', async ({ made: page }) => {
    runs++;
    return page.text();
  });
  clock.now += 1001;
  expect([await late, runs]).toEqual(['docs.test: two', 2]);
});

test('work that needs a removed file fails without another export, and is undefined when the site was deleted', async () => {
  const { services, clock, exportPage, read } = await openPages();
  await exportPage('docs.test', 'one');
  await services.storage.remove([fileKey('docs.test', digestOf('one'))]);
  await expect(read('docs.test')).rejects.toMatchObject({ name: 'FileRemoved' });
  const late = read('docs.test');
  await services.sites.remove('default', 'docs.test');
  clock.now += 1001;
  expect(await late).toBeUndefined();
});

test('an open export stays in use while the database is not available', async () => {
  const server = await openPages();
  const { services } = server;
  await server.exportPage('docs.test', 'one');
  let away = false;
  const get: typeof services.sites.get = (name) => (away ? Promise.reject(new Error('no database')) : services.sites.get(name));
  const sites = { ...services.sites, get };
  const exports = createActiveExports({ ...services, sites }, { most: 1, make: (_, { manifest }) => manifest.version });
  const version = (name: string) => exports.use(name, async ({ made }) => made);
  expect(await version('docs.test')).toBe('v1');
  away = true;
  expect(await version('docs.test')).toBe('v1');
  await expect(version('other.test')).rejects.toThrow('no database');
  // It has changed, perhaps to one that needs a password, and no one knows to which.
  services.sites.forget('docs.test');
  await expect(version('docs.test')).rejects.toThrow('no database');
});

test('exports replaced under load: each page and each answer comes from one export', async () => {
  const site = await openAssistantSite(harbour);
  const { services, assistant } = site;
  services.options.keepExports = 1;
  const handle = createHostedSites(services);
  const markdown = (n: number) => `The tide is high at ${n}.\n`;
  const exportNumber = (n: number) =>
    site.exportPages([{ path: 'tides', title: 'Tides', markdown: markdown(n) }], domain, `${n}`);
  await exportNumber(0);
  let isOver = false;
  const heard = { hosted: new Set<string>(), answered: new Set<string>(), searched: 0 };
  const host = async (): Promise<void> => {
    while (!isOver) {
      const answer = await handle(new Request(`http://sites.test/sites/${domain}/tides.md`));
      heard.hosted.add(`${answer.status} ${await answer.text()}`);
      await setImmediate();
    }
  };
  const ask = async (): Promise<void> => {
    while (!isOver) {
      const { text, end } = await site.ask('Is the tide high?');
      heard.answered.add(`${end}: ${/The tide is high at \d/.exec(text)?.[0]}`);
      await setImmediate();
    }
  };
  const search = async (): Promise<void> => {
    while (!isOver) {
      expect(await assistant.search(domain, { query: 'tide', limit: 1, filter: {} })).toHaveLength(1);
      heard.searched++;
      // A search in memory alone never lets others work.
      await setImmediate();
    }
  };
  const readers = [host(), host(), ask(), search()];
  for (let n = 1; n <= 5; n++) {
    await exportNumber(n);
    await removeOldExports(services, domain);
    await handle(new Request(`http://sites.test/sites/${domain}/`));
  }
  // Each reader meets the last export too.
  const last = [`200 # Tides\n\n${markdown(5)}`, 'stop by quotes: The tide is high at 5'];
  await expect.poll(() => [heard.hosted.has(last[0]!), heard.answered.has(last[1]!)]).toEqual([true, true]);
  isOver = true;
  await Promise.all(readers);
  const numbers = [0, 1, 2, 3, 4, 5];
  for (const text of heard.hosted) expect(numbers.map((n) => `200 # Tides\n\n${markdown(n)}`)).toContain(text);
  for (const text of heard.answered) expect(numbers.map((n) => `stop by quotes: The tide is high at ${n}`)).toContain(text);
  expect(heard.searched).toBeGreaterThan(0);
});

test('the next question is answered from the new active export; a running answer ends with the previous one', async () => {
  await using model = await openModelServer();
  const site = await openAssistantSite(harbour);
  await site.configure({ model: { baseUrl: model.url, model: 'scripted' } });
  let go!: () => void;
  const until = new Promise<void>((resolve) => (go = resolve));
  const slow = { steps: [chunk({ content: 'Old [' }), { until }, chunk({ content: '1].' }), chunk({}, 'stop'), done] };
  model.play(slow, { steps: [chunk({ content: 'New [1].' }), chunk({}, 'stop'), done] });

  const coming = model.next();
  const answer = (await site.assistant.answer(domain, questionOf('How do I install with npm?'), new AbortController().signal))!;
  const underWay = collected(answer);
  await coming;
  await site.exportPages([{ path: 'npm', title: 'npm', markdown: 'Install it with npm, anew.\n' }], domain, '2');
  // Nothing of the former is stored any more.
  site.services.options.keepExports = 1;
  await removeOldExports(site.services, domain);
  expect(await site.ask('How do I install with npm?')).toMatchObject({ text: 'New [1].', sources: [{ id: 'npm' }] });
  go();
  expect(await underWay).toMatchObject({ text: 'Old [1].', end: 'stop by model' });
});

test('the assistant opens the next export when the files of the open one were removed', async () => {
  const site = await openAssistantSite(harbour);
  const stale = await site.services.jobs.get((await site.services.sites.get(domain))!.activeJob!);
  expect((await site.assistant.search(domain, { query: 'npm', limit: 1, filter: {} }))![0]!.page).toBe('guides/install');
  await site.exportPages([{ path: 'tides', title: 'Tides', markdown: 'The tide is high.\n' }], domain, '2');
  site.services.options.keepExports = 1;
  await removeOldExports(site.services, domain);
  expect(stale).toBeDefined();
  expect((await site.ask('Is the tide high?')).text).toContain('The tide is high');
  expect(await site.assistant.page(domain, 'guides/install')).toBeUndefined();
});
