// Vitest runs this before each test file. A worker runs many files, one after another, so each file leaves the worker as it found it.
import { afterAll, vi } from 'vitest';
import { endFile } from './at-file-end.ts';

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await endFile();
});
