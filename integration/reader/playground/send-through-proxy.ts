// Sends a request through the server of the site, where browsers or networks let the page not reach the API itself.
import { isRecord } from '../../text/json.ts';
import { readEvents, type StreamEvent } from '../shared/read-events.ts';
import { sendToServer, type ServerSettings } from '../shared/send-to-server.ts';
import type { Request } from './request.ts';
import { NotSent, sentBody, type Received } from './send.ts';
import type { PlaygroundProxy } from './settings.ts';
import type { Text } from './texts.ts';

/** Throws `NotSent`; what `signal` is aborted with is thrown unchanged. */
export async function sendThroughProxy(
  request: Request,
  settings: ServerSettings<PlaygroundProxy>,
  signal: AbortSignal,
): Promise<Received> {
  const headers = new Headers(request.headers);
  const { type, body } = await bodyOf(request.body);
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
  let response: Response | undefined;
  try {
    response = await sendToServer(settings, ({ url, key }) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ method: request.method, url: request.url, headers: Object.fromEntries(headers), body }),
        credentials: 'omit',
        cache: 'no-store',
        signal,
      }),
    );
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new NotSent(['proxyNoResponse'], { cause });
  }
  if (!response) throw new NotSent(['proxyNoResponse']);
  if (!response.ok || !response.body) throw await refusalOf(response);
  const events = readEvents(response.body);
  const head = (await events.next()).value;
  if (head?.type !== 'head') throw new NotSent(brokenOff);
  const { status, statusText, headers: answered, milliseconds } = head;
  const received = isRecord(answered)
    ? Object.entries(answered).map(([name, value]): [string, string] => [name, String(value)])
    : [];
  return {
    status: Number(status),
    statusText: typeof statusText === 'string' ? statusText : '',
    headers: received,
    type: received.find(([name]) => name === 'content-type')?.[1] ?? '',
    body: [204, 205, 304].includes(Number(status)) || request.method === 'HEAD' ? null : bytesOf(events, signal),
    milliseconds: Number(milliseconds),
  };
}

const brokenOff: Text = ['proxyBrokeOff'];

async function bodyOf(body: Request['body']): Promise<{ type: string | null; body?: string | { base64: string } }> {
  const sent = sentBody(body);
  if (sent === undefined || typeof sent === 'string') return { type: null, body: sent };
  // Encodes forms, too.
  const encoded = new Response(sent);
  return { type: encoded.headers.get('content-type'), body: { base64: base64Of(new Uint8Array(await encoded.arrayBuffer())) } };
}

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Our servers send the sentence as `error`. */
async function refusalOf(response: Response): Promise<NotSent> {
  const body: unknown = await response.json().catch(() => undefined);
  return isRecord(body) && typeof body['error'] === 'string'
    ? new NotSent(body['error'], { code: body['code'] })
    : new NotSent(['proxyFailed', { status: response.status }]);
}

function bytesOf(events: AsyncGenerator<StreamEvent>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await events.next().catch((cause: unknown) => {
          throw signal.aborted ? signal.reason : new NotSent(brokenOff, { cause });
        });
        if (value?.type === 'end') return controller.close();
        if (value?.type !== 'bytes') throw new NotSent(typeof value?.['error'] === 'string' ? value['error'] : brokenOff);
        controller.enqueue(Uint8Array.from(atob(String(value['bytes'])), (character) => character.charCodeAt(0)));
      },
      async cancel() {
        await events.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
