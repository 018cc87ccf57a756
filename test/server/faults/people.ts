// People who are invited, sign in to the dashboard and read a site for members, over HTTP as their browsers do.
import type { ServerProcess } from '../../support/server-process.ts';

type Headers = Record<string, string>;

export interface Invited {
  id: string;
  /** The token of the sign-in link. */
  link: string;
}

export async function invite(server: ServerProcess, email: string, role = 'viewer'): Promise<Invited> {
  const answer = await expectOk(await server.request('POST', '/v1/members', { email, role }));
  const { member, link } = (await answer.json()) as { member: { memberId: string }; link: { url: string } };
  return { id: member.memberId, link: link.url.split('#link=')[1]! };
}

/** The headers of a browser that has signed in by a link. Throws if the server refuses it. */
export async function signIn({ address }: ServerProcess, link: string): Promise<Headers> {
  const headers = { 'x-carrel-session-link': link, 'x-carrel-session': '1', origin: address };
  const answer = await expectOk(await fetch(`${address}/v1/session`, { method: 'POST', headers }));
  return { cookie: cookieOf(answer), 'x-carrel-session': '1', origin: address };
}

/** A browser that left a site for the dashboard, which sends it back. */
export interface Returning {
  url: string;
  headers: Headers;
}

export async function leaveSite({ address, sites }: ServerProcess, domain: string, session: Headers): Promise<Returning> {
  const form = { method: 'POST', body: new URLSearchParams({ to: '' }), redirect: 'manual' } as const;
  const left = await fetch(`${sites}/sites/${domain}/`, { ...form, headers: { origin: sites!, accept: 'text/html' } });
  const { read, ...asked } = Object.fromEntries(new URL(left.headers.get('location')!).searchParams);
  const body = JSON.stringify({ domain: read, ...asked });
  const headers = { ...session, 'content-type': 'application/json' };
  const coded = await expectOk(await fetch(`${address}/v1/reader-codes`, { method: 'POST', headers, body }));
  const { url } = (await coded.json()) as { url: string };
  return { url, headers: { cookie: cookieOf(left), accept: 'text/html' } };
}

/** The headers of a browser that reads the site. Throws if the code of the URL is not good. */
export async function comeBack({ url, headers }: Returning): Promise<Headers> {
  const answer = await fetch(url, { headers, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`${url}: ${answer.status}`);
  return { cookie: cookieOf(answer) };
}

async function expectOk(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

function cookieOf(answer: Response): string {
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}
