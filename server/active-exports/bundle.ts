import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { openBundle, type Bundle } from '../../integration/output/unpack.ts';
import { largestInMemory } from './folder.ts';
import type { SiteFile, SiteFiles } from './open-site.ts';

// Not in the manifest's list: itself, and the settings of the place.
const unlisted = ['carrel.json', 'carrel.config.js'];

/**
 * The files of a bundle, read in place: only what is asked for is unpacked, and nothing is written to disk. A file is checked by its
 * hash; a large one comes as a stream, so only the CRC-32 at its end is checked, unless `verify` has read it before.
 * Throws what `openBundle` throws.
 */
export async function openBundleFiles(archive: string): Promise<SiteFiles & Pick<Bundle, 'manifest' | 'verify'>> {
  const bundle = await openBundle(archive);
  const { files } = bundle.manifest;
  const read = async (path: string) => new Uint8Array(await bundle.read(path));

  return {
    manifest: bundle.manifest,
    verify: () => bundle.verify(),
    async file(path): Promise<SiteFile | undefined> {
      const listed = Object.hasOwn(files, path) ? files[path] : undefined;
      if (listed) {
        const part = async (start: number, end: number) =>
          listed.size > largestInMemory
            ? (Readable.toWeb(Readable.from(bundle.stream(path, start, end + 1))) as ReadableStream<Uint8Array>)
            : (await read(path)).subarray(start, end + 1);
        return { path, size: listed.size, tag: listed.sha256.slice(0, 16), read: part };
      }
      if (!unlisted.includes(path)) return undefined;
      const bytes = await read(path).catch(() => undefined);
      if (!bytes) return undefined;
      const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
      return { path, size: bytes.length, tag, read: async (start, end) => bytes.subarray(start, end + 1) };
    },
  };
}
