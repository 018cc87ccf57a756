// How models are connected to. An address that a site names is checked as those of webhooks are, and connected to as checked.
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { publicAddresses } from '../../platform/guard.ts';

export interface ModelFetchOptions {
  /** An operator named the address: any network will do. */
  trusted: boolean;
  /** As for `publicAddresses`. */
  allowed: string[];
  /** Milliseconds until an answer has to begin. */
  milliseconds: number;
}

// Connections are shared by those whose addresses were checked alike, and by nobody else.
const agents = {
  trusted: { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) },
  checked: { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) },
};

/**
 * A `fetch` that follows no redirect and knows no proxy. Rejects with `ApiError` `AddressPrivate` or `HostUnknown`, a `TimeoutError`
 * when the answer does not begin in time, and with what the connection fails with. An abort ends the connection.
 */
export function createModelFetch({ trusted, allowed, milliseconds }: ModelFetchOptions): typeof fetch {
  return async function modelFetch(input, init) {
    const url = new URL(input instanceof Request ? input.url : input);
    const addresses = trusted ? undefined : await publicAddresses(url.hostname, allowed);
    const known = addresses?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const signal = init?.signal ?? undefined;
    signal?.throwIfAborted();
    const secure = url.protocol === 'https:';
    const { promise, resolve, reject } = deferred<Response>();
    const request = (secure ? https : http).request(url, {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      agent: agents[trusted ? 'trusted' : 'checked'][secure ? 'https' : 'http'],
      signal,
      // Not called for a host that is an address; that one is checked as it stands.
      ...(known && { lookup: asKnown(known) }),
    });
    const timer = setTimeout(
      () => request.destroy(new DOMException(`no answer in ${milliseconds} ms`, 'TimeoutError')),
      milliseconds,
    );
    request.on('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.on('response', (response) => {
      clearTimeout(timer);
      const headers = new Headers();
      for (const [name, value] of Object.entries(response.headers))
        for (const one of [value ?? []].flat()) headers.append(name, one);
      const { statusCode = 502 } = response;
      const hasBody = ![204, 205, 304].includes(statusCode);
      if (!hasBody) response.resume();
      resolve(new Response(hasBody ? bodyOf(response) : null, { status: statusCode < 200 ? 502 : statusCode, headers }));
    });
    request.end(typeof init?.body === 'string' ? init.body : undefined);
    return promise;
  };
}

/** As `Readable.toWeb` makes it, with less around it: an answer is open for as long as a model writes. */
function bodyOf(response: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isLeft = false;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        response.on('data', (piece: Buffer<ArrayBuffer>) => {
          response.pause();
          if (!isLeft) controller.enqueue(piece);
        });
        response.on('end', () => {
          if (!isLeft) controller.close();
        });
        response.on('error', (error) => controller.error(error));
        response.pause();
      },
      pull: () => void response.resume(),
      cancel() {
        isLeft = true;
        response.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

function asKnown(known: { address: string; family: number }[]): LookupFunction {
  return (_name, options, callback) => {
    if (options.all) callback(null, known);
    else callback(null, known[0]!.address, known[0]!.family);
  };
}

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((resolved, rejected) => ([resolve, reject] = [resolved, rejected]));
  return { promise, resolve, reject };
}
