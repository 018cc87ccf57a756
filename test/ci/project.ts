import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../integration/export/folder.ts';
import { writeFiles } from '../support/write-files.ts';

const program = join(import.meta.dirname, '../../src/cli/carrel.ts');

/** A checkout of a repository of docs, with this clone's carrel among its packages. */
export function projectOf(files: Record<string, string>): string {
  const project = join(temporaryFolder(), 'checkout');
  writeFiles(project, files);
  const bin = join(project, 'node_modules/.bin');
  writeFiles(bin, { carrel: `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n` });
  chmodSync(join(bin, 'carrel'), 0o755);
  return project;
}
