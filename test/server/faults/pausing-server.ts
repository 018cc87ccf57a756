// node --liftoff-only pausing-server.ts STAGE MARKER DOCS: the server, with an exporter that stands still in a stage until it was killed once, and
// with a folder as its first site.
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../../server/platform/read-options.ts';
import { startServer } from '../../../server/server.ts';
import { exporterOf } from '../jobs/exporters.ts';

const [stage, marker, path] = process.argv.slice(2);
const exporter = exporterOf(fileURLToPath(new URL('./pausing-exporter.ts', import.meta.url)), stage!, marker!);
const server = await startServer({
  options: readOptions({ environment: process.env }),
  exporter,
  firstSite: { domain: 'docs.example.com', source: { type: 'folder', path: path! } },
});
console.log(`listening on ${server.address} and ${server.sitesAddress} (sites)`);
console.log('Ctrl+C stops it.');
process.once('SIGINT', () => void server.stop());
