import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

// A buffer for each of thousands of pages costs more time than reading them, and is garbage outside the heap, which V8 is slow to collect.
let shared = Buffer.allocUnsafeSlow(256 * 1024);
const longestShared = 4 * 1024 * 1024;

/** The bytes of a file, valid until the next call. Throws the error of the file system. */
export function readBytes(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size > longestShared) return readFileSync(descriptor);
    if (size > shared.length) shared = Buffer.allocUnsafeSlow(2 * size);
    let length = 0;
    while (length < size) {
      const read = readSync(descriptor, shared, length, size - length, null);
      if (read === 0) break;
      length += read;
    }
    return shared.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
