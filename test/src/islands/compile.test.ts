import { expect, test } from 'vitest';
import { compileIsland, type ModuleSource } from '../../../src/islands/compile.ts';
import { createCodeModules } from '../../../src/markdown/code-modules.ts';
import { createSnippetUses } from '../../../src/markdown/snippet-uses.ts';
import { snippet } from '../markdown/fixtures.ts';

/** Compiles the first of the files. */
function compile(...files: [file: string, body: string][]) {
  const snippets = new Map(files.map(([file, body]) => snippet(file, body)));
  return compileIsland(files[0]![0], createCodeModules(snippets, createSnippetUses(snippets)));
}

test('the same files give the same script, which has no module syntax', async () => {
  const files: [string, string][] = [
    ['snippets/a.tsx', "import { twice } from './b.jsx';\nexport const A = ({ n }: { n: number }) => <p>{twice(n)}</p>;\n"],
    ['snippets/b.jsx', 'export const twice = (n) => 2 * n;\n'],
  ];
  const [one, other] = [await compile(...files), await compile(...files)];
  if ('fault' in one) throw new Error(one.fault.message);
  expect(one).toEqual(other);
  expect(one.script).toMatch(/^__carrel_island\("[\da-f]{10}",\(exports,require\)=>\{/);
  expect(one.script).not.toMatch(/\bimport\b|\bexport\b/);
});

test.each<[string, [string, string][], object]>([
  [
    'a syntax error',
    [['snippets/a.jsx', 'export const A = () => {\n  return <p>;\n};\n']],
    { file: 'snippets/a.jsx', line: 3, column: expect.any(Number), message: expect.stringMatching(/\w/) },
  ],
  [
    'a syntax error in an imported file',
    [
      ['snippets/a.jsx', "import { b } from './b.tsx';\nexport const A = () => b;\n"],
      ['snippets/b.tsx', 'export const one = 1;\nexport const b = = 1;\n'],
    ],
    { file: 'snippets/b.tsx', line: 2, column: 18 },
  ],
  [
    'a package',
    [['snippets/a.jsx', "import { useState } from 'react';\nimport lodash from 'lodash';\nexport const A = () => lodash();\n"]],
    { file: 'snippets/a.jsx', line: 2, message: expect.stringContaining('"lodash" is a package') },
  ],
  [
    "a module of Node's",
    [['snippets/a.jsx', "import fs from 'node:fs';\nexport const A = () => fs.readFileSync('/etc/passwd');\n"]],
    { file: 'snippets/a.jsx', line: 1, message: expect.stringContaining('"node:fs" is a package') },
  ],
  [
    'a file outside the folder',
    [['snippets/a.jsx', "import x from '../../secret.jsx';\nexport const A = () => x;\n"]],
    { file: 'snippets/a.jsx', line: 1, message: '"../../secret.jsx" is outside the docs folder' },
  ],
  [
    'a missing export',
    [
      ['snippets/a.jsx', "\nimport { c } from './b.jsx';\nexport const A = () => c;\n"],
      ['snippets/b.jsx', 'export const b = 1;\n'],
    ],
    { file: 'snippets/a.jsx', line: 2, message: expect.stringContaining('"c"') },
  ],
  [
    'an error in the exports of a page, on its line',
    [['guides/page.mdx', '# Text\n\n{1 + 1}\n\nexport const A = () => fetch.;\n']],
    { file: 'guides/page.mdx' },
  ],
])('%s is a fault with its position', async (_, files, fault) => {
  expect(await compile(...files)).toMatchObject({ fault });
});

test('what a page exports keeps its lines, and its text is not compiled', () => {
  const body =
    'Text with {braces}.\n\nexport const a = 1;\n\n<Note>\n\nMore.\n\n</Note>\n\nexport const B = () => {\n  return 1;\n};\n';
  const files = new Map([['page.mdx', { file: 'page.mdx', body, kind: 'mdx' as const, bodyLine: 4 }]]);
  const module = createCodeModules(files, createSnippetUses(new Map())).moduleOf('page.mdx') as Exclude<
    ModuleSource,
    { refused: string }
  >;
  expect(module.code.split('\n').slice(0, 13)).toEqual([
    ...['', '', 'export const a = 1;', '', '', '', '', '', '', ''],
    ...['export const B = () => {', '  return 1;', '};'],
  ]);
  expect(module.lineOffset).toBe(4);
});
