// Prepares a working tree before Carrel runs: installs the locked packages, of which Node 24 is one. The first run of Carrel installs a third of them.
// Plain JavaScript without imports of ours, because it runs first, on any installed Node (20 or later).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Installs missing packages, also those of tests and of the server if asked, and returns the Node to run with. Exits with a message when it cannot. */
export function prepare({ tests = true, server = true } = {}) {
  const some = ['integration', ...(server ? ['server'] : []), ...(isNodeNew() ? [] : ['src/setup/node'])];
  installPackages('', tests ? [] : some);
  return { node: nodeBinary(), root };
}

/** Runs a command with our Node first on PATH; exits with its exit code when it fails. */
export function runStep(command, args) {
  const result = spawnSync(command, args, { ...stepOptions(), stdio: 'inherit' });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * Runs a command several times at once, each with its own arguments, as `runStep` does. The output of the first is shown as it comes, that of the
 * others after it. When all have ended, exits with the exit code of the first that failed, if any did.
 */
export async function runSideBySide(command, argumentLists) {
  // Ctrl+C reaches the commands too, and they end.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  const running = argumentLists.map((args, index) => {
    const child = spawn(command, args, { ...stepOptions(), stdio: index === 0 ? 'inherit' : ['inherit', 'pipe', 'pipe'] });
    const output = new PassThrough({ highWaterMark: 64 * 1024 * 1024 });
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(output, { end: false });
    child.on('error', (error) => fail(`${command} could not be started: ${error.message}`));
    const status = new Promise((resolve) => {
      child.on('close', (code) => {
        output.end();
        resolve(code ?? 1);
      });
    });
    return { output, status };
  });
  const statuses = [];
  for (const { output, status } of running) {
    for await (const piece of output) process.stdout.write(piece);
    statuses.push(await status);
  }
  const failed = statuses.find((status) => status !== 0);
  if (failed) process.exit(failed);
}

function stepOptions() {
  const file = (path) => fileURLToPath(new URL(path, root));
  return {
    cwd: file('.'),
    env: {
      ...process.env,
      PATH: file('node_modules/.bin') + delimiter + process.env.PATH,
      ASTRO_TELEMETRY_DISABLED: '1',
      // Tests start many processes with the same code.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? file('node_modules/.compile-cache'),
    },
  };
}

/**
 * Installs the locked packages of a folder if its lock file changed, or some of them are missing. `path` is relative to the root and ends with a
 * slash. With workspaces, only their packages and those of the folder itself.
 */
export function installPackages(path, workspaces = []) {
  const folder = new URL(path, root);
  const stamp = new URL('node_modules/.carrel-lock', folder);
  const lock = createHash('sha256')
    .update(readFileSync(new URL('package-lock.json', folder)))
    .digest('hex');
  // Without names, all were installed.
  const [last, ...installed] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  const areThere = installed.length === 0 || (workspaces.length > 0 && workspaces.every((name) => installed.includes(name)));
  if (last === lock && areThere) return;
  console.log(`Installing packages${path && ` of ${path}`} (once for each package-lock.json) …`);
  // npm sets this variable when it runs us; its file runs on any Node without a shell.
  const npm = process.env.npm_execpath;
  // Not `npm ci`: it first removes every package, so a failure without a network would leave nothing to run.
  // --no-save installs the locked versions and leaves the lock file unchanged.
  const args = ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  if (workspaces.length > 0) args.push('--include-workspace-root', ...workspaces.map((name) => `--workspace=${name}`));
  const result = spawnSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !npm && process.platform === 'win32',
  });
  if (result.status !== 0)
    fail('The packages could not be installed (see above). Check the network, then run the command again.');
  mkdirSync(new URL('node_modules', folder), { recursive: true });
  writeFileSync(stamp, [lock, ...workspaces].join(' '));
}

function nodeBinary() {
  const folder = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}/bin/`;
  const binary = new URL(folder + (process.platform === 'win32' ? 'node.exe' : 'node'), root);
  if (existsSync(binary)) return fileURLToPath(binary);
  if (isNodeNew()) return process.execPath;
  fail(
    `Carrel needs Node 22.18 or later, this is ${process.version}, and npm has no Node for ${process.platform}-${process.arch}. Install Node 24.`,
  );
}

function isNodeNew() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

// `node prepare.mjs FOLDER` installs the packages of a folder, beside others.
if (process.argv[1] === fileURLToPath(import.meta.url)) installPackages(process.argv[2]);
