import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { followJob, startJob, startServerProcess, type ServerProcess } from '../../support/server-process.ts';
import { addEmptyDatabase } from '../support/embedded.ts';

const script = fileURLToPath(new URL('./pausing-server.ts', import.meta.url));
const fixture = fileURLToPath(new URL('../../../fixtures/plain-folder', import.meta.url));

interface Place {
  root: string;
  data: string;
  marker: string;
  docs: string;
}

/** A folder that is removed after the test, or when `atEnd` says. */
function place(atEnd: (clear: () => Promise<void> | void) => void = onTestFinished): Place {
  const root = mkdtempSync(join(tmpdir(), 'carrel-killed-'));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  cpSync(fixture, join(root, 'docs'), { recursive: true });
  return { root, data: join(root, 'data'), marker: join(root, 'marker'), docs: join(root, 'docs') };
}

/** A server that is killed after the test, or when `atEnd` says. */
async function start(
  { data, marker }: Place,
  stage: string,
  environment: Record<string, string> = {},
  atEnd: (clear: () => Promise<void> | void) => void = onTestFinished,
): Promise<ServerProcess> {
  const server = await startServerProcess(data, environment, [script, stage, marker]);
  atEnd(() => server.kill());
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

/** The site with one completed export; the next export of it stands still. */
async function exportedOnce(here: Place, server: ServerProcess): Promise<void> {
  await server.request('PUT', '/v1/sites/docs.example.com', { source: { type: 'folder', path: here.docs } });
  writeFileSync(here.marker, '');
  const first = await startJob(server, { domain: 'docs.example.com' });
  expect(await followJob(server, first)).toMatchObject({ status: 'completed', error: null });
  rmSync(here.marker);
  writeFileSync(join(here.docs, 'index.md'), '# The second edition\n\nAll is new.\n');
}

describe('a server killed while its job runs', () => {
  // One life of a data folder: the server that comes back after one kill is the one that is killed next.
  let here: Place;
  let server: ServerProcess;
  const leave = [] as (() => Promise<void> | void)[];
  const stages = ['read', 'render', 'index', 'write', 'archive'];
  beforeAll(async () => {
    here = place((clear) => leave.push(clear));
    await addEmptyDatabase(here.data);
    server = await start(here, stages[0]!, {}, (clear) => leave.push(clear));
    await exportedOnce(here, server);
  });
  afterAll(async () => {
    for (const clear of leave.reverse()) await clear();
  });

  test.each(stages)(
    'at %s serves the export before, runs the job again by itself, and leaves nothing half-written',
    async (stage) => {
      writeFileSync(join(here.docs, 'index.md'), `# The edition of ${stage}\n\nAll is new.\n`);
      const before = await served(server);
      expect(before).not.toContain(`The edition of ${stage}`);
      const jobId = await startJob(server, { domain: 'docs.example.com' });
      await untilThere(here.marker);
      await server.kill();

      const next = stages[stages.indexOf(stage) + 1] ?? stage;
      server = await start(here, next, {}, (clear) => leave.push(clear));
      expect(await served(server)).toBe(before);
      const job = await followJob(server, jobId);
      expect(job).toMatchObject({ status: 'completed', progress: 100, error: null });
      expect(await verifyBundle(await bundleOf(server, jobId, here.root))).toEqual([]);
      expect(await served(server)).toContain(`The edition of ${stage}`);
      await expect.poll(() => readdirSync(join(here.data, 'work'))).toEqual([]);
      expect(readFileSync(join(here.data, 'keys.json'), 'utf8')).toContain(server.adminKey);
      rmSync(here.marker);
    },
  );
});

test('a server that is killed four times while a job runs completes it the fifth time', async () => {
  const here = place();
  await addEmptyDatabase(here.data);
  let server = await start(here, 'render');
  await exportedOnce(here, server);
  const jobId = await startJob(server, { domain: 'docs.example.com' });
  for (let kill = 1; kill <= 4; kill++) {
    await untilThere(here.marker);
    await server.kill();
    if (kill < 4) rmSync(here.marker);
    server = await start(here, 'render');
  }
  expect(await followJob(server, jobId)).toMatchObject({ status: 'completed', error: null });
  expect(await served(server)).toContain('The second edition');
});

test('a server that is stopped lets a running job end, and gives back one that does not', async () => {
  const here = place();
  await addEmptyDatabase(here.data);
  const server = await start(here, 'render', { CARREL_DRAIN_SECONDS: '1' });
  await exportedOnce(here, server);
  const jobId = await startJob(server, { domain: 'docs.example.com' });
  await untilThere(here.marker);
  expect(await server.stop()).toBe(0);
  expect(readdirSync(join(here.data, 'work'))).toEqual([]);

  const again = await start(here, 'render');
  expect((await followJob(again, jobId)).status).toBe('completed');
});

test('a second server on the same data folder is refused, and harms nothing', async () => {
  const here = place();
  await addEmptyDatabase(here.data);
  const server = await start(here, 'none');
  await expect(start(here, 'none')).rejects.toThrow('DataInUse');
  expect((await server.request('GET', '/v1/sites')).status).toBe(200);
});
