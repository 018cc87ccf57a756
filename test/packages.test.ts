import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { open } from './integration/scripts/built-site.ts';
import { requestFrom } from './server/support/on-first-request.ts';
import { s3Credentials, startS3Server } from './server/storage/s3-server.ts';
import { followJob, startJob, startServerProcess } from './support/server-process.ts';
import { writeFiles } from './support/write-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carrel-packages-'));
// Three installations are so many files that a slow disk takes minutes to remove them: this runs beside the tests, and may take longer than a hook.
const removals: Promise<void>[] = [];
const remove = (path: string) => removals.push(rm(path, { recursive: true, force: true }));
afterAll(async () => {
  await Promise.all(removals);
  await rm(folder, { recursive: true, force: true });
}, 600_000);

// While a command runs, Vitest cannot end a test that takes too long: a registry that never answers would hold up the run forever.
const timeout = 600_000;
const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', ['--loglevel=error', ...args], { cwd, encoding: 'utf8', timeout });

// The registry says again what the cache has of it only where that is missing.
const install = (cwd: string, ...archives: string[]) =>
  npm(cwd, 'install', '--prefer-offline', '--no-audit', '--no-fund', ...archives);

const countOpened = `import { registerHooks } from 'node:module';
let count = 0;
registerHooks({ load: (url, context, next) => ((count += url.startsWith('file:') ? 1 : 0), next(url, context)) });
process.on('exit', () => console.error('opened ' + count));`;

let released: string;
beforeAll(async () => {
  released = await requestFrom(inject('releasedPort'));
}, timeout);

/** The archive of a package of this repository, as a release has it. */
const archiveOf = (name: 'carrel' | 'carrel-astro' | 'carrel-server') => join(released, `${name}-0.1.0.tgz`);

// One life of a project: first an archive by itself, then the server beside it, without a registry for their names.
const project = join(folder, 'project');
const bin = join(project, 'node_modules/.bin/carrel');

test('one archive installs in an empty folder and works as compiled JavaScript', async () => {
  writeFiles(project, { 'package.json': '{ "name": "project", "private": true }' });
  install(project, archiveOf('carrel'));
  const modules = join(project, 'node_modules');
  const installed = readdirSync(modules);
  // What an export needs, and nothing that only a server does.
  const { packages: locked } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const present = Object.keys(locked).filter((path) => existsSync(join(project, path)));
  expect(present.length).toBeGreaterThan(10);
  expect(present.length).toBeLessThanOrEqual(120);
  const megabytes = bytesBelow(modules) / 1e6;
  expect(megabytes).toBeGreaterThan(20);
  expect(megabytes).toBeLessThanOrEqual(90);
  expect(readFileSync(join(modules, 'carrel/build/packages/LICENSES.txt'), 'utf8')).toMatch(/^zod \d[\s\S]+?MIT License/m);
  expect(installed).toContain('carrel');
  expect(installed.filter((name) => /^(node-|playwright|typescript|vitest|vite$|astro$|@carrel)/.test(name))).toEqual([]);
  const carrel = join(project, 'node_modules/carrel');
  const files = readdirSync(carrel, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /(?<!\.d)\.tsx?$/.test(file))).toEqual([]);
  // Nothing of npm comes along: of natively compiled packages each machine needs its own.
  const carried = files.filter((file) => /node_modules\/(?:@[^/]+\/)?[^/@]+$/.test(file));
  expect(carried.sort()).toEqual(['build/node_modules/@carrel/astro', 'build/node_modules/@carrel/server']);
  const server = join(carrel, 'build/node_modules/@carrel/server/build');
  for (const file of ['dashboard/style.css', 'dashboard/client/main.js', 'deploy/chart/Chart.yaml', 'deploy/Dockerfile'])
    expect(existsSync(join(server, file)), file).toBe(true);

  const integration = join(carrel, 'build/node_modules/@carrel/astro/build');
  for (const file of ['astro/components/CarrelSearch.astro', 'astro/components/index.js', 'astro/carrel-search.js'])
    expect(existsSync(join(integration, file)), file).toBe(true);
  expect(readdirSync(join(integration, 'reader-build/scripts')).map((name) => name.replace(/\..*/, ''))).toEqual([
    'ask',
    'consent',
    'core',
    'keys',
    'packages',
    'page-app',
    'questions',
    'reader',
    'record',
    'search',
  ]);
  const imports = readdirSync(join(integration, 'astro/components'))
    .filter((name) => name.endsWith('.astro'))
    .flatMap((file) =>
      [...readFileSync(join(integration, 'astro/components', file), 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(
        ([, path]) => path!,
      ),
    );
  expect(imports.length).toBeGreaterThan(2);
  expect(imports.filter((path) => !existsSync(join(integration, 'astro/components', path)))).toEqual([]);

  // A Node that says it is an older one.
  writeFileSync(join(folder, 'older.cjs'), "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  const older = spawnSync(
    process.execPath,
    ['-r', join(folder, 'older.cjs'), join(project, 'node_modules/.bin/carrel'), 'export', '.'],
    {
      encoding: 'utf8',
    },
  );
  expect([older.status, older.stdout, older.stderr]).toEqual([1, '', 'Carrel requires Node 22.18 or later; this is 20.20.2.\n']);

  const run = (...args: string[]) => execFileSync(process.execPath, [bin, ...args], { cwd: project, encoding: 'utf8', timeout });
  run('signing-key', 'new', 'release', '--no-password');
  writeFiles(project, { 'dist/index.html': '<!doctype html><title>Kettle</title><main><h1>Kettle</h1></main>' });
  for (const source of [['dist'], [join(root, 'fixtures/plain-folder'), '--cache', 'cache']]) {
    run('export', ...source, '--out', 'site', '--zip', 'site.zip', '--sign', 'release.key');
    expect(readFileSync(join(project, 'site/carrel-sbom.cdx.json'), 'utf8')).toContain('pkg:npm/minisearch@');
  }
  // A small export spends most of its time on opening modules.
  writeFileSync(join(folder, 'opened.mjs'), countOpened);
  const counted = [
    '--import',
    join(folder, 'opened.mjs'),
    bin,
    'export',
    join(root, 'fixtures/plain-folder'),
    '--out',
    'counted',
    // Without colors of code that are known.
    '--cache',
    'counted-cache',
  ];
  const { stderr } = spawnSync(process.execPath, counted, { cwd: project, encoding: 'utf8' });
  const opened = Number(/^opened (\d+)$/m.exec(stderr)?.[1]);
  expect(opened).toBeGreaterThan(50);
  expect(opened).toBeLessThanOrEqual(150);
  expect(run('verify', 'site.zip')).toContain('is intact');
  expect(run('ask', 'How do I clean the kettle?', '--bundle', 'site.zip')).toContain('vinegar, once a month');
  const s3 = await startS3Server();
  try {
    const target = ['publish', 'site.zip', 's3://exports/docs', '--endpoint', s3.endpoint];
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...target], {
      cwd: project,
      timeout,
      env: { ...process.env, ...s3Credentials },
    });
    expect(stdout).toContain('to s3://exports/docs/');
    expect(await s3.keys('docs')).toContain('index.html');
  } finally {
    await s3.end();
  }
  // What draws is heavy, and not among the dependencies.
  const cards = [
    'export',
    join(root, 'fixtures/plain-folder'),
    '--out',
    'cards',
    '--site',
    'https://docs.example.com',
    '--social-cards',
  ];
  const refused = spawnSync(process.execPath, [bin, ...cards], { cwd: project, encoding: 'utf8' });
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('npm install @takumi-rs/core@')]);

  for (const command of [['server'], ['doctor'], ['migrate'], ['restore', 'package.json']]) {
    const absent = spawnSync(process.execPath, [bin, ...command], { cwd: project, encoding: 'utf8', timeout });
    expect([absent.status, absent.stderr]).toEqual([1, expect.stringContaining('npm install ./carrel-server-0.1.0.tgz\n')]);
  }
}, 600_000);

test('beside @carrel/server, the installed program is a server', async () => {
  install(project, archiveOf('carrel-astro'), archiveOf('carrel-server'));
  const served = await startServerProcess(join(folder, 'data'), {}, [bin, 'server']);
  expect(served.output()).toContain(' carrel export-remote manual --out manual.zip');
  const { jobs } = await (await served.request('GET', '/v1/static-export/jobs')).json();
  expect(await followJob(served, jobs[0].jobId)).toMatchObject({ status: 'completed', error: null });
  const manual = await fetch(`${served.sites}/sites/manual/`);
  expect(manual.status).toBe(200);
  expect(await manual.text()).toContain('Carrel');
  expect((await served.request('GET', '/dashboard')).status).toBe(200);

  // The project has an Astro of its own, which the installed server does not have.
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
  remove(project);
}, 600_000);

/** An empty project on a version of Astro. */
function astroProject(version: string): string {
  const created = join(folder, `astro-${version}`);
  mkdirSync(join(created, 'src/pages'), { recursive: true });
  writeFileSync(
    join(created, 'package.json'),
    `{ "type": "module", "private": true, "dependencies": { "astro": "${version}" } }`,
  );
  return created;
}

// npm refuses @carrel/astro where its peers do not fit. Astro 6 and 7 as they are locked build in astro-build.test.ts.
test.each([4, 5, 6, 7])('the integration is for Astro %i from its first version on', (major) => {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'integration/package.json'), 'utf8'));
  expect(peerDependencies.astro.split(' || ')).toContain(`^${major}.0.0`);
});

// Without a lock, as in a project that takes what its range allows.
test.each(['4.0.0', '5.0.0'])(
  'the integration installs beside Astro %s, and its export opens from file://',
  async (version) => {
    const project = astroProject(version);
    const write = (file: string, text: string) => writeFileSync(join(project, file), text);
    write(
      'astro.config.mjs',
      `import carrel from '@carrel/astro';
       export default { base: '/docs', redirects: { '/old': '/docs/guide' }, integrations: [carrel({ report: 'report.json' })] };`,
    );
    write(
      'src/pages/index.astro',
      `<html lang="en"><head><title>Home</title></head><body><main><h1>Home</h1><a href="/docs/guide">Guide</a></main>
       <script>const { sound } = await import('../sound.js'); document.body.dataset.sound = sound;</script></body></html>`,
    );
    write('src/sound.js', `export const sound = 'heard';`);
    write('src/pages/guide.md', '# Guide\n\nHerons wade.\n');
    install(project, '--ignore-scripts', archiveOf('carrel-astro'));
    execFileSync(process.execPath, [astroBin(project), 'build'], {
      cwd: project,
      timeout,
      env: { ...process.env, NODE_ENV: 'production', VITEST: undefined, ASTRO_TELEMETRY_DISABLED: '1' },
    });

    const offline = join(project, 'dist-offline');
    expect(JSON.parse(readFileSync(join(project, 'report.json'), 'utf8'))).toMatchObject({ pages: 2, warnings: [] });
    const { redirects } = JSON.parse(readFileSync(join(offline, 'carrel.json'), 'utf8'));
    expect(redirects).toEqual([expect.objectContaining({ from: 'old' })]);
    const site = { dist: join(project, 'dist'), offline, base: '/docs/', problems: [] };
    const { until, value, faults } = await open(site, 'from file://');
    await until('document.body.dataset.sound === "heard"');
    expect(await value('document.querySelector("main a").getAttribute("href")')).toBe('guide/index.html');
    expect(faults).toEqual([]);
    remove(project);
  },
  600_000,
);

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0);
}

function astroBin(project: string): string {
  const { bin } = JSON.parse(readFileSync(join(project, 'node_modules/astro/package.json'), 'utf8'));
  return join(project, 'node_modules/astro', bin.astro);
}

// The tests' own installation takes what a lock lacks from the registry; `npm ci`, of releases and images, refuses it. Registries do not always
// have every optional package of another platform.
test('npm ci takes the lock file', () => {
  const copy = mkdtempSync(join(folder, 'locked-'));
  const { workspaces: folders } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const workspaces = folders.map((name) => join(name, 'package.json'));
  for (const file of ['package.json', 'package-lock.json', ...workspaces]) cpSync(join(root, file), join(copy, file));
  expect(npm(copy, 'ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund')).toMatch(/added \d{3,} packages/);
});

test('the first command of a clone installs what it uses, without what only tests and a server need', () => {
  const clone = join(folder, 'clone');
  const others = /[\\/](?:node_modules|build|\.git|\.sites|\.carrel|test-results)$/;
  cpSync(root, clone, { recursive: true, filter: (path) => !others.test(path) });
  const carrel = (...args: string[]) => npm(clone, 'run', 'carrel', '--', ...args);
  expect(carrel('init', 'my-docs')).toContain('Installing packages');
  const installed = readdirSync(join(clone, 'node_modules'));
  expect(installed).toContain('minisearch');
  expect(
    installed.filter((name) => /^(?:node-(?:linux|win)|pg-boss|playwright|typescript$|vitest|ai-\d|pagefind)/.test(name)),
  ).toEqual([]);
  expect(carrel('export', 'my-docs', '--out', 'my-site')).not.toContain('Installing packages');
  expect(readFileSync(join(clone, 'my-site/index.html'), 'utf8')).toContain('<h1');
  remove(clone);
}, 600_000);
