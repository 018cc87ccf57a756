import { expect, test } from 'vitest';
import { importedFiles, isInSnippetFolder, resolveImport, specifiersOf } from '../../../src/source/snippets.ts';
import { expectLinear } from '../../support/linear.ts';

test.each([
  ['/snippets/a.mdx', 'guides/x.mdx', 'snippets/a.mdx'],
  ['snippets/a.mdx', 'guides/x.mdx', 'snippets/a.mdx'],
  ['./a.mdx', 'guides/x.mdx', 'guides/a.mdx'],
  ['../a.mdx', 'guides/x.mdx', 'a.mdx'],
  ['../../a.mdx', 'guides/x.mdx', null],
  ['/../a.mdx', 'guides/x.mdx', null],
])('%s imported by %s is %s', (specifier, from, path) => {
  expect(resolveImport(specifier, from)).toBe(path);
});

test.each([
  ['a default import', 'import A from "/snippets/a.mdx";', ['snippets/a.mdx']],
  ['two imports on a line', 'import A from "/a.mdx"; import B from "/b.mdx";', ['a.mdx', 'b.mdx']],
  ['named imports over several lines', "import {\n  A,\n  B\n} from '../a.jsx'\n", ['a.jsx']],
  ['the older form', '<Snippet file="b.mdx" />', ['snippets/b.mdx']],
  ['a package', 'import { useState } from "react";', []],
  ['an import from outside the folder', 'import A from "../../a.mdx"', []],
  ['code that shows an import', '```mdx\nimport A from "/snippets/a.mdx"\n```', []],
  ['an import after code', '````md\n```\n````\nimport A from "/a.mdx"', ['a.mdx']],
  ['prose about an import', 'They import it from "a.mdx".', []],
])('finds the files of %s', (_, body, files) => {
  expect(importedFiles(body, 'guides/x.mdx')).toEqual(files);
});

test.each([
  ['snippets/a.mdx', true],
  ['_snippets/a.mdx', true],
  ['guides/snippets/a.mdx', false],
])('%s is a snippet by its place: %s', (file, expected) => {
  expect(isInSnippetFolder(file)).toBe(expected);
});

test.each(['import a\n', ';import ', 'import {\n', 'import { a,\n', 'import a, {', 'import   '])(
  'the time for %j again and again grows with their number',
  (unit) => {
    expectLinear(20_000, (size) => {
      const body = `${unit.repeat(size)}"x.md"`;
      expect([...importedFiles(body, 'a.md'), ...specifiersOf(body)]).toEqual([]);
    });
  },
);
