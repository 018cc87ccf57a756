import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPostgresDatabase } from '../server/support/databases.ts';
import { startPostgres } from '../server/support/postgres.ts';
import { followJob, startServerProcess } from '../support/server-process.ts';
import { tell } from './aims.ts';

/**
 * Memory of a fresh server that has made its first export and waits, on PostgreSQL and on its embedded database; then that of one
 * that has only been started again. PostgreSQL's own processes are not part of it; the embedded database is in the server's process.
 */
export async function benchIdle(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-idle-'));
  const postgres = await startPostgres();
  try {
    const onPostgres = { DATABASE_URL: await createPostgresDatabase(postgres.url) };
    await idle('PostgreSQL', path.join(folder, 'postgresql'), onPostgres, 200);
    await idle('the embedded database', path.join(folder, 'embedded'), {}, 360);
  } finally {
    await postgres.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function idle(on: string, data: string, environment: Record<string, string>, most: number): Promise<void> {
  for (const start of ['after the first export', 'started again']) {
    const server = await startServerProcess(data, environment, undefined, []);
    try {
      const { jobs } = (await (await server.request('GET', '/v1/static-export/jobs')).json()) as { jobs: { jobId: string }[] };
      await followJob(server, jobs[0]!.jobId);
      await pause(20_000);
      const { processes, resident, proportional } = await memoryOf(server.child.pid!);
      const what = `idle server on ${on}, ${start}, ${processes} processes`;
      tell(`${what}, resident (RSS)`, resident, 'MB', { most });
      tell(`${what}, proportional (PSS)`, proportional, 'MB', { most });
    } finally {
      await server.stop();
    }
  }
}

/** Of a process and all that it started, in MB. */
async function memoryOf(pid: number): Promise<{ processes: number; resident: number; proportional: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)![1]) / 1024;
  const sum = { processes: 1, resident: field('Rss'), proportional: field('Pss') };
  for (const task of await readdir(`/proc/${pid}/task`)) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8');
    for (const child of children.split(' ').filter(Boolean)) {
      const below = await memoryOf(Number(child));
      sum.processes += below.processes;
      sum.resident += below.resident;
      sum.proportional += below.proportional;
    }
  }
  return sum;
}
