import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { followJob, startJob, startServerProcess } from './support/server-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carrel-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the packed packages install in an empty folder and work as compiled JavaScript', async () => {
  const packed = join(folder, 'packed');
  const project = join(folder, 'project');
  mkdirSync(packed);
  mkdirSync(project);
  const npm = (cwd: string, ...args: string[]) => execFileSync('npm', [...args, '--loglevel=error'], { cwd, encoding: 'utf8' });
  for (const workspace of [['-w', 'integration'], ['-w', 'server'], []])
    npm(root, 'pack', ...workspace, '--pack-destination', packed);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true }');
  npm(project, 'install', '--no-audit', '--no-fund', ...readdirSync(packed).map((file) => join(packed, file)));

  const installed = readdirSync(join(project, 'node_modules'));
  expect(installed).toContain('carrel');
  expect(installed.filter((name) => /^(node-|playwright|typescript|vitest|vite$|astro$)/.test(name))).toEqual([]);
  const carrel = join(project, 'node_modules/carrel');
  const sources = readdirSync(carrel, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.tsx?$/.test(file));
  expect(sources).toEqual([]);
  const server = join(project, 'node_modules/@carrel/server/build');
  for (const file of ['dashboard/style.css', 'dashboard/client/main.js', 'deploy/chart/Chart.yaml', 'deploy/Dockerfile'])
    expect(existsSync(join(server, file)), file).toBe(true);

  const integration = join(project, 'node_modules/@carrel/astro/build');
  for (const file of [
    'components/CarrelSearch.astro',
    'components/index.js',
    'components/index.d.ts',
    'starlight/carrel-search.js',
  ])
    expect(existsSync(join(integration, file)), file).toBe(true);
  expect(readdirSync(join(integration, 'guest/scripts')).map((name) => name.replace(/\..*/, ''))).toEqual([
    'ask',
    'guest',
    'search',
  ]);
  const imports = readdirSync(join(integration, 'components'))
    .filter((name) => name.endsWith('.astro'))
    .flatMap((file) =>
      [...readFileSync(join(integration, 'components', file), 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, path]) => path!),
    );
  expect(imports.length).toBeGreaterThan(2);
  expect(imports.filter((path) => !existsSync(join(integration, 'components', path)))).toEqual([]);

  const bin = join(project, 'node_modules/.bin/carrel');
  const run = (...args: string[]) => execFileSync(process.execPath, [bin, ...args], { cwd: project, encoding: 'utf8' });
  run('export', join(root, 'fixtures/plain-folder'), '--out', 'site', '--zip', 'site.zip', '--cache', 'cache');
  expect(existsSync(join(project, 'site/index.html'))).toBe(true);
  expect(run('verify', 'site.zip')).toContain('is whole');
  expect(JSON.parse(readFileSync(join(project, 'site/carrel.json'), 'utf8')).format).toBe(1);

  const served = await startServerProcess(join(folder, 'data'), {}, [bin, 'server']);
  expect(served.output()).toContain('  carrel export-remote manual --out manual.zip');
  const { jobs } = await (await served.request('GET', '/v1/static-export/jobs')).json();
  expect(await followJob(served, jobs[0].jobId)).toMatchObject({ status: 'completed', error: null });
  const manual = await fetch(`${served.sites}/sites/manual/`);
  expect(manual.status).toBe(200);
  expect(await manual.text()).toContain('Carrel');
  expect((await served.request('GET', '/dashboard')).status).toBe(200);

  // The project has an Astro of its own, which the installed server has not.
  const garden = join(folder, 'garden');
  cpSync(join(root, 'fixtures/astro-project'), garden, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|\.astro)$/.test(path),
  });
  symlinkSync(join(root, 'node_modules'), join(garden, 'node_modules'), 'junction');
  await served.request('PUT', '/v1/sites/garden', { source: { type: 'folder', path: garden }, builder: 'astro' });
  const built = await followJob(served, await startJob(served, { domain: 'garden' }));
  expect(built).toMatchObject({ status: 'completed', pageCount: 2, error: null });
  expect(await served.stop()).toBe(0);
}, 300_000);
