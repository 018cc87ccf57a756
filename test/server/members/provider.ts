// A provider of OpenID Connect on this machine, and a browser that goes through it.
import { createServer, type RequestListener } from 'node:http';
import { expect } from 'vitest';
import { atFileEnd } from '../../support/at-file-end.ts';
import { oidcProvider } from '../../support/oidc-provider.ts';
import type { MemberAnswer } from '../../../server/members/member-routes.ts';
import type { TestServer } from '../support/services.ts';
import { close, listen as listenLocally } from '../../support/listen.ts';

export type Headers = Record<string, string>;
export const clientId = 'carrel';
const clientSecret = 'a secret of the client';
const redirectUri = 'http://api.example.com/v1/oidc/callback';

export async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  // What never ends would keep it open.
  atFileEnd(() => close(server));
  return `http://127.0.0.1:${await listenLocally(server)}`;
}

const known = {
  ada: { email: 'Ada@Example.com', email_verified: true, name: 'Ada', groups: ['docs-admins', 'partner'] },
  bo: { email: 'bo@example.com', email_verified: true, name: 'Bo\nX-Header: 1', groups: ['unknown'] },
  cy: { email: 'cy@elsewhere.test', email_verified: true, name: 'Cy', groups: ['docs-team'] },
  di: { email: 'di@elsewhere.test', email_verified: true, name: 'Di' },
  ed: { email: 'ed@example.com', email_verified: false, name: 'Ed' },
  fay: { name: 'Fay' },
};

/** What the provider knows of its people, which each file of tests begins anew. */
export const people: Record<string, Record<string, unknown>> = {};

/** Whoever comes to the provider is the person of `who`. */
export const who = { id: 'ada' };
export async function startProvider(): Promise<string> {
  Object.assign(people, known);
  who.id = 'ada';
  let provider: RequestListener | undefined;
  const issuer = await listen((request, response) => provider!(request, response));
  const client = { client_id: clientId, client_secret: clientSecret };
  provider = oidcProvider({
    issuer,
    publicUrl: 'http://api.example.com',
    client,
    current: () => ({ id: who.id, claims: people }),
  });
  return issuer;
}

const roles = [
  { of: 'docs-admins', role: 'owner' },
  { of: 'docs-team', role: 'editor' },
  { of: '@example.com', role: 'viewer' },
] as const;
export const optionsFor = (oidcIssuer: string) => ({
  ...{ oidcIssuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcOrganization: 'default' },
  oidcRoles: [...roles],
});
export const browser = { host: 'api.example.com', 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
export const cookieIn = (answer: Response) => answer.headers.get('set-cookie')!.split(';')[0]!;

/** As far as the provider: its URL, and the cookie of the browser. */
export async function begin({ request }: TestServer, to = ''): Promise<{ url: string; cookie: string }> {
  const answer = await request('GET', `/v1/oidc?to=${encodeURIComponent(to)}`, undefined, null);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store']);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^carrel-oidc=[\w-]{43}\.[\w-]*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  return { url: answer.headers.get('location')!, cookie: cookieIn(answer) };
}

/** Through the pages of the provider, as a browser: the query that it comes back with. */
export async function through(url: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let next = url; ;) {
    if (next.startsWith(redirectUri)) return new URL(next).search;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name, value] = set.split(';')[0]!.split('=') as [string, string];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${answer.status} ${await answer.text()}`);
    next = new URL(location, next).href;
  }
}

export async function comeBack({ request }: TestServer, query: string, cookie: string): Promise<URL> {
  const answer = await request('GET', `/v1/oidc/callback${query}`, undefined, null, cookie === '' ? {} : { cookie });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location')!);
}

export async function accountAt({ request }: TestServer, url: URL): Promise<{ session: Headers; member: MemberAnswer }> {
  const answer = await openLink({ request }, url.href);
  expect(answer.status).toBe(201);
  const session = { ...browser, cookie: cookieIn(answer) };
  return { session, ...(await (await request('GET', '/v1/account', undefined, null, session)).json()) };
}

export function openLink({ request }: Pick<TestServer, 'request'>, url: string): Promise<Response> {
  return request('POST', '/v1/session', undefined, null, { ...browser, 'x-carrel-session-link': url.split('#link=')[1]! });
}
