// The resource limits of a job, and its current use.
import { lstat, opendir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerOptions } from './options.ts';
import { JobError } from './errors.ts';

export interface Limits {
  minutes: number;
  /** For all processes of the job together. */
  memoryMb: number;
  /** For the unpacked export. */
  outputMb: number;
}

export function limitsOf({ jobMinutes, jobMemoryMb, jobOutputMb }: ServerOptions): Limits {
  return { minutes: jobMinutes, memoryMb: jobMemoryMb, outputMb: jobOutputMb };
}

export function timeLimitError(minutes: number): JobError {
  return new JobError(
    'TimeLimit',
    `The job ran longer than ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Give it more (jobMinutes in CARREL_LIMITS) or export less at a time.`,
  );
}

/** `takenMb` is unknown if the system refused a program more. */
export function memoryLimitError(limitMb: number, takenMb?: number): JobError {
  return new JobError(
    'MemoryLimit',
    `The job ${takenMb === undefined ? 'needs more' : `took ${takenMb} MB of`} memory, and ${limitMb} MB are allowed. Give it more (jobMemoryMb in CARREL_LIMITS) or export less at a time.`,
  );
}

export function sizeLimitError(what: string, limitMb: number): JobError {
  return new JobError(
    'SizeLimit',
    `${what} is larger than ${limitMb} MB. Allow more (jobOutputMb in CARREL_LIMITS), or keep large files elsewhere.`,
  );
}

/**
 * Resident memory of all processes of a group in MB; shared pages count for each process.
 * Undefined if the system does not report it, such as without `/proc`.
 */
export async function groupMemory(group: number): Promise<number | undefined> {
  const entries = await readdir('/proc').catch(() => []);
  const processes = entries.filter((name) => /^\d+$/.test(name));
  if (processes.length === 0) return undefined;
  let kilobytes = 0;
  for (const id of processes) {
    // A process that has just ended uses no memory.
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    const groups = /^NSpgid:\s+(.+)$/m.exec(status)?.[1]?.split('\t');
    if (groups?.includes(String(group))) kilobytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return Math.round(kilobytes / 1024);
}

/** Bytes and entries of a folder. Links are not followed, a missing folder is empty, and files removed in the meantime do not count. */
export async function folderSize(folder: string): Promise<{ bytes: number; entries: number }> {
  const size = { bytes: 0, entries: 0 };
  const visit = async (path: string): Promise<void> => {
    const entries = await opendir(path).catch(() => undefined);
    if (!entries) return;
    for await (const entry of entries) {
      size.entries++;
      if (entry.isDirectory()) await visit(join(path, entry.name));
      else size.bytes += (await lstat(join(path, entry.name)).catch(() => undefined))?.size ?? 0;
    }
  };
  await visit(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return size;
}
