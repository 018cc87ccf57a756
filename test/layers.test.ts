import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wrongImports } from './support/layers.ts';

test('imports run src → server → integration, and search imports only minisearch', () => {
  expect(wrongImports(fileURLToPath(new URL('..', import.meta.url)))).toEqual([]);
});

test.each([
  ['integration/pages/a.ts', "import { x } from '../../src/press.ts';"],
  ['server/a.ts', "import type { x } from '../src/press.ts';"],
  ['integration/search/a.ts', "import { readFile } from 'node:fs';"],
  ['integration/search/a.ts', "export * from '../problem.ts';"],
  ['integration/a.ts', "const x = await import('../server/index.ts');"],
])('tells when %s has %s', (file, text) => {
  const root = mkdtempSync(join(tmpdir(), 'carrel-layers-'));
  try {
    for (const folder of ['src', 'server', 'integration']) mkdirSync(join(root, folder));
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${text}\n`);
    expect(wrongImports(root)).toHaveLength(1);
  } finally {
    rmSync(root, { recursive: true });
  }
});
