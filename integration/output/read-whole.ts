import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Reads a file into the buffer and returns how many bytes it has. A file that fills the whole buffer may be longer: then the buffer
 * may be left untouched, and the number is at least its length. For small files, opening a stream costs more than reading the file.
 */
export function readWhole(path: string, into: Buffer): number {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    if (size >= into.length) return size;
    let length = 0;
    for (let read = -1; read !== 0 && length < into.length; length += read)
      read = readSync(fd, into, length, into.length - length, length);
    return length;
  } finally {
    closeSync(fd);
  }
}
