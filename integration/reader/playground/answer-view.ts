// Shows an answer while it arrives. Nothing of it becomes markup.
import { element } from '../shared/elements.ts';
import { isJson } from './request.ts';
import { NotSent, type Received } from './send.ts';
import type { Texts } from './texts.ts';

/** Bytes of a text that are shown, and bytes of a file. */
const mostShown = 500_000;
const largestFile = 20_000_000;

/** The number of bytes that were loaded, and whether these are all. */
interface Loaded {
  bytes: number;
  end: 'complete' | 'cut' | 'stopped';
}

/**
 * Fills `view` with an answer; resolves at its end, or when `signal` is aborted: what has arrived stays. The request of a text that is too long
 * is aborted, and its beginning stays. Throws `NotSent` where the connection breaks off.
 */
export async function showAnswer(view: HTMLElement, received: Received, texts: Texts, signal: AbortSignal): Promise<Loaded> {
  const { headers, type, body } = received;
  const { labels } = texts;
  view.replaceChildren(
    element(
      'details',
      {},
      element('summary', {}, `${labels.headers} (${headers.length})`),
      element('dl', { dir: 'ltr' }, ...headers.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
    ),
  );
  if (!body) {
    view.append(element('p', { class: 'hint' }, labels.noBody));
    return { bytes: 0, end: 'complete' };
  }
  const arriving = pieces(body, signal);
  const [kind = ''] = /^(?:image|audio|video)(?=\/)/i.exec(type) ?? [];
  const isText = type === '' || /^text\/|[/+](?:json|xml|yaml|javascript|ndjson|jsonl)\b|urlencoded/i.test(type);
  const loaded =
    isText && kind === ''
      ? await showText(view, arriving, type, texts)
      : await showFile(view, arriving, kind.toLowerCase(), type, texts);
  return loaded.end === 'complete' && signal.aborted ? { ...loaded, end: 'stopped' } : loaded;
}

type Pieces = AsyncGenerator<Uint8Array>;

async function showText(view: HTMLElement, arriving: Pieces, type: string, texts: Texts): Promise<Loaded> {
  const shown = element('pre', { tabindex: '0', dir: 'ltr', 'aria-label': texts.labels.responseBody });
  view.append(shown);
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const piece of arriving) {
    const part = piece.subarray(0, mostShown - bytes);
    shown.append(decoder.decode(part, { stream: true }));
    bytes += part.length;
    if (part.length === piece.length) continue;
    view.append(element('p', { class: 'hint' }, texts.of('cut', { size: texts.size(mostShown) })));
    return { bytes, end: 'cut' };
  }
  if (isJson(type)) shown.textContent = pretty(shown.textContent);
  return { bytes, end: 'complete' };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function showFile(view: HTMLElement, arriving: Pieces, kind: string, type: string, texts: Texts): Promise<Loaded> {
  const { labels } = texts;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of arriving) {
    bytes += piece.length;
    if (bytes > largestFile) throw new NotSent(['tooLarge', { size: texts.size(largestFile) }]);
    parts.push(new Uint8Array(piece));
  }
  const url = await dataUrl(new Blob(parts, { type }));
  if (kind === 'image') view.append(element('img', { src: url, alt: labels.response }));
  if (kind === 'audio') view.append(element('audio', { src: url, controls: '' }));
  const link = element('a', { href: url, download: 'response' }, labels.saveResponse);
  view.append(element('p', { class: 'hint' }, `${type} · ${texts.size(bytes)} · `, link));
  return { bytes, end: 'complete' };
}

// Policies that allow images of the site often refuse `blob:`.
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error('FileReader'));
    reader.readAsDataURL(blob);
  });
}

/** The pieces of a body until its end, or until `signal` is aborted. */
async function* pieces(body: ReadableStream<Uint8Array>, signal: AbortSignal): Pieces {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
