import { fileURLToPath } from 'node:url';
import type { Exporter } from '../../../server/jobs/worker/run-export.ts';

/** `carrel`, as the command line hands it to the server. */
export const carrelExport = exporterOf(
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('../../../src/cli/carrel.ts', import.meta.url)),
);

/** An exporter for tests of other things, whose stage `render` lasts so long: see quick-exporter.ts. */
export function quickExport(milliseconds = 0): Exporter {
  return exporterOf(fileURLToPath(new URL('quick-exporter.ts', import.meta.url)), String(milliseconds));
}

/**
 * Node with these arguments. A server keeps compiled code in its data folder, of which each test has its own; with the code that all tests
 * share, a small export takes half of the CPU time.
 */
export function exporterOf(...args: string[]): Exporter {
  const { NODE_COMPILE_CACHE: compileCache } = process.env;
  if (!compileCache || process.platform === 'win32') return { command: process.execPath, args };
  return { command: '/usr/bin/env', args: [`NODE_COMPILE_CACHE=${compileCache}`, process.execPath, ...args] };
}
