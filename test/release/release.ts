// Releases the version in package.json: npm run release -- [--dry-run] [--part packages|executable] [--out FOLDER]
// A dry run builds and checks everything, and prints what a release would publish.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildExecutable } from './executable.ts';
import { packExtension } from './extension.ts';
import { newestSection, notesOf, releaseFaults } from './faults.ts';
import { npm } from './npm.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// In the order in which they need each other.
const packages = ['integration', 'server', '.'];

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    part: { type: 'string' },
    out: { type: 'string', default: join(root, 'dist/release') },
  },
});
const { 'dry-run': isDryRun, part } = values;
if (part !== undefined && part !== 'packages' && part !== 'executable') fail(`--part is packages or executable, not "${part}".`);
const folder = resolve(values.out);

const own = readManifest('.');
const { version } = own;
const tag = `v${version}`;
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const faults = releaseFaults({
  versions: Object.fromEntries([
    ...[...packages].reverse().map((path) => [join(path, 'package.json'), readManifest(path).version]),
    ...['chart', 'server-chart'].map((name) => versionOfChart(`server/deploy/${name}/Chart.yaml`)),
  ]),
  changelog,
  status: git('status', '--porcelain'),
  tags: git('tag', '--points-at', 'HEAD').split('\n'),
  repository: own.repository?.url,
});
if (faults.length > 0) {
  console.error(`This tree cannot be released as ${tag}:\n\n${faults.map((fault) => `- ${fault}`).join('\n')}\n`);
  if (!isDryRun) process.exit(1);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const archives = packages.map((path) => pack(path));
const files: string[] = [];
if (part !== 'executable')
  for (const file of [...archives, await packExtension(folder, version)]) files.push(file, writeChecksum(file));
if (part !== 'packages') {
  // The best level takes 40 s, for a file that is 1 % smaller.
  const executable = await buildExecutable(archives.at(-1)!, folder, version, isDryRun ? 9 : 19);
  files.push(executable, writeChecksum(executable));
}

const commands = publishing();
console.log(`${isDryRun ? 'A release would publish' : 'Publishing'}, from ${folder}:\n`);
for (const file of files) console.log(`  ${basename(file).padEnd(40)}${(statSync(file).size / 1e6).toFixed(1)} MB`);
console.log(`\nwith these commands:\n\n${commands.map((command) => `  ${command.join(' ')}`).join('\n')}`);
if (part === undefined) {
  const owner = `ghcr.io/${process.env.GITHUB_REPOSITORY_OWNER ?? 'OWNER'}`;
  const image = `${owner}/carrel:${version}`;
  console.log(`
The workflow builds the executables of the other systems, the container image and the charts:

  docker build -f server/deploy/Dockerfile -t ${image} .
  docker push ${image}
  helm package server/deploy/chart server/deploy/server-chart
  helm push carrel-${version}.tgz oci://${owner}/charts
  helm push carrel-server-${version}.tgz oci://${owner}/charts

Only the owner of the names can do this, once:

  - Own the names "carrel", "@carrel/astro" and "@carrel/server" on npm, and store a token that publishes them as the secret NPM_TOKEN.
  - Name the repository in package.json, and let its workflow write packages; make the image and the charts public after the first release.
  - Own the publisher of the extension, and upload carrel-vscode-${version}.vsix to the marketplace.`);
}
// Not `process.exit`, which waits forever if a thread of V8 waits for memory at that moment.
if (isDryRun) process.exitCode = faults.length > 0 ? 1 : 0;
else for (const [command = '', ...args] of commands) execFileSync(command, args, { cwd: folder, stdio: 'inherit' });

/** The release on GitHub exists before a file is added to it: the packages come first. */
function publishing(): string[][] {
  // npm signs where a package was built if a workflow builds it.
  const provenance = process.env.GITHUB_ACTIONS ? ['--provenance'] : [];
  const upload = ['gh', 'release', 'upload', tag, '--clobber', ...files.map((file) => basename(file))];
  if (part === 'executable') return [upload];
  writeFileSync(join(folder, 'notes.md'), notesOf(newestSection(changelog).text, tag));
  return [
    ...archives.map((archive) => ['npm', 'publish', `./${basename(archive)}`, '--access', 'public', ...provenance]),
    ['gh', 'release', 'create', tag, '--verify-tag', '--title', tag, '--notes-file', 'notes.md'],
    upload,
  ];
}

function pack(path: string): string {
  const before = new Set(readdirSync(folder));
  npm(root, 'pack', path === '.' ? '.' : `./${path}`, '--pack-destination', folder);
  const created = readdirSync(folder).find((file) => !before.has(file));
  return created === undefined ? fail(`npm packed nothing of ${path}`) : join(folder, created);
}

/** A file as `sha256sum --check` reads it. */
function writeChecksum(file: string): string {
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(`${file}.sha256`, `${digest}  ${basename(file)}\n`);
  return `${file}.sha256`;
}

function readManifest(path: string): { version: string; repository?: { url?: string } } {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
}

function versionOfChart(file: string): [file: string, version: string] {
  return [file, /^version: (.*)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? ''];
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
