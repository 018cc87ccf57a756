// A job from start to end: source → export → kept → completed. It may be started twice, and finishes once.
import { join } from 'node:path';
import { ExportError } from '../../../integration/errors.ts';
import type { keepExport } from '../../storage/store-export.ts';
import { removeOldExports } from '../retention.ts';
import type { Services } from '../../services.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import { buildAstro } from './astro.ts';
import { fetchSource } from '../../sources/fetch-source.ts';
import type { GitOwner } from '../../sources/git-credentials.ts';
import { removeOldMirrors } from '../../sources/git-mirrors.ts';
import { JobError } from '../../platform/job-error.ts';
import { isFinished, type Job, type JobResult } from '../model/job.ts';
import type { Run } from '../model/jobs.ts';
import { limitsOf, overTime } from '../../platform/process-limits.ts';
import { storedReport } from '../model/job-report.ts';
import { mostRetries } from '../queue/queue-names.ts';
import { createRunLog, type RunLog } from '../../platform/run-log.ts';
import { runExport, type Exporter, type ExportToRun } from './export.ts';
import { whileAway } from './worker-timeout.ts';
import { makeRunFolder, removeLeftovers, removeRunFolder } from './worker-folder.ts';
import { createProgressTeller, type ProgressTeller } from './worker-progress.ts';

export interface WorkerOptions {
  exporter: Exporter;
  /** Folder for the folders of runs. */
  workFolder: string;
  keepExport: typeof keepExport;
}

export interface Worker {
  /** Removes what killed processes left behind. */
  open(): Promise<void>;
  /**
   * For `Queue.work`. Resolves when the job is finished, one way or another, or is another run's. Rejects when another run may
   * do better (the database or the storage is away), but not a third time (`rejected` runs did before), and, with the job given back,
   * when the signal came.
   */
  run(jobId: string, signal: AbortSignal, rejected?: number): Promise<void>;
}

/** The run is not the job's any more: canceled, finished or started anew elsewhere. */
const lost = new Error('The run is not the job’s any more.');
// From this run on the log says that a job may take the server down with it.
const manyRuns = 4;

export function createWorker(services: Services, options: WorkerOptions): Worker {
  const { jobs, log: serverLog, now } = services;
  return {
    async open() {
      await removeLeftovers(options.workFolder, now());
      await removeOldMirrors(mirrorsOf(services), now());
    },
    async run(jobId, signal, rejected = 0) {
      signal.throwIfAborted();
      const job = await jobs.start(jobId);
      if (!job) return;
      const run = { id: job.id, attempt: job.attempt };
      if (job.attempt > manyRuns)
        serverLog.warn(
          { job: job.id, domain: job.domain, attempt: job.attempt },
          'a job starts again, since its processes ended before it did; cancel it when it is what ends them',
        );
      const started = now();
      const stop = new AbortController();
      const onSignal = () => stop.abort(signal.reason);
      signal.addEventListener('abort', onSignal, { once: true });
      const unwatch = jobs.watch(job.id, (changed) => {
        if (isFinished(changed.status) || changed.attempt > run.attempt) stop.abort(lost);
      });
      const { jobMinutes } = services.options;
      const timer = setTimeout(() => stop.abort(overTime(jobMinutes)), jobMinutes * 60_000);
      let noted = false;
      const note = (error: unknown) => {
        if (!noted) serverLog.warn({ job: job.id, err: error }, 'a run could not tell how far it is');
        noted = true;
      };
      const progress = createProgressTeller(jobs, run, { onLost: () => stop.abort(lost), onError: note });
      let folder: string | undefined;
      let log: RunLog | undefined;
      try {
        folder = await makeRunFolder(options.workFolder, run);
        log = createRunLog({ keep: (text) => whileAway(() => jobs.log(run, text), stop.signal), onError: note, folder });
        const result = await work(services, options, { job, folder, log, progress, signal: stop.signal });
        await progress.end();
        await log.end();
        unwatch();
        stop.signal.throwIfAborted();
        if (await whileAway(() => jobs.complete(run, result), signal)) await ended(services, run, started);
      } catch (error) {
        await progress.end();
        await log?.end();
        unwatch();
        await settle(error, { services, job, run, rejected, signal, started });
      } finally {
        clearTimeout(timer);
        unwatch();
        signal.removeEventListener('abort', onSignal);
        if (folder !== undefined) await removeRunFolder(folder);
      }
    },
  };
}

interface Work {
  job: Job;
  folder: string;
  log: RunLog;
  progress: ProgressTeller;
  signal: AbortSignal;
}

/** All the work of a run, up to its result. */
async function work(
  services: Services,
  options: WorkerOptions,
  { job, folder, log, progress, signal }: Work,
): Promise<JobResult> {
  const { data, privateHosts, gitCredentials, gitAuthorities } = services.options;
  const limits = limitsOf(services.options);
  const site = await siteOf(services, job);
  progress.update({ stage: 'fetch', done: 0, total: 1 });
  const source = await fetchSource(site, {
    folder,
    mirrors: mirrorsOf(services),
    limits,
    privateHosts,
    gitCredentials,
    owner: await ownerOf(services, site),
    gitAuthorities,
    log,
    signal,
  });
  // What fails from here on failed in the exporter, which first says something when it has read the docs.
  progress.update({ stage: 'read', done: 0, total: 1 });
  const run: ExportToRun = {
    source,
    folder,
    cache: join(data, 'cache'),
    request: job.request,
    settings: site.settings,
    limits,
    log,
    onProgress: progress.update,
    onReport: (report) => saveReport(services, { job, report, log, signal }),
    signal,
  };
  const exported = site.settings.builder === 'astro' ? buildAstro(run) : runExport(options.exporter, run);
  const { result, ...made } = await exported;
  const kept = await whileAway(() => options.keepExport(services, { domain: job.domain, ...made, signal }), signal);
  return { ...result, ...kept };
}

/** Stores the report of an exporter. A job does not fail because its report cannot be stored. */
async function saveReport(
  { jobs, log: serverLog }: Services,
  { job, report, log, signal }: Pick<Work, 'job' | 'log' | 'signal'> & { report: object },
): Promise<void> {
  try {
    await whileAway(() => jobs.saveReport(job, storedReport(report, log.clean)), signal);
  } catch (error) {
    if (!signal.aborted) serverLog.warn({ job: job.id, err: error }, 'the report of a job could not be stored');
  }
}

function mirrorsOf({ options }: Services): string {
  return join(options.data, 'git');
}

async function ownerOf({ organizations, options }: Services, { organization, settings }: RegisteredSite): Promise<GitOwner> {
  const isAlone = (await organizations.list()).length === 1;
  const mayUseSsh = isAlone || settings.sshByOperator === true || options.gitSshOrganizations.includes(organization);
  return { organization, isAlone, mayUseSsh };
}

async function siteOf({ sites }: Services, { domain, organization }: Job): Promise<RegisteredSite> {
  const site = await sites.get(domain);
  if (site?.organization === organization) return site;
  throw new JobError(
    'SiteNotFound',
    `The site "${domain}" was removed before its job began. Add it again, then start a new job.`,
  );
}

interface Settling {
  services: Services;
  job: Job;
  run: Run;
  /** Runs that rejected before. */
  rejected: number;
  /** The server's. */
  signal: AbortSignal;
  started: number;
}

/** Decides what an error means for the job. Rejects where the queue shall hand it to another run. */
async function settle(error: unknown, { services, job, run, rejected, signal, started }: Settling): Promise<void> {
  const { jobs, log, metrics, now } = services;
  if (error === lost) {
    const status = (await jobs.get(job.id))?.status === 'canceled' ? 'canceled' : 'lost';
    metrics.runs.observe({ status }, (now() - started) / 1000);
    if (status !== 'canceled') return;
    metrics.jobs.inc({ status });
    await tidy(services, job.domain);
    return;
  }
  if (signal.aborted && !(error instanceof JobError)) {
    if (await jobs.release(run)) throw error;
    return;
  }
  const told = asJobError(error) ?? (rejected < mostRetries ? undefined : unexpected(rejected + 1));
  log.warn({ job: job.id, attempt: job.attempt, code: told?.code, err: told === error ? undefined : error }, 'a run failed');
  if (!told) {
    metrics.runs.observe({ status: 'retried' }, (now() - started) / 1000);
    throw error;
  }
  const { code, message } = told;
  if (await whileAway(() => jobs.fail(run, { code, message }), signal)) await ended(services, run, started);
}

/** Errors that another run would meet again. */
function asJobError(error: unknown): JobError | undefined {
  if (error instanceof JobError) return error;
  if (error instanceof ExportError)
    return new JobError(error.code, [error.message, error.hint].filter(Boolean).join(' '), { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new JobError('DiskFull', "There is no room left on the server's disk. Free some, then start the job again.", {
      cause: error,
    });
  return undefined;
}

function unexpected(runs: number): JobError {
  return new JobError(
    'RunFailed',
    `The job was run ${runs} times, and each time something in the server failed; its own log says what. Start the job again when that is fixed.`,
  );
}

/** What follows a finished job. It is finished, so errors here are only noted. */
async function ended(services: Services, run: Run, started: number): Promise<void> {
  const { jobs, log, metrics, now, webhooks } = services;
  const job = await jobs.get(run.id);
  if (!job) return;
  metrics.jobs.inc({ status: job.status });
  metrics.runs.observe({ status: job.status }, (now() - started) / 1000);
  log.info({ job: job.id, domain: job.domain, status: job.status, code: job.errorCode ?? undefined }, 'a job ended');
  await webhooks.tell(job).catch((error: unknown) => log.error({ job: job.id, err: error }, 'webhooks could not be told'));
  await tidy(services, job.domain);
}

/** While a job of the site ran nothing was removed, however it ended. */
async function tidy(services: Services, domain: string): Promise<void> {
  await removeOldExports(services, domain).catch((error: unknown) =>
    services.log.error({ domain, err: error }, 'old exports could not be removed'),
  );
}
