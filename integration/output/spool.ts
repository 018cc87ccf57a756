// Texts that wait until they are needed once, without taking memory.
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

export interface Spool {
  /** Stores a text and returns its number. */
  add(text: string): number;
  /** The text with this number. Throws the error of the disk. */
  read(number: number): string;
  /** Removes the file. */
  close(): void;
}

/** Bytes that are stored in memory before the file is made, and bytes that are written at once. */
const inMemory = 32 * 1024 * 1024;
const atOnce = 1024 * 1024;

/** Texts in memory, and above `most` characters in the file. Throws the error of the disk, also when texts are added. */
export function createSpool(file: string, most = inMemory): Spool {
  const places: (string | { start: number; length: number })[] = [];
  let left = most;
  let descriptor: number | undefined;
  let size = 0;
  let pending: Buffer[] = [];
  let pendingSize = 0;

  const flush = (): void => {
    if (pendingSize === 0) return;
    descriptor ??= openSync(file, 'wx+');
    const bytes = Buffer.concat(pending);
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at, size + at);
    size += bytes.length;
    pending = [];
    pendingSize = 0;
  };

  return {
    add(text) {
      left -= text.length;
      if (left >= 0) return places.push(text) - 1;
      const bytes = Buffer.from(text);
      const place = { start: size + pendingSize, length: bytes.length };
      pending.push(bytes);
      pendingSize += bytes.length;
      if (pendingSize > atOnce) flush();
      return places.push(place) - 1;
    },
    read(number) {
      const place = places[number];
      if (place === undefined) throw new Error(`There is no text ${number}.`);
      if (typeof place === 'string') return place;
      flush();
      const bytes = Buffer.allocUnsafe(place.length);
      for (let at = 0; at < bytes.length;) {
        const count = readSync(descriptor!, bytes, at, bytes.length - at, place.start + at);
        if (count === 0) throw new Error(`"${file}" ends too early.`);
        at += count;
      }
      return bytes.toString();
    },
    close() {
      if (descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
      rmSync(file, { force: true });
    },
  };
}
