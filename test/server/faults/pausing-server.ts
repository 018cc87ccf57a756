// node --liftoff-only pausing-server.ts STAGE MARKER: the server, with an exporter that stands still in a stage until it was killed once.
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../../server/platform/read-options.ts';
import { startServer } from '../../../server/server.ts';
import { exporterOf } from '../jobs/exporters.ts';

const [stage, marker] = process.argv.slice(2);
const exporter = exporterOf(fileURLToPath(new URL('./pausing-exporter.ts', import.meta.url)), stage!, marker!, 'export');
const path = fileURLToPath(new URL('../../../fixtures/plain-folder', import.meta.url));
const server = await startServer({
  options: readOptions({ environment: process.env }),
  exporter,
  firstSite: { domain: 'docs', source: { type: 'folder', path } },
});
console.log(`listening on ${server.address} and ${server.sitesAddress} (sites)`);
console.log('Ctrl+C stops it.');
process.once('SIGINT', () => void server.stop());
