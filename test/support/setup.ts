// Vitest runs this before each test file. A worker runs many files, one after another, so each file leaves the worker as it found it.
import { afterAll, vi } from 'vitest';
import { endFile } from './at-file-end.ts';

const { Request, Response } = globalThis;

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await endFile();
  // The HTTP server (@hono/node-server) replaces both, and needs that itself. WebAssembly, which highlights code, takes only Node's own.
  Object.defineProperties(globalThis, { Request: { value: Request }, Response: { value: Response } });
});
