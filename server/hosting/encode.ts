import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '../http/request-headers.ts';

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

// Brotli 5 is where it becomes smaller than gzip at about gzip's cost.
const compressors: Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Buffer>> = {
  gzip: (bytes) => gzipAsync(bytes),
  br: (bytes) =>
    brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
};

/** Compresses, and caches up to `capacity` bytes by key: a page is compressed once, not at each visit. */
export function createEncoder(capacity = 64 * 1024 * 1024) {
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: capacity,
    sizeCalculation: (bytes) => bytes.length,
  });

  return async function encode(key: string, encoding: Exclude<Encoding, 'identity'>, read: () => Promise<Uint8Array>) {
    const cacheKey = `${encoding} ${key}`;
    const known = cache.get(cacheKey);
    if (known) return known;
    const bytes = new Uint8Array(await compressors[encoding](await read()));
    cache.set(cacheKey, bytes);
    return bytes;
  };
}
