// Content negotiation and byte ranges (RFC 9110, sections 12 and 14). `negotiator` takes a request without `Accept-Encoding` for one that accepts everything, and
// puts HTML first where a client names it before Markdown with the same weight.
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The encoding of the response, by `Accept-Encoding`: brotli before gzip where the client gives both the same weight. */
export function chooseEncoding(acceptEncoding: string | null): Encoding {
  const weights = parseWeights(acceptEncoding);
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weight('br') >= weight('gzip') ? 'br' : 'gzip';
  const identity = weights.get('identity') ?? 0;
  return weight(best) > 0 && weight(best) >= identity ? best : 'identity';
}

/** Whether a client asks for Markdown rather than HTML: `Accept` names it, with at least HTML's weight. */
export function prefersMarkdown(accept: string | null): boolean {
  const weights = parseWeights(accept);
  const markdown = weights.get('text/markdown') ?? 0;
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0);
}

// Browsers send few different ones, and each page is sent by two of them.
const parsedWeights = new LRUCache<string, ReadonlyMap<string, number>>({ max: 100 });

function parseWeights(header: string | null): ReadonlyMap<string, number> {
  const text = header ?? '';
  const known = parsedWeights.get(text);
  if (known) return known;
  const weights = weightsIn(text);
  parsedWeights.set(text, weights);
  return weights;
}

function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (name !== '') weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  return weights;
}

/** Bytes of a file, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range that a `Range` header requests (RFC 9110, section 14). `range-parser` takes malformed ranges such as `bytes=9-0` for
 * unsatisfiable ones.
 * Undefined means: respond with the whole file (no header, another unit, malformed, or several ranges, which a server may ignore);
 * 'unsatisfiable' means: respond with 416.
 */
export function parseRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Whether an `If-None-Match` header lists the tag, also as a weak one. */
export function matchesTag(condition: string | null, etag: string): boolean {
  if (condition === null) return false;
  return condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
