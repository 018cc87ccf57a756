import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a docs folder for one test; its path is real, as the sources name it. */
export function docsFolder(files: Record<string, string | Uint8Array | object>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-source-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const isBytes = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(root, path), isBytes ? content : JSON.stringify(content));
  }
  return root;
}
