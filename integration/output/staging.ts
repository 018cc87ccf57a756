// The files of the next export, which is not yet at its path.
import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { stagedPaths, type ReusableFolder } from './staged-paths.ts';
import type { WrittenFile } from './written-file.ts';

/** Opens a staging folder. All functions throw the errors of the disk. */
export function openStaging(staging: string, reusable: ReusableFolder | undefined) {
  const paths = stagedPaths(staging, reusable);
  const files = new Map<string, WrittenFile>();
  const note = (path: string, sha256: string, descriptor: number): WrittenFile => {
    const { size, mtimeMs, ino } = fstatSync(descriptor);
    const written = { sha256, size, mtime: mtimeMs, inode: ino };
    files.set(path, written);
    return written;
  };
  const take = (path: string, sha256: string): WrittenFile | undefined => {
    const file = paths.take(path, sha256);
    if (file) files.set(path, file);
    return file;
  };

  return {
    files,
    take,
    free: paths.free,
    moveReusable: paths.moveReusable,
    prune: () => paths.prune(files.keys()),
    write(path: string, contents: string | Uint8Array): WrittenFile {
      const bytes = typeof contents === 'string' ? encoded(contents) : contents;
      const sha256 = hash('sha256', bytes);
      const same = take(path, sha256);
      if (same) return same;
      const descriptor = openSync(paths.free(path), 'wx');
      try {
        writeFileSync(descriptor, bytes);
        return note(path, sha256, descriptor);
      } finally {
        closeSync(descriptor);
      }
    },
    /** Writes a file of these texts or bytes, one after another: however large it is, none but the current one is in memory. */
    writeTexts(path: string, texts: Iterable<string | Uint8Array>): WrittenFile {
      const part = join(staging, '.carrel-part');
      const descriptor = openSync(part, 'wx');
      try {
        const digest = createHash('sha256');
        for (const text of texts) {
          const bytes = typeof text === 'string' ? encoded(text) : text;
          digest.update(bytes);
          writeFileSync(descriptor, bytes);
        }
        const sha256 = digest.digest('hex');
        const same = take(path, sha256);
        if (same) return same;
        renameSync(part, paths.free(path));
        return note(path, sha256, descriptor);
      } finally {
        closeSync(descriptor);
        rmSync(part, { force: true });
      }
    },
    /** Copies an open file, however large. */
    copy(path: string, from: number): WrittenFile {
      const to = openSync(paths.free(path), 'wx');
      try {
        return note(path, pump(from, to), to);
      } finally {
        closeSync(to);
      }
    },
    /** Removes a file again. */
    drop(path: string): void {
      unlinkSync(join(staging, path));
      files.delete(path);
    },
    /** Text of a file written. */
    read: (path: string): string => readFileSync(join(staging, path), 'utf8'),
    readBytes: (path: string): Uint8Array => readFileSync(join(staging, path)),
  };
}

// A buffer for each of thousands of pages would be garbage outside the heap, which V8 is slow to collect.
let shared = new Uint8Array(256 * 1024);
const longestShared = 4 * 1024 * 1024;

/** A text in UTF-8, valid until the next call. */
function encoded(text: string): Uint8Array {
  const longest = text.length * 3;
  if (longest > longestShared) return Buffer.from(text);
  if (longest > shared.length) shared = new Uint8Array(longest * 2);
  return shared.subarray(0, encoder.encodeInto(text, shared).written);
}

const encoder = new TextEncoder();

function pump(from: number, to: number): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (;;) {
    const length = readSync(from, buffer);
    if (length === 0) return hash.digest('hex');
    const piece = buffer.subarray(0, length);
    hash.update(piece);
    for (let written = 0; written < length;) written += writeSync(to, piece, written);
  }
}
