// A process for code that is not ours: it has no network, no environment, no children, and reads no file but its own program.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { dirname } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { groupMemory } from '../../server/platform/process-limits.ts';

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
  /** File of the program, which reads requests from standard input. */
  program: string;
  /** Its first line of input. */
  first?: unknown;
  limits?: Partial<Limits>;
}

interface Limits {
  seconds: number;
  memoryMb: number;
}

const defaults: Limits = { seconds: 5, memoryMb: 512 };

/** Ways to start a program without a network, in the order in which they are tried: as root, and as any other user. */
const withoutNetwork = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--net', '--'],
];

let found: string[] | undefined;

/** Throws an `ExportError` where no process can be started without a network. */
export function checkSandbox(): void {
  found ??= withoutNetwork.find(([command = '', ...args]) => spawnSync(command, [...args, 'true']).status === 0);
  if (found) return;
  throw new ExportError(
    'ComponentsNeedSandbox',
    'The components of this site cannot be run: this system starts no process without a network ("unshare --user --net" fails).',
    'Export on Linux with user namespaces, or without --trust-components.',
  );
}

/** Opens a sandbox, whose process starts with the first request. Throws what `checkSandbox` throws. */
export function openSandbox({ program, first, limits }: SandboxOptions): Sandbox {
  checkSandbox();
  const { seconds, memoryMb } = { ...defaults, ...limits };
  let running: { child: ChildProcess; onLine(line: string): void; onEnd(): void } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = () => {
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
        program,
      ],
      // The time zone is that of no machine.
      { cwd: '/', env: { TZ: 'UTC' }, stdio: ['pipe', 'pipe', 'ignore'], detached: true },
    );
    const started = { child, onLine: (_line: string) => {}, onEnd: () => {} };
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => started.onLine(line));
    child.once('close', () => {
      if (running === started) running = undefined;
      started.onEnd();
    });
    child.once('error', () => started.onEnd());
    if (first !== undefined) child.stdin.write(`${JSON.stringify(first)}\n`);
    return started;
  };

  const ask = async (request: unknown): Promise<string> => {
    const current = (running ??= start());
    const { child } = current;
    const end = () => {
      if (running === current) running = undefined;
      killGroup(child);
    };
    let over = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<string>((resolve, reject) => {
        const fail = (message: string) => reject(new SandboxError(message));
        current.onLine = resolve;
        current.onEnd = () => fail(`took more than ${memoryMb} MB of memory, or ended its process`);
        timer = setTimeout(() => {
          fail(`took more than ${seconds} seconds`);
          end();
        }, seconds * 1000);
        const look = async (): Promise<void> => {
          const memory = await groupMemory(child.pid!).catch(() => undefined);
          if (over) return;
          if (memory !== undefined && memory > memoryMb) {
            fail(`took more than ${memoryMb} MB of memory`);
            end();
          } else setTimeout(() => void (over || look()), 50).unref();
        };
        // Most requests are answered before.
        setTimeout(() => void (over || look()), 50).unref();
        child.stdin!.write(`${JSON.stringify(request)}\n`);
      });
    } finally {
      over = true;
      clearTimeout(timer);
      current.onLine = () => {};
      current.onEnd = () => {};
    }
  };

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

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
