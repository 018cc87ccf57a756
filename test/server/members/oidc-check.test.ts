// What a provider can answer with instead of its metadata and tokens: each is named, none is waited for without end.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createOidc } from '../../../server/members/oidc.ts';
import { listen, optionsFor } from './provider.ts';

type Answer = (response: ServerResponse, issuer: string) => void;
const json = (response: ServerResponse, value: object) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
const metadata = (issuer: string) => ({
  ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` },
});
let elsewhere = 0;
const other = await listen((_request, response) => {
  elsewhere++;
  response.end('{}');
});
/** Begins an answer in JSON, and adds to it as long as the connection lasts. */
const begun = (response: ServerResponse) => response.setHeader('content-type', 'application/json').write('{"a":"');
const drips: Answer = (response) => {
  begun(response);
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
};
const floods: Answer = (response) => {
  begun(response);
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(60_000)));
  };
  response.on('drain', more);
  more();
};

async function opened(answer: Answer, tokens: Answer = floods) {
  const issuer: string = await listen((request, response) => (request.url === '/token' ? tokens : answer)(response, issuer));
  // Only what drips has to be waited for.
  const timeoutSeconds = [answer, tokens].includes(drips) ? 0.5 : 30;
  return { issuer, oidc: createOidc(optionsFor(issuer), { publicUrl: 'http://a.test', now: Date.now, timeoutSeconds })! };
}

test.each<[string, Answer, RegExp]>([
  ['is right', (response, issuer) => json(response, metadata(issuer)), /^$/],
  ['is of another issuer', (response, issuer) => json(response, metadata(`${issuer}/realm`)), /names another issuer/],
  ['is not there', (response) => response.writeHead(404).end(), /answers with status 404 instead of its metadata/],
  ['redirects', (response) => response.writeHead(302, { location: other }).end(), /answers with status 302/],
  ['is a page', (response) => response.end('<html>'), /something else than the metadata/],
  ['is cut off', (response) => response.setHeader('content-type', 'application/json').end('{'), /something else than/],
  [
    'names no page',
    (response, issuer) => json(response, { ...metadata(issuer), authorization_endpoint: undefined }),
    /names no "auth/,
  ],
  [
    'has no code flow',
    (response, issuer) => json(response, { ...metadata(issuer), response_types_supported: ['id_token'] }),
    /does not offer the authorization code flow/,
  ],
  ['breaks off', (response) => response.destroy(), /cannot be reached/],
  ['drips', drips, /does not answer in time/],
  ['never ends', floods, /answers with more than 1 MB/],
])('metadata that %s', async (_what, answer, problem) => {
  const { oidc } = await opened(answer);
  expect((await oidc.problems()).join(' ')).toMatch(problem);
  expect(elsewhere).toBe(0);
});

test('an address where no one listens', async () => {
  const oidc = createOidc(optionsFor('http://127.0.0.1:9'), { publicUrl: 'http://a.test', now: Date.now })!;
  expect(await oidc.problems()).toEqual([
    'The provider at http://127.0.0.1:9 cannot be reached. Check the address, and that this server may reach it.',
  ]);
  expect(await oidc.signOutUrl()).toBeUndefined();
});

test.each<[string, Answer]>([
  ['drip', drips],
  ['never end', floods],
  ['are elsewhere', (response) => response.writeHead(307, { location: other }).end()],
])('tokens that %s sign no one in', async (_what, tokens) => {
  const { oidc } = await opened((response, issuer) => json(response, metadata(issuer)), tokens);
  // On a busy machine, the time may be too short for the metadata, which are read once.
  await expect.poll(() => oidc.problems()).toEqual([]);
  const secret = oidc.newSecret();
  const state = (await oidc.urlFor(secret)).searchParams.get('state');
  await expect(oidc.claimsOf(`?code=1&state=${state}`, secret)).rejects.toMatchObject({ code: 'OidcFailed' });
  expect(elsewhere).toBe(0);
  // This provider has no page to sign out on.
  expect(await oidc.signOutUrl()).toBeUndefined();
});
