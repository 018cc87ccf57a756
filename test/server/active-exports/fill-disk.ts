// Run with a folder on a disk of a few MB, and two archives: serves the small one, then finds no room for the large one, then not
// even for a lock; tells what came of it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { serveBundle } from '../../../server/hosting/serve-bundle.ts';
import { listen } from '../../support/listen.ts';

const [folder, small, large] = process.argv.slice(2) as [string, string, string];
let archive = small;
const http = createServer(async (_, response) => void response.end(await readFile(archive)));
const url = `http://127.0.0.1:${await listen(http)}/bundle.zip`;

async function home(): Promise<unknown> {
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line.split('\n')[0]!.replaceAll(folder, 'FOLDER'));
  const keep = join(folder, 'keep');
  const served = await serveBundle({ url, keep, port: 0, waits: [], now: Date.now, say: () => {}, warn });
  const text = await (await fetch(served.address)).text();
  await served.close();
  return { text, warnings, sites: (await readdir(join(keep, 'sites'))).length };
}

const first = await home();
archive = large;
const second = await home();
await writeFile(join(folder, 'filler'), Buffer.alloc(8 * 1024 * 1024)).catch(() => {});
const third = await home();
http.close();
http.closeAllConnections();
console.log(JSON.stringify([first, second, third]));
