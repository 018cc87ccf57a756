import { fileURLToPath } from 'node:url';
import type { Exporter } from '../../../server/jobs/worker/export.ts';

/** `carrel export`, as the command line hands it to the server. */
export const carrelExport: Exporter = {
  command: process.execPath,
  args: [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('../../../src/cli/carrel.ts', import.meta.url)),
    'export',
  ],
};
