import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobResult, JobStage } from '../../../server/jobs/model/job.ts';
import type { Run } from '../../../server/jobs/model/jobs.ts';
import { firstStart } from '../../../server/first-start.ts';
import { archiveKey } from '../../../server/storage/storage-keys.ts';
import { listen } from '../../../server/http/listen.ts';
import { openServices, type Services } from '../../../server/services.ts';
import { carrelExport } from '../../server/jobs/exporters.ts';
import { createLog } from '../../../server/platform/log.ts';
import { serverOptionsSchema } from '../../../server/platform/options.ts';
import { createApi } from '../../../server/routes.ts';
import { openMigratedDatabase } from '../../server/support/databases.ts';
import { carrel } from './carrel.ts';
import { writeFiles } from '../../support/write-files.ts';
import { atFileEnd } from '../../support/at-file-end.ts';

type Answer = (request: Request, next: () => Promise<Response>) => Response | Promise<Response>;

/** The real API on a port, whose jobs are done by the test. */
export interface RemoteServer {
  services: Services;
  url: string;
  adminKey: string;
  /** What a job is done by once it was started over HTTP. */
  work: (run: Run) => Promise<unknown>;
  /** Stands before the API, as a bad network does. */
  between: Answer;
  /** Paths that were asked for. */
  asked: string[];
  /** Takes a running job through its stages, and completes it with a real bundle. */
  complete(run: Run): Promise<void>;
}

export async function openRemoteServer(): Promise<RemoteServer> {
  const data = mkdtempSync(join(tmpdir(), 'carrel-remote-'));
  const listener = await listen(0, '127.0.0.1');
  const log = createLog('silent');
  const database = await openMigratedDatabase();
  const real = await openServices({
    exporter: carrelExport,
    options: serverOptionsSchema.parse({ data }),
    database,
    log,
    publicUrl: listener.address,
    sitesUrl: listener.address,
    secrets: ['a secret of the tests, which is long enough'],
    now: Date.now,
  });
  const services: Services = { ...real, queue: { ...real.queue, send: async () => {}, remove: async () => {} } };
  await services.jobs.open();
  const first = await firstStart(services, { domain: 'manual', source: { type: 'folder', path: data } });
  const { archive, ...about } = await makeBundle(data);
  const api = createApi(services);
  const server: RemoteServer = {
    services,
    url: listener.address,
    adminKey: first!.adminKey,
    work: async () => {},
    between: (_request, next) => next(),
    asked: [],
    async complete(run) {
      const stages: JobStage[] = ['fetch', 'read', 'render', 'archive'];
      for (const [index, stage] of stages.entries())
        await services.jobs.advance(run, { stage, progress: index * 25, pageCount: index });
      await services.storage.put(archiveKey('manual', about.archiveDigest), archive);
      await services.jobs.complete(run, about.result);
    },
  };
  listener.answer(async (request, bindings) => {
    const path = new URL(request.url).pathname;
    server.asked.push(`${request.method} ${path}`);
    const isStart = request.method === 'POST' && path.endsWith('/jobs');
    return server.between(request, async () => {
      const response = await api.fetch(request, bindings);
      if (isStart && response.ok) {
        const { jobId } = (await response.clone().json()) as { jobId: string };
        void services.jobs.start(jobId).then((job) => job && server.work({ id: jobId, attempt: job.attempt }));
      }
      return response;
    });
  });
  atFileEnd(async () => {
    await listener.close(0);
    await services.jobs.close();
    rmSync(data, { recursive: true, force: true });
  });
  return server;
}

async function makeBundle(data: string) {
  const docs = join(data, 'docs');
  writeFiles(docs, { 'index.md': '# Home\n\nSome words.\n' });
  const out = join(data, 'site');
  const archive = join(data, 'site.zip');
  const { code, stderr } = await carrel(['export', docs, '--out', out, '--zip', archive, '--cache', 'off']);
  if (code !== 0) throw new Error(stderr);
  const archiveDigest = createHash('sha256').update(readFileSync(archive)).digest('hex');
  const manifest = createHash('sha256')
    .update(readFileSync(join(out, 'carrel.json')))
    .digest('hex');
  const { version } = JSON.parse(readFileSync(join(out, 'carrel.json'), 'utf8')) as { version: string };
  const sizeBytes = statSync(archive).size;
  const result: JobResult = {
    version,
    pages: 1,
    files: 9,
    bytes: 9,
    manifest,
    archive: { sha256: archiveDigest, sizeBytes },
    warnings: {},
  };
  return { archive, archiveDigest, result };
}
