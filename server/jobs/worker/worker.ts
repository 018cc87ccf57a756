// A job from start to end: source → export → stored → completed → announced. It may be started twice, and finishes once.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onAbort } from '../../../integration/text/on-abort.ts';
import { errorCode, ExportError } from '../../../integration/errors.ts';
import type { storeExport } from '../../storage/store-export.ts';
import type { Queue } from '../queue/queue.ts';
import { removeOldExports } from '../retention.ts';
import { exportForAudiences } from '../start-export.ts';
import type { Database } from '../../database/database.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { embeddingModelOf, signingOf, type ServerOptions } from '../../platform/options.ts';
import type { Storage } from '../../storage/storage.ts';
import { siteOf, type RegisteredSite, type Sites } from '../../sites/sites.ts';
import { buildAstro } from './build-astro.ts';
import { commentChanges } from './change-comment.ts';
import { createCommitStatus, type CommitStatusParts, type CommitStatusReporter } from './commit-status.ts';
import { fetchSource } from '../../sources/fetch-source.ts';
import { mirrorsOf, sourceContext } from './source-context.ts';
import { removeOldMirrors } from '../../sources/fetch-git.ts';
import { JobError } from '../../platform/errors.ts';
import { isFinished, isWhole, type Job, type JobResult } from '../model/job.ts';
import type { Jobs, Run } from '../model/jobs.ts';
import { limitsOf, timeLimitError } from '../../platform/process-limits.ts';
import { storedReport } from '../model/job-report.ts';
import { mostRetries } from '../queue/queues.ts';
import { createRunLog, type RunLog } from '../../platform/run-log.ts';
import { runExport, signExport, type Exporter, type ExportToRun } from './run-export.ts';
import { makeRunFolder, removeLeftovers, removeRunFolder } from './run-folder.ts';
import { createProgressWriter, type ProgressWriter } from './progress-writer.ts';

export interface WorkerParts extends CommitStatusParts {
  options: ServerOptions;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
  database: Database;
  storage: Storage;
  metrics: Metrics;
  organizations: Organizations;
  sites: Sites;
  jobs: Jobs;
  queue: Pick<Queue, 'send'>;
  /** Receives each job that has ended, possibly more than once. */
  webhooks: { notify(job: Job): Promise<void> };
}

export interface WorkerOptions {
  exporter: Exporter;
  /** Folder for the folders of runs. */
  workFolder: string;
  storeExport: typeof storeExport;
  /** Waits before the next attempt while the database or the storage is unavailable. @default node:timers/promises */
  pause?: (milliseconds: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>;
}

/** The job was canceled, finished or started again elsewhere. */
const superseded = new Error('The run is superseded.');
// After this many runs, the log warns that the job may be what ends the processes.
const manyRuns = 4;

export function createWorker(parts: WorkerParts, options: WorkerOptions) {
  const { jobs, metrics, now } = parts;
  return {
    /** Removes what killed processes left behind. */
    async open(): Promise<void> {
      await removeLeftovers(options.workFolder, now());
      await removeOldMirrors(mirrorsOf(parts.options), now());
    },
    /**
     * For `Queue.work`. Resolves when the job is finished in any way, or belongs to another run. Rejects if another run may succeed, but not
     * a third time (`rejected` is the number of runs that rejected before); and if the signal is aborted, with the job returned to the queue.
     */
    async run(jobId: string, signal: AbortSignal, rejected = 0): Promise<void> {
      signal.throwIfAborted();
      const job = await jobs.start(jobId);
      if (job) await runJob(job, { parts, options, signal, rejected });
      // Also for a job that had finished before: the process of its last run may have been killed before it announced the job.
      await announce(parts, jobId);
    },
    /** For `Queue.work`: fails a job that the queue has abandoned, so that no one waits for it. */
    async giveUp(jobId: string): Promise<void> {
      const job = await jobs.get(jobId);
      if (job && !isFinished(job.status)) {
        const message = `The job was started ${job.attempt} times, and its runs failed without a result; the server's log says why. Start the job again when that is fixed.`;
        if (await jobs.fail(job, { code: 'RunsLost', message })) {
          metrics.jobs.inc({ status: 'failed' });
          await showFailure(parts, job, message);
        }
      }
      await announce(parts, jobId);
    },
  };
}

/** Shows the failure of a job, at the commit that its runs fetched or a push reported. */
async function showFailure(parts: WorkerParts, job: Job, message: string): Promise<void> {
  const site = await siteOf(parts.sites, job);
  if (!site) return;
  const commitStatus = createCommitStatus(parts, job, (text) => parts.jobs.log(job, text));
  commitStatus.expect(site);
  await commitStatus.end('failure', message);
}

/**
 * Tells webhooks about a finished job, exports the site for its audiences if it was exported as a whole, comments on what a preview changes, and removes
 * the exports that it replaces.
 */
async function announce({ webhooks, ...parts }: WorkerParts, jobId: string): Promise<void> {
  const { jobs, log } = parts;
  const job = await jobs.get(jobId);
  if (!job || !isFinished(job.status)) return;
  await webhooks.notify(job);
  const site = job.status === 'completed' && isWhole(job.request) ? await siteOf(parts.sites, job) : undefined;
  if (site) await exportForAudiences(parts, site, { whole: job.id, commit: job.result?.commit });
  await commentChanges(parts, job);
  // Nothing was removed while a job of the site ran, however it ended.
  await removeOldExports(parts, job.domain).catch((error: unknown) =>
    log.error({ domain: job.domain, err: error }, 'old exports could not be removed'),
  );
}

interface Running {
  parts: WorkerParts;
  options: WorkerOptions;
  /** The server's. */
  signal: AbortSignal;
  /** Runs that rejected before. */
  rejected: number;
}

async function runJob(job: Job, { parts, options, signal, rejected }: Running): Promise<void> {
  const { jobs, log: serverLog, now } = parts;
  const run: Run = { id: job.id, attempt: job.attempt };
  if (job.attempt > manyRuns)
    serverLog.warn(
      { job: job.id, domain: job.domain, attempt: job.attempt },
      'a job starts again because its processes ended before it did; cancel it if it is the cause',
    );
  const started = now();
  const stop = new AbortController();
  const stopListening = onAbort(signal, () => stop.abort(signal.reason));
  const unwatch = jobs.watch(job.id, (changed) => {
    if (isFinished(changed.status) || changed.attempt > run.attempt) stop.abort(superseded);
  });
  const { jobMinutes } = parts.options;
  const timer = setTimeout(() => stop.abort(timeLimitError(jobMinutes)), jobMinutes * 60_000);
  let warned = false;
  const warnOnce = (error: unknown) => {
    if (!warned) serverLog.warn({ job: job.id, err: error }, 'the progress of a run could not be written');
    warned = true;
  };
  /** Two outages at the same time must not fill the log in turns. */
  const said = new Set<string>();
  const whileAway: WhileAway = async (work, waitSignal = stop.signal) => {
    for (const seconds of pauses) {
      try {
        return await work();
      } catch (error) {
        if (outageCode(error) === undefined) throw error;
        // Waiting is not counted: the run has its full time again.
        timer.refresh();
        const { message } = error as Error;
        if (!said.has(message)) log?.say(`${message} The job waits for up to an hour, and tries again every 30 seconds.`);
        said.add(message);
        await (options.pause ?? pause)(seconds * 1000, undefined, { signal: waitSignal }).catch(() => {});
        waitSignal.throwIfAborted();
      }
    }
    return work().catch((error: unknown) => {
      throw outageError(error) ?? error;
    });
  };
  const progress = createProgressWriter(jobs, run, { onLost: () => stop.abort(superseded), onError: warnOnce });
  const commitStatus = createCommitStatus(parts, job, (text) => jobs.log(run, text));
  let folder: string | undefined;
  let log: RunLog | undefined;
  try {
    folder = await makeRunFolder(options.workFolder, run);
    log = createRunLog({ keep: (text) => whileAway(() => jobs.log(run, text)), onError: warnOnce, folder });
    const result = await work(parts, options, { job, folder, log, progress, commitStatus, whileAway, signal: stop.signal });
    await progress.end();
    await log.end();
    unwatch();
    stop.signal.throwIfAborted();
    if (await whileAway(() => jobs.complete(run, result), signal)) {
      await count(parts, run, started);
      await commitStatus.end('success', `${result.pages} ${result.pages === 1 ? 'page' : 'pages'} exported.`);
    }
  } catch (error) {
    await progress.end();
    await log?.end();
    unwatch();
    await settle(error, { parts, job, run, rejected, signal, started, commitStatus, whileAway });
  } finally {
    clearTimeout(timer);
    unwatch();
    stopListening();
    if (folder !== undefined) await removeRunFolder(folder);
  }
}

interface Work {
  job: Job;
  folder: string;
  log: RunLog;
  progress: ProgressWriter;
  commitStatus: CommitStatusReporter;
  whileAway: WhileAway;
  signal: AbortSignal;
}

/** Fetches, exports and stores; returns the result of the job. */
async function work(
  parts: WorkerParts,
  options: WorkerOptions,
  { job, folder, log, progress, commitStatus, whileAway, signal }: Work,
): Promise<JobResult> {
  const { data } = parts.options;
  const limits = limitsOf(parts.options);
  const site = await registeredSite(parts, job);
  progress.update({ stage: 'fetch', done: 0, total: 1 });
  commitStatus.expect(site);
  const onCommit = async (commit: string) => {
    commitStatus.begin(site, commit);
    await whileAway(() => parts.jobs.setCommit(job.id, commit));
  };
  const context = { ...(await sourceContext(parts, site)), folder, log, signal, onCommit };
  // A preview leaves nothing behind, so each run fetches its branch anew.
  if (site.previewOf !== undefined) context.mirrors = join(folder, 'git');
  const source = await fetchSource(site, context);
  // The exporter sends its first message after it has read the docs; a failure before that is already in this stage.
  progress.update({ stage: 'read', done: 0, total: 1 });
  const run: ExportToRun = {
    source: source.folder,
    folder,
    cache: join(data, 'cache'),
    request: job.request,
    settings: site.settings,
    repository: repositoryOf(site.source),
    commit: source.commit,
    embeddings: embeddingModelOf(parts.options),
    signing: signingOf(parts.options),
    limits,
    log,
    onProgress: progress.update,
    onReport: (report) => saveReport(parts, { job, report, log, whileAway, signal }),
    signal,
  };
  const isAstro = site.settings.builder === 'astro';
  const { result, ...made } = await (isAstro ? buildAstro(run) : runExport(options.exporter, run));
  // The code of a project never sees the key.
  if (isAstro && run.signing) await signExport(options.exporter, run);
  const stored = await whileAway(() => options.storeExport(parts, { domain: job.domain, ...made, signal }));
  return { ...result, ...stored, commit: source.commit };
}

/** The repository of a git source as `URL#ref:folder`. */
function repositoryOf(source: RegisteredSite['source']): string | undefined {
  const ref = source.type === 'git' ? source.ref?.replace(/^refs\/heads\//, '') : undefined;
  return source.type === 'git' ? `${source.url}#${ref ?? ''}:${source.folder ?? ''}` : undefined;
}

/** Stores the report of an exporter. A job does not fail if its report cannot be stored. */
async function saveReport(
  { jobs, log: serverLog }: WorkerParts,
  { job, report, log, whileAway, signal }: Pick<Work, 'job' | 'log' | 'whileAway' | 'signal'> & { report: object },
): Promise<void> {
  try {
    await whileAway(() => jobs.saveReport(job, storedReport(report, log.clean)));
  } catch (error) {
    if (!signal.aborted) serverLog.warn({ job: job.id, err: error }, 'the report of a job could not be stored');
  }
}

async function registeredSite({ sites }: WorkerParts, job: Job): Promise<RegisteredSite> {
  const site = await siteOf(sites, job);
  if (site) return site;
  throw new JobError(
    'SiteNotFound',
    `The site "${job.domain}" was removed before its job started. Add it again, then start a new job.`,
  );
}

interface Settling extends Omit<Running, 'options'> {
  job: Job;
  run: Run;
  started: number;
  commitStatus: CommitStatusReporter;
  whileAway: WhileAway;
}

/** Decides what an error means for the job. Rejects if the queue must hand the job to another run. */
async function settle(
  error: unknown,
  { parts, job, run, rejected, signal, started, commitStatus, whileAway }: Settling,
): Promise<void> {
  const { jobs, log, metrics, now } = parts;
  if (error === superseded) {
    const status = (await jobs.get(job.id))?.status === 'canceled' ? 'canceled' : 'lost';
    metrics.runs.observe({ status }, (now() - started) / 1000);
    if (status === 'canceled') {
      metrics.jobs.inc({ status });
      await commitStatus.end('failure', 'The export was canceled.');
    }
    return;
  }
  if (signal.aborted && !(error instanceof JobError)) {
    if (await jobs.release(run)) throw error;
    return;
  }
  const reason =
    asJobError(error) ?? (rejected < mostRetries ? undefined : (outageError(error) ?? unexpectedEndError(rejected + 1)));
  log.warn({ job: job.id, attempt: job.attempt, code: reason?.code, err: reason === error ? undefined : error }, 'a run failed');
  if (!reason) {
    metrics.runs.observe({ status: 'retried' }, (now() - started) / 1000);
    throw error;
  }
  const { code, message } = reason;
  if (await whileAway(() => jobs.fail(run, { code, message }), signal)) {
    await count(parts, run, started);
    await commitStatus.end('failure', message);
  }
}

/** Errors that would occur in another run, too. */
function asJobError(error: unknown): JobError | undefined {
  if (error instanceof JobError) return error;
  if (error instanceof ExportError)
    return new JobError(error.code, [error.message, error.hint].filter(Boolean).join(' '), { cause: error });
  if (isDiskFull(error))
    return new JobError('DiskFull', "The server's disk is full. Free some space, then start the job again.", {
      cause: error,
    });
  return undefined;
}

function unexpectedEndError(runs: number): JobError {
  return new JobError(
    'RunFailed',
    `The job was run ${runs} times, and each time something in the server failed; the server's log says what. Start the job again when that is fixed.`,
  );
}

async function count({ jobs, log, metrics, now }: WorkerParts, run: Run, started: number): Promise<void> {
  const job = await jobs.get(run.id);
  if (!job) return;
  metrics.jobs.inc({ status: job.status });
  metrics.runs.observe({ status: job.status }, (now() - started) / 1000);
  log.info({ job: job.id, domain: job.domain, status: job.status, code: job.errorCode ?? undefined }, 'a job ended');
}

/** Repeats work while the database or the storage is unavailable, until a signal: by default that of the run. The work must be idempotent. */
type WhileAway = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

// About an hour: an export that took long is not discarded for an outage that an operator ends.
const pauses = [1, 2, 4, 8, 15, ...Array<number>(120).fill(30)];

/** The code of an outage that can end by itself. A full disk is not one: an operator must free some space. */
function outageCode(error: unknown): string | undefined {
  const code = errorCode(error);
  return (code === 'DatabaseUnavailable' || code === 'StorageUnavailable') && !isDiskFull(error) ? code : undefined;
}

function outageError(error: unknown): JobError | undefined {
  const code = outageCode(error);
  return code === undefined
    ? undefined
    : new JobError(code, `${(error as Error).message} Start the job again when that is fixed.`, { cause: error });
}

function isDiskFull(error: unknown): boolean {
  return [error, (error as Error).cause].some((one) => ['ENOSPC', 'EDQUOT'].includes(errorCode(one) ?? ''));
}
