// Prepares a working tree before Carrel runs: installs the locked packages, of which Node 24 is one.
// Plain JavaScript without imports of ours, because it runs first, on any installed Node (20 or later).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Installs missing packages and returns the Node to run with. Exits with a message when it cannot. */
export function prepare() {
  installPackages('');
  return { node: nodeBinary(), root };
}

/** Runs a command with our Node first on PATH; exits with its exit code when it fails. */
export function runStep(command, args) {
  const bin = fileURLToPath(new URL('node_modules/.bin', root));
  const result = spawnSync(command, args, {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Installs the locked packages of a folder if its lock file changed. `path` is relative to the root and ends with a slash. */
export function installPackages(path) {
  const folder = new URL(path, root);
  const stamp = new URL('node_modules/.carrel-lock', folder);
  const lock = createHash('sha256')
    .update(readFileSync(new URL('package-lock.json', folder)))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log(`Installing packages${path && ` of ${path}`} (once for each package-lock.json) …`);
  // npm sets this variable when it runs us; its file runs on any Node without a shell.
  const npm = process.env.npm_execpath;
  // Not `npm ci`: it first removes every package, so a failure without a network would leave nothing to run.
  // --no-save installs the locked versions and leaves the lock file unchanged.
  const args = ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !npm && process.platform === 'win32',
  });
  if (result.status !== 0)
    fail('The packages could not be installed (see above). Check the network, then run the command again.');
  mkdirSync(new URL('node_modules', folder), { recursive: true });
  writeFileSync(stamp, lock);
}

function nodeBinary() {
  const folder = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}/bin/`;
  const binary = new URL(folder + (process.platform === 'win32' ? 'node.exe' : 'node'), root);
  if (existsSync(binary)) return fileURLToPath(binary);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  fail(
    `Carrel needs Node 22.18 or later, this is ${process.version}, and npm has no Node for ${process.platform}-${process.arch}. Install Node 24.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
