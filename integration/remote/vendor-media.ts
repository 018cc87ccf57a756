// Media of other hosts brought into the export, so that it needs no network.
import { hash } from 'node:crypto';
import { endingOf } from './file-kinds.ts';
import type { download, DownloadOptions } from './download.ts';
import type { Problem } from '../diagnostics.ts';

export interface VendorOptions extends Pick<DownloadOptions, 'signal' | 'maxBytes' | 'timeout'> {
  /** @default that of `download.ts`, which only exports that vendor load */
  download?: typeof download;
  write(path: string, bytes: Uint8Array): void;
  /** Takes over the copy of the previous export; gives its file. */
  reuse(url: string): string | undefined;
}

export interface Vendor {
  /** Files in the export by the address they came from. */
  files: Map<string, string>;
  /** Brings in addresses not met before; those that cannot be had become a problem. */
  bring(urls: string[]): Promise<Problem[]>;
}

/** Each address is asked for once; equal bytes are one file. */
export function createVendor(options: VendorOptions): Vendor {
  const files = new Map<string, string>();
  const failed = new Set<string>();
  const written = new Set<string>();

  const bringOne = async (url: string): Promise<Problem | undefined> => {
    const known = options.reuse(url);
    if (known !== undefined) {
      files.set(url, known);
      written.add(known);
      return undefined;
    }
    try {
      const { download } = options.download ? { download: options.download } : await import('./download.ts');
      const found = await download(new URL(url.startsWith('//') ? `https:${url}` : url), options);
      const { bytes } = found;
      const file = `_carrel/vendor/${hash('sha256', bytes).slice(0, 16)}.${endingOf(found, ['media'])}`;
      if (!written.has(file)) options.write(file, bytes);
      written.add(file);
      files.set(url, file);
      return undefined;
    } catch (error) {
      options.signal?.throwIfAborted();
      failed.add(url);
      return {
        kind: 'remote-not-vendored',
        severity: 'warning',
        message: `"${url}" could not be brought into the export: ${(error as Error).message}.`,
        hint: 'Put a copy into the docs folder.',
      };
    }
  };

  return {
    files,
    async bring(urls) {
      const wanted = [...new Set(urls)].filter((url) => !files.has(url) && !failed.has(url));
      const problems = await Promise.all(wanted.map(bringOne));
      return problems.filter((problem) => problem !== undefined);
    },
  };
}
