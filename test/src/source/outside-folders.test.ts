import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource } from '../../../src/source/read-source.ts';
import { docsFolder } from './docs-folder.ts';

const project = {
  '.git/HEAD': 'x',
  'package.json': {},
  'public/images/tide.png': 'x',
  'public/notes.txt': 'x',
  'public/.env': 'x',
  'public/code.ts': 'x',
};

async function assetsOf(files: Record<string, string | object>, docs: string): Promise<string[]> {
  const { assets } = await readSource(join(docsFolder({ [`${docs}/page.md`]: '# Page', ...files }), docs));
  return assets.map(({ path, onlyIfUsed }) => (onlyIfUsed ? `${path} if used` : path));
}

const [tide, notes] = ['public/images/tide.png if used', 'public/notes.txt if used'];

test.each<[string, Record<string, string | object>, string, string[]]>([
  ['beside the docs folder', {}, 'docs', [tide, notes]],
  ['four levels above', {}, 'src/content/docs/en', [tide, notes]],
  ['five levels above', {}, 'a/src/content/docs/en', []],
  ['of another project than the nearest', { 'apps/docs/package.json': {} }, 'apps/docs/content', []],
  ['of the docs folder itself', { 'docs/package.json': {}, 'docs/public/own.png': 'x' }, 'docs', ['public/own.png']],
  ['and one of the docs folder', { 'docs/public/notes.txt': 'x' }, 'docs', ['public/notes.txt', tide]],
  ['outside of the repository', { 'repository/.git/HEAD': 'x' }, 'repository/docs', []],
  ['around a folder with docs.json', { 'docs/docs.json': { name: 'x', navigation: { pages: ['page'] } } }, 'docs', []],
  ['that the docs folder is in', {}, 'public/docs', []],
])('the public folder of a project: %s', async (_, files, docs, expected) => {
  expect(await assetsOf({ ...project, ...files }, docs)).toEqual(expected);
});

test('static is a public folder too, and without a project there is none', async () => {
  const files = { '.git/HEAD': 'x', 'static/tide.png': 'x' };
  expect(await assetsOf({ ...files, 'package.json': {} }, 'docs')).toEqual(['public/tide.png if used']);
  expect(await assetsOf(files, 'docs')).toEqual([]);
});

test('without a repository, nothing outside the docs folder is read', async () => {
  const { '.git/HEAD': _, ...files } = project;
  expect(await assetsOf(files, 'docs')).toEqual([]);
});

test('links that lead out of the project or of its public folder are not followed', async () => {
  const root = docsFolder({ 'app/.git/HEAD': 'x', 'app/package.json': {}, 'app/docs/page.md': '# Page', 'secret/key.txt': 'x' });
  symlinkSync(join(root, 'secret'), join(root, 'app/public'));
  mkdirSync(join(root, 'app/static'));
  symlinkSync(join(root, 'secret/key.txt'), join(root, 'app/static/key.txt'));
  expect((await readSource(join(root, 'app/docs'))).assets).toEqual([]);
});
