import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBuiltSite } from '../../../src/export/is-built-site.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from '../cli/carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

function folder(files: Record<string, string>): string {
  const root = temporaryFolder();
  writeFiles(join(root, 'dist'), files);
  return root;
}

const html = (words: string) =>
  `<html lang="en"><title>Page</title><body><div class="text">${words}</div><p class="promo">Buy it</p></body></html>`;

test.each([
  ['HTML alone', ['index.html', 'a/index.html', 'a.css'], true],
  ['HTML in folders only', ['en/index.html'], true],
  ['HTML with its pages as Markdown beside it', ['index.html', 'a/index.html', 'a.md', 'index.md'], true],
  ['HTML with a file of its own', ['index.html', 'a/index.html', 'LICENSE.md'], true],
  ['a docs.json', ['docs.json', 'index.html', 'a.html'], false],
  ['a mint.json', ['mint.json', 'index.html'], false],
  ['Markdown shown by one page (docsify)', ['index.html', 'README.md', 'guide.md'], false],
  ['Markdown with a page of HTML', ['guide.md', 'more.mdx', 'embed/a.html'], false],
  ['neither', ['a.txt'], false],
])('a folder with %s', (_, files, expected) => {
  const root = folder(Object.fromEntries(files.map((file) => [file, ''])));
  expect(isBuiltSite(join(root, 'dist'))).toBe(expected);
});

test('a folder of HTML is exported with the options of the integration', async () => {
  const root = folder({
    'index.html': html('Home words <a href="/docs/v1/a">a</a>'),
    'v1/a.html': html('Old words'),
    'drafts/b.html': html('Draft words'),
    'v1/a.css': '',
  });
  const args = [
    '--base',
    'docs',
    '--content',
    '.text, main',
    '--ignore',
    '.promo',
    '--exclude',
    'drafts/**',
    '--versions',
    'v1=1.x',
  ];
  const { code, stdout, stderr } = await carrel(
    ['export', 'dist', ...args, '--name', 'Ferry', '--no-markdown', '--report', 'report.json'],
    { cwd: root },
  );
  expect([code, stderr]).toEqual([0, expect.stringContaining('Rendered 2 pages')]);
  expect(stdout).toContain('Exported 2 pages');
  const manifest = JSON.parse(readFileSync(join(root, 'site/carrel.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ site: 'Ferry', pages: [{ path: '' }, { path: 'v1/a', docsVersion: '1.x' }] });
  expect(readFileSync(join(root, 'site/index.html'), 'utf8')).toContain('href="v1/a.html"');
  expect(readdirSync(join(root, 'site'))).not.toContain('llms.txt');
  expect(JSON.parse(readFileSync(join(root, 'report.json'), 'utf8'))).toMatchObject({ pages: 2, warnings: [] });
});

test('a folder of HTML with more Markdown than pages is exported as HTML by request', async () => {
  const root = folder({ 'index.html': html('Home words'), 'README.md': '# A', 'guide.md': '# B' });
  expect(await carrel(['export', 'dist', '--builder', 'html'], { cwd: root })).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, 'site/index.html'), 'utf8')).toContain('Home words');
});

test.each([
  [{ 'index.html': html('a') }, ['--paths', 'a'], 2, '"dist" is a folder of HTML, but --paths only applies to docs folders.'],
  [{ 'index.html': html('a') }, ['--social-cards'], 2, '--social-cards only applies to docs folders.'],
  [{ 'index.md': '# A' }, ['--content', 'main', '--name', 'A'], 2, '--name, --content only apply to folders of HTML.'],
  [{ 'index.html': html('a') }, ['--builder', 'docs'], 1, '"dist" is a folder of built HTML, not a docs folder.'],
  [{ 'index.md': '# A' }, ['--builder', 'html'], 1, 'Error (NoPages)'],
  [{ 'index.html': html('a') }, ['--content', 'a + b'], 1, 'Error (SelectorNotReadable)'],
  [{ 'index.html': html('a') }, ['--versions', 'v1'], 2, '--versions: must have the form path=name'],
  [{ 'index.html': html('a'), 'carrel.json': '{}' }, [], 1, 'Error (AlreadyExport)'],
  [{ 'index.html': html('a') }, ['--out', 'dist'], 1, 'Error (OutputInsideSource)'],
])('an error is reported: %j %j', async (files, args, code, message) => {
  const ended = await carrel(['export', 'dist', ...args], { cwd: folder(files) });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
});
