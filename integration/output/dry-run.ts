import { recordIn, type ExportCache } from './export-cache.ts';
import type { OutputFolder } from './export-folder.ts';
import { pageIn, type KnownPages } from './export-state.ts';
import type { Incremental } from './incremental.ts';

/** What an export writes to when only its problems are wanted: pages count as written, files are dropped. Pages of `known` are not built again. */
export function openDryRun(cache: ExportCache | undefined, known: KnownPages, context: string) {
  // Only scripts read a file that was written.
  const texts = new Map<string, string>();
  const folder: OutputFolder = {
    staging: '',
    files: texts,
    read: (path: string): string => texts.get(path) ?? '',
    write(path: string, contents: string | Uint8Array): void {
      if (path.endsWith('.js') && typeof contents === 'string') texts.set(path, contents);
    },
  };
  return {
    folder,
    page: pageIn(known, context),
    // Nothing is indexed.
    isSame: () => true,
    reusePage: () => true,
    record: recordIn(cache),
    text: () => undefined,
    storeText: () => undefined,
    copy: () => undefined,
    reuseVendored: () => undefined,
  } satisfies Partial<Record<keyof Incremental, unknown>>;
}
