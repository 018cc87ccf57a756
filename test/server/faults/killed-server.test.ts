import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { followJob, startJob, startServerProcess, type ServerProcess } from '../../support/server-process.ts';
import { addEmptyDatabase } from '../support/embedded.ts';
import { firstExport } from './places.ts';

const script = fileURLToPath(new URL('./pausing-server.ts', import.meta.url));
const fixture = fileURLToPath(new URL('../../../fixtures/plain-folder', import.meta.url));

interface Place {
  root: string;
  data: string;
  marker: string;
  docs: string;
}

/** A folder that is removed after the test. */
function place(): Place {
  const root = mkdtempSync(join(tmpdir(), 'carrel-killed-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(fixture, join(root, 'docs'), { recursive: true });
  return { root, data: join(root, 'data'), marker: join(root, 'marker'), docs: join(root, 'docs') };
}

/** A server that is killed after the test. */
async function start({ data, marker, docs }: Place, stage: string): Promise<ServerProcess> {
  const server = await startServerProcess(data, { CARREL_DRAIN_SECONDS: '1' }, [script, stage, marker, docs]);
  onTestFinished(() => server.kill());
  return server;
}

/** Text of the page that is served at the root of the site. */
async function served(server: ServerProcess): Promise<string> {
  const response = await fetch(`${server.sites}/sites/docs.example.com/index.html`);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.stringContaining('</html>')]);
  return text;
}

/** Waits until a file is there, by the events of its folder. */
async function untilThere(file: string): Promise<void> {
  if (existsSync(file)) return;
  await new Promise<void>((resolve) => {
    const watcher = watch(dirname(file), () => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    });
    if (existsSync(file)) {
      watcher.close();
      resolve();
    }
  });
}

async function bundleOf(server: ServerProcess, jobId: string, folder: string): Promise<string> {
  const answer = (await (await server.request('POST', `/v1/static-export/jobs/${jobId}/bundle`)).json()) as { bundleUrl: string };
  const file = join(folder, `${jobId}.zip`);
  writeFileSync(file, Buffer.from(await (await fetch(answer.bundleUrl)).arrayBuffer()));
  return file;
}

/** A server whose first site has one completed export; the next export of it stands still. */
async function startExported(here: Place, stage: string): Promise<ServerProcess> {
  await addEmptyDatabase(here.data);
  writeFileSync(here.marker, '');
  const server = await start(here, stage);
  await firstExport(server);
  rmSync(here.marker);
  writeFileSync(join(here.docs, 'index.md'), '# The second edition\n\nAll is new.\n');
  return server;
}

/** A server that is stopped gives its job back. */
async function stopInJob(server: ServerProcess, { data }: Place): Promise<void> {
  expect(await server.stop()).toBe(0);
  expect(readdirSync(join(data, 'work'))).toEqual([]);
}

test('a server that is killed twice and stopped once, each in a later stage of its job, serves the export before, and completes the job the fourth time', async () => {
  const here = place();
  let server = await startExported(here, 'render');
  // A second server on the same data folder is refused, and harms nothing.
  await expect(start(here, 'none')).rejects.toThrow('DataInUse');
  const before = await served(server);
  const jobId = await startJob(server, { domain: 'docs.example.com' });
  for (const next of ['write', 'archive', 'none']) {
    await untilThere(here.marker);
    await (next === 'archive' ? stopInJob(server, here) : server.kill());
    rmSync(here.marker);
    server = await start(here, next);
    expect(await served(server)).toBe(before);
  }
  expect(await followJob(server, jobId)).toMatchObject({ status: 'completed', progress: 100, error: null });
  expect(await verifyBundle(await bundleOf(server, jobId, here.root))).toEqual([]);
  expect(await served(server)).toContain('The second edition');
  await expect.poll(() => readdirSync(join(here.data, 'work'))).toEqual([]);
  expect(readFileSync(join(here.data, 'keys.json'), 'utf8')).toContain(server.adminKey);
});
