// Power cuts at random moments over a running queue: no job is lost, fails by the cut, or leaves a torn file.
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyBundle } from '../../integration/output/open-bundle.ts';
import { createPostgresDatabase } from '../server/support/databases.ts';
import { startPostgres } from '../server/support/postgres.ts';
import { followJob, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { randomNumbers } from '../support/generated-pages.ts';
import { tell } from './aims.ts';

export interface KillsBench {
  /** On each database. */
  kills: number;
  seed: number;
}

const program = path.resolve(import.meta.dirname, '../server/faults/small-server.ts');
const jobsPath = '/v1/static-export/jobs';
const sites = Array.from({ length: 5 }, (_, site) => `site-${site}.example.com`);

/** Kills a server and starts it again, on its embedded database and on PostgreSQL, and prints what became of its jobs. */
export async function benchKills({ kills, seed }: KillsBench): Promise<void> {
  for (const kind of ['embedded', 'postgresql'] as const) {
    const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-kills-'));
    const postgres = kind === 'postgresql' ? await startPostgres() : undefined;
    try {
      const url = postgres && (await createPostgresDatabase(postgres.url));
      await survive(kind, folder, { kills, seed, environment: url ? { DATABASE_URL: url } : {} });
    } finally {
      await postgres?.end();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

interface Run {
  kills: number;
  seed: number;
  environment: Record<string, string>;
}

async function survive(kind: string, folder: string, { kills, seed, environment }: Run): Promise<void> {
  const random = randomNumbers(seed);
  const data = path.join(folder, 'data');
  const start = () => startServerProcess(data, { CARREL_SECRET: 'x'.repeat(32), ...environment }, [program]);
  const docs = new Map(sites.map((site) => [site, path.join(folder, 'docs', site)]));
  for (const [site, docsFolder] of docs) await writeDocs(docsFolder, site, 0);

  let server = await start();
  for (const [site, docsFolder] of docs) {
    const added = await server.request('PUT', `/v1/sites/${site}`, { source: { type: 'folder', path: docsFolder } });
    if (!added.ok) throw new Error(`${site}: ${added.status} ${await added.text()}`);
  }
  const jobs = new Map<string, string>();
  let torn = 0;
  let edition = 0;
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const until = performance.now() + 100 + random() * 3000;
      while (performance.now() < until) {
        const site = sites[Math.floor(random() * sites.length)]!;
        await writeDocs(docs.get(site)!, site, ++edition);
        await startOne(server, site, `edition-${edition}`, jobs);
        await pause(random() * 400);
      }
      // A start and a read are under way when the power goes.
      const [site, key] = [sites[kill % sites.length]!, `cut-${kill}`];
      const cut = Promise.allSettled([startOne(server, site, key, jobs), servedPage(server, site)]);
      await server.kill();
      await cut;
      server = await start();
      await startOne(server, site, key, jobs);
      for (const one of sites) if ((await servedPage(server, one)) === 'torn') torn++;
      if (kill % 20 === 0) console.log(`${kind}: ${kill} kills, ${jobs.size} jobs started`);
    }
    await settle(kind, server, { folder, data, jobs, torn });
  } finally {
    await server.kill();
  }
}

/** Starts a job unless it is known already; a repeat with the same key is the same job. */
async function startOne(server: ServerProcess, domain: string, key: string, jobs: Map<string, string>): Promise<void> {
  const answer = await server.request('POST', jobsPath, { domain }, { 'idempotency-key': key });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`start of ${domain}: ${answer.status} ${text}`);
  const { jobId } = JSON.parse(text) as { jobId: string };
  const known = jobs.get(key);
  if (known !== undefined && known !== jobId) throw new Error(`${key} was job ${known} and is now ${jobId}.`);
  jobs.set(key, jobId);
}

/** What a reader gets: a whole page, one that is torn, or nothing before the first export. */
async function servedPage(server: ServerProcess, domain: string): Promise<'whole' | 'torn' | 'none'> {
  const answer = await fetch(`${server.sites}/sites/${domain}/`);
  const text = await answer.text();
  if (answer.status === 404) return 'none';
  return answer.status === 200 && text.includes(`Edition of ${domain}`) && text.trimEnd().endsWith('</html>') ? 'whole' : 'torn';
}

interface End {
  folder: string;
  data: string;
  jobs: Map<string, string>;
  torn: number;
}

/** Waits for the queue to run dry, and counts. */
async function settle(kind: string, server: ServerProcess, { folder, data, jobs, torn }: End): Promise<void> {
  const ends = { completed: 0, failed: 0, lost: 0 };
  for (const jobId of jobs.values()) {
    const { status, error } = await followJob(server, jobId).catch(() => ({ status: 'lost', error: null }));
    if (status === 'completed') ends.completed++;
    else if (status === 'lost') ends.lost++;
    else {
      ends.failed++;
      console.log(`  ${jobId} ${status}: ${error}`);
    }
  }
  let stored = 0;
  for (const jobId of jobs.values()) {
    const answer = await server.request('POST', `${jobsPath}/${jobId}/bundle`);
    // Newer exports of the same site took the place of the others.
    if (answer.status === 410) continue;
    if (!answer.ok) throw new Error(`bundle of ${jobId}: ${answer.status} ${await answer.text()}`);
    const { bundleUrl } = (await answer.json()) as { bundleUrl: string };
    const file = path.join(folder, 'bundle.zip');
    await writeFile(file, Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()));
    stored++;
    torn += (await verifyBundle(file)).length;
  }
  // A job has ended before its folder is removed.
  const left = await readdir(path.join(data, 'work'));
  for (let wait = 0; left.length > 0 && wait < 30; wait++) {
    await pause(1000);
    left.splice(0, left.length, ...(await readdir(path.join(data, 'work'))));
  }
  console.log(`${kind}: ${jobs.size} jobs, ${stored} bundles stored`);
  tell(`${kind}: jobs completed`, ends.completed, `of ${jobs.size}`, { least: jobs.size });
  tell(`${kind}: jobs lost`, ends.lost, 'jobs', { most: 0 });
  tell(`${kind}: jobs that a kill failed`, ends.failed, 'jobs', { most: 0 });
  tell(`${kind}: torn files, pages and bundles`, torn, 'in all', { most: 0 });
  tell(`${kind}: folders left in work/`, left.length, 'folders', { most: 0 });
}

/** Replaces the page in one step, as editors do: what an export reads is one edition or the other. */
async function writeDocs(folder: string, site: string, edition: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'index.md');
  await writeFile(`${file}.new`, `# Edition of ${site}\n\nIt is edition ${edition}.\n`);
  await rename(`${file}.new`, file);
}
