// Calls the public API in the session of this browser. Scripts can't read its cookie.
import type { SessionLinkSubject } from '../../members/session-routes.ts';
import type { ErrorBody } from '../../platform/errors.ts';

/** An error response, or a missing response. */
export class Fault extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** The fields of the sent body that are not valid. */
  readonly fields: ErrorBody['fields'];

  constructor(status: number, { error, code, requestId, fields }: Refusal) {
    super(error);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = fields;
  }
}

type Refusal = Pick<ErrorBody, 'error' | 'code' | 'fields'> & Partial<ErrorBody>;

export type Client = ReturnType<typeof createClient>;

interface RequestOptions {
  body?: object;
  signal?: AbortSignal;
  /** Signs in, instead of the session. */
  by?: Credential;
}

/** What a session is started with: an admin key, or the token of a sign-in link. */
export type Credential = { key: string } | { link: string };

export function createClient(base: string, onUnauthorized?: (fault: Fault) => void) {
  async function send(method: string, path: string, { body, signal, by }: RequestOptions = {}): Promise<Response> {
    // Pages of other origins can neither send this header nor read its value, so the server accepts the cookie only with it.
    const headers: Record<string, string> = { 'x-carrel-session': browserId() };
    if (by && 'key' in by) headers.authorization = `Bearer ${by.key}`;
    if (by && 'link' in by) headers['x-carrel-session-link'] = by.link;
    if (body) headers['content-type'] = 'application/json';
    const response = await fetch(base + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
    }).catch((error: unknown) => {
      throw signal?.aborted ? error : unreachable();
    });
    if (response.ok) return response;
    const fault = new Fault(response.status, await refusal(response));
    if (response.status === 401 || fault.code === 'AddressNotAllowed') onUnauthorized?.(fault);
    throw fault;
  }

  return {
    /** Starts a session. Sends the credential only this once and does not store it. Throws `Fault`. */
    async signIn(by: Credential): Promise<void> {
      await send('POST', '/v1/session', { by });
    },
    /** Whom a sign-in link signs in; it stays unused. Throws `Fault`. */
    async readLink(link: string): Promise<SessionLinkSubject> {
      return (await send('GET', '/v1/session-link', { by: { link } })).json();
    },
    /** The JSON of the response; undefined if it is empty. Throws `Fault`. */
    async call<Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer> {
      const text = await (await send(method, path, options)).text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    /** A response that the caller reads as a stream. Throws `Fault`. */
    open: (path: string, signal: AbortSignal): Promise<Response> => send('GET', path, { signal }),
    /** The data of server-sent events until the server ends the stream. Throws `Fault` when the connection breaks. */
    async *events<Data>(path: string, signal: AbortSignal): AsyncGenerator<Data> {
      const response = await send('GET', path, { signal });
      let rest = '';
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw signal.aborted ? error : unreachable();
        });
        if (done) return;
        const blocks = (rest + value).split('\n\n');
        rest = blocks.pop()!;
        for (const block of blocks) {
          const data = block.split('\n').filter((line) => line.startsWith('data:'));
          if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5).trimStart()).join('\n')) as Data;
        }
      }
    },
  };
}

const storedId = 'carrel-browser';
const unknownId = '1';

/** A random text that this browser keeps for this origin; `unknownId` where it stores nothing. It gives no access. */
function browserId(): string {
  try {
    // Read each time: another tab may have been the first.
    const known = localStorage.getItem(storedId);
    if (known !== null && known !== '') return known;
    const made = hex(crypto.getRandomValues(new Uint8Array(16)));
    localStorage.setItem(storedId, made);
    return made;
  } catch {
    return unknownId;
  }
}

/**
 * By this text, a sign-in that this browser began is known when it comes back: no one else can make it. Undefined where the browser stores no
 * ID, or computes no hashes (over http).
 */
export async function signInMark(): Promise<string | undefined> {
  const id = browserId();
  if (id === unknownId) return undefined;
  const digest = await crypto.subtle?.digest('SHA-256', new TextEncoder().encode(`sign-in ${id}`));
  return digest && hex(new Uint8Array(digest));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function unreachable(): Fault {
  return new Fault(0, {
    error: "The server can't be reached. Check that it is running, and try again.",
    code: 'ServerUnreachable',
  });
}

/** The content of an error response, or its status if it comes from a proxy. */
async function refusal(response: Response): Promise<Refusal> {
  const body = await response.json().catch(() => undefined);
  if (typeof body?.error === 'string') return body;
  return { error: `The server responded with status ${response.status}. Try again.`, code: `Status${response.status}` };
}
