import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Has `folder` made by `make` when `inputs`, files and folders below `root`, are others than last time. It is made beside its place, so that
 * it is there whole or not at all; of several processes that make the same, one puts it there.
 */
export async function ensureBuilt(
  folder: string,
  root: string,
  inputs: string[],
  make: (fresh: string) => Promise<void>,
): Promise<void> {
  const digest = digestOf(root, inputs);
  const isMade = () => existsSync(join(folder, '.sources')) && readFileSync(join(folder, '.sources'), 'utf8') === digest;
  if (isMade()) return;
  const fresh = `${folder.replace(/[\\/]$/, '')}-${process.pid}`;
  mkdirSync(dirname(fresh), { recursive: true });
  await make(fresh);
  writeFileSync(join(fresh, '.sources'), digest);
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return renameSync(fresh, folder);
    } catch (error) {
      // Another process put there in between what it had made, perhaps of other sources.
      if (!isMade() && attempt < attempts) continue;
      rmSync(fresh, { recursive: true, force: true });
      if (isMade()) return;
      throw error;
    }
  }
}

const attempts = 20;

function digestOf(root: string, paths: string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesBelow(root, path)))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesBelow(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`));
}
