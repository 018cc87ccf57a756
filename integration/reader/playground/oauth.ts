// Gets a token from an authorization server (OAuth 2): with the client's own credentials, or with the reader's consent in another window.
import { onAbort } from '../../text/on-abort.ts';
import { isRecord, jsonValue } from '../../text/json.ts';
import { carrelFolder } from '../shared/loader.ts';
import type { Flow } from './operation.ts';
import type { Request } from './request.ts';
import { NotSent, type Received } from './send.ts';

/** What the reader has entered. It is never stored. */
export interface TokenRequest {
  flow: Flow;
  clientId: string;
  /** Empty for clients without one, which a page is. */
  clientSecret: string;
  /** Separated by spaces. */
  scopes: string;
}

type Send = (request: Request, signal: AbortSignal) => Promise<Received>;

/** The page of the site that an authorization server sends readers back to. It only hands its query to this one. */
export const redirectUrl: string = new URL('oauth.html', carrelFolder).href;

/** Whether the page can send readers to an authorization server and have them back: not from a disk, and not over plain http. */
export const canSignIn: boolean = /^https?:/.test(redirectUrl) && globalThis.isSecureContext;

const secondsToAnswer = 60;

/** A token. Throws `NotSent`, in whose texts no credentials are; what `signal` is aborted with is thrown unchanged. */
export async function requestToken(asked: TokenRequest, send: Send, signal: AbortSignal): Promise<string> {
  const consent = asked.flow.grant === 'authorization_code' ? await consentOf(asked, signal) : {};
  const { flow, clientId, clientSecret, scopes } = asked;
  const fields = new URLSearchParams({
    grant_type: flow.grant,
    ...consent,
    ...(clientSecret === '' && { client_id: clientId }),
    ...(flow.grant === 'client_credentials' && scopes !== '' && { scope: scopes }),
  });
  const request: Request = {
    method: 'POST',
    url: flow.tokenUrl,
    headers: [
      ['Accept', 'application/json'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      // https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
      ...(clientSecret === ''
        ? []
        : [['Authorization', `Basic ${btoa(`${encoded(clientId)}:${encoded(clientSecret)}`)}`] satisfies [string, string]]),
    ],
    body: fields.toString(),
  };
  const waiting = AbortSignal.any([signal, AbortSignal.timeout(secondsToAnswer * 1000)]);
  const { status, body } = await send(request, waiting).catch((error: unknown) => {
    if (error instanceof NotSent && error.text[0] === 'noResponse') throw new NotSent(unreachable(flow), { cause: error });
    throw error;
  });
  const answer = jsonValue(await new Response(body).text());
  if (isRecord(answer) && typeof answer['access_token'] === 'string') return answer['access_token'];
  throw refused(isRecord(answer) ? answer : {}, String(status));
}

function unreachable({ tokenUrl }: Flow): NotSent['text'] {
  return ['tokenUnreachable', { host: URL.parse(tokenUrl)?.host ?? tokenUrl, origin: location.origin }];
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
function refused({ error, error_description: description }: Record<string, unknown>, otherwise: string): NotSent {
  const reason = [description, error, otherwise].find((one) => typeof one === 'string' && one !== '');
  return new NotSent(['tokenRefused', { reason: String(reason).slice(0, 300) }]);
}

/** The code that the reader's consent gives, and what proves that this page asked for it (PKCE). */
async function consentOf({ flow, clientId, scopes }: TokenRequest, signal: AbortSignal): Promise<Record<string, string>> {
  const state = randomText();
  const verifier = randomText();
  const opened = window.open('about:blank', '_blank', 'popup,width=600,height=700');
  if (!opened) throw new NotSent(['popupBlocked']);
  // The authorization server must not reach this page.
  opened.opener = null;
  try {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const url = new URL(flow.authorizationUrl ?? '');
    const query = {
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUrl, state },
      ...{ code_challenge: base64Url(new Uint8Array(digest)), code_challenge_method: 'S256' },
      ...(scopes !== '' && { scope: scopes }),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answered = answerWith(state, signal);
    opened.location.href = url.href;
    const answer = await answered;
    if (typeof answer['code'] !== 'string') throw refused(answer, 'no code');
    return { code: answer['code'], redirect_uri: redirectUrl, code_verifier: verifier };
  } finally {
    opened.close();
  }
}

/** What the redirect page hands over for this `state`; others are ignored. */
function answerWith(state: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const channel = new BroadcastChannel('carrel-oauth');
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    onAbort(signal, () => reject(signal.reason as Error));
    channel.onmessage = ({ data }) => {
      if (isRecord(data) && data['state'] === state) resolve(data);
    };
  }).finally(() => channel.close());
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** As in forms: `a b` → `a+b`. */
function encoded(text: string): string {
  return new URLSearchParams({ a: text }).toString().slice(2);
}
