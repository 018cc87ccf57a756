import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SessionLinkAnswer } from '../../server/organizations/session-routes.ts';
import { openApiClient } from './api-client.ts';
import { flag, defineCommand } from './usage.ts';

const options = { print: flag('Print the link instead of opening it') };

/** `carrel dashboard`: its options and how it is used. */
export const command = defineCommand({
  usage: 'dashboard',
  summary: 'Open the dashboard of a server in the browser, signed in with your admin key.',
  options,
  examples: [
    ['dashboard', 'Open the dashboard of the server on this machine'],
    ['dashboard --print', 'Print a link that signs in once, within 10 minutes'],
  ],
  async run({ options: { print } }) {
    const client = openApiClient(process.env);
    const { url } = await client.json<SessionLinkAnswer>('POST', '/v1/session-links');
    // This machine reaches the server by this URL; its public one may be another.
    const link = `${client.url}/dashboard${new URL(url).hash}`;
    if (!print && (await openInBrowser(link))) console.log(`Opened ${client.url}/dashboard in the browser.`);
    else console.log(link);
  },
});

const openers: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  // `start` is not a program of its own, and its shell would read `&` in a URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const openingMilliseconds = 5000;

/** False when the machine has no browser that can be opened. */
async function openInBrowser(url: string): Promise<boolean> {
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
