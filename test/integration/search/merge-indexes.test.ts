import { normalize } from 'node:path/posix';
import { expect, test } from 'vitest';
import type { SearchPage } from '../../../integration/search/analyze.ts';
import { openIndex } from '../../../integration/search/index.ts';
import { mergeIndexes, pathInSite } from '../../../integration/search/merge-indexes.ts';
import { shardText } from '../../../integration/search/shards.ts';
import { generatedPages } from '../../support/generated-pages.ts';
import { buildFiles } from './build-files.ts';

const inSite = (site: string, pages: SearchPage[]): SearchPage[] =>
  pages.map((page) => ({
    ...page,
    page: pathInSite(site, page.page),
    area: site,
    sections: page.sections.map((section) => ({
      ...section,
      page: pathInSite(site, page.page),
      id: section.id.includes('#') ? `${pathInSite(site, page.page)}#${section.id.split('#')[1]}` : pathInSite(site, page.page),
    })),
  }));

const all = generatedPages(120);
const sites = { lamps: all.slice(0, 70), none: [], pumps: all.slice(70), switches: all.slice(20, 30) };
const files = new Map(Object.entries(sites).map(([site, pages]) => [site, buildFiles(pages)]));
const merged = mergeIndexes(
  Object.keys(sites).map((site) => ({ site, read: (name) => files.get(site)!.get(name)!, texts: `../../../${site}/x` })),
);
const whole = buildFiles(Object.entries(sites).flatMap(([site, pages]) => inSite(site, pages)));

const opened = (read: (name: string) => string | undefined) =>
  openIndex({ load: async (name) => shardText(read(`${name}.js`) ?? '') });
const fromSites = opened((name) => {
  const [, site, text] = /^\.\.\/\.\.\/(\w+)\/(x\/.*)/.exec(normalize(name)) ?? [];
  return site ? files.get(site)!.get(text!) : merged.get(name);
});

test('the merged index has the terms, lengths and means of an index of all pages', () => {
  const terms = (index: Map<string, string>) => [...index].filter(([name]) => /^(?:t|dict)\d/.test(name));
  expect(terms(merged).length).toBeGreaterThan(3);
  expect(terms(merged)).toEqual(terms(whole));
  const meta = JSON.parse(shardText(merged.get('meta.js')!));
  expect(meta).toEqual(JSON.parse(shardText(whole.get('meta.js')!)));
  expect(meta.areas).toEqual([
    ['lamps', 70],
    ['pumps', 50],
    ['switches', 10],
  ]);
});

test('results, their scores and excerpts are those of an index of all pages', async () => {
  const [one, other] = [await fromSites, await opened((name) => whole.get(name))];
  for (const page of all.slice(0, 40)) {
    const query = page.sections.at(-1)!.headings.at(-1) ?? page.title;
    const found = await one.search(query, { limit: 5 });
    const expected = await other.search(query, { limit: 5 });
    expect(found, query).toEqual(expected);
    expect(await one.excerpts(found)).toEqual(await other.excerpts(expected));
  }
});

test('a search in one site gives its results alone, with the same scores', async () => {
  const index = await fromSites;
  const query = all[25]!.title;
  const everywhere = await index.search(query, { limit: 100 });
  const within = await index.search(query, { limit: 100, area: 'switches' });
  expect(within.length).toBeGreaterThan(0);
  expect(within.every(({ page }) => page.startsWith('switches/'))).toBe(true);
  const known = new Map(everywhere.map(({ id, score }) => [id, score]));
  expect(within[0]!.score).toBe(known.get(within[0]!.id));
  expect(await index.search(query, { area: 'none' })).toEqual([]);
  expect(await index.search(query, { area: 'elsewhere' })).toEqual([]);
});

test('an index of an older format is refused', () => {
  const meta = files
    .get('pumps')!
    .get('meta.js')!
    .replace(String.raw`\"format\":2`, String.raw`\"format\":1`);
  const read = (name: string) => (name === 'meta.js' ? meta : files.get('pumps')!.get(name)!);
  expect(() => mergeIndexes([{ site: 'pumps', read, texts: 'x' }])).toThrow('has format 1, not 2');
});

test('a damaged index is refused', () => {
  const meta = files.get('pumps')!.get('meta.js')!;
  for (const pages of ['zzz', '____B']) {
    const damaged = meta.replace(/(\\"pages\\":\\").*?(?=\\")/, `$1${pages}`);
    const read = (name: string) => (name === 'meta.js' ? damaged : files.get('pumps')!.get(name)!);
    expect(() => mergeIndexes([{ site: 'pumps', read, texts: 'x' }])).toThrow('is damaged');
  }
});
