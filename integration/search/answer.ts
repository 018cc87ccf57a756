// Extractive answers: without a model, a question is answered with passages of the docs, verbatim, or not at all.
import type { IndexedSection, SearchIndex } from './index.ts';
import { matchedWeight, matchesOf, nameMatchOf, stemsIn, strongest } from './keyword-matches.ts';
import { type Keyword, keywordsOf, withCorrections } from './keywords.ts';
import { type Passage, passagesOf } from './passages.ts';
import type { Citation } from './index-options.ts';

export interface ScoredCitation extends Citation {
  /** 0 to 1, relative to the best. */
  score: number;
}

/** A passage with its citation. */
export interface Quote extends ScoredCitation {
  /** Whole lines or sentences, verbatim from the section; may be empty where there is code. */
  text: string;
  /** Whole lines of the section's code, where they match the question. */
  code: string;
}

/** Quotes, or else the pages that are closest to the question, best first. */
export interface DocsAnswer {
  quotes: Quote[];
  /** Empty when there are quotes, or no page is close. */
  nearest: ScoredCitation[];
}

/** What narrows or ranks an answer, besides the words of the question. */
export interface Scope {
  /** How many pages of the docs to answer from; more pages give more quotes. @default 5 */
  pages?: number;
  /** Ranks pages near the reader before others that match as well. */
  position?: ReaderPosition;
  /** Path of the only page to quote. */
  only?: string;
}

/** Quotes for a question, at most three from five pages; where the docs do not answer it, the closest pages. */
export async function answerFrom(
  index: SearchIndex,
  question: string,
  { pages: maxPages = 5, position = {}, only }: Scope = {},
): Promise<DocsAnswer> {
  const { keywords: asked, query } = await keywordsOf(index, question);
  if (asked.length === 0) return { quotes: [], nearest: [] };
  const maxQuotes = Math.ceil((maxPages * 3) / 5);
  const limit = only === undefined ? Math.max(minimumSearched, maxPages * 2) : searchedForOnePage;
  const boost = proximityBoost(position);
  const results = (await index.search(query, { limit }))
    .filter(({ page }) => only === undefined || page === only)
    .map((result) => ({ ...result, score: result.score * boost(result.page) }))
    .sort((a, b) => b.score - a.score);
  if (results.length === 0) return { quotes: [], nearest: [] };
  const keywords = withCorrections(asked, new Set(results.flatMap(({ terms }) => terms)));
  const sections = await index.sections(results.map(({ section }) => section));
  const pages = [...new Set(sections.map(({ page }) => page))];
  // The rank of its page counts too, or a page with many sections would push the other pages down.
  const scored = sections.map((section, i) => scoreSection(section, keywords, (i + pages.indexOf(section.page)) / 2));
  scored.sort((a, b) => b.score - a.score);
  if (!scored.some(({ coverage, matched }) => coverage > minimumCoverage(keywords, matched)))
    return { quotes: [], nearest: nearestOf(scored, maxQuotes) };
  return { quotes: quotesOf(scored, maxQuotes), nearest: [] };
}

const minimumSearched = 12;
const searchedForOnePage = 100;
const maxQuotesPerPage = 2;

/**
 * The share of a question that a section has to match. The longer the question, the more of it is about the reader's own situation.
 * A single match of several keywords has to be a larger share. Measured on the questions in fixtures/questions.
 */
function minimumCoverage(keywords: Keyword[], matched: number): number {
  if (matched === 1 && keywords.length > 1) return 0.54;
  return 0.48 - 0.01 * Math.min(10, Math.max(0, keywords.length - 8));
}

// How much the section's name counts, and its first sentences. Measured on short questions and on those in fixtures/questions.
const nameWeight = 0.6;
const leadWeight = 0.3;

interface ScoredSection {
  section: IndexedSection;
  passage: Passage;
  /** How many keywords the section matches. */
  matched: number;
  /** Share of the question that the section matches, 0 to 1; matches within one passage count more. */
  coverage: number;
  score: number;
}

function scoreSection(section: IndexedSection, keywords: Keyword[], rank: number): ScoredSection {
  const total = keywords.reduce((sum, { weight }) => sum + weight, 0);
  const share = (matches: number[]) => matchedWeight(keywords, matches) / total;
  const headingMatches = matchesOf(stemsIn([section.title, ...section.headings].join('\n'), keywords), keywords);
  const name = nameMatchOf(section, keywords);
  const nameScore = share(name.matches) * name.share;
  const nameMatches = name.matches.map((match) => match * name.share);
  const passages = passagesOf(section, keywords);
  const rated = passages.map((passage) => {
    // The first sentences of a section are about what its name says, and need not be short.
    const lead = passage.isLead ? nameScore : 0;
    const own = share(passage.isLead ? strongest(passage.matches, nameMatches) : passage.matches);
    const withHeadings = share(strongest(passage.matches, headingMatches));
    const length = (passage.text.length + passage.code.length) * (1 - lead);
    return { passage, withHeadings, rating: ((1 + leadWeight * lead) * (own + withHeadings)) / (1 + length / 900) };
  });
  const best = rated.reduce((a, b) => (b.rating > a.rating ? b : a));
  const matches = passages.reduce((strongestYet, passage) => strongest(strongestYet, passage.matches), headingMatches);
  const coverage = 0.7 * share(matches) + 0.3 * Math.max(...rated.map(({ withHeadings }) => withHeadings));
  const rankFactor = 1 - (rank * (1 - nameScore)) / 20;
  return {
    section,
    passage: best.passage,
    matched: matches.filter((match) => match > 0).length,
    coverage,
    score: (coverage + best.rating / 2 + nameWeight * nameScore) * rankFactor,
  };
}

function quotesOf(scored: ScoredSection[], limit: number): Quote[] {
  const [best] = scored;
  const quotes: Quote[] = [];
  for (const { section, passage, coverage, score } of scored) {
    if (!best || quotes.length === limit) break;
    if (score < best.score * 0.65 || coverage < best.coverage * 0.65) continue;
    const { id, page, title, headings } = section;
    const { text, code } = passage;
    if (text === '' && code === '') continue;
    if (quotes.filter((quote) => quote.page === page).length === maxQuotesPerPage) continue;
    if (quotes.some((quote) => quote.text.includes(text) && quote.code.includes(code))) continue;
    quotes.push({ id, page, title, headings, score: relativeScore(score, best.score), text, code });
  }
  return quotes;
}

function nearestOf(scored: ScoredSection[], limit: number): ScoredCitation[] {
  const [best] = scored;
  const nearest: ScoredCitation[] = [];
  for (const { section, coverage, score } of scored) {
    const { id, page, title, headings } = section;
    if (!best || nearest.length === limit || coverage < 0.15) break;
    if (!nearest.some((citation) => citation.page === page))
      nearest.push({ id, page, title, headings, score: relativeScore(score, best.score) });
  }
  return nearest;
}

function relativeScore(score: number, best: number): number {
  return Math.round((score / (best || 1)) * 1000) / 1000;
}

/** Where a reader is: the page that they read, and the pages on which they selected text; paths without outer slashes. */
interface ReaderPosition {
  page?: string;
  selectedOn?: string[];
}

/** A score factor by page: highest for the page being read and those with a selection, lower for its siblings, parent and children. */
export function proximityBoost({ page: current, selectedOn = [] }: ReaderPosition): (page: string) => number {
  const selected = new Set(selectedOn);
  return (page) => {
    if (page === current || selected.has(page)) return 1.25;
    if (current === undefined) return 1;
    const isSibling = folderOf(current) !== '' && folderOf(page) === folderOf(current);
    return isSibling || (page !== '' && page === folderOf(current)) || folderOf(page) === current ? 1.1 : 1;
  };
}

/** Whether a question is about the page being read. */
export function asksAboutPage(question: string): boolean {
  return pageReference.test(question);
}

/** The question without the words that refer to the page. */
export function withoutPageReference(question: string): string {
  return question.replace(pageReference, ' ');
}

const pageReference = /\b(?:this|current) (?:page|section|article|document|guide|chapter)\b/i;

function folderOf(page: string): string {
  return page.slice(0, Math.max(0, page.lastIndexOf('/')));
}
