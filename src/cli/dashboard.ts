import type { SessionLinkAnswer } from '../../server/members/session-routes.ts';
import { openApiClient } from './api-client.ts';
import { openInBrowser } from './open-in-browser.ts';
import { flag, defineCommand } from './usage.ts';

const options = { print: flag('Print the link instead of opening it') };

/** `carrel dashboard`: its options and how it is used. */
export const command = defineCommand({
  usage: 'dashboard',
  summary: 'Open the dashboard of a server in the browser, and sign in with your admin key.',
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
