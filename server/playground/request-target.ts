// A request of the playground to the API of a site, and its answer. Neither the request nor the answer is trusted: only listed origins, also
// after redirects, and nothing that belongs to one connection or to another site's session.
import { AddressError, RefusedUrl, safeFetch } from '../../integration/remote/safe-fetch.ts';
import { ApiError } from '../platform/errors.ts';

export interface TargetRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface TargetOptions {
  /** What may be requested: `https://api.example.com`. */
  origins: readonly string[];
  /** Hosts, addresses and ranges in private networks that may be connected to. */
  privateHosts: readonly string[];
  /** From the look-up of the name to the last byte. */
  seconds: number;
  /** Of the decoded body. */
  maxBytes: number;
  /** Aborted when the reader leaves. */
  signal: AbortSignal;
}

/** The answer: first its head, then its body in pieces, at the end `end` or why there is no more. */
export type TargetEvent =
  | { type: 'head'; status: number; statusText: string; headers: Record<string, string>; milliseconds: number }
  | { type: 'bytes'; bytes: string }
  | { type: 'end' }
  | { type: 'error'; error: string; code: string };

/**
 * Sends the request and returns the events of its answer, which end within the limits.
 * Throws `ApiError` 403 `PlaygroundHostRefused` and 502 `PlaygroundTargetFailed`.
 */
export async function requestTarget(request: TargetRequest, options: TargetOptions): Promise<AsyncGenerator<TargetEvent>> {
  const { origins, privateHosts, seconds, signal } = options;
  let { url } = request;
  const failed = (error: unknown) => targetError(error, url, seconds);
  const started = performance.now();
  const response = await safeFetch(request.url, {
    method: request.method,
    headers: { accept: '*/*', 'user-agent': 'Carrel', ...endToEnd(request.headers, neverSent) },
    body: request.body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
    allowed(next, from) {
      url = next;
      if (!origins.includes(next.origin)) throw notListed(next, from, origins);
      return privateHosts;
    },
  }).catch((error: unknown) => {
    throw failed(error);
  });
  return eventsOf(response, { milliseconds: Math.round(performance.now() - started), maxBytes: options.maxBytes, url, failed });
}

interface Answered {
  milliseconds: number;
  maxBytes: number;
  url: URL;
  failed: (error: unknown) => ApiError;
}

async function* eventsOf(response: Response, { milliseconds, maxBytes, url, failed }: Answered): AsyncGenerator<TargetEvent> {
  const { status, statusText } = response;
  const headers = endToEnd(Object.fromEntries(response.headers), neverReturned);
  yield { type: 'head', status, statusText, headers, milliseconds };
  try {
    let length = 0;
    for await (const piece of response.body ?? []) {
      length += piece.length;
      if (length > maxBytes) {
        const error = `The answer of ${url.host} is larger than ${Math.round(maxBytes / 1_000_000)} MB; the rest was not loaded.`;
        return yield { type: 'error', error, code: 'PlaygroundTargetFailed' };
      }
      yield { type: 'bytes', bytes: Buffer.from(piece).toString('base64') };
    }
    yield { type: 'end' };
  } catch (thrown) {
    const { message, code } = failed(thrown);
    yield { type: 'error', error: message, code };
  }
}

const hopByHop = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];
// Besides cookies: what the connection sets itself, and what proxies say about clients, which an API may trust.
const neverSent =
  /^(?:host|content-length|expect|accept-encoding|cookie2?|forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|sec-.*|proxy-.*)$/;
// The body of the answer is decoded.
const neverReturned = /^(?:set-cookie2?|content-encoding|content-length|proxy-.*)$/;

/** Headers that are about the message, not about its connection; names in lower case. */
function endToEnd(headers: Record<string, string>, dropped: RegExp): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const ofConnection = given.flatMap(([name, value]) => (name === 'connection' ? value.toLowerCase().split(/\s*,\s*/) : []));
  const left = given.filter(([name]) => !hopByHop.includes(name) && !ofConnection.includes(name) && !dropped.test(name));
  return Object.fromEntries(left);
}

function notListed({ origin }: URL, from: URL | undefined, origins: readonly string[]): ApiError {
  const listed = origins.length > 0 ? `its APIs are at ${origins.slice(0, 10).join(', ')}` : 'it has no servers of APIs';
  return new ApiError(
    'PlaygroundHostRefused',
    `The request was stopped: ${from ? `${from.origin} redirects to ${origin}` : origin}, which is not a server of this site: ${listed}. Choose another server, or have the host added to features.playground.hosts of the site.`,
  );
}

/** Why there is no answer, as an error that says whose fault it is. */
function targetError(error: unknown, { host }: URL, seconds: number): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof RefusedUrl)
    return new ApiError('PlaygroundHostRefused', `The request was stopped: ${error.message}.`, { cause: error });
  if (error instanceof AddressError && error.code === 'AddressPrivate') {
    return new ApiError(
      'PlaygroundHostRefused',
      `The request was stopped: ${host} is in a private or reserved network. If that is right, have the operator of this server add the host to CARREL_PLAYGROUND_PRIVATE_HOSTS.`,
      { cause: error },
    );
  }
  return new ApiError(
    'PlaygroundTargetFailed',
    `The API failed, not this documentation: ${host} ${failureOf(error, seconds)}. Check the server URL, try again later, or ask the operator of the API.`,
    { cause: error },
  );
}

const failures: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  HPE_HEADER_OVERFLOW: 'sent headers that are too long',
};

function failureOf(error: unknown, seconds: number): string {
  if (error instanceof AddressError) return 'was not found';
  if (!(error instanceof Error)) return 'did not answer';
  if (error.name === 'TimeoutError') return `did not complete its answer in ${seconds} s`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^HPE_|^ERR_HTTP_|^Z_/.test(code)) return failures[code] ?? `sent an answer that is not valid (${code})`;
  if (/CERT|SIGNED|ISSUER|TLS|SSL|EPROTO/.test(code)) return `has no valid certificate (${code})`;
  return failures[code] ?? (code === '' ? 'closed the connection without an answer' : `did not answer (${code})`);
}
