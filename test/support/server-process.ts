// Starts a real server as a user does, for tests and benchmarks.
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
  /** URL of the API, and of the sites if the server has any. */
  address: string;
  sites: string | undefined;
  /** The keys of the first start; empty if the data folder has none. */
  adminKey: string;
  assistantKey: string;
  /** Returns the output so far. */
  output(): string;
  /** Stops the server as Ctrl+C does, and returns its exit code. */
  stop(): Promise<number | null>;
  /** Kills the server as a power cut does, and waits. */
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
 * Starts `carrel server`, or a program with the same output, on free loopback ports, and waits until it reports that it is ready.
 * Without `flags` of Node, it chooses its own, as for a user.
 * Throws with its output if it exits earlier.
 */
export async function startServerProcess(
  data: string,
  environment: Record<string, string> = {},
  args: string[] = [program, 'server'],
  flags: string[] = ['--liftoff-only'],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...flags, '--disable-warning=ExperimentalWarning', ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
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

/** Follows the events of a job until it ends or `until` is true, and returns its last state. */
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

/** Starts a job and returns its id. */
export async function startJob(server: ServerProcess, request: object): Promise<string> {
  const response = await server.request('POST', '/v1/static-export/jobs', request);
  if (response.status !== 202) throw new Error(`start: ${response.status} ${await response.text()}`);
  return ((await response.json()) as JobState).jobId;
}
