// The API of a Carrel server, as the command line calls it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ExportError } from '../../integration/errors.ts';

export interface RequestOptions {
  /** Goes as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Milliseconds to wait before each further try while the server is away: only for what may be sent twice. @default [] */
  waits?: number[];
}

/** Throws `ServerRefused`, and `ExportError` `ServerUnreachable`. */
export interface ApiClient {
  /** Without a slash at the end. */
  readonly url: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  json<Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  text(method: string, path: string, options?: RequestOptions): Promise<string>;
}

/** The server said no; `message` is its own sentence, which says what to do. */
export class ServerRefused extends ExportError {
  override name = 'ServerRefused';
  readonly status: number;
  /** Permanent name of the fault; absent when it was no Carrel server that answered. */
  readonly apiCode: string | undefined;

  constructor(url: string, status: number, body: { error?: string; code?: string; requestId?: string } | undefined) {
    const { error, code, requestId } = body ?? {};
    super(
      'ServerRefused',
      error ?? `${url} answered ${status}, but not as a Carrel server does.`,
      code
        ? `It is ${code}${requestId ? `, request ${requestId} in the server's log` : ''}.`
        : 'Look whether CARREL_URL is right.',
    );
    this.status = status;
    this.apiCode = code;
  }
}

/** Whether the same request may go well a little later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ServerRefused) return error.status === 429 || error.status >= 500;
  return error instanceof ExportError ? error.code === 'ServerUnreachable' : error instanceof TypeError;
}

/**
 * The server is `CARREL_URL` and the key `CARREL_KEY`; else both are those that a server on this machine wrote down at its first start.
 * Throws `ExportError` `KeyNotGiven`, `AddressInvalid`.
 */
export function openApiClient(environment: NodeJS.ProcessEnv): ApiClient {
  const kept = readKept(join(environment.CARREL_DATA || '.carrel', 'keys.json'));
  const url = (environment.CARREL_URL || kept?.url || 'http://127.0.0.1:4400').replace(/\/+$/, '');
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url))
    throw new ExportError(
      'AddressInvalid',
      `CARREL_URL "${url.replace(/\/\/.*@/, '//…@')}" is no http(s) address.`,
      'Write it as https://docs-api.example.com',
    );
  // The key of a server is sent to no other one.
  const key = environment.CARREL_KEY || (kept?.url === url ? kept.adminKey : undefined);
  if (!key)
    throw new ExportError(
      'KeyNotGiven',
      `There is no key for ${url}.`,
      'Set CARREL_KEY to an admin key (svc_…); the first start of a server prints one.',
    );

  async function once(method: string, path: string, { body, headers, signal }: RequestOptions): Promise<Response> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      // A redirect would take the key elsewhere.
      redirect: 'error',
    }).catch((cause: Error) => {
      if (signal?.aborted) throw signal.reason;
      const reason = (cause.cause as Error | undefined)?.message || cause.message;
      throw new ExportError(
        'ServerUnreachable',
        `The server at ${url} does not answer: ${reason}.`,
        'Start it with npm start, or set CARREL_URL to where it is.',
        { cause },
      );
    });
    if (response.ok) return response;
    throw new ServerRefused(
      url,
      response.status,
      (await response.json().catch(() => undefined)) as { error?: string } | undefined,
    );
  }

  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    for (const wait of options.waits ?? []) {
      try {
        return await once(method, path, options);
      } catch (error) {
        if (!isPassing(error)) throw error;
        await pause(wait, undefined, { signal: options.signal });
      }
    }
    return once(method, path, options);
  }

  return {
    url,
    request,
    json: async <Answer>(method: string, path: string, options?: RequestOptions) =>
      (await (await request(method, path, options)).json()) as Answer,
    text: async (method, path, options) => (await request(method, path, options)).text(),
  };
}

function readKept(file: string): { url: string; adminKey: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { url: string; adminKey: string };
  } catch {
    return undefined;
  }
}
