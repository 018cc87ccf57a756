// Vitest's global set-up: one PostgreSQL server for a run, started when the first test file asks for it.
import { createServer, type AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startPostgres, type Postgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port that answers the server's address to whoever connects. */
    postgresPort: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<Postgres> | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    postgres ??= startPostgres();
    postgres.then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  project.provide('postgresPort', (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    await (await postgres?.catch(() => undefined))?.end();
  };
}
