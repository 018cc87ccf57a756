// node test/support/astro-build.ts [DOCS SITE EXPORT]…: runs the root's Astro build with other docs folders and other output folders.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'astro';
import carrel from '../../integration/index.ts';
import { docsFolder } from '../../src/export/docs-folder.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'carrel-astro-cache-'));
try {
  for (let at = 2; at < process.argv.length; at += 3) {
    const [docs, site, exported] = process.argv.slice(at) as [string, string, string];
    process.env.CARREL_DOCS = docs;
    await build({
      root: fileURLToPath(new URL('../..', import.meta.url)),
      configFile: false,
      logLevel: 'error',
      outDir: site,
      cacheDir,
      compressHTML: true,
      devToolbar: { enabled: false },
      integrations: [docsFolder(docs), carrel({ out: exported })],
    });
  }
} finally {
  rmSync(cacheDir, { recursive: true, force: true });
}
