// A process for code that is not ours: it has no network, no environment, no children, and once it runs, it opens no file and no socket.
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ExportError } from '../../integration/errors.ts';
import { groupMemory } from '../../server/platform/process-limits.ts';
import { jsonLine } from './json-line.ts';

export interface Sandbox {
  /** The answer to a request: one line to one line. Rejects with a `SandboxError` when a limit ends the process; the next request starts another. */
  ask(request: unknown): Promise<string>;
  close(): void;
}

/** Why a process was ended, as the end of a sentence: "took more than 5 seconds". */
export class SandboxError extends Error {
  override name = 'SandboxError';
}

interface SandboxOptions {
  /** File of the program: it writes a line once it is loaded, and then reads requests from standard input. */
  program: string;
  /** Its first line of input. */
  first?: unknown;
  limits: Limits;
}

interface Limits {
  /** Of processor time and of waiting, so that a busy machine changes no result; `patience` times as long by the clock. */
  seconds: number;
  memoryMb: number;
}

/** Ways to start a program without a network, in the order in which they are tried: as root, and as any other user. */
const withoutNetwork = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--net', '--'],
];

const patience = 10;

/** Milliseconds between two looks at a process that renders. */
const lookEach = 50;

/** How long a program may take to load, on a machine that is busy. */
const startSeconds = 60;

// A namespace without a network does not hide the sockets of other programs that are files, such as Docker's, and Node's permissions do not cover
// them. Without new descriptors there is no socket at all.
const withoutDescriptors = '--nofile=0:0';

let found: string[] | undefined;
let canLimit: boolean | undefined;

/** Throws an `ExportError` where no process can be started without a network. */
export function checkSandbox(): void {
  found ??= withoutNetwork.find(([command = '', ...args]) => spawnSync(command, [...args, 'true']).status === 0);
  if (!found) {
    throw new ExportError(
      'ComponentsNeedSandbox',
      'The components of this site cannot be run: this system starts no process without a network ("unshare --user --net" fails).',
      'Export on Linux with user namespaces, or without --trust-components.',
    );
  }
  canLimit ??= spawnSync('prlimit', ['--version']).status === 0;
  if (canLimit) return;
  throw new ExportError(
    'ComponentsNeedSandbox',
    'The components of this site cannot be run: this system has no "prlimit", which keeps a process from opening sockets.',
    'Install util-linux, or export without --trust-components.',
  );
}

/** Opens a sandbox, whose process starts with the first request. Throws what `checkSandbox` throws. */
export function openSandbox({ program, first, limits }: SandboxOptions): Sandbox {
  checkSandbox();
  let running: Started | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function start(): Promise<Started> {
    const started = spawnProgram(program, limits.memoryMb);
    const { child } = started;
    running = started;
    child.stdin!.on('error', () => {});
    createInterface({ input: child.stdout! }).on('line', (line) => started.onLine(line));
    child.once('close', () => {
      if (running === started) running = undefined;
      started.onEnd();
    });
    child.once('error', () => started.onEnd());
    await untilLoaded(started);
    if (first !== undefined) child.stdin!.write(jsonLine(first));
    return started;
  }

  async function ask(request: unknown): Promise<string> {
    const current = running ?? (await start());
    return answerOf(current, request, limits, () => {
      if (running === current) running = undefined;
      killGroup(current.child);
    });
  }

  return {
    ask(request) {
      const answered = last.then(() => ask(request));
      last = answered.catch(() => {});
      return answered;
    },
    close() {
      if (running) killGroup(running.child);
    },
  };
}

function spawnProgram(program: string, memoryMb: number): Started {
  const [command = '', ...args] = found!;
  const child = spawn(
    command,
    [
      ...args,
      process.execPath,
      '--permission',
      `--allow-fs-read=${dirname(program)}/*`,
      // Memory for objects; that of buffers is measured.
      `--max-old-space-size=${memoryMb / 2}`,
      '--disable-warning=ExperimentalWarning',
      '--disallow-code-generation-from-strings',
      program,
    ],
    // The time zone is that of no machine.
    { cwd: '/', env: { TZ: 'UTC' }, stdio: ['pipe', 'pipe', 'ignore'], detached: true },
  );
  return { child, onLine: () => {}, onEnd: () => {} };
}

/** Waits for the line of a program that is loaded, and takes its descriptors from it. */
async function untilLoaded(started: Started): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`The process of components ${why} while it started.`));
      const timer = setTimeout(() => fail(`took more than ${startSeconds} seconds`), startSeconds * 1000);
      started.onEnd = () => {
        clearTimeout(timer);
        fail('ended');
      };
      started.onLine = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    await promisify(execFile)('prlimit', ['--pid', String(started.child.pid), withoutDescriptors]);
  } catch (error) {
    killGroup(started.child);
    throw error;
  }
}

/** The line that answers a request. Rejects, and calls `end`, at a limit. */
async function answerOf(current: Started, request: unknown, { seconds, memoryMb }: Limits, end: () => void): Promise<string> {
  const { child } = current;
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = (message: string) => reject(new SandboxError(message));
      const failAndEnd = (message: string) => {
        fail(message);
        end();
      };
      current.onLine = resolve;
      current.onEnd = () => fail(`took more than ${memoryMb} MB of memory, or ended its process`);
      const longest = seconds * patience;
      timer = setTimeout(() => failAndEnd(`took more than ${longest} seconds`), longest * 1000);
      let before: number | undefined;
      let waited = 0;
      let last = { at: performance.now(), seconds: 0 };
      const look = async (): Promise<void> => {
        const [memory, used] = await Promise.all([groupMemory(child.pid!).catch(() => undefined), timeOf(child.pid!)]);
        if (over) return;
        before ??= used.seconds;
        // Code that renders has nothing to wait for. On a busy machine, looks are late.
        const at = performance.now();
        if (used.isWaiting) waited += used.seconds === last.seconds ? (at - last.at) / 1000 : lookEach / 1000;
        last = { at, seconds: used.seconds };
        if (memory !== undefined && memory > memoryMb) failAndEnd(`took more than ${memoryMb} MB of memory`);
        else if (used.seconds - before + waited > seconds) failAndEnd(`took more than ${seconds} seconds`);
        else lookLater();
      };
      // Most requests are answered before.
      const lookLater = () => setTimeout(() => void (over || look()), lookEach).unref();
      lookLater();
      child.stdin!.write(jsonLine(request));
    });
  } finally {
    over = true;
    clearTimeout(timer);
    current.onLine = () => {};
    current.onEnd = () => {};
  }
}

interface Started {
  child: ChildProcess;
  onLine(line: string): void;
  onEnd(): void;
}

/** The processor time that a process has used, 0 once it has ended, and whether it waits for something, such as in `Atomics.wait`. */
async function timeOf(pid: number): Promise<{ seconds: number; isWaiting: boolean }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name, which can hold spaces: the state is field 3 of proc(5), user and system time 14 and 15, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { seconds: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100, isWaiting: fields[0] === 'S' };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
