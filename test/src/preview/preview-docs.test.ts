import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { previewDocs, type PreviewedDocs } from '../../../src/preview/preview-docs.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { fixtureExports } from '../../support/fixture-exports.ts';

const opened: PreviewedDocs[] = [];
afterEach(async () => {
  for (const docs of opened.splice(0)) await docs.close();
});

function preview(fixture: string, groups?: string[]): PreviewedDocs & { folder: string } {
  const folder = join(temporaryFolder(), 'docs');
  cpSync(join(import.meta.dirname, '../../../fixtures', fixture), folder, { recursive: true });
  const docs = previewDocs({ folder, groups, now: Date.now });
  opened.push(docs);
  return { ...docs, folder };
}

async function textOf(docs: PreviewedDocs, path: string): Promise<string> {
  const file = await docs.state().site?.file(path);
  if (file === undefined) throw new Error(`${path} is missing`);
  return 'file' in file ? readFileSync(file.file, 'utf8') : Buffer.from(file.contents as string).toString();
}

test.each(['docs-json-site', 'versions-languages'])('%s has the same bytes as its export', async (fixture) => {
  const docs = preview(fixture);
  await docs.open();
  await docs.state().site!.readPages(new AbortController().signal);
  const out = join(await fixtureExports(), fixture);
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(out.length + 1)
        .replaceAll('\\', '/'),
    )
    // What a preview has otherwise: indexes under another name, no version, and no lists for programs.
    .filter((file) => !/^(?:_carrel\/(?:search\/|site\.js$)|carrel\.(?:json|version\.js)$|llms(?:-full)?\.txt$)/.test(file));
  expect(files.filter((file) => file.endsWith('.html')).length).toBeGreaterThan(3);
  for (const file of files) expect(await textOf(docs, file), file).toBe(readFileSync(join(out, file), 'utf8'));
  expect(await textOf(docs, 'carrel.version.js')).toBe('__carrel_version("");\n');
});

test('a change of one page changes its files and nothing else, and an index is patched', async () => {
  const docs = preview('docs-json-site');
  const before = await docs.open();
  const signal = new AbortController().signal;
  await before.site!.readPages(signal);
  const [page] = readdirSync(docs.folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^guides\/[^/]*\.mdx$/.test(file),
  );
  const file = join(docs.folder, page!);
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n\nThe quetzalcoatlus.\n`);
  const after = await docs.open();
  expect(after.revision).not.toBe(before.revision);
  expect(await textOf(docs, page!.replace('.mdx', '/index.html'))).toContain('quetzalcoatlus');
  const folder = /"folder":"(search\/[^"]*)"/.exec(await textOf(docs, '_carrel/site.js'))![1]!;
  const meta = await textOf(docs, `_carrel/${folder}/meta.js`);
  expect(meta).toContain('__carrel_shard');
  expect((await docs.open()).revision).toBe(after.revision);
});

test('a page for some readers is in the preview for these readers', async () => {
  await expect(
    preview('docs-json-site')
      .open()
      .then(({ site }) => site!.file('members.md')),
  ).resolves.toBeUndefined();
  const docs = preview('docs-json-site', ['staff']);
  await docs.open();
  expect(await textOf(docs, 'members.md')).toContain('xylophonist');
});

test('a broken docs.json leaves the last site, with the place of the fault', async () => {
  const docs = preview('docs-json-site');
  await docs.open();
  const file = join(docs.folder, 'docs.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text.trimEnd().slice(0, -1)}`);
  const broken = await docs.open();
  expect(broken.fault).toMatchObject({ name: 'ConfigNotJson', location: expect.stringMatching(/^docs\.json:\d+:\d+$/) });
  expect(broken.fault?.frame).toMatch(/^> +\d+ \|/m);
  expect(await textOf(docs, 'index.html')).toContain('<html');
  writeFileSync(file, text);
  expect((await docs.open()).fault).toBeUndefined();
});

test('a page that is deleted is missing from the next state, and was whole in the previous one', async () => {
  const docs = preview('docs-json-site');
  const before = await docs.open();
  const [page] = readdirSync(docs.folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^guides\/[^/]*\.mdx$/.test(file),
  );
  const html = page!.replace('.mdx', '/index.html');
  const rendering = before.site!.file(html);
  rmSync(join(docs.folder, page!));
  await Promise.allSettled([rendering]);
  const after = await docs.open();
  expect(after.fault).toBeUndefined();
  expect(await after.site!.file(html)).toBeUndefined();
});
