// A server for browser tests, whose first site is quickly exported.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDatabase } from '../server/support/empty-database.ts';
import { freePort } from '../support/listen.ts';
import { followJob, startServerProcess, type ServerProcess } from '../support/server-process.ts';

export interface SmallServer {
  server: ServerProcess;
  data: string;
  /** Stops the server, and starts it at the same addresses. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const program = [join(import.meta.dirname, '../server/faults/small-server.ts')];
const manual = join(import.meta.dirname, '../../src/manual');

/** A server with an empty database in a data folder of its own. Its first site, `docs`, has these pages of the manual, or is a small folder. */
export async function startSmallServer(environment: Record<string, string> = {}, pages: string[] = []): Promise<SmallServer> {
  const data = await mkdtemp(join(tmpdir(), 'carrel-small-'));
  await cp(join(await emptyDatabase(), 'database'), join(data, 'database'), { recursive: true });
  const docs = join(data, 'manual');
  await mkdir(docs);
  for (const page of pages) await cp(join(manual, `${page}.mdx`), join(docs, `${page}.mdx`));
  const ports = { PORT: String(await freePort()), SITES_PORT: String(await freePort()) };
  const start = () =>
    startServerProcess(
      data,
      { CARREL_PRIVATE_HOSTS: '127.0.0.1', ...(pages.length > 0 && { DOCS: docs }), ...environment, ...ports },
      program,
    );
  const opened: SmallServer = {
    server: await start(),
    data,
    async restart() {
      await opened.server.stop();
      opened.server = await start();
    },
    async close() {
      await opened.server.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
  return opened;
}

/** Waits until the first site is exported. */
export async function firstExport(server: ServerProcess): Promise<void> {
  const { jobs } = await (await server.request('GET', '/v1/static-export/jobs')).json();
  await followJob(server, jobs[0].jobId);
}
