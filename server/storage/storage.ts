// Where exports are stored: on disk or in a bucket. `keys.ts` makes the keys, from digests of the contents, so storing twice changes nothing.
import { ApiError } from '../platform/errors.ts';

export interface StoredFile {
  size: number;
  /** Bytes from `start` to `end`, both included; all without them. */
  read(range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
}

export interface Storage {
  readonly kind: 'disk' | 's3';
  /** Stores a file of this machine under a key; it appears whole or not at all. An existing one stays. The file itself is not changed. */
  put(key: string, file: string, about?: { contentType?: string; signal?: AbortSignal }): Promise<void>;
  get(key: string): Promise<StoredFile | undefined>;
  /** Keys that begin with a folder's name. Only on disk: listing a bucket costs money and needs permissions. */
  list?(folder: string): Promise<string[]>;
  /** A missing key is not an error. */
  remove(keys: string[]): Promise<void>;
  /** A URL that grants access to the file until it expires. `delta` is the digest of a delta to the export of the job. */
  link(key: string, about: { jobId: string; fileName: string; expires: Date; delta?: string }): Promise<string>;
  /** Rejects with the reason when nothing can be stored now. */
  check(): Promise<void>;
}

/** Exports can be neither stored nor read now: the disk is full, or the bucket's service is unreachable or refuses. The API answers 503. */
export class StorageUnavailable extends ApiError {
  override name = 'StorageUnavailable';

  constructor(message: string, options: ErrorOptions = {}) {
    super('StorageUnavailable', message, { ...options, headers: { 'retry-after': '10' } });
  }
}
