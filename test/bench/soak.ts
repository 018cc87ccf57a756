// A server at work for long: exports, questions, readers and probes at once, and what its memory does meanwhile.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { followJob, startJob, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { tell } from './aims.ts';

export interface SoakBench {
  minutes: number;
}

const repository = path.resolve(import.meta.dirname, '../..');
const folders = { docs: 'fixtures/plain-folder', parcels: 'fixtures/docs-json-site', manual: 'src/manual' };
const probePatience = 1000;

/** Prints the failures of each kind of use, the slowest probe, and the memory at the end compared with that after the first quarter. */
export async function benchSoak({ minutes }: SoakBench): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-soak-'));
  const program = path.join(repository, 'test/server/faults/small-server.ts');
  const server = await startServerProcess(path.join(folder, 'data'), limits, [program]);
  try {
    for (const [domain, docs] of Object.entries(folders)) {
      await server.request('PUT', `/v1/sites/${domain}`, { source: { type: 'folder', path: path.join(repository, docs) } });
      await followJob(server, await startJob(server, { domain }));
    }
    await soak(server, minutes);
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const limits = { CARREL_LIMITS: 'questionsPerHour=1000000000, questionsPerDay=1000000000' };

async function soak(server: ServerProcess, minutes: number): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  const domains = Object.keys(folders);
  const pages = new Map(await Promise.all(domains.map(async (domain) => [domain, await pagesOf(server, domain)] as const)));
  const uses: Record<string, Use> = {
    exports: {
      pause: 2000,
      async once(turn) {
        const { status, error } = await followJob(server, await startJob(server, { domain: domains[turn % 3]! }));
        if (status !== 'completed') throw new Error(`${status}: ${error}`);
      },
    },
    questions: {
      pause: 500,
      async once(turn) {
        const answer = await fetch(`${server.address}/discovery/v1/assistant/docs/message`, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.assistantKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            fp: 'soak',
            messages: [{ id: 'q', role: 'user', content: questions[turn % 3], parts: [] }],
          }),
        });
        const text = await answer.text();
        if (answer.status !== 200 || !text.includes('finishReason')) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
      },
    },
    readers: {
      pause: 20,
      async once(turn) {
        const domain = domains[turn % 3]!;
        const paths = pages.get(domain)!;
        const answer = await fetch(`${server.sites}/sites/${domain}/${paths[turn % paths.length]}`);
        const text = await answer.text();
        if (answer.status !== 200 || !text.trimEnd().endsWith('</html>'))
          throw new Error(`${answer.status} ${text.slice(0, 200)}`);
      },
    },
    probes: {
      pause: 1000,
      async once() {
        for (const probe of ['healthz', 'readyz']) {
          const started = performance.now();
          const answer = await fetch(`${server.address}/${probe}`, { signal: AbortSignal.timeout(probePatience) });
          await answer.text();
          slowest = Math.max(slowest, performance.now() - started);
          if (answer.status !== 200) throw new Error(`${probe}: ${answer.status}`);
        }
      },
    },
  };
  let slowest = 0;
  const memory: number[] = [];
  const counts = Object.fromEntries(Object.keys(uses).map((name) => [name, { done: 0, failed: 0 }]));
  const work = Object.entries(uses).map(async ([name, { once, pause: between }]) => {
    for (let turn = 0; performance.now() < end; turn++) {
      try {
        await once(turn);
        counts[name]!.done++;
      } catch (error) {
        if (counts[name]!.failed++ < 5) console.log(`  ${name}: ${(error as Error).message}`);
      }
      await pause(between);
    }
  });
  while (performance.now() < end) {
    await pause(Math.min((minutes * 60_000) / 20, end - performance.now() + 1));
    const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8');
    memory.push(Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024);
  }
  await Promise.all(work);

  console.log(`memory in MB, by twentieths: ${memory.map((one) => one.toFixed(0)).join(' ')}`);
  for (const [name, { done, failed }] of Object.entries(counts)) tell(`${name}: ${done} done, failed`, failed, '', { most: 0 });
  tell('slowest probe', slowest, 'ms', { most: probePatience });
  const most = (from: number, to: number) =>
    Math.max(...memory.slice(Math.floor(memory.length * from), Math.ceil(memory.length * to)));
  tell('most memory in the last quarter, of that in the second', most(0.75, 1) / most(0.25, 0.5), 'x', { most: 1.1 });
}

interface Use {
  /** Milliseconds after one. */
  pause: number;
  once(turn: number): Promise<void>;
}

const questions = ['How do I install it?', 'What is in the export?', 'Which command serves a site?'];

async function pagesOf(server: ServerProcess, domain: string): Promise<string[]> {
  const manifest = await fetch(`${server.sites}/sites/${domain}/carrel.json`);
  const { pages } = (await manifest.json()) as { pages: { path: string }[] };
  if (pages.length === 0) throw new Error(`${domain} has no pages.`);
  return pages.map((page) => page.path);
}
