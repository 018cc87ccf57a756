import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

export interface Command {
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Processes that wait for a command, by module and function. Each runs one at a time; there are as many as commands that ran side by side. */
const waiting = new Map<string, ChildProcess[]>();

/**
 * What a command prints, and its exit code, in a process that has run others before it: loading a program takes longer than most commands.
 * The program is a function of a module that takes arguments.
 */
export function runWarm(module: string, name: string, command: Command): Promise<Ended> {
  const program = `${module} ${name}`;
  if (!waiting.has(program)) waiting.set(program, []);
  return run(waiting.get(program)!, module, name, command);
}

/** The same in a process that has loaded nothing before, and runs nothing afterwards. */
export async function runAlone(module: string, name: string, command: Command): Promise<Ended> {
  const processes: ChildProcess[] = [];
  const ended = await run(processes, module, name, command);
  for (const child of processes) child.disconnect();
  return ended;
}

function run(idle: ChildProcess[], module: string, name: string, command: Command): Promise<Ended> {
  const file = join(import.meta.dirname, 'warm-process.ts');
  let child = idle.pop();
  while (child && !child.connected) child = idle.pop();
  child ??= fork(file, [module, name], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  return runIn(child, idle, command);
}

function runIn(child: ChildProcess, idle: ChildProcess[], command: Command): Promise<Ended> {
  return new Promise((resolve) => {
    let fault = '';
    const hear = (printed: Buffer) => (fault += printed);
    const fail = (code: number | null) => resolve({ code, stdout: '', stderr: fault });
    child.stderr!.on('data', hear);
    // By then all is read that it said about its fault.
    child.once('close', fail).once('message', (message) => {
      child.off('close', fail).stderr!.off('data', hear);
      const { isLast, ...ended } = message as Ended & { isLast: boolean };
      if (!isLast) idle.push(child);
      hold(child, false);
      resolve(ended);
    });
    hold(child, true);
    child.send(command);
  });
}

/** Whether this process waits for the other one, which ends with it. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const streams = [child, child.channel, child.stderr] as ({ ref(): void; unref(): void } | null | undefined)[];
  for (const stream of streams) stream?.[isHeld ? 'ref' : 'unref']();
}
