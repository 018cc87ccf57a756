// Vitest's global set-up: one empty embedded database, to begin others with; made when the first test file asks for it.
import type { TestProject } from 'vitest/node';
import { emptyDatabase } from './empty-database.ts';
import { onFirstRequest } from './on-first-request.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port that tells the folder of what embedded-process.ts made. */
    embeddedPort: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const embedded = await onFirstRequest(emptyDatabase, (folder) => folder);
  project.provide('embeddedPort', embedded.port);
  return async () => {
    await embedded.end();
  };
}
