// What the single-file executable runs: unpacks the package that it contains to the user's cache folder, once for each version, and starts it.
// An executable with a program in it takes no flags of Node, but drawing diagrams and components needs processes with limits and permissions. So
// the folder also gets the executable as plain Node, without the mark that says that it has a program.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';
import { defaultCacheFolder } from '../../src/cache/folder.ts';
import type { Contents } from './executable.ts';

const contents = JSON.parse(getAsset('contents.json', 'utf8')) as Contents;
const folder = join(defaultCacheFolder(process.env), 'executable', contents.digest);
const node = process.platform === 'win32' ? 'node.exe' : 'node';
const program = join(folder, 'node_modules/carrel/build/cli/launch.cjs');
try {
  if (!isComplete()) unpack(process.execPath);
  process.execPath = join(folder, node);
  process.argv[1] = program;
  createRequire(program)(program);
} catch (error) {
  console.error(
    `Carrel cannot be unpacked to ${folder}: ${error instanceof Error ? error.message : String(error)}\nSet XDG_CACHE_HOME to a folder that you can write to, with 300 MB free.`,
  );
  process.exitCode = 1;
}

/** A full disk or a tool that clears caches may have left a part. */
function isComplete(): boolean {
  // On macOS a signature changes its size.
  const nodeSize = process.platform === 'darwin' ? undefined : statSync(process.execPath).size;
  const files = [...contents.files, ...(nodeSize === undefined ? [] : [{ path: node, size: nodeSize }])];
  return files.every(({ path, size }) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === size);
}

/** Writes beside the folder, then renames: another start at the same time sees all files or none. */
function unpack(executable: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const own = mkdtempSync(`${folder}.`);
  const bytes = zstdDecompressSync(new Uint8Array(getRawAsset('archive')));
  let start = 0;
  try {
    for (const { path, size } of contents.files) {
      const file = join(own, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes.subarray(start, (start += size)));
    }
    writePlainNode(executable, join(own, node));
    replaceFolder(own);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function writePlainNode(executable: string, file: string): void {
  const bytes = readFileSync(executable);
  // In parts, because the mark may occur only once in the file that contains this program.
  const mark = bytes.indexOf(['NODE_SEA_FUSE', 'fce680ab2cc467b6e072b8b5df1996b2:1'].join('_'));
  if (mark === -1) throw new Error('the executable has no mark of a program');
  bytes[bytes.indexOf(':', mark) + 1] = '0'.charCodeAt(0);
  writeFileSync(file, bytes, { mode: 0o755 });
  if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', file], { stdio: 'ignore' });
}

function replaceFolder(own: string): void {
  const attempts = 3;
  for (let attempt = 1; ; attempt++) {
    try {
      return renameSync(own, folder);
    } catch (error) {
      // Another start was first, unless what is there is damaged.
      if (isComplete()) return;
      if (attempt === attempts) throw error;
      moveAway(`${own}.damaged`);
    }
  }
}

function moveAway(damaged: string): void {
  try {
    renameSync(folder, damaged);
    rmSync(damaged, { recursive: true, force: true });
  } catch {
    // Another start has moved it, and the next attempt finds a complete folder or none.
  }
}
