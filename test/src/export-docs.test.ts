import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { exportDocs } from '../../src/export-docs.ts';
import { generatePages, shapes, writeDocs } from '../bench/generate-docs.ts';
import { filesOf, temporaryFolder } from '../integration/export/folder.ts';

/** A folder with generated docs, and how they are exported: again into the same folder with the cache, or afresh without. */
async function generatedDocs(shape: (typeof shapes)[number], count = 24) {
  const root = temporaryFolder();
  const [docs, out, cache] = [join(root, 'docs'), join(root, 'site'), join(root, 'cache')];
  const pages = generatePages(count, shape);
  mkdirSync(docs);
  await writeDocs(docs, pages, shape);
  const run = async (options: { out: string; cache: string | false }) => {
    // Files that are a moment old count as settled.
    const now = Date.now() + 1000;
    await exportDocs({ source: docs, deployment: 'client-hosted', vendor: false, environment: {}, now, ...options });
    return filesOf(options.out);
  };
  return {
    ...{ docs, out, cache },
    files: pages.map((page) => join(docs, `${page.path}.md`)),
    again: () => run({ out, cache }),
    afresh: () => run({ out: join(temporaryFolder(), 'site'), cache: false }),
  };
}

test.each(shapes)(
  'after each change of docs in the shape %s, an export with a cache has the bytes of one without',
  async (shape) => {
    const { files, again, afresh } = await generatedDocs(shape);
    const changes: [file: string, change: (file: string) => void][] = [
      [files[5]!, (file) => appendFileSync(file, '\nOne sentence more.\n')],
      [files[17]!, (file) => writeFileSync(file, '---\ntitle: Another title\n---\n\n## New part\n\nOther words.\n')],
      [files[5]!, (file) => appendFileSync(file, '\n## One part more\n\nWith words.\n')],
      [files[20]!, (file) => rmSync(file)],
    ];
    const first = await again();
    expect(first).toEqual(await afresh());
    expect(await again()).toEqual(first);
    for (const [file, change] of changes) {
      change(file);
      expect(await again()).toEqual(await afresh());
    }
  },
);

test.each<[string, (file: string, text: string) => void]>([
  [
    'replaced by one with the same size and time',
    (file, text) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(`${file}.new`, text);
      utimesSync(`${file}.new`, atime, mtime);
      renameSync(`${file}.new`, file);
    },
  ],
  [
    'rewritten with the same size, and its time set back',
    (file, text) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(file, text);
      utimesSync(file, atime, mtime);
    },
  ],
])('a file is read again when it was %s', async (_, change) => {
  const { files, again } = await generatedDocs('flat', 3);
  writeFileSync(files[1]!, '# Page\n\nThe word is before.\n');
  await again();
  change(files[1]!, '# Page\n\nThe word is behind.\n');
  const exported = await again();
  expect(exported['page-1/index.html']).toContain('The word is behind.');
});

test('a page of the export that was removed or changed by hand is written again', async () => {
  const { out, again } = await generatedDocs('flat', 3);
  await again();
  const whole = await again();
  rmSync(join(out, 'page-1/index.html'));
  writeFileSync(join(out, 'page-2/index.html'), 'changed');
  writeFileSync(join(out, 'page-2/added.html'), 'added');
  expect(await again()).toEqual(whole);
});

test.each([
  ['cut off', 'substr(value, 1, length(value) / 2)'],
  ['empty', "''"],
])('an export is the same when all values of its cache are %s', async (_, value) => {
  const { cache, again } = await generatedDocs('deep', 12);
  const whole = await again();
  const database = new DatabaseSync(join(cache, 'pages.sqlite'));
  database.exec(`UPDATE entry SET value = ${value} WHERE key LIKE 'texts-%' OR key LIKE 'export-%'`);
  database.close();
  expect(await again()).toEqual(whole);
});
