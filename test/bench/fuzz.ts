// Generated requests to the whole API of a real server: valid ones by its own description, and what becomes of those by chance.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorSchema } from '../../server/http/error-answers.ts';
import { followJob, startJob, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { tell } from './aims.ts';
import { randomNumbers } from '../support/generated-pages.ts';
import { createRequests, type Operation, type Sent } from './fuzz-requests.ts';

export interface FuzzBench {
  requests: number;
  seed: number;
}

const program = path.resolve(import.meta.dirname, '../server/faults/small-server.ts');
const atOnce = 8;
const patience = 10_000;

/** Prints how many answers are 5xx or errors in another shape than the API's one, and the memory of the server on the way. */
export async function benchFuzz({ requests, seed }: FuzzBench): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-fuzz-'));
  const server = await startServerProcess(path.join(folder, 'data'), unlimited, [program]);
  try {
    await followJob(server, await startJob(server, { domain: 'docs' }));
    const operations = await operationsOf(server);
    console.log(`${operations.length} operations, seed ${seed}`);
    const faults = new Faults();
    const generated = createRequests(operations, randomNumbers(seed), server);
    const { keys } = (await (await server.request('GET', '/v1/keys')).json()) as { keys: { keyId: string }[] };
    generated.keep(keys.map(({ keyId }) => keyId));
    const memory: number[] = [];
    for (let part = 1; part <= 10; part++) {
      let left = Math.ceil(requests / 10);
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (left-- > 0) {
            const sent = generated.next();
            faults.add(sent, await answerTo(server, sent, generated.learn));
          }
        }),
      );
      // Answers that nobody waits for any more come to their end.
      await pause(2000);
      memory.push(Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${server.child.pid}/status`, 'utf8'))![1]) / 1024);
      console.log(`${part * 10} %: ${memory.at(-1)!.toFixed(0)} MB, ${faults.summary()}`);
    }
    faults.print();
    const errors = server.output().matchAll(/"level":"error".*?"stack":"(.{0,500})/g);
    for (const stack of new Set([...errors].map(([, one]) => one))) console.log(`  log: ${stack}`);
    tell('answers 5xx', faults.failures, `of ${requests}`, { most: 0 });
    tell('errors in another shape', faults.misshapen, `of ${requests}`, { most: 0 });
    tell('requests without an answer', faults.unanswered, `of ${requests}`, { most: 0 });
    tell('memory at the end, of that at half', memory[9]! / memory[4]!, 'x', { most: 1.15 });
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const unlimited = Object.fromEntries(
  [
    'QUESTIONS_PER_HOUR',
    'QUESTIONS_PER_DAY',
    'SEARCHES_PER_HOUR',
    'PLAYGROUND_PER_HOUR',
    'PLAYGROUND_PER_MINUTE',
    'EVENTS_PER_HOUR',
    'EVENTS_PER_MINUTE',
    'ANALYTICS_PER_HOUR',
  ].map((name) => [`CARREL_${name}`, '1000000000']),
);

async function operationsOf(server: ServerProcess): Promise<Operation[]> {
  const { paths, components } = (await (await fetch(`${server.address}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Omit<Operation, 'path' | 'method'>>>;
    components: { schemas: Record<string, object> };
  };
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path: route,
      method: method.toUpperCase(),
      schemas: components.schemas,
    })),
  );
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

/** Undefined if there is none. */
async function answerTo(server: ServerProcess, sent: Sent, learn: (value: unknown) => void): Promise<Answer | undefined> {
  if (sent.raw !== undefined) return await rawAnswer(server, sent.raw);
  const limit = AbortSignal.timeout(patience);
  try {
    const response = await fetch(sent.url, { ...sent.init, signal: limit, redirect: 'manual' });
    const type = response.headers.get('content-type') ?? '';
    const answer = { status: response.status, type, text: '' };
    // A stream lasts as long as its job or its subscription, and a backup is as large as the database.
    if (type.startsWith('text/event-stream') || (response.ok && sent.what.endsWith('/v1/backup'))) {
      await response.body?.cancel();
      return answer;
    }
    answer.text = await response.text();
    if (response.ok && answer.text && type.startsWith('application/json')) learn(JSON.parse(answer.text));
    return answer;
  } catch (error) {
    if (limit.aborted) return undefined;
    throw new Error(`${sent.what}: ${(error as Error).message}`, { cause: error });
  }
}

/** What comes back for bytes that need not be HTTP; a connection that is closed without a word counts as refused. */
async function rawAnswer(server: ServerProcess, bytes: Buffer): Promise<Answer | undefined> {
  const { hostname, port } = new URL(server.address);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  const ended = new Promise<boolean>((resolve) => {
    socket.setTimeout(patience, () => resolve(false));
    socket.on('data', (piece) => (text += piece.toString('latin1')));
    socket.once('close', () => resolve(true)).on('error', () => {});
  });
  socket.end(bytes);
  const answered = await ended;
  socket.destroy();
  if (text === '') return answered ? { status: 400, type: '', text: '' } : undefined;
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), type: 'raw', text: body };
}

/** What is wrong with answers: how often, and some of the requests. */
class Faults {
  failures = 0;
  misshapen = 0;
  unanswered = 0;
  readonly #statuses = new Map<number, number>();
  readonly #shown = new Map<string, string>();

  add(sent: Sent, answer: Answer | undefined): void {
    if (!answer) {
      this.unanswered++;
      return this.#show(sent, 'no answer');
    }
    const { status, type, text } = answer;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (!(status < 500)) {
      // What stands behind the playground may fail, and says so.
      if (status === 502 && shapeOf(text)) return;
      this.failures++;
      return this.#show(sent, `${status} ${text.slice(0, 300)}`);
    }
    if (status < 400 || sent.isPage || type === 'raw' || sent.init.method === 'HEAD') return;
    if (type === '' || (type.startsWith('application/json') && shapeOf(text))) return;
    this.misshapen++;
    this.#show(sent, `${status} ${type} ${text.slice(0, 300)}`);
  }

  #show({ what }: Sent, message: string): void {
    const kind = `${what} ${message.slice(0, 40)}`;
    if (this.#shown.size < 30 && !this.#shown.has(kind)) this.#shown.set(kind, `${what}: ${message}`);
  }

  summary(): string {
    return [...this.#statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
  }

  print(): void {
    for (const line of this.#shown.values()) console.log(`  ${line}`);
  }
}

function shapeOf(text: string): boolean {
  try {
    return errorSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
