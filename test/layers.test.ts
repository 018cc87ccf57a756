import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wrongImports } from './support/layers.ts';
import { writeFiles } from './support/write-files.ts';

test('files import from their own folder and lower levels, and search imports only minisearch', () => {
  expect(wrongImports(fileURLToPath(new URL('..', import.meta.url)))).toEqual([]);
});

test.each([
  ['integration/page/a.ts', "import { x } from '../../src/render/render-pages.ts';", 'on a higher level'],
  ['integration/page/a.ts', "import type { x } from '../export/x.ts';", 'on a higher level'],
  ['integration/html/a.ts', "const x = await import('../page/x.ts');", 'on a higher level'],
  ['server/platform/a.ts', "import type { x } from '../../src/render/render-pages.ts';", 'on a higher level'],
  ['server/storage/a.ts', "export { x } from '../services.ts';", 'on a higher level'],
  ['integration/search/a.ts', "import { readFile } from 'node:fs';", 'only minisearch'],
  ['integration/search/a.ts', "export * from '../page/x.ts';", 'on a higher level'],
  ['integration/elsewhere/a.ts', '', 'has no level'],
])('reports %s with %s', (file, text, message) => {
  expect(reportOn(file, text)).toEqual([expect.stringContaining(message)]);
});

test('accepts imports from lower levels and from packages', () => {
  expect(reportOn('server/jobs/a.ts', "import { x } from '../../integration/errors.ts';\nimport { z } from 'zod';")).toEqual([]);
});

function reportOn(file: string, text: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'carrel-layers-'));
  try {
    for (const folder of ['src', 'server', 'integration']) mkdirSync(join(root, folder));
    writeFiles(root, { [file]: `${text}\n` });
    return wrongImports(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
