// Programs for the tests that no npm package carries. As root on Debian, a missing one is installed.
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** Installs a package of Debian. */
export function installPackage(name: string, environment: NodeJS.ProcessEnv = process.env): void {
  console.error(`Installing ${name} (apt-get install ${name}) …`);
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    // The package of a server does not start it.
    env: { ...environment, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  };
  execFileSync('apt-get', ['update', '-q'], options);
  execFileSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', name], options);
}

/** The path of a program, whose package is installed if it is missing. Throws an error that says what to do. */
export function installedProgram(program: string, debianPackage: string): string {
  const found = find(program);
  if (found) return found;
  const advice = `The tests need ${program}. Install it (Debian: apt-get install ${debianPackage}).`;
  if (!mayInstall()) throw new Error(advice);
  try {
    installPackage(debianPackage);
  } catch (cause) {
    throw new Error(`${advice} apt-get could not install it.`, { cause });
  }
  return find(program) ?? raise(advice);
}

function find(program: string): string | undefined {
  const folders = (process.env.PATH ?? '')
    .split(path.delimiter)
    .concat('/usr/sbin', '/usr/bin', '/usr/local/bin', '/usr/local/sbin');
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

function raise(message: string): never {
  throw new Error(message);
}
