// What the export needs of a page once it is read: all but its text fits into a cache, or comes from another thread.
import type { PageLoad } from '../html/load.ts';
import type { Edit } from '../text/edit.ts';
import type { BuiltPage } from './built-page.ts';
import type { AnalysedPage, SearchPage } from '../search/analyse.ts';
import { firstParagraph } from './first-paragraph.ts';
import { mirrorAddresses } from './markdown-version.ts';
import { addressesIn, type Reference } from '../html/references.ts';
import { scanPage, type PageScan } from './scan-page.ts';
import { isElsewhere } from '../urls/address.ts';

/** What the export knows of a page without its text; plain JSON. */
export interface PageSummary extends Omit<BuiltPage, 'path' | 'html' | 'markdown'> {
  hasMarkdown: boolean;
  ids: string[];
  sections: number;
  /** What it loads from other origins. */
  loads: PageLoad[];
}

/** All that writing a page and its part of the index needs, except its HTML; cached by the page's key. */
export interface PageRecord extends PageSummary {
  /** Distinct addresses on the page. */
  links: PageLink[];
  /** Only of a searchable page. */
  analysed?: AnalysedPage;
}

/** What an address is on its page: a link in the `content` or around it (`frame`), a link to Markdown (`mirror`), a file that is loaded, or only in the Markdown. */
export type LinkPlace = 'content' | 'frame' | 'mirror' | 'content-file' | 'frame-file' | 'markdown';
export type PageLink = [place: LinkPlace, address: string];

/** A page and what its HTML holds. */
export interface ReadPage {
  page: BuiltPage;
  scan: PageScan;
  /** Where they were gathered along with the scan. */
  links?: PageLink[];
  /** What else changes on the page, which depends on all other changes: what an existing site needs to work from disk. */
  edits?(others: Edit[]): Edit[];
}

/** Reads a page of our own theme. */
export function readBuiltPage(page: BuiltPage): ReadPage {
  return { page, scan: scanPage(page.html, page) };
}

export function recordOf(
  { page, scan, links = linksOf(page, scan) }: ReadPage,
  loads: PageLoad[],
  analyse: (page: SearchPage) => AnalysedPage,
): PageRecord {
  const { path, html: _html, markdown, ...rest } = page;
  const record: PageRecord = {
    ...rest,
    description: page.description ?? (markdown === undefined ? undefined : firstParagraph(markdown)),
    hasMarkdown: markdown !== undefined,
    ids: scan.ids,
    links,
    sections: scan.sections.length,
    loads,
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
