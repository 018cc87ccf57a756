import { describe, expect, test } from 'vitest';
import { createLimits } from '../../../server/organizations/limits.ts';
import { createAnswerSessions } from '../../../server/assistant/stream/answer-session.ts';
import { createThreads } from '../../../server/assistant/threads/threads.ts';
import { docsOf } from '../../../server/active-exports/site-docs.ts';
import { exportKey, openStoredSite } from '../../../server/active-exports/active-exports.ts';
import { createApi } from '../../../server/routes.ts';
import { activate, writeIndexedExport, type PlainPage } from '../../support/indexed-export.ts';
import { temporaryFolder } from '../storage/storages.ts';
import { collected, domain, harbour, openAssistantSite } from '../assistant/assistant-site.ts';
import { questionOf } from '../assistant/written-question.ts';

const page = (path: string, language: string, docsVersion: string): PlainPage => ({
  path,
  title: `Install ${language} ${docsVersion}`,
  markdown: `Install it with the tool ${language}${docsVersion}.\n`,
  language,
  docsVersion,
});
const pages = [
  page('', 'en', 'v2'),
  page('v1/guide', 'en', 'v1'),
  page('guide', 'en', 'v2'),
  page('de/guide', 'de', 'v2'),
  page('pt-br/guide', 'pt-BR', 'v2'),
  page('de/v1/guide', 'de', 'v1'),
];

test('an index is chosen by filter, or else by the current page, or else by the home page', async () => {
  const { services, ask } = await openAssistantSite(pages);
  const { activeJob } = (await services.sites.get(domain))!;
  const { result } = (await services.jobs.get(activeJob!))!;
  const stored = (await openStoredSite(services.storage, domain, result!.manifest))!;
  const docs = docsOf(stored.opened, stored.manifest);
  const kind = async (wanted: { language?: string; version?: string }, near?: string) => {
    const found = await docs.index(wanted, near);
    return found && `${found.language} ${found.docsVersion}`;
  };
  expect(await kind({})).toBe('en v2');
  expect(await kind({}, 'nowhere')).toBe('en v2');
  expect(await kind({}, 'v1/guide')).toBe('en v1');
  expect(await kind({}, 'de/guide')).toBe('de v2');
  expect(await kind({ version: 'v1' })).toBe('en v1');
  expect(await kind({ version: 'v1' }, 'de/guide')).toBe('de v1');
  expect(await kind({ language: 'de' })).toBe('de v2');
  expect(await kind({ language: 'de' }, 'v1/guide')).toBe('de v1');
  expect(await kind({ language: 'DE' })).toBe('de v2');
  expect(await kind({ language: 'de-AT', version: 'v2' })).toBe('de v2');
  expect(await kind({ language: 'pt-br' })).toBe('pt-BR v2');
  for (const wanted of [{ language: 'fr' }, { version: 'v3' }, { version: '' }, { language: 'pt-BR', version: 'v1' }])
    expect(await kind(wanted)).toBeUndefined();

  const unknown = await ask({ text: 'How do I install it?', filter: { version: 'v`9\n# x', language: 'fr' } });
  expect(unknown.text).toBe(
    'Il n’y a pas de documentation de `v 9 # x`, `fr` pour répondre. Il y a une documentation de : `v2`, `v1`, `en`, `de`, `pt-BR`.',
  );
  expect(unknown).toMatchObject({ sources: [], end: 'stop by quotes' });
});

describe('a site without a page at its root', () => {
  const backup = (path: string, words: string, kind: Pick<PlainPage, 'language' | 'docsVersion'>): PlainPage => ({
    ...{ path, title: 'Backup', markdown: `${words}\n`, ...kind },
  });
  const versions = [
    backup('v1/backup', 'The backup runs at one.', { docsVersion: 'v1' }),
    backup('v2/backup', 'The backup runs at two.', { docsVersion: 'v2' }),
  ];
  const languages = [
    backup('de/backup', 'Das Backup läuft um eins.', { language: 'de' }),
    backup('en/backup', 'The backup runs at two.', { language: 'en' }),
  ];
  const both = languages.flatMap((page) =>
    ['v1', 'v2'].map((docsVersion) => ({ ...page, path: `${docsVersion}/${page.path}`, docsVersion })),
  );

  test.each([
    ['versions', versions, { defaultLanguage: 'en', defaultDocsVersion: 'v2' }, 'v2/backup', { version: 'V1' }, 'v1/backup'],
    ['languages', languages, { defaultLanguage: 'en' }, 'en/backup', { language: 'DE' }, 'de/backup'],
    [
      'languages and versions',
      both,
      { defaultLanguage: 'en', defaultDocsVersion: 'v2' },
      'v2/en/backup',
      { version: 'V1' },
      'v1/en/backup',
    ],
  ])('uses its defaults of %s, and filters ignore case', async (_, pages, defaults, usual, filter, filtered) => {
    const { services, assistant, exportPages } = await openAssistantSite(harbour);
    await exportPages(pages, domain, '2', defaults);
    const { secret } = await services.keys.create({
      organization: 'default',
      kind: 'assistant',
      name: 'test',
      domains: [domain],
    });
    const { database, secrets, now } = services;
    const api = createApi({
      ...{ ...services, assistant, answers: createAnswerSessions({ now }) },
      limits: createLimits(database, secrets[0], now),
      threads: createThreads({ database, secrets, now, days: 1 }),
    });
    const post = async (route: string, body: object) =>
      api.request(`/discovery/${route}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const found = async (filter?: object) => {
      const results = (await (await post(`v1/search/${domain}`, { query: 'backup', filter })).json()) as { path: string }[];
      return results.map(({ path }) => path);
    };
    const sources = async (filter?: object) => {
      const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'When does the backup run?' }] }];
      const stream = await (await post(`v2/assistant/${domain}/message`, { fp: 'anonymous', messages, filter })).text();
      return [...stream.matchAll(/"type":"source-url",.*?"url":"([^"]*)"/g)].map(([, url]) => url);
    };
    expect([await found(), await sources()]).toEqual([[usual], [`/${usual}`]]);
    expect([await found(filter), await sources(filter)]).toEqual([[filtered], [`/${filtered}`]]);
  });
});

test('each audience is answered, and finds pages, in its own export', async () => {
  const { services, clock, assistant } = await openAssistantSite([
    { path: '', title: 'Home', markdown: 'The kettle is blue.\n' },
  ]);
  const add = async (groups: string[], markdown: string) => {
    const made = await writeIndexedExport(await temporaryFolder(), [{ path: 'prices', title: 'Prices', markdown }], {
      version: groups.join(),
    });
    await activate(services, { domain, groups }, made);
    clock.now += 1001;
  };
  await add(['partner'], 'The kettle costs seven.\n');
  await add(['partner', 'staff'], 'The kettle costs five.\n');
  const seen = async (groups: string[]) => {
    const key = exportKey(domain, groups);
    const found = await assistant.search(key, { query: 'kettle', limit: 5, filter: {} });
    const answer = await assistant.answer(key, questionOf('What about the kettle?'), new AbortController().signal);
    const { sources } = await collected(answer!);
    expect(sources.map(({ id }) => id)).toEqual(found!.map(({ id }) => id));
    return [found!.map(({ text }) => text), await assistant.page(key, 'prices')];
  };
  const everybody = [['The kettle is blue.'], undefined];
  expect(await seen([])).toEqual(everybody);
  expect(await seen(['partner'])).toEqual([['The kettle costs seven.'], expect.stringContaining('costs seven')]);
  expect(await seen(['partner', 'staff'])).toEqual([['The kettle costs five.'], expect.stringContaining('costs five')]);
  // Without an export of its own, it sees what everybody sees.
  expect(await seen(['staff'])).toEqual(everybody);
});

test('instructions of any length cost a question as little as those that a model can read', async () => {
  const { services, ask } = await openAssistantSite(pages);
  const instructions = `Be brief.\n${'x'.repeat(3_000_000)}`;
  await activate(services, { domain }, await writeIndexedExport(await temporaryFolder(), pages, { version: '2', instructions }));
  const { activeJob } = (await services.sites.get(domain))!;
  const { result } = (await services.jobs.get(activeJob!))!;
  const stored = (await openStoredSite(services.storage, domain, result!.manifest))!;
  const read = await docsOf(stored.opened, stored.manifest).instructions();
  expect(read).toMatch(/^Be brief\.\nx/);
  expect(read.length).toBeLessThan(300_000);
  expect((await ask('How do I install it?')).sources.length).toBeGreaterThan(0);
});
