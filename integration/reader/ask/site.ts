import { parseQuery } from '../../search/query.ts';
import { quotes as englishQuoteLabels } from '../../search/labels/en.ts';
import type { AskQuestion, AskSource } from './answer.ts';
import { englishAskLabels, type AskLabels } from './labels.ts';
import type { Asker } from './online.ts';
import { askQuotes } from './quotes.ts';
import { chooseIndexes } from '../core/choose-indexes.ts';
import { openSiteIndex } from '../core/open-index.ts';
import { resultUrl } from '../core/result-url.ts';
import { currentPage, loadLabels, loadSite, pageAddress, pageVariant, pathOf } from '../core/site.ts';

/** What the panel knows of the site it stands in. */
export interface AskSite {
  labels: AskLabels;
  /** Path of the page being read. */
  page: string;
  filter: Asker['filter'];
  /** Absent where the site has no index. */
  quotes?: (question: AskQuestion) => ReturnType<typeof askQuotes>;
  /** Address of a page by its root-absolute path, with its anchor. */
  ownAddress(path: string): string;
  /** Where a source is, its words of the question to be marked. */
  sourceAddress(source: AskSource, question: string): string;
  /** Whether an address is that of the page being read. */
  isHere(address: string): boolean;
}

/** Reads `_carrel/site.js`. The index is opened when the first question comes. Throws when the site cannot be read. */
export async function askSite(): Promise<AskSite> {
  const site = await loadSite();
  const { language, docsVersion } = pageVariant();
  const { own } = chooseIndexes(site, language, docsVersion);
  const labels = { ...englishAskLabels, ...englishQuoteLabels, ...(await loadLabels(site, language)) };
  const ownAddress = (path: string) => {
    const { pathname, hash } = new URL(path, 'https://carrel.invalid');
    // A picture or an archive is no page.
    if (/\.(?!html?$|md$)[a-z][a-z0-9]{1,4}$/i.test(pathname)) return new URL(`.${pathname}`, pageAddress(site, '')).href;
    const page = pathname.replace(/^\/+|(?:\/(?:index\.html)?)+$/g, '').replace(/\.(?:html|md)$/, '');
    return pageAddress(site, decode(page)) + hash;
  };
  return {
    labels,
    page: currentPage(site),
    filter: { ...(own ? { language: own.language } : {}), ...(own?.docsVersion ? { version: own.docsVersion } : {}) },
    ...(own
      ? {
          async *quotes(question: AskQuestion) {
            yield* askQuotes(await openSiteIndex(own.folder), question, labels);
          },
        }
      : {}),
    ownAddress,
    sourceAddress({ section, url = '' }, question) {
      const id = section ?? (/^\/(?!\/)/.test(url) ? decode(url.slice(1)) : undefined);
      if (id === undefined) return /^https?:/.test(url) ? url : ownAddress('/');
      const terms = parseQuery(question).terms.map(({ term }) => term);
      return resultUrl({ id, terms }, pageAddress(site, id.split('#')[0]!.replace(/\/$/, '')));
    },
    isHere: (address) => pathOf(site, address) === pathOf(site, location.href),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
