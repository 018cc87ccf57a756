// A page's addresses become relative; every other byte stays as it is.
import { applyEdits, type Edit } from '../text/edit.ts';
import type { RemoteElement } from '../remote/remote-elements.ts';
import type { PageScan } from './scan-page.ts';
import { cssAddresses } from '../html/css-addresses.ts';
import { refreshAddress, srcsetAddresses, type Reference } from '../html/references.ts';

export interface RewriteOptions {
  /** What is written instead of an address. */
  address(address: string, reference: Reference): string;
  /** Whether an element that asks other hosts is taken out. */
  isTakenOut(element: RemoteElement): boolean;
  /** What stands in its place. @default a card of our own theme */
  standIn?(element: RemoteElement): string;
  /** What stands in the place of drawings from other files, and what else the page is told. */
  added?: Edit[];
  /** What else changes for the page's scripts, which is told all other changes. */
  scripts?(others: Edit[]): Edit[];
}

/** The page with its addresses rewritten, copied in slices between them. */
export function rewritePage(html: string, scan: PageScan, options: RewriteOptions): string {
  const edits = [...takenOut(scan, options), ...references(html, scan, options), ...(options.added ?? [])];
  return applyEdits(html, options.scripts ? [...edits, ...options.scripts(edits)] : edits);
}

/** Style text with its addresses rewritten. */
export function rewriteCss(css: string, address: (address: string) => string): string {
  const rewritten = replaceAll(css, cssAddresses(css), (found) => {
    const text = address(found);
    return text === found ? text : text.replace(/[\\"'()\s]/g, (character) => `\\${character}`);
  });
  // A policy refuses even an empty style sheet that is not the site's.
  return rewritten.replace(/@import\s+(?:url\(\s*)?(["']?)data:,\1\s*\)?[^;]*(?:;|$)/gi, '');
}

function takenOut(scan: PageScan, options: RewriteOptions): Edit[] {
  const edits: Edit[] = [];
  for (const element of scan.remote) {
    if (element.without === 'empty-address' || !options.isTakenOut(element)) continue;
    edits.push({ start: element.start, end: element.end, text: (options.standIn ?? standIn)(element) });
  }
  return edits;
}

function standIn(element: RemoteElement): string {
  if (element.without === 'card') return card(element);
  // Without an icon the browser asks the host for one.
  return element.name === 'link' && element.load === 'media' ? '<link rel="icon" href="data:,">' : '';
}

// Within a link another link may not stand; there the words are shown, or else the address.
function card({ name, urls, inLink, words, className }: RemoteElement): string {
  const url = escapeAttribute(urls[0]!.startsWith('//') ? `https:${urls[0]}` : urls[0]!, '"');
  const classes = escapeAttribute(['c-remote', ...(className?.split(/\s+/) ?? [])].filter(Boolean).join(' '), '"');
  const label = words && `<span class="c-remote-words">${escapeAttribute(words, '"')}</span>`;
  const address = `<span class="c-remote-address">${url}</span>`;
  return inLink
    ? `<span class="${classes}" data-element="${name}">${label || address}</span>`
    : `<a class="${classes}" data-element="${name}" href="${url}" rel="noreferrer">${[label, address].filter(Boolean).join(' ')}</a>`;
}

function references(html: string, scan: PageScan, options: RewriteOptions): Edit[] {
  const edits: Edit[] = [];
  for (const reference of scan.references) {
    const text = rewriteValue(reference, options);
    if (text === reference.value) continue;
    const { start, end, quote } = reference;
    // The text of a style element is no attribute: it knows no character references.
    if (reference.kind === 'css' && html[start - 1] === '>') edits.push({ start, end, text });
    else edits.push({ start, end, text: quote === '' ? `"${escapeAttribute(text, '"')}"` : escapeAttribute(text, quote) });
  }
  return edits;
}

function rewriteValue(reference: Reference, options: RewriteOptions): string {
  const { kind, value } = reference;
  const address = (found: string) => options.address(found, reference);
  if (kind === 'srcset') return replaceAll(value, srcsetAddresses(value), address);
  if (kind === 'css') return rewriteCss(value, address);
  if (kind !== 'refresh') return address(value);
  const found = refreshAddress(value);
  return found ? replaceAll(value, [found], address) : value;
}

function replaceAll(
  value: string,
  found: { start: number; end: number; address: string }[],
  address: (address: string) => string,
): string {
  let output = '';
  let at = 0;
  for (const { start, end, address: old } of found) {
    const text = address(old);
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
