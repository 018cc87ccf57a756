// A folder of handwritten HTML with the usual mistakes, opened as a reader does.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportStaticSite } from '../../integration/static-site/export-static-site.ts';
import type { ExportReport } from '../../integration/export/export-site.ts';
import { optionsSchema } from '../../integration/options.ts';
import { expect, test } from './exported.ts';
import { exportPlaces, findByKeyboard, type Place } from './static-site.ts';
import { results, searchField } from './search-dialog.ts';
import { writeFiles } from '../support/write-files.ts';

const page = (title: string, content: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><main><h1>${title}</h1>${content}</main></body></html>`;

const links: [words: string, href: string, title: string][] = [
  ['in other letter case', '/Guides/INSTALL.html', 'Install'],
  ['in Japanese', '/日本語.html#見出し', '日本語'],
  ['in percent signs', 'caf%C3%A9/', 'Café'],
  ['in the other Unicode form', '/cafe\u0301/', 'Café'],
  ['with a percent sign in its name', '100%25.html', 'All'],
  ['with a space in its name', 'a%20b.html', 'Spaced'],
  ['with a question mark in its address', 'a%20b.html?from=home#twice', 'Spaced'],
  ['out of the site', '../../guides/install.html', 'Install'],
  ['cut off', 'cut.html', 'Cut'],
];

const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);

const files: Record<string, string | Uint8Array> = {
  'index.html': page('Home', links.map(([words, href]) => `<p><a href="${href}">${words}</a></p>`).join('')),
  'guides/install.html': page('Install', '<p>Bolt it to the deck.</p>'),
  '日本語.html': page('日本語', '<h2 id="見出し">見出し</h2><p>帆を降ろす。</p>'),
  'café/index.html': page('Café', '<p>The galley serves coffee.</p>'),
  '100%.html': page('All', '<p>Every sail is set.</p>'),
  'a b.html': page('Spaced', '<h2 id="twice">One</h2><p>first</p><h2 id="twice">Two</h2><p>The second of the twins.</p>'),
  'cut.html':
    '<!doctype html><html lang="en"><head><title>Cut</title><link rel="icon" href="data:,"></head><body><main><h1>Cut</h1><p>The rope was cut here <a href="',
  'empty.html': '<!doctype html><html lang="en"><head><title>Empty</title></head><body></body></html>',
  'sails.html': page('Rig', '<h2 id="mast">Mast</h2><p>It is of wood.</p><h2 id="sails">Sails</h2>'),
  'picture.html': picture,
};

let folder: string;
let report: ExportReport;

// The tests run one after another, so that only one worker exports the site.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({}, info) => {
  const root = info.outputPath('dist');
  writeFiles(root, files);
  folder = info.outputPath('offline');
  const { out: _out, replace: _replace, zip: _zip, ...options } = optionsSchema.parse({});
  report = await exportStaticSite({ root }, { ...options, out: folder, generator: 'carrel/test', environment: {} });
});

for (const place of exportPlaces) {
  const homeOf = async (serve: (source: string, at?: string) => Promise<string>) =>
    (place satisfies Place) === 'from file://' ? `${pathToFileURL(folder).href}/` : await serve(folder, '/docs/');

  test(`every link opens its page, in any spelling, ${place}`, async ({ page, serve }) => {
    const home = await homeOf(serve);
    for (const [words, , title] of links) {
      await page.goto(`${home}index.html`);
      await page.getByRole('link', { name: words, exact: true }).click();
      await expect(page.locator('h1'), words).toHaveText(title);
    }
  });

  test(`search finds words on pages with awkward names and on a truncated page, ${place}`, async ({ page, serve }) => {
    const home = await homeOf(serve);
    for (const [words, file] of [
      ['帆を降ろす', '日本語.html'],
      ['galley serves', 'café/'],
      ['Every sail', '100%.html'],
      ['second of the twins', 'a b.html'],
      ['rope was cut', 'cut.html'],
    ]) {
      await page.goto(`${home}index.html`);
      await findByKeyboard(page, words!, home + encodeURI(file!));
      await expect(page.locator('main')).toContainText(words!);
    }
  });
}

test('a result without an excerpt leaves no room for one', async ({ page }) => {
  await page.goto(pathToFileURL(path.join(folder, 'index.html')).href);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.insertText('sails');
  const bare = results(page).filter({ hasText: /^Sails$/ });
  await expect(bare).toBeVisible();
  await expect(bare.locator('.excerpt')).toHaveCount(0);
});

test('a file that is not HTML is copied unchanged, and pages without content are reported', () => {
  expect(new Uint8Array(readFileSync(path.join(folder, 'picture.html')))).toEqual(picture);
  expect(report.warnings.map(({ kind, page }) => `${kind} ${page}`).sort()).toEqual([
    'page-not-text picture.html',
    'page-without-content empty',
  ]);
});
