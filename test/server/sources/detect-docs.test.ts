import { expect, test } from 'vitest';
import { detectDocs } from '../../../server/sources/detect-docs.ts';

const code = ['README.md', 'CHANGELOG.md', 'package.json', 'src/index.ts'];

test.each<[string, string[], string | undefined, object]>([
  ['docs.json at the top', ['docs.json', 'index.mdx', 'guides/a.mdx'], undefined, { folder: '', kind: 'docs-json', pages: 2 }],
  ['mint.json at the top', ['mint.json', 'index.mdx'], undefined, { folder: '', kind: 'docs-json', pages: 1 }],
  ['Markdown at the top', ['index.md', 'a/b.md'], undefined, { folder: '', kind: 'markdown', pages: 2 }],
  ['an Astro project', ['astro.config.mjs', 'src/content/docs/index.md'], undefined, { folder: '', kind: 'astro', pages: 1 }],
  ['a built site', ['index.html', 'a/index.html', 'a.js'], undefined, { folder: '', kind: 'html', pages: 2 }],
  [
    'a docs folder of a program',
    [...code, 'docs/index.md', 'docs/a.md'],
    undefined,
    { folder: 'docs', kind: 'markdown', pages: 2 },
  ],
  [
    'a docs.json in a folder',
    [...code, 'docs/docs.json', 'docs/a.mdx'],
    undefined,
    { folder: 'docs', kind: 'docs-json', pages: 1 },
  ],
  [
    'a docs.json further down, beside an Astro project',
    [...code, 'website/astro.config.ts', 'website/src/content/docs/a.md', 'packages/a/docs/docs.json', 'packages/a/docs/a.md'],
    undefined,
    { folder: 'packages/a/docs', kind: 'docs-json', others: [{ folder: 'website', kind: 'astro', pages: 1 }] },
  ],
  [
    'the folder that was asked for, though another is likelier',
    ['docs/docs.json', 'docs/a.md', 'notes/a.md'],
    'notes',
    { folder: 'notes', kind: 'markdown', pages: 1, others: [{ folder: 'docs', kind: 'docs-json', pages: 1 }] },
  ],
  ['a folder without docs', [...code, 'docs/a.md'], 'src', { folder: 'src', kind: 'none', others: [{ folder: 'docs' }] }],
  ['a folder that does not exist', [...code, 'docs/a.md'], 'dcs', { exists: false, kind: 'none', others: [{ folder: 'docs' }] }],
  ['a program with a README', code, undefined, { folder: '', kind: 'markdown', pages: 2 }],
  ['a program without', ['src/index.ts'], undefined, { folder: '', kind: 'none', exists: true, others: [] }],
  ['what package managers install', ['a.ts', 'node_modules/x/docs/index.md', '.github/docs/a.md'], undefined, { kind: 'none' }],
  [
    'docs beside those of tests and examples',
    [...code, 'docs/a.md', 'docs/b.md', 'test/fixtures/site/docs.json', 'examples/astro/astro.config.mjs', 'e2e/docs/index.md'],
    undefined,
    {
      ...{ folder: 'docs', kind: 'markdown', pages: 2 },
      others: [{ folder: 'test/fixtures/site' }, { folder: 'examples/astro' }, { folder: 'e2e/docs' }],
    },
  ],
  ['examples alone', ['examples/a/docs.json', 'examples/a/index.md'], undefined, { folder: 'examples/a', kind: 'docs-json' }],
  [
    'a repository of examples',
    ['docs.json', 'index.md', 'examples/a.md'],
    undefined,
    { folder: '', kind: 'docs-json', pages: 2 },
  ],
  [
    'a built site with Markdown versions of its pages',
    ['.nojekyll', 'index.html', 'a/index.html', 'a.md', 'index.md', 'assets/LICENSE.md'],
    undefined,
    { folder: '', kind: 'html', pages: 2, others: [] },
  ],
  ['Markdown that one page of HTML shows', ['index.html', 'index.md', 'guide.md'], undefined, { folder: '', kind: 'markdown' }],
  [
    'a built site in a folder',
    [...code, 'dist/index.html', 'dist/a.html'],
    undefined,
    { folder: 'dist', kind: 'html', pages: 2 },
  ],
  ['a program with HTML that is not a site', ['app.py', 'app/mail/welcome.html'], undefined, { folder: '', kind: 'none' }],
  ['a folder of HTML without a home page', ['a/b.html'], 'a', { folder: 'a', kind: 'html', pages: 1 }],
  ['a hidden folder that was asked for', ['a.ts', '.docs/index.md', '.docs/.a/b.md'], '.docs', { kind: 'markdown', pages: 1 }],
  ['nothing', [], undefined, { kind: 'none', exists: false, others: [] }],
])('%s', (_, files, folder, expected) => {
  expect(detectDocs(files, folder)).toMatchObject(expected);
});

test('many folders take no longer each', () => {
  const files = Array.from({ length: 100_000 }, (_, index) => `f${index}/index.md`);
  const found = detectDocs(files, undefined);
  expect(found.others).toHaveLength(10);
});
