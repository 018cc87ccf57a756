import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A database of the run's server, which is made for copies of it. */
export const migratedDatabase = 'carrel_migrated';

export interface Postgres {
  /** Without a database's name. */
  url: string;
  /** Both may be repeated; the data stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its data. */
  end(): Promise<void>;
}

/** Starts a real PostgreSQL server on a free port of 127.0.0.1, with an empty cluster: about two seconds. */
export async function startPostgres(): Promise<Postgres> {
  const child = spawn(process.execPath, [new URL('postgres-process.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl+C is for the tests; this ends when they close its input.
    detached: true,
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const tell = async (line: string) => {
    child.stdin.write(`${line}\n`);
    const { value } = await lines.next();
    const answer = JSON.parse(value ?? '{"error":"PostgreSQL ended."}') as { url: string; error?: string };
    if (answer.error) throw new Error(answer.error);
    return answer.url;
  };
  return {
    url: await tell('start'),
    async stop() {
      await tell('stop');
    },
    async start() {
      await tell('start');
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
