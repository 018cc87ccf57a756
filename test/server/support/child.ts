import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Child {
  process: ChildProcess;
  /** Waits for the next line on its standard output. Rejects, with what it said on standard error, when it ends without one. */
  line(): Promise<string>;
  /** Kills it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Runs a script of the tests in a Node process of its own. */
export function startChild(script: URL, args: string[]): Child {
  const process_ = spawn(
    process.execPath,
    ['--liftoff-only', '--disable-warning=ExperimentalWarning', script.pathname, ...args],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let errors = '';
  process_.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
  const exited = once(process_, 'exit');
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
  return {
    process: process_,
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The process ended. ${errors}`);
      return value;
    },
    async kill() {
      process_.kill('SIGKILL');
      await exited;
    },
  };
}
