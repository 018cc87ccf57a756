// Vitest's global set-up: one PostgreSQL server for a run, started when the first test file asks for it.
import type { TestProject } from 'vitest/node';
import { onFirstRequest } from './on-first-request.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port that tells the server's address. */
    postgresPort: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await onFirstRequest(startPostgres, ({ url }) => url);
  project.provide('postgresPort', postgres.port);
  return async () => (await postgres.end())?.end();
}
