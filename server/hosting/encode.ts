import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../http/accept.ts';

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

// Brotli 5 is where it becomes smaller than gzip at about gzip's cost.
const compressors: Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Buffer>> = {
  gzip: (bytes) => gzipAsync(bytes),
  br: (bytes) =>
    brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
};

/** Compressed bytes by key, the oldest forgotten when they exceed `capacity` bytes: a page is compressed once, not at each visit. */
export function createEncoder(capacity = 64 * 1024 * 1024) {
  const cache = new Map<string, Uint8Array<ArrayBuffer>>();
  let held = 0;

  return async function encode(key: string, encoding: Exclude<Encoding, 'identity'>, read: () => Promise<Uint8Array>) {
    const cacheKey = `${encoding} ${key}`;
    const known = cache.get(cacheKey);
    if (known) {
      // Taken out and put back: a Map forgets nothing about the order in which its keys came.
      cache.delete(cacheKey);
      cache.set(cacheKey, known);
      return known;
    }
    const bytes = new Uint8Array(await compressors[encoding](await read()));
    if (bytes.length > capacity || cache.has(cacheKey)) return bytes;
    cache.set(cacheKey, bytes);
    held += bytes.length;
    for (const [oldest, old] of cache) {
      if (held <= capacity) break;
      cache.delete(oldest);
      held -= old.length;
    }
    return bytes;
  };
}
