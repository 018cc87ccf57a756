// Runs a program for a job: in its own process group, with limits, and without the server's environment.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { onAbort } from '../../integration/text/on-abort.ts';
import { errorCode } from '../../integration/errors.ts';
import { orAfter } from './timing.ts';
import { folderSize, groupMemory, memoryLimitError, sizeLimitError, timeLimitError, type Limits } from './process-limits.ts';

export interface ProcessToRun {
  command: string;
  args: string[];
  folder: string;
  /** The complete environment: nothing is inherited. */
  environment: Record<string, string>;
  limits: Pick<Limits, 'minutes' | 'memoryMb'>;
  /** A folder that must stay small while it runs. */
  watch?: WatchedFolder;
  /** Receives both outputs as they arrive. */
  onOutput?(text: string): void;
  /** Receives whole lines of descriptor 3. */
  onLine?(line: string): void;
  /** Whether the program ends when its standard input does. Any other program runs under a shell that ends it then. */
  endsByItself?: boolean;
  signal: AbortSignal;
}

export interface WatchedFolder {
  path: string;
  /** Subject of error messages: 'The export'. */
  what: string;
  mb: number;
  entries?: number;
}

export interface EndedProcess {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The end of both outputs. */
  tail: string;
}

const tailLength = 16_384;
// The report of an export is one line.
const longestMessage = 32 * 1024 * 1024;
const secondsToEnd = 5;

/**
 * Runs a program to its end, whatever its exit code. When the signal comes or a limit is passed, the whole group is ended, and this rejects
 * with the signal's reason or a `JobError` (`TimeLimit`, `MemoryLimit`, `SizeLimit`). Rejects with `ENOENT` when there is no such program.
 */
export async function runProcess(run: ProcessToRun): Promise<EndedProcess> {
  run.signal.throwIfAborted();
  const [command, ...args] = commandOf(run);
  const child = spawn(command, args, {
    cwd: run.folder,
    env: run.environment,
    // Signals go to the group, so that no process that the program started outlives it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  // Nothing is written to the program, so a broken pipe loses nothing.
  child.stdin.on('error', () => {});
  let tail = '';
  const onText = (text: string): void => {
    tail = (tail + text).slice(-tailLength);
    run.onOutput?.(text);
  };
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', onText);
  const lines = createLines((line) => run.onLine?.(line), longestMessage);
  (child.stdio[3] as Readable).setEncoding('utf8').on('data', lines.push);

  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  // A program that cannot be started has no process id, and an error event gives the reason.
  if (child.pid === undefined) await exited;
  const closed = once(child, 'close');
  const ending = new AbortController();
  const end = (reason: unknown): void => ending.abort(reason);
  const stopListening = onAbort(run.signal, () => end(run.signal.reason));
  const timer = setTimeout(() => end(timeLimitError(run.limits.minutes)), run.limits.minutes * 60_000);
  const stopWatching = watchLimits(child.pid!, run, end);
  const killed = endWhenAborted(child, ending.signal);
  try {
    const [code, signal] = await exited;
    // A process that the program started may keep the outputs open; its work is no longer needed.
    signalGroup(child.pid!, 'SIGKILL');
    await orAfter(closed, 5000, { ref: false });
    ending.signal.throwIfAborted();
    if (run.watch) await checkFolder(run.watch);
    // The status of a shell without the program.
    if (code === 127 && run.endsByItself)
      throw Object.assign(new Error(`There is no program "${run.command}".`), { code: 'ENOENT' });
    if (code !== 0 && outOfMemory.test(tail)) throw memoryLimitError(run.limits.memoryMb);
    return { code, signal, tail };
  } finally {
    clearTimeout(timer);
    stopWatching();
    killed.stop();
    stopListening();
    for (const stream of child.stdio) stream?.destroy();
  }
}

// Node reserves about 1 GB that it never uses, more with threads.
const reservedMb = 2048;
// What git and Node print when the system refuses them memory; what a git server reports is not about this machine.
const outOfMemory =
  /^(?!remote:).*(?:out of memory|cannot allocate memory|failed to allocate memory|array buffer allocation failed)/im;

// The memory of a group is only measured, and a program can take gigabytes between two measurements, so the system refuses each process more.
// Other systems than Linux have no such limit.
const limitMemory = process.platform === 'linux' ? 'ulimit -d "$0" 2>/dev/null; ' : '';

// A killed server cannot end its children, but the pipe to them still closes: then the shell kills its whole group. SIGTERM goes to all of the
// group, and the program decides when it is ready to end.
const untilStdinEnds = `exec 4<&0
  (trap '' TERM; read -r _; kill -KILL 0) <&4 &
  trap : TERM
  "$@" </dev/null 4<&- &
  while wait $!; code=$?; kill -0 $! 2>/dev/null; do :; done
  exit $code`;

function commandOf({ command, args, limits, endsByItself }: ProcessToRun): [string, ...string[]] {
  if (process.platform === 'win32') return [command, ...args];
  const mb = limits.memoryMb + (command === 'git' ? 0 : reservedMb);
  const script = `unset PWD; ${limitMemory}${endsByItself ? 'exec "$@"' : untilStdinEnds}`;
  return ['sh', '-c', script, String(mb * 1024), command, ...args];
}

function endWhenAborted(child: ChildProcess, signal: AbortSignal): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const stopListening = onAbort(signal, () => {
    signalGroup(child.pid!, 'SIGTERM');
    timer = setTimeout(() => signalGroup(child.pid!, 'SIGKILL'), secondsToEnd * 1000);
  });
  return {
    stop() {
      clearTimeout(timer);
      stopListening();
    },
  };
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // All of the group has ended.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

// Milliseconds between two measurements of memory at the least and at the most: a busy machine measures slowly, and memory grows meanwhile.
const shortestPause = 250;
const longestMemoryPause = 2000;

/** Measures memory and folder repeatedly, each in at most a tenth of the time: a large folder takes long. */
function watchLimits(group: number, { limits, watch }: ProcessToRun, end: (reason: unknown) => void): () => void {
  const stops = [
    repeat(longestMemoryPause, async () => {
      const memory = await groupMemory(group);
      if (memory !== undefined && memory > limits.memoryMb) end(memoryLimitError(limits.memoryMb, memory));
    }),
  ];
  if (watch) stops.push(repeat(Infinity, () => checkFolder(watch).catch(end)));
  return () => stops.forEach((stop) => stop());
}

function repeat(longestPause: number, measure: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout;
  let isOver = false;
  const measureAgain = async (): Promise<void> => {
    const started = performance.now();
    // A failed measurement must not end the job.
    await measure().catch(() => {});
    if (!isOver) again(Math.min(longestPause, Math.max(shortestPause, (performance.now() - started) * 10)));
  };
  const again = (milliseconds: number): void => {
    timer = setTimeout(() => void measureAgain(), milliseconds);
  };
  again(100);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Throws `JobError` `SizeLimit`. */
async function checkFolder({ path, what, mb, entries = Infinity }: WatchedFolder): Promise<void> {
  const size = await folderSize(path);
  if (size.bytes > mb * 1024 * 1024 || size.entries > entries) throw sizeLimitError(what, mb);
}

/** Splits text that arrives in chunks into lines; ignores lines over `longest` characters. */
export function createLines(onLine: (line: string) => void, longest = 4096): { push(text: string): void } {
  let rest = '';
  let isTooLong = false;
  return {
    push(text) {
      const parts = text.split('\n');
      for (const [index, part] of parts.entries()) {
        const isWhole = index < parts.length - 1;
        isTooLong ||= rest.length + part.length > longest;
        if (isTooLong) rest = '';
        else rest += part;
        if (!isWhole) continue;
        if (!isTooLong && rest !== '') onLine(rest);
        rest = '';
        isTooLong = false;
      }
    },
  };
}

/** The environment of a job's programs, which inherits nothing from the server. `folder` is the run's own. */
export function runEnvironment(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'temporary'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
  };
}
