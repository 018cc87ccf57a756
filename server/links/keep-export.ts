import type { Services } from '../services.ts';

export interface ExportToKeep {
  domain: string;
  /** An export folder: `carrel.json` and what it names. */
  folder: string;
  /** The zip of it. */
  archive: string;
  /** Files kept so far, of all. */
  onProgress?: (done: number, total: number) => void;
  /** Stops between files and within a large one. */
  signal?: AbortSignal;
}

export interface KeptExport {
  /** Digest of `carrel.json`. */
  manifest: string;
  archive: { sha256: string; sizeBytes: number };
}

/** Keeps an export: its files, settings, archive and, last, its manifest. May run twice, also at once. Throws `ExportError` when the folder does not hold what its manifest says, `StorageUnavailable`. */
export async function keepExport(_services: KeepServices, _export: ExportToKeep): Promise<KeptExport> {
  throw new Error('Being written.');
}

export type KeepServices = Pick<Services, 'storage' | 'jobs'>;
