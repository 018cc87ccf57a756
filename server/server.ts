// The server from start to stop: API and sites each on their own port, workers, and the database under all of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { guarded } from '../integration/output/write-error.ts';
import type { AnswerSessions } from './assistant/stream/answer-session.ts';
import { createSiteQuoter } from './assistant/answer/answer-text.ts';
import { createHostedSites } from './hosting/hosted-sites.ts';
import { openDatabase } from './database/open-database.ts';
import { migrate, requireMigrated } from './database/migrate.ts';
import { examineSealed, lostError } from './database/sealed-texts.ts';
import type { Exporter } from './jobs/worker/run-export.ts';
import { keepEnqueuingMissingJobs } from './jobs/queue/recover.ts';
import { storeExport } from './storage/store-export.ts';
import { keepChecking } from './jobs/causes/scheduled-checks.ts';
import { createWorker } from './jobs/worker/worker.ts';
import { finishRotation } from './health/secret-routes.ts';
import { firstStart, type FirstSite, type FirstStart } from './first-start.ts';
import { refuseAsJson } from './http/error-answers.ts';
import { createConnections } from './http/connections.ts';
import { listen, type Listener, type Refuse } from './http/listen.ts';
import { openServices, type Services } from './services.ts';
import { createLog } from './platform/log.ts';
import type { ServerOptions } from './platform/options.ts';
import { readSecrets } from './platform/secrets.ts';
import { createApi, createWorkerApi } from './routes.ts';
import { checkGitCredentials } from './sources/git-credentials.ts';

export interface StartServerOptions {
  options: ServerOptions;
  /** The program that jobs and the reference spawn. */
  exporter: Exporter;
  /** The site a fresh server begins with. */
  firstSite?: FirstSite;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export interface StartedServer {
  /** Where the API listens: 'http://127.0.0.1:4400'. */
  address: string;
  /** Where the sites listen; absent in a worker-only process. */
  sitesAddress?: string;
  services: Services;
  /** What the very first start created; its keys are shown only once. */
  first?: FirstStart;
  /** Accepts nothing new, lets requests and jobs end within `drainSeconds`, and returns the other jobs to the queue. */
  stop(): Promise<void>;
}

// Grace period for open requests when the server stops. Streaming answers get less, so that there is time to tell their readers.
const requestGraceSeconds = 2;
const answerStreamGraceSeconds = 1;
const minute = 60_000;

/**
 * Starts the server. Throws `ExportError` `CannotListen`, `DataInUse`, `GitCredentialsShared`, `GitCredentialsInvalid`, `DiskFull`, `OutputNotWritable` and what the database throws;
 * on failure, everything already started is stopped.
 */
export async function startServer({ options, exporter, firstSite, now = Date.now }: StartServerOptions): Promise<StartedServer> {
  const listeners: Listener[] = [];
  const closing: (() => Promise<void>)[] = [];
  let answers: AnswerSessions | undefined;
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    // Jobs end first, while their status can still be asked for; the database goes last.
    await closing.pop()?.();
    const closed = listeners.splice(0).map((listener) => listener.close(requestGraceSeconds * 1000));
    await Promise.all([...closed, answers?.close(answerStreamGraceSeconds * 1000)]);
    while (closing.length > 0) await closing.pop()!();
  };
  try {
    const log = createLog(options.log);
    guarded(options.data, () => mkdirSync(options.data, { recursive: true }));
    const connections = createConnections();
    const open = async (port: number, setting: string, refuse?: Refuse): Promise<Listener> => {
      const listener = await listen(port, options.host, setting, { refuse, connections });
      listeners.push(listener);
      return listener;
    };
    const api = await open(options.port, 'PORT=', refuseAsJson(log));
    const sites = options.role === 'worker' ? undefined : await open(options.sitesPort, 'SITES_PORT=');

    const secrets = readSecrets(options);
    const database = await openDatabase({ dataFolder: options.data, databaseUrl: options.databaseUrl, log });
    closing.push(() => database.close());
    await (options.migrations === 'manual' ? requireMigrated(database) : migrate(database));
    await finishRotation({ database, options, secrets });
    const services = await openServices({
      options,
      exporter,
      secrets,
      log,
      database,
      now,
      stopping: stopping.signal,
      publicUrl: options.publicUrl ?? api.address,
      sitesUrl: options.sitesUrl ?? sites?.address ?? `http://${options.host}:${options.sitesPort}`,
    });
    ({ answers } = services);
    const lost = lostError((await examineSealed(database, secrets)).lost);
    if (lost) log.warn(`${lost.message} ${lost.hint}`);
    await checkGitCredentials(options.gitCredentials, (await services.organizations.list()).length);
    await services.queue.start();
    await services.sites.open();
    await services.jobs.open();
    const stopEnqueuing = options.role === 'worker' ? undefined : keepEnqueuingMissingJobs(services, minute);
    let stopChecking: (() => Promise<void>) | undefined;
    closing.push(tidyHourly(services));
    closing.push(
      () => services.sites.close(),
      () => services.keys.flush(),
      () => services.events.close(),
      async () => {
        await stopChecking?.();
        await stopEnqueuing?.();
        await services.queue.stop(options.drainSeconds);
        // Ends the event streams.
        await services.jobs.close();
      },
    );
    await services.queue.recover(await services.jobs.unfinished());
    if (options.role !== 'api') {
      const worker = createWorker(services, { exporter, workFolder: join(options.data, 'work'), storeExport });
      await worker.open();
      await services.queue.work(options.workers, worker.run, worker.giveUp);
      await services.webhooks.open();
      stopChecking = keepChecking(services, minute / 4);
    }
    // Before the server is ready: who waits for that reads the keys next.
    const first = options.role === 'worker' || !firstSite ? undefined : await firstStart(services, firstSite);
    api.answer((options.role === 'worker' ? createWorkerApi(services) : createApi(services)).fetch);
    sites?.answer(createHostedSites({ ...services, quote: createSiteQuoter() }));
    log.info({ address: api.address, sites: sites?.address, role: options.role, database: database.kind }, 'started');
    return { address: api.address, sitesAddress: sites?.address, services, first, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const hour = 3_600_000;

/** Removes expired conversations, rate-limit counts, sessions, their links, events, audit entries and previews, now and every hour. Returns a function that stops it. */
function tidyHourly(services: Services): () => Promise<void> {
  const { threads, limits, sessions, sessionLinks, passkeys, events, audit, previews, modelRecord, log } = services;
  let work = Promise.resolve();
  const tidy = () => {
    // What cannot be removed now is removed an hour later.
    const expiring = [threads, limits, sessions, sessionLinks, passkeys, events, audit, previews, modelRecord];
    work = Promise.all(expiring.map((part) => part.removeOld())).then(
      () => undefined,
      (err: unknown) => log.warn({ err }, 'expired conversations, counts, sessions, events or previews could not be removed'),
    );
  };
  tidy();
  const timer = setInterval(tidy, hour).unref();
  return () => {
    clearInterval(timer);
    return work;
  };
}
