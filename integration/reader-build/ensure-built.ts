import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const day = 24 * 60 * 60 * 1000;

/**
 * Returns the folder that `build` made of `inputs`, files and folders below `root`; builds it when it does not exist. Its name is `name`
 * with the digest of the inputs, so that a later build never removes or replaces a folder that another process is loading. It appears whole
 * or not at all. Folders of other inputs are removed after a day without use.
 */
export async function ensureBuilt(
  name: string,
  root: string,
  inputs: string[],
  build: (fresh: string) => Promise<void>,
): Promise<string> {
  const folder = `${name}-${digestOf(root, inputs)}`;
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    removeUnused(name);
    const fresh = `${folder}-${randomUUID()}`;
    await build(fresh);
    try {
      renameSync(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      // Another process may have built the same in the meantime.
      if (!existsSync(folder)) throw error;
    }
  }
  touch(folder);
  return folder;
}

function touch(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // A folder of another user, or on a read-only disk, can still be loaded.
  }
}

function removeUnused(name: string): void {
  for (const entry of readdirSync(dirname(name))) {
    const path = join(dirname(name), entry);
    if (!entry.startsWith(`${basename(name)}-`)) continue;
    // Another process may have moved or removed it.
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > day) rmSync(path, { recursive: true, force: true });
  }
}

function digestOf(root: string, paths: string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesBelow(root, path)))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 12);
}

function filesBelow(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`));
}
