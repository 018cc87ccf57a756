import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { expect, test } from 'vitest';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { exportDocs, type ExportDocsOptions } from '../../../src/export/export-docs.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n\n${text}\n`;

function docsWith(downloads: string[]) {
  const root = temporaryFolder();
  const navigation = {
    languages: [
      { language: 'en', pages: ['index'] },
      { language: 'de', pages: ['de/start'] },
    ],
  };
  writeFiles(join(root, 'docs'), {
    'docs.json': JSON.stringify({ name: 'Tides', downloads, navigation }),
    'index.md': page('Home', 'Words. ![Not an image](/fake.png)'),
    'de/start.md': page('Start', 'Wörter.'),
    'fake.png': 'not an image',
  });
  const out = join(root, 'site');
  const run = async (options: Partial<ExportDocsOptions> = {}) => {
    const shared = { source: join(root, 'docs'), out, deployment: 'client-hosted' as const, vendor: false, environment: {} };
    // Files that are a moment old count as settled.
    return await exportDocs({ ...shared, cache: join(root, 'cache'), now: Date.now() + 1000, ...options });
  };
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const listed = () => JSON.parse(/\((.*)\)/.exec(read('_carrel/downloads.js'))![1]!) as { format: string; size: number }[];
  return { root, run, read, listed, file: (format: string) => join(out, `_carrel/downloads/docs.${format}`) };
}

test('readers can download a site as a book and as an archive, which is a whole site without downloads', async () => {
  const { root, run, read, listed, file } = docsWith(['epub', 'zip']);
  const { warnings } = await run();
  for (const { format, size } of listed()) expect(size).toBe(statSync(file(format)).size);
  expect(
    listed()
      .map(({ format }) => format)
      .sort(),
  ).toEqual(['epub', 'zip']);
  const manifest = JSON.parse(read('carrel.json')) as { version: string; files: Record<string, unknown> };
  expect(Object.keys(manifest.files)).toEqual(expect.arrayContaining(['_carrel/downloads/docs.epub', '_carrel/downloads.js']));
  const archive = new AdmZip(file('zip'));
  const inside = JSON.parse(archive.readAsText('carrel.json')) as typeof manifest;
  expect(await verifyBundle(file('zip'))).toEqual([]);
  expect(Object.keys(inside.files).filter((name) => name.startsWith('_carrel/downloads'))).toEqual(['_carrel/downloads.js']);
  expect(archive.readAsText('_carrel/downloads.js')).toContain('[]');
  expect(new AdmZip(file('epub')).readAsText('EPUB/page-1.xhtml')).toContain('Words.');
  // A book has the pages of one language.
  expect(read('index.html')).toContain('data-carrel-formats="epub zip"');
  expect(read('de/start/index.html')).toContain('data-carrel-formats="zip"');

  // The same docs: nothing is made again, and what was said before is said again.
  const before = statSync(file('epub')).ino;
  expect((await run()).warnings).toEqual(warnings);
  expect(warnings.map(({ kind }) => kind)).toContain('image-not-in-book');
  expect(statSync(file('epub')).ino).toBe(before);
  writeFileSync(join(root, 'docs/index.md'), page('Home', 'Other words.'));
  await run();
  expect(new AdmZip(file('epub')).readAsText('EPUB/page-1.xhtml')).toContain('Other words.');
  expect(new AdmZip(file('zip')).readAsText('index.html')).toContain('Other words.');
  await run({ out: join(root, 'afresh'), cache: false });
  for (const format of ['epub', 'zip'])
    expect(readFileSync(join(root, `afresh/_carrel/downloads/docs.${format}`)).equals(readFileSync(file(format)))).toBe(true);
});

test.each([
  ['no browser', 'none', 'A PDF needs a browser, and this export may not use one.'],
  ['a missing browser', '/nowhere/chromium', 'There is no browser "/nowhere/chromium"'],
  ['a browser that prints nothing', '/bin/true', 'The browser "/bin/true" did not print part 1 of 2 of the PDF'],
])('with %s, a site has no PDF and says so', async (_, browser, reason) => {
  const { run, listed } = docsWith(['pdf', 'epub']);
  const { warnings } = await run({ browser });
  expect(listed().map(({ format }) => format)).toEqual(['epub']);
  const { message, hint } = warnings.find(({ kind }) => kind === 'download-not-made')!;
  expect(message).toContain(`Readers cannot download a PDF: ${reason}`);
  expect(hint).toContain('--browser PATH');
});

test('the archive has the label and the signature of its export, also when no page has changed', async () => {
  const { run, file } = docsWith(['zip', 'zip']);
  for (const label of ['1', '2'])
    for (const signedBy of ['a', 'b']) {
      await run({ label, signedBy, attest: async () => new Map([['carrel.json.minisig', signedBy]]) });
      const archive = new AdmZip(file('zip'));
      expect(JSON.parse(archive.readAsText('carrel.json'))).toMatchObject({ version: label });
      expect(archive.readAsText('carrel.json.minisig')).toBe(signedBy);
      expect(archive.readAsText('index.html')).toContain('data-carrel-formats="zip"');
    }
});
