import { execFileSync } from 'node:child_process';

/** Runs npm, the same as the one that runs this program, and returns what it prints. */
export function npm(cwd: string, ...args: string[]): string {
  const file = process.env.npm_execpath;
  const [command, first] = file ? [process.execPath, [file]] : ['npm', []];
  return execFileSync(command, [...first, ...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    shell: !file && process.platform === 'win32',
    // While a command runs, no test can end, and a registry that never answers would hold it up forever.
    timeout: 600_000,
  });
}
