// An answer as one text, for programs that do not read streams.
import { type OpenedSite, textOf } from '../../active-exports/open-site.ts';
import { docsOf, type SiteDocs } from '../../active-exports/site-docs.ts';
import type { SiteQuoter } from '../../hosting/site-questions.ts';
import { parseManifest } from '../../storage/read-manifest.ts';
import { plain } from '../../../integration/search/quoted-answer.ts';
import { line } from '../retrieve/prompt-text.ts';
import type { Source } from '../retrieve/sources.ts';
import type { AnswerEvent } from './answer-event.ts';
import { quoteEvents } from './quotes.ts';

/** The answer as Markdown, followed by the pages that it cites. Throws an `Error` with the message of a failed answer that has no text. */
export async function answerText(events: AsyncIterable<AnswerEvent>): Promise<string> {
  const sources: Source[] = [];
  let text = '';
  let failure: string | undefined;
  for await (const event of events) {
    if (event.type === 'source') sources.push(event.source);
    else if (event.type === 'text') text += event.text;
    else if (event.type === 'failed') failure = event.message;
  }
  if (failure !== undefined && text === '') throw new Error(failure);
  const rows = sources.map(({ number, title, headings, url }) => {
    const names = [title, ...headings.filter((heading) => heading !== title)].join(' › ');
    return `[${number}] [${plain(line(names))}](${url.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
  });
  return [text, failure, rows.join('\n\n')].filter((part) => part !== undefined && part !== '').join('\n\n');
}

export interface QuotedQuestion {
  text: string;
  /** Path of the page that the question was asked on. */
  page?: string;
  language?: string;
  version?: string;
  /** Begins the URLs of sources: a URL, or the path that the site is mounted at. */
  siteUrl?: string;
}

/** The answer of quotes, which needs no model. */
export function quotedText(docs: SiteDocs, { text, page, language, version, siteUrl }: QuotedQuestion): Promise<string> {
  const question = { text, turns: [], context: [], files: [], currentPath: page, filter: { language, version }, pages: 5 };
  return answerText(quoteEvents({ docs, question, siteUrl }));
}

/** Quotes the docs of opened sites; the docs of each are opened once. */
export function createSiteQuoter(): SiteQuoter {
  const known = new WeakMap<OpenedSite, Promise<SiteDocs | undefined>>();
  const open = async (site: OpenedSite) => {
    const file = await site.file('carrel.json');
    return file && docsOf(site, parseManifest(await textOf(file), `of "${site.name}"`));
  };
  return async (site, question) => {
    let opened = known.get(site);
    if (!opened) known.set(site, (opened = open(site)));
    opened.catch(() => known.delete(site));
    const docs = await opened;
    return docs && (await quotedText(docs, question));
  };
}
