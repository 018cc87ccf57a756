import { answerInContext } from '../../search/follow-up.ts';
import type { DocsAnswer } from '../../search/answer.ts';
import type { SearchIndex } from '../../search/index.ts';
import english from '../../texts/en.json' with { type: 'json' };
import type { Labels } from '../../texts/index.ts';
import { parseQuery } from '../../search/query.ts';
import { quotedAnswer } from '../../search/quoted-answer.ts';
import { sourceTitle, type Answered, type AskEvent, type AskQuestion, type AskSource } from './answer.ts';
import { englishAskLabels, type AskLabels } from './labels.ts';
import type { Asker } from './ask-server.ts';
import { openSiteIndex } from '../core/open-index.ts';
import { chooseIndexes, type SiteData } from '../core/site-data.ts';
import { currentPage, loadLabels, loadSite, hasNewerSite, pageUrl, pageVariant, pathOf } from '../core/site.ts';
import { resultUrl } from '../shared/events.ts';
import { decode } from '../shared/decode.ts';

/** The site around the panel. */
export interface AskSite {
  labels: AskLabels;
  /** Path of the page being read; undefined on the 404 page. */
  page: string | undefined;
  filter: Asker['filter'];
  /** Absent where the site has no index. */
  quotes?: (question: AskQuestion) => AsyncGenerator<AskEvent | Answered>;
  /** URL of a page by its root-absolute path, with its anchor. */
  pageUrl(path: string): string;
  /** URL of a source, which highlights the words of the question there. */
  sourceUrl(source: AskSource, question: string): string;
  /** Whether a URL is that of the page being read. */
  isHere(url: string): boolean;
}

/** Reads the data of the site. The index is opened for the first question. Throws when the data cannot be loaded. */
export async function askSite(): Promise<AskSite> {
  const site = await loadSite();
  const { language, docsVersion } = pageVariant();
  const indexOf = (known: SiteData) => chooseIndexes(known, language, docsVersion).own;
  const own = indexOf(site);
  const labels = { ...englishAskLabels, ...english.quotes, ...(await loadLabels(site, language)) };
  const ownUrl = (path: string) => {
    const { pathname, hash } = new URL(path, 'https://carrel.invalid');
    // An image or an archive is not a page.
    if (/\.(?!html?$|md$)[a-z][a-z0-9]{1,4}$/i.test(pathname)) return new URL(`.${pathname}`, pageUrl(site, '')).href;
    const page = pathname.replace(/^\/+|(?:\/(?:index\.html)?)+$/g, '').replace(/\.(?:html|md)$/, '');
    return pageUrl(site, decode(page)) + hash;
  };
  return {
    labels,
    page: document.documentElement.dataset['carrelMode'] === 'not-found' ? undefined : currentPage(site),
    filter: own && { language: own.language, version: own.docsVersion || undefined },
    quotes:
      own &&
      async function* (question) {
        const find = async (known: SiteData) => answerFrom(await openSiteIndex(indexOf(known)!.folder), question);
        const latest = await loadSite();
        const found = await find(latest).catch(async (error) => {
          if (await hasNewerSite(latest)) return find(await loadSite());
          throw error;
        });
        yield* askQuotes(found, labels);
      },
    pageUrl: ownUrl,
    sourceUrl({ section, url = '' }, question) {
      const id = section ?? (/^\/(?!\/)/.test(url) ? decode(url.slice(1)) : undefined);
      if (id === undefined) return /^https?:/.test(url) ? url : ownUrl('/');
      const terms = parseQuery(question).terms.map(({ term }) => term);
      return resultUrl({ id, terms }, pageUrl(site, id.replace(/\/?(?:#.*)?$/s, '')));
    },
    isHere: (url) => pathOf(site, url) === pathOf(site, location.href),
  };
}

/** Searches the index; no request is sent. */
function answerFrom(index: SearchIndex, { messages, context }: AskQuestion): Promise<DocsAnswer> {
  const questions = messages.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  const question = questions.pop() ?? '';
  const selections = context.map(({ value }) => value);
  return answerInContext(index, question, { earlier: questions, selections });
}

/** Answers by quoting the docs. */
async function* askQuotes({ quotes, nearest }: DocsAnswer, labels: Labels['quotes']): AsyncGenerator<AskEvent | Answered> {
  for (const [at, { id, title, headings }] of (quotes.length > 0 ? quotes : nearest).entries()) {
    yield { type: 'source', source: { number: at + 1, section: id, title: sourceTitle(title, headings) } };
  }
  yield { type: 'text', text: quotedAnswer(quotes, labels, nearest) };
  yield { type: 'answered', by: quotes.length > 0 ? 'quotes' : 'none' };
}
