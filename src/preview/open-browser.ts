import { spawn } from 'node:child_process';

const programs: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  // `start` is a command of the shell, and takes its first argument in quotes as a title.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Opens a URL in the user's browser; `onFailure` is called if there is no program that can. */
export function openBrowser(url: string, onFailure: () => void, platform = process.platform): void {
  const [command, ...args] = programs[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', onFailure);
  child.unref();
}
