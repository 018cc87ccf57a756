import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../integration/export/folder.ts';

const program = join(import.meta.dirname, '../../src/cli/carrel.ts');

/** A checkout of a repository of docs, with this clone's carrel among its packages. */
export function projectOf(files: Record<string, string>): string {
  const project = join(temporaryFolder(), 'checkout');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const bin = join(project, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'carrel'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'carrel'), 0o755);
  return project;
}
