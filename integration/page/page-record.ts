// What the export needs of a page once it is read: all but its text fits into a cache, or comes from another thread.
import { withContent, type MarkdownOf } from '../static-site/built-page-text.ts';
import type { Guest } from '../static-site/static-site.ts';
import type { PageLoad } from '../remote/request-report.ts';
import type { BuiltPage } from './built-page.ts';
import type { AnalysedPage, SearchPage } from '../search/analyse.ts';
import { firstParagraph } from '../export/llms.ts';
import { mirrorAddresses } from './markdown-version.ts';
import { addressesIn, type Reference } from '../html/references.ts';
import type { RemoteElement } from '../remote/remote-elements.ts';
import { scanPage, type PageScan } from './scan-page.ts';
import { isElsewhere } from '../urls/address.ts';

/** What the export knows of a page without its text; plain JSON. */
export interface PageSummary extends Omit<BuiltPage, 'path' | 'html' | 'markdown'> {
  hasMarkdown: boolean;
  ids: string[];
  remote: Pick<RemoteElement, 'name' | 'load' | 'urls' | 'without' | 'inContent'>[];
  sections: number;
  /** What it loads from other hosts. Only of a guest. */
  outside?: PageLoad[];
}

/** All that writing a page and its part of the index needs, but for its HTML; kept by the page's key. */
export interface PageRecord extends PageSummary {
  /** Distinct addresses on the page. */
  links: PageLink[];
  /** Only of a searchable page. */
  analysed?: AnalysedPage;
}

/** How an address stands on its page: `content`, around it (`frame`), leads to Markdown (`mirror`), loads a file, only in the Markdown. */
export type LinkPlace = 'content' | 'frame' | 'mirror' | 'content-file' | 'frame-file' | 'markdown';
export type PageLink = [place: LinkPlace, address: string];

/** A page with what reading it told; plain data, which another thread may send. */
export interface ReadPage {
  page: BuiltPage;
  scan: PageScan;
  /** Where they were gathered along with the reading. */
  links?: PageLink[];
}

/** Reads a page of our own theme. Of a guest also its Markdown is made, of its content. */
export function readBuiltPage(built: BuiltPage, of?: { guest: Guest; markdownOf: MarkdownOf }): ReadPage {
  const scan = scanPage(built.html, built, of?.guest);
  return { page: of ? withContent(built, scan, of.guest, of.markdownOf) : built, scan };
}

export function recordOf(
  { page, scan, links = linksOf(page, scan) }: ReadPage,
  analyse: (page: SearchPage) => AnalysedPage,
): PageRecord {
  const { path, html: _html, markdown, ...rest } = page;
  const record: PageRecord = {
    ...rest,
    description: page.description ?? (markdown === undefined ? undefined : firstParagraph(markdown)),
    hasMarkdown: markdown !== undefined,
    ids: scan.ids,
    links,
    remote: scan.remote.map(({ name, load, urls, without, inContent }) => ({ name, load, urls, without, inContent })),
    sections: scan.sections.length,
  };
  if (page.searchable) record.analysed = analyse({ page: path, title: page.title, boost: page.boost, sections: scan.sections });
  return record;
}

/** Distinct addresses of a page. */
export function linksOf(page: BuiltPage, { references }: Pick<PageScan, 'references'>): PageLink[] {
  const links: PageLink[] = [];
  const seen = new Map<LinkPlace, Set<string>>();
  const add = (place: LinkPlace, address: string) => {
    let known = seen.get(place);
    if (!known) seen.set(place, (known = new Set()));
    if (known.has(address)) return;
    known.add(address);
    if (!isElsewhere(address)) links.push([place, address]);
  };
  for (const reference of references) {
    if (reference.kind === 'root') continue;
    for (const address of addressesIn(reference.kind, reference.value)) add(placeOf(reference), address);
  }
  for (const address of mirrorAddresses(page.markdown ?? '')) add('markdown', address);
  return links;
}

export function placeOf({ kind, inContent }: Reference): LinkPlace {
  if (kind === 'mirror') return 'mirror';
  if (kind === 'link' || kind === 'refresh' || kind === 'meta') return inContent ? 'content' : 'frame';
  return inContent ? 'content-file' : 'frame-file';
}
