import { beforeAll, expect, test } from 'vitest';
import { parseManifest } from '../../../../server/storage/read-manifest.ts';
import { docsOf } from '../../../../server/active-exports/site-docs.ts';
import { openSite } from '../../../../server/active-exports/open-site.ts';
import { type DocsVariant, listPages, readPage, searchDocs } from '../../../../server/assistant/retrieve/docs-tools.ts';
import { writeIndexedExport, type PlainPage } from '../../../support/indexed-export.ts';
import { temporaryFolder } from '../../storage/storages.ts';
import { harbour } from '../assistant-site.ts';

const many = Array.from({ length: 250 }, (_, i): PlainPage => {
  return { path: `keys/${i}`, title: `Key ${i}`, markdown: `The key ${i} opens the door ${i}.\n` };
});
const german: PlainPage = { path: 'de/keys', title: 'Schlüssel', markdown: 'Ein Schlüssel.\n', language: 'de' };

let variant: DocsVariant;
beforeAll(async () => {
  const { folder, manifest } = await writeIndexedExport(await temporaryFolder(), [...harbour, german, ...many], {
    defaults: { defaultLanguage: 'en' },
  });
  const docs = docsOf(await openSite(folder), parseManifest(JSON.stringify(manifest), 'of a test'));
  variant = { docs, found: (await docs.index({}))!, siteUrl: undefined };
});

test('a search finds sections of at most five pages', async () => {
  const found = await searchDocs(variant, { query: 'key door' });
  expect(found.length).toBeGreaterThanOrEqual(5);
  expect(new Set(found.map(({ page }) => page)).size).toBe(5);
  expect(await searchDocs(variant, { query: '?' })).toEqual([]);
});

test.each(['/guides/install', 'guides/install/', '/guides/install#npm', 'guides/install?x=1'])(
  'reads the page %s',
  async (path) => {
    const read = await readPage(variant, { path }, 1000);
    expect(read).toMatchObject({ page: { path: 'guides/install', title: 'Install Tidewater' } });
    expect(read!.part).toMatch(/^# Install Tidewater\n[^]*```bash\nnpm install tidewater\n```/);
    expect(read).not.toHaveProperty('next');
  },
);

test('reads a long page in parts, and nothing behind its end', async () => {
  const first = (await readPage(variant, { path: 'guides/install' }, 40))!;
  const second = (await readPage(variant, { path: 'guides/install', offset: first.next! }, 1000))!;
  expect(`${first.part}${second.part}`.replace(/\s/g, '')).toBe(first.text.replace(/\s/g, ''));
  expect(await readPage(variant, { path: 'guides/install', offset: 1_000_000_000 }, 40)).toMatchObject({ part: '' });
});

test.each(['nowhere', '../carrel.json', 'carrel.json', '__proto__', 'https://example.com/'])(
  'there is no page %s',
  async (path) => {
    expect(await readPage(variant, { path }, 1000)).toBeUndefined();
  },
);

test('lists the pages of the language, in parts, and those below a path', () => {
  const first = listPages(variant, {});
  expect(first).toMatchObject({ total: 255, next: 100 });
  expect(first.pages.slice(0, 2)).toEqual([
    { path: '', title: 'Tidewater' },
    { path: 'guides/install', title: 'Install Tidewater' },
  ]);
  const parts = [0, 100, 200].flatMap((offset) => listPages(variant, { offset }).pages);
  expect(parts.map(({ path }) => path)).toEqual([...harbour, ...many].map(({ path }) => path));
  expect(listPages(variant, { offset: 200 })).not.toHaveProperty('next');
  expect(listPages(variant, { under: '/guides/' }).pages.map(({ path }) => path)).toEqual([
    'guides/install',
    'guides/configure',
    'guides/windows',
  ]);
  expect(listPages(variant, { under: 'guide' })).toEqual({ pages: [], total: 0 });
  expect(listPages(variant, { offset: 1_000_000 })).toEqual({ pages: [], total: 255 });
});
