// The command line's client for the API of a Carrel server.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import { commandName } from './usage.ts';

interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Milliseconds to wait before each retry while the server is unavailable. Only for idempotent requests. @default [] */
  waits?: number[];
}

/** Throws `ServerRefused`, and `ExportError` `ServerUnreachable`. */
export type ApiClient = ReturnType<typeof openApiClient>;

/** The server refused the request; `message` is its own sentence, which says what to do. */
export class ServerRefused extends ExportError {
  override name = 'ServerRefused';
  readonly status: number;
  /** Permanent error code; undefined if the response is not from a Carrel server. */
  readonly apiCode: string | undefined;

  constructor(url: string, status: number, body: { error?: string; code?: string; requestId?: string } | undefined) {
    const { error, code, requestId } = body ?? {};
    super(
      'ServerRefused',
      error ?? `${url} responded with ${status}, but it is not a Carrel server.`,
      code ? `Code ${code}${requestId ? `, request ${requestId} in the server's log` : ''}.` : 'Check CARREL_URL.',
    );
    this.status = status;
    this.apiCode = code;
  }
}

/** Whether the same request may succeed a little later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ServerRefused) return error.status === 429 || error.status >= 500;
  return error instanceof ExportError ? error.code === 'ServerUnreachable' : error instanceof TypeError;
}

const keysFileSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  adminKey: z.string(),
  assistantKey: z.string().optional(),
});
type KeysFile = z.infer<typeof keysFileSchema>;

/** Each kind of key: its name in `keys.json`, in messages, and its prefix. */
const kinds = {
  admin: { field: 'adminKey', called: 'an admin key', form: 'svc_' },
  assistant: { field: 'assistantKey', called: 'an assistant key', form: 'svc_dsc_' },
} as const;
type Kind = keyof typeof kinds;

/**
 * Uses the server `CARREL_URL` and the key `CARREL_KEY`. Both default to those that a server on this machine wrote on its first start to
 * `keys.json` in its data folder (`CARREL_DATA`). Throws `ExportError` `KeyNotGiven`, `KeyInvalid`, `AddressInvalid`.
 */
export function openApiClient(environment: NodeJS.ProcessEnv, kind: Kind = 'admin') {
  const file = keysFileOf(environment.CARREL_DATA);
  const keys = readKeysFile(file);
  const url = (environment.CARREL_URL?.trim() || keys?.url || 'http://127.0.0.1:4400').replace(/\/+$/, '');
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url) || !URL.canParse(url))
    throw new ExportError(
      'AddressInvalid',
      `CARREL_URL "${url.replace(/\/\/.*@/, '//…@')}" is not an http(s) URL.`,
      'Write it as https://docs-api.example.com',
    );
  const key = readKey(environment.CARREL_KEY?.trim(), { url, file, keys, kind });

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
      redirect: 'manual',
    }).catch((cause: Error) => {
      if (signal?.aborted) throw signal.reason;
      const reason = (cause.cause as Error | undefined)?.message || cause.message;
      throw new ExportError(
        'ServerUnreachable',
        `The server at ${url} does not respond: ${reason}.`,
        `Start it with \`${commandName(environment)} server\`, or set CARREL_URL to its URL.`,
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
    /** Without a trailing slash. */
    url,
    request,
    /** Also throws `ExportError` `AnswerNotJson`. */
    async json<Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer> {
      const text = await (await request(method, path, options)).text();
      try {
        return JSON.parse(text) as Answer;
      } catch (cause) {
        const message = `The response of ${url} to ${method} ${path} is not JSON.`;
        throw new ExportError('AnswerNotJson', message, 'Check CARREL_URL: it must be the URL of the API, not of the sites.', {
          cause,
        });
      }
    },
    text: async (method: string, path: string, options?: RequestOptions): Promise<string> =>
      (await request(method, path, options)).text(),
  };
}

interface KeySources {
  url: string;
  file: string;
  keys: KeysFile | undefined;
  kind: Kind;
}

function readKey(given: string | undefined, { url, file, keys, kind }: KeySources): string {
  const { called, form, field } = kinds[kind];
  // The key of one server is never sent to another.
  const key = given || (keys && originOf(keys.url) === originOf(url) ? keys[field] : undefined);
  if (!key)
    throw new ExportError(
      'KeyNotGiven',
      `No key for ${url}: CARREL_KEY is not set, and ${keys ? `the key in "${file}" is for ${keys.url}` : `there is none in "${resolve(file)}"`}.`,
      `Set CARREL_KEY to ${called} (${form}…), or CARREL_DATA to the data folder of a server on this machine: its first start wrote the keys there.`,
    );
  // A key that is not valid in a header would appear in the error of the request.
  if (!/^svc_\w+$/.test(key))
    throw new ExportError(
      'KeyInvalid',
      `The key in ${given ? 'CARREL_KEY' : `"${file}"`} is not valid.`,
      `A key is ${form} followed by letters and digits, without quotes.`,
    );
  return key;
}

function keysFileOf(data: string | undefined): string {
  return join(data || '.carrel', 'keys.json');
}

/** The admin key in the data folder of a server on this machine. */
export function storedAdminKey(data: string): string | undefined {
  return readKeysFile(keysFileOf(data))?.adminKey;
}

function readKeysFile(file: string): KeysFile | undefined {
  try {
    return keysFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Scheme, host and port; all names of this machine count as the same host. */
function originOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? 'localhost' : hostname}:${port}`;
}

/** Yields the server-sent events of a response. Calls `onBytes` for each chunk that arrives. */
export async function* readEvents(response: Response, onBytes: () => void = () => undefined): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    onBytes();
    parser.feed(decoder.decode(piece, { stream: true }));
    yield* events.splice(0);
  }
}
