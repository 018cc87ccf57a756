// What `npm start` runs: Carrel's manual, exported by Carrel and served.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ExportError } from '../../integration/errors.ts';
import { serveSite } from '../../server/sites/serve.ts';
import { progressPrinter } from '../cli/progress.ts';
import { untilStopped } from '../cli/serve.ts';
import { exportDocs } from '../export-docs.ts';
import { startPort } from './start-port.ts';

const root = new URL('../../', import.meta.url);
const out = fileURLToPath(new URL('.carrel/manual', root));
const printer = progressPrinter(undefined, process.stderr);

try {
  const port = startPort(process.env.PORT);
  await exportDocs({
    source: fileURLToPath(new URL('src/manual', root)),
    out,
    deployment: 'client-hosted',
    vendor: false,
    cache: fileURLToPath(new URL('.carrel/cache', root)),
    now: Date.now(),
    environment: process.env,
    onProgress: printer.update,
  });
  printer.end();
  const served = await serveSite({ source: out, port });
  console.log(`
Carrel's manual, exported by Carrel:

  ${served.address}
  ${pathToFileURL(`${out}/index.html`).href}   (open it with a double-click, no server needed)

Export your own docs:  npm run carrel -- export ./docs --out ./site --zip ./site.zip
Ctrl+C stops the server.`);
  await untilStopped();
  await served.close();
} catch (error) {
  if (!(error instanceof ExportError)) throw error;
  const hint = error.code === 'CannotListen' ? 'Choose another port, such as 4402: PORT=4402 npm start' : error.hint;
  console.error(`Error (${error.code}): ${error.message}${hint ? `\n${hint}` : ''}`);
  process.exitCode = 1;
}
