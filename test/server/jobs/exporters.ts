import { fileURLToPath } from 'node:url';
import type { Exporter } from '../../../server/jobs/exporter.ts';

/** `carrel export`, as the command line hands it to the server. */
export const carrelExport: Exporter = {
  command: process.execPath,
  args: [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('../../../src/cli/carrel.ts', import.meta.url)),
    'export',
  ],
};
