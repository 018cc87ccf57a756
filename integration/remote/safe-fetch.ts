// The one way to request an untrusted URL: a name is resolved once, its addresses are checked, and the connection
// goes to what was checked. Every redirect is checked again.
import dns from 'node:dns/promises';
import type { Agent, AgentOptions, ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { onAbort } from '../text/on-abort.ts';
import { errorCode } from '../errors.ts';
import { bareHost, isEmbeddedInside, isPublicAddress } from './address-range.ts';

/** Private networks that may be connected to, as host names, addresses or CIDR ranges. `any` is for a URL that the operator chose. */
export type AllowedNetworks = readonly string[] | 'any';

/** The message is the end of a sentence. */
export class AddressError extends Error {
  override name = 'AddressError';
  readonly code: 'AddressPrivate' | 'HostUnknown';

  constructor(code: AddressError['code'], options?: ErrorOptions) {
    super(code === 'AddressPrivate' ? 'its host is not on the public internet' : 'its host was not found', options);
    this.code = code;
  }
}

/** A URL or a redirect that is not followed, whatever the network answers. The message is the end of a sentence. */
export class RefusedUrl extends Error {
  override name = 'RefusedUrl';
}

/**
 * Addresses of a host, which may be an address itself, with brackets or without. Each is public or allowed, or the host is.
 * Throws `AddressError`, also when only one of several addresses is private.
 */
export async function checkedAddresses(host: string, allowed: AllowedNetworks): Promise<string[]> {
  const name = bareHost(host);
  const found = await dns.lookup(name, { all: true }).catch((cause: unknown) => {
    throw new AddressError('HostUnknown', { cause });
  });
  const addresses = found.map(({ address }) => address);
  if (allowed === 'any' || allowed.some((entry) => bareHost(entry) === name)) return addresses;
  const ranges = allowed.map(bareHost);
  const isRefused = (address: string) => !isPublicAddress(address) && !isEmbeddedInside(address, ranges);
  if (addresses.length === 0 || addresses.some(isRefused)) throw new AddressError('AddressPrivate');
  return addresses;
}

export interface SafeRequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Ends the look-up, the request and the body; what it is aborted with is what they fail with. */
  signal?: AbortSignal;
  allowed: AllowedNetworks;
  /** Milliseconds until the answer has to begin. */
  answersWithin?: number;
  /** Connections to share. @default a connection for this request alone, and no proxy */
  pool?: Pool;
  /** Whether the server may get the request twice. @default whether its method is idempotent */
  isRepeatable?: boolean;
}

/** Connections that stay open. Only requests whose addresses are checked by the same rules may share them. */
export interface Pool {
  agents: Record<'http:' | 'https:', Agent>;
  isProxied: boolean;
}

export function createPool(): Pool {
  return { agents: agents({ keepAlive: true }), isProxied: false };
}

/** The same through the proxy in the environment, if Node is configured to use it. */
export function createProxiedPool(): Pool {
  const isProxied = process.env.NODE_USE_ENV_PROXY === '1' || nodeOptions().includes('--use-env-proxy');
  const proxyEnv = isProxied ? process.env : undefined;
  return { agents: agents({ keepAlive: true, proxyEnv }), isProxied };
}

function agents(options: AgentOptions): Pool['agents'] {
  return { 'http:': new (client('http:').Agent)(options), 'https:': new (client('https:').Agent)(options) };
}

/** Node's client, loaded at the first request: an `import` reads all that it exports, Node's `fetch` among it, which takes 65 ms. */
function client(protocol: 'http:' | 'https:') {
  return protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
}

function nodeOptions(): string {
  return [...process.execArgv, process.env.NODE_OPTIONS].join(' ');
}

/** `safeRequest` as a `fetch`, for libraries that take one; the body must be text. It follows no redirects. */
export function requestAsFetch(
  options: Pick<SafeRequestOptions, 'allowed' | 'answersWithin' | 'pool' | 'isRepeatable'>,
): typeof fetch {
  return (input, init) =>
    safeRequest(new URL(input instanceof Request ? input.url : input), {
      method: init?.method,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : undefined,
      signal: init?.signal ?? undefined,
      ...options,
    });
}

/**
 * One request; a redirect is an answer. Throws `RefusedUrl`, `AddressError`, a `TimeoutError` when the answer does not begin in time, what
 * the signal is aborted with, and what the connection fails with.
 */
export async function safeRequest(url: URL, options: SafeRequestOptions): Promise<Response> {
  const protocol = httpProtocol(url);
  const { method = 'GET', isRepeatable = idempotent.has(method), allowed, signal, pool } = options;
  signal?.throwIfAborted();
  const lookup = await addressesFor(url, { allowed, signal, pool });
  for (;;) {
    const request = client(protocol).request(url, {
      method,
      headers: headersOf(options),
      signal,
      lookup,
      agent: pool?.agents[protocol] ?? false,
    });
    try {
      return await answerTo(request, url, options);
    } catch (error) {
      // A server may close a kept connection while a request is on its way. Each failure takes one of these from the pool.
      if (!isRepeatable || !request.reusedSocket || !isClosed(error)) throw error;
    }
  }
}

// https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

const isClosed = (error: unknown) => ['ECONNRESET', 'EPIPE'].includes(errorCode(error) ?? '');

// Without a length, Node sends the body of a GET or DELETE as what looks like the next request of the connection.
function headersOf({ headers, body }: SafeRequestOptions) {
  return body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
}

function answerTo(request: ClientRequest, url: URL, { body, signal, answersWithin }: SafeRequestOptions): Promise<Response> {
  return new Promise<Response>((resolve, reject) => {
    const reason = (error: unknown) => (signal?.aborted ? signal.reason : error);
    const late = () => request.destroy(new DOMException(`no answer in ${answersWithin} ms`, 'TimeoutError'));
    const timer = answersWithin === undefined ? undefined : setTimeout(late, answersWithin);
    request.on('close', () => {
      clearTimeout(timer);
      // An answer that switches protocols (101) is neither a response nor an error.
      reject(reason(new Error('the connection was closed without an answer')));
    });
    request.on('error', (error) => reject(reason(error)));
    request.on('response', (answer) => {
      clearTimeout(timer);
      try {
        resolve(responseOf(answer, url, reason));
      } catch (error) {
        request.destroy();
        reject(error);
      }
    });
    request.end(body);
  });
}

export interface SafeFetchOptions extends Omit<SafeRequestOptions, 'allowed' | 'pool'> {
  /** Called for the URL and for each one that it redirects to. May throw `RefusedUrl`. */
  allowed: (url: URL, redirectedFrom: URL | undefined) => AllowedNetworks;
  pool?: (url: URL) => Pool;
}

const mostRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects with the methods that browsers use; `url` of the answer is where they ended. Another origin gets only headers that
 * contain no credentials. Throws what `safeRequest` throws.
 */
export async function safeFetch(start: URL, { allowed, pool, ...options }: SafeFetchOptions): Promise<Response> {
  let url = start;
  let sent = options;
  let from: URL | undefined;
  for (let count = 0; ; count++) {
    httpProtocol(url);
    if (url.username !== '' || url.password !== '') throw new RefusedUrl('a URL with a user name or a password is not fetched');
    const response = await safeRequest(url, { ...sent, allowed: allowed(url, from), pool: pool?.(url) });
    const location = response.headers.get('location');
    if (!redirects.has(response.status) || location === null) return response;
    await response.body?.cancel();
    if (count === mostRedirects) throw new RefusedUrl('it redirects more than five times');
    const next = URL.parse(location, url);
    if (!next) throw new RefusedUrl('it redirects to something that is not a URL');
    if (becomesGet(response.status, sent.method)) sent = { ...sent, method: 'GET', body: undefined };
    if (next.origin !== url.origin) sent = { ...sent, headers: withoutCredentials(sent.headers) };
    [url, from] = [next, url];
  }
}

// https://fetch.spec.whatwg.org/#http-redirect-fetch
function becomesGet(status: number, method = 'GET'): boolean {
  return status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
}

// Any other header may be the key of an API.
const publicHeader =
  /^(?:accept|accept-encoding|accept-language|content-language|content-type|if-match|if-modified-since|if-none-match|if-range|range|user-agent)$/i;

function withoutCredentials(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => publicHeader.test(name)));
}

function httpProtocol({ protocol }: URL): 'http:' | 'https:' {
  if (protocol === 'http:' || protocol === 'https:') return protocol;
  throw new RefusedUrl(`${protocol} is not fetched`);
}

/** The `lookup` of the connection: returns only addresses that were checked. */
async function addressesFor(
  { hostname, host }: URL,
  { allowed, signal, pool }: Pick<SafeRequestOptions, 'allowed' | 'signal' | 'pool'>,
): Promise<LookupFunction> {
  const isListed = allowed !== 'any' && allowed.includes(host);
  try {
    const checked = await untilAborted(checkedAddresses(hostname, isListed ? 'any' : allowed), signal);
    const known = checked.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    // A connection does not call `lookup` for an IP address, which is checked like the others.
    return (_name, { all }, callback) => {
      if (all) callback(null, known);
      else callback(null, known[0]?.address ?? '', known[0]?.family);
    };
  } catch (error) {
    // Behind a proxy, names may be unknown here: the proxy decides. A connection past the proxy fails.
    if (!pool?.isProxied || !(error instanceof AddressError) || error.code !== 'HostUnknown') throw error;
    return (_name, _options, callback) => callback(error, []);
  }
}

/** A lookup cannot be canceled; this only stops waiting for it. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    void promise.then(resolve, reject).finally(onAbort(signal, () => reject(signal.reason)));
  });
}

function responseOf(answer: IncomingMessage, { href }: URL, reason: (error: unknown) => unknown): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const { statusCode = 502, statusMessage: statusText } = answer;
  const hasBody = ![204, 205, 304].includes(statusCode);
  const status = statusCode < 200 || statusCode > 599 ? 502 : statusCode;
  const response = new Response(hasBody ? bodyOf(decoded(answer), reason) : null, { status, statusText, headers });
  if (!hasBody) answer.resume();
  return Object.defineProperty(response, 'url', { value: href });
}

const decoders: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decoded(answer: IncomingMessage): Readable {
  const decoder = decoders[answer.headers['content-encoding']?.toLowerCase() ?? ''];
  return decoder ? pipeline(answer, decoder(), () => {}) : answer;
}

/** Like `Readable.toWeb` with less overhead: a response stays open as long as a model writes. */
function bodyOf(source: Readable, reason: (error: unknown) => unknown): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isCanceled = false;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        source.on('data', (piece: Buffer<ArrayBuffer>) => {
          source.pause();
          if (!isCanceled) controller.enqueue(piece);
        });
        source.on('end', () => {
          if (!isCanceled) controller.close();
        });
        source.on('error', (error) => controller.error(reason(error)));
        source.pause();
      },
      pull: () => void source.resume(),
      cancel() {
        isCanceled = true;
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
