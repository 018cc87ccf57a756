// Where exports are kept: on disk or in a bucket. Keys are made by us (`keys.ts`), contents by their digest, so putting twice changes nothing.
import { ApiError } from '../platform/errors.ts';

export interface StoredFile {
  size: number;
  /** Bytes from `start` to `end`, both included; all without them. */
  read(range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
}

export interface Storage {
  readonly kind: 'disk' | 's3';
  /** Keeps a file of this machine under a key; it appears whole or not at all. What is there already stays. The file itself is left alone. */
  put(key: string, file: string, about?: { contentType?: string; signal?: AbortSignal }): Promise<void>;
  get(key: string): Promise<StoredFile | undefined>;
  /** Keys that begin with a folder's name. Only on disk: of a bucket no lists are asked, as they cost money and rights. */
  list?(folder: string): Promise<string[]>;
  /** What is not there is no error. */
  remove(keys: string[]): Promise<void>;
  /** An address that anybody can read the file at until it expires. */
  link(key: string, about: { jobId: string; fileName: string; expires: Date }): Promise<string>;
  /** Rejects with the reason when nothing can be kept now. */
  check(): Promise<void>;
}

/** Exports can be neither kept nor read now: the disk is full, the bucket's service is away or refuses. The API answers 503. */
export class StorageUnavailable extends ApiError {
  override name = 'StorageUnavailable';

  constructor(message: string, options: ErrorOptions = {}) {
    super(503, 'StorageUnavailable', message, { ...options, headers: { 'retry-after': '10' } });
  }
}
