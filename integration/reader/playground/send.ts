// Sends a request from the browser, or answers it from the examples of the description.
import type { Answer } from './operation.ts';
import { isJson, type Request } from './request.ts';
import type { Text, Texts } from './texts.ts';

/** An answer as the panel shows it. */
export interface Received {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  type: string;
  body: ReadableStream<Uint8Array> | null;
  /** Time to the head of the answer, where a server has measured it. */
  milliseconds?: number;
}

/** Why there is no answer, or not all of it: a text of ours, or a sentence of the site's server. */
export class NotSent extends Error {
  override name = 'NotSent';
  readonly text: Text | string;
  /** Where the site's server refused: `PlaygroundHostRefused`. */
  readonly code: unknown;

  constructor(text: Text | string, { code, ...options }: ErrorOptions & { code?: unknown } = {}) {
    super(typeof text === 'string' ? text : text[0], options);
    this.text = text;
    this.code = code;
  }
}

/** What a reader is told of a failed request. */
export function sentenceOf(error: unknown, texts: Texts): string {
  if (error instanceof NotSent) return typeof error.text === 'string' ? error.text : texts.of(...error.text);
  return error instanceof Error ? error.message : String(error);
}

/** What requests may be sent to: the hosts of the settings, or the origins of the description's servers. */
export type Allowed = { hosts: string[] } | { origins: string[] };

/**
 * Sends a request without cookies. Redirects are not followed: a browser says only afterward where they lead. Throws `NotSent`; what
 * `signal` is aborted with is thrown unchanged.
 */
export async function sendDirect(request: Request, allowed: Allowed, signal: AbortSignal): Promise<Received> {
  const url = URL.parse(request.url);
  if (!url || !/^https?:$/.test(url.protocol)) throw new NotSent(['notUrl', { url: request.url }]);
  checkAllowed(url, allowed);
  let response: Response;
  try {
    response = await fetch(url, {
      method: request.method,
      headers: request.headers,
      // Browsers refuse a body here.
      body: ['GET', 'HEAD'].includes(request.method) ? undefined : sentBody(request.body),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'manual',
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new NotSent(['noResponse', { host: url.host, origin: location.origin }], { cause });
  }
  if (response.type === 'opaqueredirect') throw new NotSent(['redirected', { host: url.host }]);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    type: response.headers.get('content-type') ?? '',
    body: response.body,
  };
}

function checkAllowed({ host, hostname, origin }: URL, allowed: Allowed): void {
  if ('hosts' in allowed) {
    if (!allowed.hosts.includes(host) && !allowed.hosts.includes(hostname)) throw new NotSent(['hostNotAllowed', { host }]);
  } else if (!allowed.origins.includes(origin)) throw new NotSent(['hostNotListed', { host }]);
}

export function sentBody(body: Request['body']): BodyInit | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof File) return body;
  if (!/^multipart\//i.test(body.type)) {
    return new URLSearchParams(body.parts.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]));
  }
  const form = new FormData();
  for (const [name, value] of body.parts) form.append(name, value);
  return form;
}

/** The chosen example as an answer. */
export function mockAnswer({ status, type, example }: Answer): Received {
  const text =
    example === undefined ? '' : typeof example === 'string' && !isJson(type ?? '') ? example : JSON.stringify(example);
  return {
    status: /^\d{3}$/.test(status)
      ? Number(status)
      : status.startsWith('2') || status === 'default'
        ? 200
        : Number(status[0] ?? 5) * 100 || 500,
    statusText: '',
    headers: type === undefined ? [] : [['content-type', type]],
    type: type ?? '',
    body: text === '' ? null : new Blob([text]).stream(),
  };
}
