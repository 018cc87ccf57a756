// Rewrites the URLs of a page; every other byte stays the same.
import { applyEdits, type Edit } from '../text/edit.ts';
import type { LoadingElement } from '../html/loading-elements.ts';
import type { PageScan } from './scan-page.ts';
import { cssUrls } from '../html/css.ts';
import { refreshUrl, srcsetUrls, type Reference } from '../html/references.ts';

type RewrittenScan = Pick<PageScan, 'references' | 'loads'> & Partial<Pick<PageScan, 'images' | 'posters'>>;

export interface RewriteOptions {
  /** What is written instead of a URL; undefined for no URL. */
  rewriteUrl(url: string, reference: Reference): string | undefined;
  /** What replaces an element that loads something; undefined if the element stays. */
  replacement?(element: LoadingElement): string | undefined;
  /** What replaces the mark of an image that gets its size from its file. */
  sizeOf?(image: PageScan['images'][number]): string;
  /** File of the image of a video; undefined if it was not vendored. */
  posterOf?(url: string): string | undefined;
  /** Further edits, which depend on all other edits. */
  edits?(others: Edit[]): Edit[];
}

/** The page with its URLs rewritten, copied in slices between them. */
export function rewritePage(
  html: string,
  scan: RewrittenScan,
  { rewriteUrl, replacement, sizeOf = () => '', posterOf = () => undefined, edits = () => [] }: RewriteOptions,
): string {
  const edit = ({ start, end }: { start: number; end: number }, text: string | undefined): Edit[] =>
    text === undefined ? [] : [{ start, end, text }];
  const replaced = scan.loads.elements.flatMap((element) => edit(element, replacement?.(element)));
  const sizes = (scan.images ?? []).map((image): Edit => {
    const text = sizeOf(image);
    return { start: text === '' ? image.start - 1 : image.start, end: image.end, text };
  });
  const posters = (scan.posters ?? []).map(({ url, mark, ...element }): Edit => {
    const file = posterOf(url);
    return file === undefined
      ? { ...element, text: '' }
      : { start: mark.start, end: mark.end, text: `src="${escapeAttribute(file, '"')}"` };
  });
  const others = [...replaced, ...sizes, ...posters, ...references(html, scan, rewriteUrl)];
  return applyEdits(html, [...others, ...edits(others)]);
}

/** Style text with its URLs rewritten. */
export function rewriteCss(css: string, rewriteUrl: (url: string) => string): string {
  const rewritten = replaceAll(css, cssUrls(css), (found) => {
    const text = rewriteUrl(found);
    return text === found ? text : text.replace(/[\\"'()\s]/g, (character) => `\\${character}`);
  });
  // A policy refuses even an empty stylesheet that is not the site's.
  return rewritten.replace(/@import\s+(?:url\(\s*)?(["']?)data:,\1\s*\)?[^;]*(?:;|$)/gi, '');
}

function references(html: string, scan: RewrittenScan, rewriteUrl: RewriteOptions['rewriteUrl']): Edit[] {
  const edits: Edit[] = [];
  for (const reference of scan.references) {
    const text = rewriteValue(reference, (found) => rewriteUrl(found, reference));
    if (text === reference.value) continue;
    const { start, end, quote } = reference;
    if (text === undefined) {
      edits.push(withoutAttribute(html, reference));
      continue;
    }
    // The text of a style element is not an attribute: it has no character references.
    if (reference.kind === 'css' && html[start - 1] === '>') edits.push({ start, end, text });
    else edits.push({ start, end, text: quote === '' ? `"${escapeAttribute(text, '"')}"` : escapeAttribute(text, quote) });
  }
  return edits;
}

/** The value of an attribute; undefined if the attribute is removed. */
function rewriteValue({ kind, value }: Reference, rewriteUrl: (url: string) => string | undefined): string | undefined {
  const always = (url: string) => rewriteUrl(url) ?? '';
  if (kind === 'srcset') return replaceAll(value, srcsetUrls(value), always);
  if (kind === 'css') return rewriteCss(value, always);
  if (kind !== 'refresh') return rewriteUrl(value);
  const found = refreshUrl(value);
  return found ? replaceAll(value, [found], always) : value;
}

function withoutAttribute(html: string, { start, end, quote }: Reference): Edit {
  const opening = quote === '' ? start : start - 1;
  const name = /\s+[^\s"'<>/=]+\s*=\s*$/.exec(html.slice(Math.max(0, opening - 200), opening));
  return { start: opening - (name?.[0].length ?? 0), end: end + quote.length, text: '' };
}

function replaceAll(
  value: string,
  found: { start: number; end: number; url: string }[],
  rewriteUrl: (url: string) => string,
): string {
  let output = '';
  let at = 0;
  for (const { start, end, url: old } of found) {
    const text = rewriteUrl(old);
    output += value.slice(at, start) + (text === old ? value.slice(start, end) : text);
    at = end;
  }
  return output + value.slice(at);
}

export function escapeAttribute(text: string, quote: '"' | "'"): string {
  if (!/[&"'<>]/.test(text)) return text;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return quote === '"' ? escaped.replaceAll('"', '&quot;') : escaped.replaceAll("'", '&#39;');
}
