// One page: from the cache or built, its links resolved, written with its Markdown mirror.
import { hash } from 'node:crypto';
import type { BuiltPage, PageSource } from '../pages/built-page.ts';
import type { Problem } from '../problem.ts';
import { createAnalyser, type AnalysedPage } from '../search/analyse.ts';
import { firstParagraph } from './llms.ts';
import { mirrorAddresses, mirrorOf } from './markdown-mirror.ts';
import { relativeUrl } from './relative-url.ts';
import type { Reference } from './references.ts';
import { rewritePage } from './rewrite-page.ts';
import type { SafeNames } from './safe-names.ts';
import { addressesIn, isRemote, scanPage, type PageScan, type RemoteElement } from './scan-page.ts';
import { isElsewhere, type Target, type Targets } from './targets.ts';

/** Strings by key, kept between exports. */
export interface PageCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** All an export needs to know of a page that it does not build again; plain JSON. */
export interface PageRecord extends Omit<BuiltPage, 'path' | 'html' | 'markdown'> {
  hasMarkdown: boolean;
  ids: string[];
  /** Distinct addresses on the page. */
  links: PageLink[];
  remote: Pick<RemoteElement, 'name' | 'load' | 'urls' | 'without' | 'inContent'>[];
  sections: number;
  /** Only of a searchable page. */
  analysed?: AnalysedPage;
}

/** How an address stands on its page: `content`, around it (`frame`), leads to Markdown (`mirror`), loads a file, only in the Markdown. */
export type LinkPlace = 'content' | 'frame' | 'mirror' | 'content-file' | 'frame-file' | 'markdown';
export type PageLink = [place: LinkPlace, address: string];

export interface PageOptions {
  names: SafeNames;
  targets: Targets;
  cache?: PageCache;
  /** Ends in a slash. */
  siteUrl?: string;
  airGapped: boolean;
  /** Files of addresses on other hosts that were brought in. */
  vendored: Map<string, string>;
  /** Where the previous export holds the page as it would be written now; true when it was taken over. */
  reuse(path: string, stamp: string): boolean;
  write(path: string, contents: string): void;
  /** Brings in media of other hosts, where that is wanted. */
  vendor?(urls: string[]): Promise<void>;
}

export interface ExportedPage {
  source: PageSource;
  record: PageRecord;
  /** What the written page was made of; none when it has no key. */
  stamp: string | undefined;
  resolved: { link: PageLink; target: Target }[];
}

/** Version of `PageRecord` and of how pages are rewritten: older cache entries are left alone. */
const recordFormat = 1;

export type PageExporter = (source: PageSource) => Promise<ExportedPage>;

export function createPageExporter(options: PageOptions): PageExporter {
  const { cache, names, targets } = options;
  const analyse = createAnalyser();

  return async (source) => {
    let built: { page: BuiltPage; scan: PageScan } | undefined;
    const build = async () => (built ??= await buildAndScan(source));
    const cacheKey = source.key === undefined ? undefined : `page-${recordFormat}/${source.key}`;

    const kept = cacheKey === undefined ? undefined : cache?.get(cacheKey);
    let record: PageRecord;
    if (kept === undefined) {
      const { page, scan } = await build();
      record = recordOf(page, scan, analyse);
      if (cacheKey !== undefined) cache?.set(cacheKey, JSON.stringify(record));
    } else record = JSON.parse(kept) as PageRecord;

    if (options.vendor && record.remote.length > 0) {
      await options.vendor(record.remote.flatMap(({ load, urls }) => (load === 'media' ? urls : [])));
    }
    const resolved = record.links.map((link) => ({ link, target: resolveLink(targets, link, source.path) }));
    const stamp = source.key === undefined ? undefined : stampOf(source, record, resolved, options);
    if (stamp !== undefined && options.reuse(source.path, stamp)) return { source, record, stamp, resolved };

    const html = cached(stamp && `html-${recordFormat}/${stamp}`, cache) ?? rewrite(await build(), source.path, options);
    options.write(names.page(source.path), html);
    if (stamp !== undefined && built) cache?.set(`html-${recordFormat}/${stamp}`, html);
    if (record.hasMarkdown) {
      const markdown = cached(stamp && `markdown-${recordFormat}/${stamp}`, cache) ?? mirrorOf((await build()).page, options);
      options.write(names.mirror(source.path), markdown);
      if (stamp !== undefined && built) cache?.set(`markdown-${recordFormat}/${stamp}`, markdown);
    }
    return { source, record, stamp, resolved };
  };
}

async function buildAndScan(source: PageSource) {
  const page = await source.build();
  return { page, scan: scanPage(page.html, page) };
}

function cached(key: string | undefined, cache: PageCache | undefined): string | undefined {
  return key === undefined ? undefined : cache?.get(key);
}

function recordOf(page: BuiltPage, scan: PageScan, analyse: ReturnType<typeof createAnalyser>): PageRecord {
  const { path, html: _html, markdown, ...rest } = page;
  const record: PageRecord = {
    ...rest,
    description: page.description ?? (markdown === undefined ? undefined : firstParagraph(markdown)),
    hasMarkdown: markdown !== undefined,
    ids: scan.ids,
    links: linksOf(page, scan),
    remote: scan.remote.map(({ name, load, urls, without, inContent }) => ({ name, load, urls, without, inContent })),
    sections: scan.sections.length,
  };
  if (page.searchable) record.analysed = analyse({ page: path, title: page.title, boost: page.boost, sections: scan.sections });
  return record;
}

function linksOf(page: BuiltPage, scan: PageScan): PageLink[] {
  const links: PageLink[] = [];
  const seen = new Set<string>();
  const add = (place: LinkPlace, address: string) => {
    if (isElsewhere(address) || seen.has(`${place} ${address}`)) return;
    seen.add(`${place} ${address}`);
    links.push([place, fromBase(address, scan.base?.href)]);
  };
  for (const reference of scan.references) {
    if (reference.kind === 'root') continue;
    for (const address of addressesIn(reference.kind, reference.value)) add(placeOf(reference), address);
  }
  for (const address of mirrorAddresses(page.markdown ?? '')) add('markdown', address);
  return links;
}

function placeOf({ kind, inContent }: Reference): LinkPlace {
  if (kind === 'mirror') return 'mirror';
  if (kind === 'link' || kind === 'refresh' || kind === 'meta') return inContent ? 'content' : 'frame';
  return inContent ? 'content-file' : 'frame-file';
}

export function resolveLink(targets: Targets, [place, address]: PageLink, page: string): Target {
  return place === 'mirror' ? targets.resolveMirror(address, page) : targets.resolve(address, page);
}

/** Names everything that the written page depends on, so that equal stamps mean equal bytes. */
function stampOf(source: PageSource, record: PageRecord, resolved: ExportedPage['resolved'], options: PageOptions): string {
  let text = `${source.key}\n${options.names.page(source.path)}\n${options.names.mirror(source.path)}\n${options.siteUrl ?? ''}\n`;
  text += options.airGapped ? 'air-gapped\n' : '\n';
  for (const { target } of resolved) text += `${target.file}${target.query}${target.hash}\n`;
  for (const { urls } of record.remote) for (const url of urls) text += `${options.vendored.get(url) ?? ''}\n`;
  return hash('sha256', text);
}

function rewrite({ page, scan }: { page: BuiltPage; scan: PageScan }, path: string, options: PageOptions): string {
  const from = encodeURI(options.names.page(path));
  return rewritePage(page.html, scan, {
    isTakenOut: ({ urls }) => options.airGapped && !urls.every((url) => options.vendored.has(url)),
    address(address, reference) {
      if (reference.kind === 'root') return relativeUrl(from, address.replace(/^\//, ''));
      if (isRemote(address)) {
        const vendored = reference.load && options.vendored.get(address);
        if (vendored) return relativeUrl(from, vendored);
        return options.airGapped && reference.kind === 'css' ? 'data:,' : address;
      }
      if (isElsewhere(address)) return address;
      const link: PageLink = [placeOf(reference), fromBase(address, scan.base?.href)];
      return write(resolveLink(options.targets, link, path), address, reference, from, options.siteUrl);
    },
  });
}

function write(target: Target, address: string, reference: Reference, from: string, siteUrl: string | undefined): string {
  if (target.kind === 'elsewhere') return target.file + target.query + target.hash;
  // An anchor on the page itself.
  if (target.file === '' && reference.kind !== 'meta') return address;
  const rest = target.query + target.hash;
  if (reference.kind === 'meta' && siteUrl !== undefined) return siteUrl + publicAddress(target.file) + rest;
  return relativeUrl(from, target.file) + rest;
}

/** Address of a file on a host: that of an `index.html` is its folder. */
export function publicAddress(file: string): string {
  return file.replace(/(^|\/)index\.html$/, '$1');
}

function fromBase(address: string, base: string | undefined): string {
  if (base === undefined || base === '' || address[0] === '/' || address[0] === '#') return address;
  const { pathname, search, hash: fragment } = new URL(address, new URL(base, 'http://site.invalid/'));
  return pathname + search + fragment;
}

export type { Problem };
