// A small authorization server, and an API that accepts its tokens only.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../support/listen.ts';

export interface OAuthServer {
  port: number;
  /** What a browser or a server has sent: method and path, with the query of nothing but the sign-in. */
  seen: string[];
  /** What the sign-in was asked for. */
  asked: URLSearchParams[];
  /** How the next sign-in ends. */
  next: 'consent' | 'denied' | 'other state';
  /** Whether browsers may send requests from other origins. */
  cors: boolean;
  close(): Promise<void>;
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const tokens = new Set<string>();
  const token = () => {
    const made = `token-${randomBytes(8).toString('hex')}`;
    tokens.add(made);
    return { access_token: made, token_type: 'Bearer' };
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://127.0.0.1');
    const { cors } = running;
    if (cors) for (const name of ['origin', 'headers', 'methods']) response.setHeader(`access-control-allow-${name}`, '*');
    // A wildcard does not cover this header.
    if (cors) response.setHeader('access-control-allow-headers', 'authorization, content-type, accept, x-trace');
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (url.pathname !== '/favicon.ico') running.seen.push(`${request.method} ${url.pathname}`);
    if (url.pathname === '/authorize') {
      running.asked.push(url.searchParams);
      const [state, redirect] = [url.searchParams.get('state')!, url.searchParams.get('redirect_uri')!];
      const code = randomBytes(8).toString('hex');
      codes.set(code, { challenge: url.searchParams.get('code_challenge')!, redirect });
      const back = new URL(redirect);
      if (running.next === 'denied') back.search = String(new URLSearchParams({ error: 'access_denied', state }));
      else back.search = String(new URLSearchParams({ code, state: running.next === 'consent' ? state : 'other' }));
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await text(request));
      const secret = `Basic ${Buffer.from('robot:s%2Fcret').toString('base64')}`;
      if (form.get('grant_type') === 'client_credentials')
        return request.headers.authorization === secret && form.get('scope') === 'parcels:read'
          ? answer(200, token())
          : answer(401, { error: 'invalid_client', error_description: 'The client is not known.' });
      const code = codes.get(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      codes.delete(form.get('code') ?? '');
      return code && code.challenge === proof && code.redirect === form.get('redirect_uri') && form.get('client_id') === 'docs'
        ? answer(200, token())
        : answer(400, { error: 'invalid_grant' });
    }
    return tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')
      ? answer(200, [{ to: 'Ada' }])
      : answer(401, { error: 'No token' });
  });
  const running: OAuthServer = {
    port: await listen(server),
    seen: [],
    asked: [],
    next: 'consent',
    cors: true,
    close: () => close(server),
  };
  return running;
}
