// A real server as a user starts it, for tests and benchmarks.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EventSourceParserStream } from 'eventsource-parser/stream';

const program = fileURLToPath(new URL('../../src/cli/carrel.ts', import.meta.url));

export interface ServerProcess {
  child: ChildProcess;
  /** Address of the API, and of the sites where there are some. */
  address: string;
  sites: string | undefined;
  /** Of the first start; empty where the data folder has none. */
  adminKey: string;
  assistantKey: string;
  /** All that it said so far. */
  output(): string;
  /** Ends it as Ctrl+C does, and waits. Gives the exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut does, and waits. */
  kill(): Promise<void>;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface JobState {
  jobId: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'canceled';
  stage: string | null;
  progress: number;
  pageCount: number;
  error: string | null;
  problems: { errors: number; warnings: number; notes: number } | null;
}

/**
 * Starts `carrel server`, or another program that says the same, on free ports of the loopback interface; ready when it says so.
 * Throws with its output when it ends before.
 */
export async function startServerProcess(
  data: string,
  environment: Record<string, string> = {},
  args: string[] = [program, 'server'],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--liftoff-only', '--disable-warning=ExperimentalWarning', ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      SITES_PORT: '0',
      CARREL_DATA: data,
      CARREL_LOG: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (piece: Buffer) => (output += piece));
  const ended = once(child, 'close');
  let listening: RegExpExecArray | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`;
    listening ??= /listening on (\S+)(?: and (\S+) \(sites\))?/.exec(line);
    if (line.startsWith('Ctrl+C')) break;
  }
  if (!listening) {
    await ended;
    throw new Error(`The server did not start:\n${output}`);
  }
  child.stdout.on('data', (piece: Buffer) => (output += piece)).resume();
  const [, address, sites] = listening;
  const file = join(data, 'keys.json');
  const keys = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const adminKey = keys.adminKey ?? '';
  return {
    child,
    address: address!,
    sites,
    adminKey,
    assistantKey: keys.assistantKey ?? '',
    output: () => output,
    async stop() {
      child.kill('SIGINT');
      return (await ended)[0];
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    request: (method, path, body, headers = {}) =>
      fetch(address + path, {
        method,
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
  };
}

/** The states of a job as its events tell them, until it is finished or `until` says so; the last one is given. */
export async function followJob(
  server: ServerProcess,
  jobId: string,
  until: (job: JobState) => boolean = () => false,
): Promise<JobState> {
  const response = await server.request('GET', `/v1/static-export/jobs/${jobId}/events`);
  if (!response.ok) throw new Error(`events of ${jobId}: ${response.status} ${await response.text()}`);
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  let last: JobState | undefined;
  for await (const { data } of events) {
    last = JSON.parse(data) as JobState;
    if (['completed', 'failed', 'canceled'].includes(last.status) || until(last)) return last;
  }
  throw new Error(`The events of ${jobId} ended at ${JSON.stringify(last)}.`);
}

/** Starts a job and gives its id. */
export async function startJob(server: ServerProcess, request: object): Promise<string> {
  const response = await server.request('POST', '/v1/static-export/jobs', request);
  if (response.status !== 202) throw new Error(`start: ${response.status} ${await response.text()}`);
  return ((await response.json()) as JobState).jobId;
}
