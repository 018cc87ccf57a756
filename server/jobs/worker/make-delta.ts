// Deltas between stored exports, as `carrel delta` writes them: made by the exporter at the first request, and stored beside the archives.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { JobError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { limitsOf } from '../../platform/process-limits.ts';
import { runEnvironment, runProcess } from '../../platform/run-process.ts';
import { orAfter } from '../../platform/timing.ts';
import { areSameGroups } from '../../sites/site-readers.ts';
import { archiveKey } from '../../storage/storage-keys.ts';
import type { StoredArchive } from '../../storage/store-export.ts';
import type { Storage } from '../../storage/storage.ts';
import { digestOf } from '../../storage/store-export.ts';
import type { Job } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Exporter } from './run-export.ts';
import { makeRunFolder, removeRunFolder } from './run-folder.ts';

interface DeltaParts {
  jobs: Jobs;
  storage: Storage;
  exporter: Exporter;
  options: ServerOptions;
  log: Logger;
  stopping?: AbortSignal;
}

export interface Delta {
  /** Version of the export that it is for. */
  from: string;
  archive: StoredArchive;
}

export type Deltas = ReturnType<typeof createDeltas>;

// Each is a process that reads two bundles.
const mostAtOnce = 2;
// Clients and proxies wait longer for an answer.
const longestWait = 10_000;

export function createDeltas(parts: DeltaParts) {
  const { jobs, storage, log } = parts;
  const running = new Map<string, Promise<StoredArchive | undefined>>();

  return {
    /**
     * The delta to the export of a completed job from the one whose `carrel.json` has this digest. Undefined if that is not a stored export
     * of the same site, organization and readers, if the delta is not smaller than half of the bundle, and while it cannot be made, or takes
     * longer than ten seconds: then a later call gets it.
     */
    async find(job: Job, since: string): Promise<Delta | undefined> {
      const { manifest, deltas } = job.result!;
      const known = deltas?.[since];
      if (since === manifest || known === null) return undefined;
      const from = (await jobs.stored(job.domain)).find((other) => isBase(other, job, since));
      if (!from) return undefined;
      const found = (archive: StoredArchive) => ({ from: from.result!.version, archive });
      if (known && (await storage.get(archiveKey(job.domain, known.sha256)))) return found(known);
      const name = `${job.id} ${since}`;
      if (!running.has(name)) {
        if (running.size >= mostAtOnce) return undefined;
        const making = makeDelta(parts, from, job).catch((error: unknown) => {
          log.warn({ err: error, job: job.id, from: from.id }, 'a delta could not be made');
          return undefined;
        });
        running.set(
          name,
          making.finally(() => running.delete(name)),
        );
      }
      const made = await orAfter(running.get(name)!, longestWait);
      return made && found(made);
    },
  };
}

function isBase(other: Job, job: Job, since: string): boolean {
  // A domain may have been another organization's before.
  const isOwn = other.organization === job.organization && other.result?.manifest === since;
  return isOwn && areSameGroups(other.request.groups ?? [], job.request.groups ?? []);
}

/** Undefined if the bundle is sent instead, from now on. */
async function makeDelta(parts: DeltaParts, from: Job, to: Job): Promise<StoredArchive | undefined> {
  const { jobs, storage, options, stopping = new AbortController().signal } = parts;
  const id = `delta-${randomBytes(8).toString('hex')}`;
  const folder = await makeRunFolder(join(options.data, 'work'), { id, attempt: 1 });
  try {
    for (const job of [from, to]) {
      const stored = await storage.get(archiveKey(job.domain, job.result!.archive.sha256));
      if (!stored) throw new Error(`The archive of the job "${job.id}" was removed.`);
      await pipeline(Readable.fromWeb((await stored.read()) as never), createWriteStream(fileOf(folder, job)), {
        signal: stopping,
      });
    }
    const file = join(folder, 'archive', 'delta.zip');
    const isMade = await runDelta(parts, { folder, from, to, file, stopping });
    const made = isMade && { sha256: await digestOf(file), sizeBytes: (await stat(file)).size };
    const delta = made && made.sizeBytes < to.result!.archive.sizeBytes / 2 ? made : null;
    // Recorded first: retention removes files that no job has.
    const isRecorded = await jobs.setDelta(to.id, from.result!.manifest, delta);
    if (!delta || !isRecorded) return undefined;
    await storage.put(archiveKey(to.domain, delta.sha256), file, { contentType: 'application/zip', signal: stopping });
    return delta;
  } finally {
    await removeRunFolder(folder);
  }
}

/** False if the exporter fails or passes a limit, which it would do again. */
async function runDelta(
  { exporter, options, log }: DeltaParts,
  { folder, from, to, file, stopping }: { folder: string; from: Job; to: Job; file: string; stopping: AbortSignal },
): Promise<boolean> {
  try {
    const { code, tail } = await runProcess({
      command: exporter.command,
      args: [...exporter.args, 'delta', fileOf(folder, from), fileOf(folder, to), `--out=${file}`],
      folder,
      environment: runEnvironment(folder),
      limits: limitsOf(options),
      signal: stopping,
    });
    if (code === 0) return true;
    throw new JobError('RunFailed', tail);
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    log.warn({ err: error, job: to.id, from: from.id }, 'a delta could not be made: its bundle is sent instead');
    return false;
  }
}

function fileOf(folder: string, { id }: Job): string {
  return join(folder, 'archive', `${id}.zip`);
}
