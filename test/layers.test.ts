import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wrongImports } from './support/layers.ts';

test('files import from their own folder and lower levels, and search imports only minisearch', () => {
  expect(wrongImports(fileURLToPath(new URL('..', import.meta.url)))).toEqual([]);
});

test.each([
  ['integration/page/a.ts', "import { x } from '../../src/render-pages.ts';", 'on a higher level'],
  ['integration/page/a.ts', "import type { x } from '../export/x.ts';", 'on a higher level'],
  ['integration/html/a.ts', "const x = await import('../page/x.ts');", 'on a higher level'],
  ['server/platform/a.ts', "import type { x } from '../../src/render-pages.ts';", 'on a higher level'],
  ['server/storage/a.ts', "export { x } from '../services.ts';", 'on a higher level'],
  ['integration/search/a.ts', "import { readFile } from 'node:fs';", 'only minisearch'],
  ['integration/search/a.ts', "export * from '../page/x.ts';", 'on a higher level'],
  ['integration/elsewhere/a.ts', '', 'has no level'],
])('reports %s with %s', (file, text, message) => {
  expect(reportOn(file, text)).toEqual([expect.stringContaining(message)]);
});

test('accepts imports from lower levels, from packages and from the allow-list', () => {
  expect(reportOn('server/jobs/a.ts', "import { x } from '../../integration/errors.ts';\nimport { z } from 'zod';")).toEqual([]);
  const exceptions = ['integration/page/a.ts → integration/export/x.ts'];
  expect(reportOn('integration/page/a.ts', "import { x } from '../export/x.ts';", exceptions)).toEqual([]);
});

test('reports a line of the allow-list that no import needs', () => {
  const exceptions = ['integration/page/a.ts → integration/export/x.ts'];
  expect(reportOn('integration/page/a.ts', "import { x } from './x.ts';", exceptions)).toEqual([
    expect.stringContaining('any more'),
  ]);
});

function reportOn(file: string, text: string, exceptions: string[] = []): string[] {
  const root = mkdtempSync(join(tmpdir(), 'carrel-layers-'));
  try {
    for (const folder of ['src', 'server', 'integration']) mkdirSync(join(root, folder));
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${text}\n`);
    return wrongImports(root, exceptions);
  } finally {
    rmSync(root, { recursive: true });
  }
}
