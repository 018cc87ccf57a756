import { spawn } from 'node:child_process';
import { once } from 'node:events';

const openers: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  // `start` is not a program of its own, and its shell would read `&` in a URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const openingMilliseconds = 5000;

/** Opens a URL in the user's browser. False when the machine has no browser that can be opened. */
export async function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  try {
    const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(openingMilliseconds) });
    return code === 0;
  } catch (error) {
    // Some openers run as long as the browser that they started.
    child.unref();
    return (error as Error).name === 'AbortError';
  }
}
