// The life of an export job, without clock, database or process: queued → running → completed | failed | canceled.
import type { ProblemCounts } from '../../../integration/diagnostics.ts';
import type { Progress } from '../../../integration/export-messages.ts';
import type { StoredArchive } from '../../storage/store-export.ts';

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** What a running job is doing: `fetch` gets the source, the others are stages of the exporter. */
export const jobStages = ['fetch', 'read', 'render', 'index', 'write', 'print', 'archive'] as const;
export type JobStage = (typeof jobStages)[number];

/** What a job can make besides the bundle. */
export const bookFormats = ['epub'] as const;

/** What a job exports. */
export interface JobRequest {
  /** Label to use as the export version. */
  version?: string;
  /** Paths of pages without duplicates, in the order of the request; absent for all. */
  paths?: string[];
  language?: string;
  formats?: (typeof bookFormats)[number][];
  /** Groups of readers whom the export is for, without duplicates; absent for everybody. */
  groups?: string[];
  /** ID of the export of the whole site that one for an audience belongs to: readers see both, or neither. */
  whole?: string;
  /** The commit that a push or a check reported; then the one that was fetched, which may be a later one. */
  commit?: string;
  /** Name of the member or the key that started it; absent for pushes, schedules and exports for audiences. */
  startedBy?: string;
  /** Of which site and branch its site is a preview; recorded when the job is created, since previews are removed before their jobs. */
  preview?: { site: string; branch: string };
}

export interface NewJob {
  organization: string;
  domain: string;
  request: JobRequest;
  /** The caller's key, with a digest of the request. */
  idempotency?: { key: string; requestHash: string };
  /** Whether a job that waits, or runs for the same commit, is returned instead: it will export the same. */
  mayJoin?: boolean;
  /** Maximum number of queued jobs of the organization. @default unlimited */
  mostQueued?: number;
}

/** What a completed job produced. */
export interface JobResult {
  /** Export version: the label, or a hash of the content. */
  version: string;
  pages: number;
  files: number;
  /** Unpacked size in bytes. */
  bytes: number;
  /** Digest of `carrel.json`, which lists all files. */
  manifest: string;
  archive: StoredArchive;
  /** The formats that were requested. */
  books?: Partial<Record<(typeof bookFormats)[number], StoredArchive>>;
  /** Deltas from earlier exports, by the digest of their `carrel.json`; null where the bundle is sent instead. */
  deltas?: Record<string, StoredArchive | null>;
  /** Number of warnings by kind. */
  warnings: Record<string, number>;
  /** Commit of a git source, in hex digits; absent from jobs that an earlier version of Carrel ran. */
  commit?: string;
  /** All problems in its report; absent from jobs that an earlier version of Carrel ran. */
  problems?: ProblemCounts;
}

export interface Job {
  /** `se_` and 16 hex digits. */
  id: string;
  organization: string;
  domain: string;
  request: JobRequest;
  status: JobStatus;
  stage: JobStage | null;
  /** 0 to 100; never falls. */
  progress: number;
  /** Pages exported so far. */
  pageCount: number;
  /** How often it was started; a run with an older number can no longer change it. */
  attempt: number;
  /** Human-readable; only for a failed job. */
  error: string | null;
  errorCode: string | null;
  result: JobResult | null;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** When its files were removed. */
  expiredAt: Date | null;
}

/** What makes an export one of a part of the site, or for some readers. It never becomes the active one, which everybody can read. */
export const partFields = ['paths', 'language', 'groups'] as const;

/** Whether it exports the whole site for everybody. */
export function isWhole(request: JobRequest): boolean {
  return partFields.every((field) => request[field] === undefined);
}

export function isFinished(status: JobStatus): boolean {
  return status !== 'queued' && status !== 'running';
}

// The percentages at which each stage begins and ends: most of the work is in the pages.
const share: Record<JobStage, [from: number, to: number]> = {
  fetch: [0, 2],
  read: [2, 5],
  render: [5, 75],
  index: [75, 82],
  write: [82, 90],
  print: [90, 92],
  archive: [92, 99],
};

/** The percentage at a point of a stage; only a completed job has 100. Measures work, never time. */
export function progressAt({ stage, done, total }: Progress | { stage: 'fetch'; done: number; total: number }): number {
  const [from, to] = share[stage];
  const part = total > 0 ? Math.min(done / total, 1) : 1;
  return Math.round((from + (to - from) * part) * 10) / 10;
}
