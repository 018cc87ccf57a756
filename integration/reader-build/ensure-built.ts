import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const attempts = 20;

/**
 * Builds `folder` when `inputs`, files and folders below `root`, have changed since the last time. The build takes place beside it, so
 * that the folder is whole or missing; of several processes that build at the same time, one puts its folder there.
 */
export async function ensureBuilt(
  folder: string,
  root: string,
  inputs: string[],
  build: (fresh: string) => Promise<void>,
): Promise<void> {
  const digest = digestOf(root, inputs);
  const isBuilt = () => existsSync(join(folder, '.sources')) && readFileSync(join(folder, '.sources'), 'utf8') === digest;
  if (isBuilt()) return;
  const fresh = `${folder.replace(/[\\/]$/, '')}-${process.pid}`;
  mkdirSync(dirname(fresh), { recursive: true });
  await build(fresh);
  writeFileSync(join(fresh, '.sources'), digest);
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return renameSync(fresh, folder);
    } catch (error) {
      // In between, another process has put its own build there, perhaps of other sources.
      if (!isBuilt() && attempt < attempts) continue;
      rmSync(fresh, { recursive: true, force: true });
      if (isBuilt()) return;
      throw error;
    }
  }
}

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
