import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { exportSite } from '../../../integration/export/export-site.ts';
import { themeRules } from '../../../integration/export/theme-rules.ts';
import type { FeedEntry } from '../../../integration/page/page-types.ts';
import { pageSource } from './example-site.ts';
import { filesOf, temporaryFolder } from './folder.ts';

const entry: FeedEntry = {
  id: 'keys & <locks>',
  title: 'Keys & <locks>',
  text: 'It "works" ]]> now.',
  date: '2026-05-04',
  tags: ['A&B'],
};

async function exported(
  siteUrl: string | undefined,
  updates: FeedEntry[] = [entry],
  assets: { path: string; contents: string }[] = [],
) {
  const out = join(temporaryFolder(), 'site');
  const pages = [
    pageSource({ path: 'news/changelog', title: 'Changelog', html: '<main><h1>Changelog</h1></main>', updates }),
    pageSource({ path: '', title: 'Home', html: '<main>Home</main>' }),
  ];
  const site = {
    name: 'Docs',
    pages,
    assets,
    redirects: [],
    home: '',
    defaultLanguage: 'en',
    problems: [],
    rules: themeRules({}),
  };
  await exportSite(site, { out, deployment: 'client-hosted', vendor: false, generator: 'test/1', siteUrl });
  return filesOf(out);
}

/** The texts of XML elements as [name, text]. */
function textsOf(xml: string): [string, string][] {
  const texts: [string, string][] = [];
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag: (name) => void open.push(name),
      ontext: (text) => void texts.push([open.at(-1) ?? '', text]),
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return texts;
}

const joined = (xml: string, name: string) =>
  textsOf(xml)
    .filter(([element]) => element === name)
    .map(([, text]) => text)
    .join('');

test('a page with updates has a feed of absolute URLs beside it', async () => {
  const files = await exported('https://docs.example.com/base');
  const xml = files['news/changelog/rss.xml']!;
  expect(xml).toContain('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"');
  expect(joined(xml, 'title')).toBe('Changelog - DocsKeys & <locks>');
  expect(joined(xml, 'guid')).toBe('https://docs.example.com/base/news/changelog/#keys%20%26%20%3Clocks%3E');
  expect(joined(xml, 'pubDate')).toBe('Mon, 04 May 2026 00:00:00 GMT');
  expect(joined(xml, 'category')).toBe('A&B');
  expect(xml).toContain('<atom:link href="https://docs.example.com/base/news/changelog/rss.xml" rel="self"');
  expect(Object.keys(files).filter((file) => file.endsWith('rss.xml'))).toEqual(['news/changelog/rss.xml']);
});

test('without the URL of the site, or without updates, there is no feed', async () => {
  for (const files of [await exported(undefined), await exported('https://docs.example.com', [])])
    expect(Object.keys(files).filter((file) => file.endsWith('rss.xml'))).toEqual([]);
});

test("an author's own feed takes precedence", async () => {
  const files = await exported('https://docs.example.com', [entry], [{ path: 'news/changelog/rss.xml', contents: 'mine' }]);
  expect(files['news/changelog/rss.xml']).toBe('mine');
});
