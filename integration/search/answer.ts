// Extractive answers: without a model, a question is answered with passages of the docs, verbatim, or not at all.
import type { Candidate, SearchIndex, SearchResult } from './index.ts';
import type { IndexedSection } from './section-files.ts';
import { matchedWeight, matchesOf, nameMatchOf, stemsIn, strongest } from './keyword-matches.ts';
import { type Keyword, keywordsOf, withCorrections } from './keywords.ts';
import { asksForNumber, hasNumber } from './asked-number.ts';
import { type Passage, passagesOf } from './passages.ts';
import type { Citation } from './index-options.ts';
import { stemOf } from './tokenize.ts';
import { descriptionIn, textAndCode } from './text-marks.ts';

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
  /** Both with the marks of `text-marks.ts`, in the order of the page. */
  marked: string;
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
  const boost = proximityBoost(position);
  const { sections: found, terms } = await (only === undefined
    ? bestOf(await index.candidates(query, searched), asked, Math.max(maxRead, maxPages * 3), index)
    : ofPage(await index.search(query, { limit: searchedForOnePage }), only, index));
  if (found.length === 0) return { quotes: [], nearest: [] };
  const keywords = withCorrections(asked, terms);
  const sections = found
    .map(({ section, score }) => ({ section, score: score * boost(section.page) }))
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section);
  const pages = [...new Set(sections.map(({ page }) => page))];
  // The rank of its page counts too, or a page with many sections would push the other pages down.
  const about = { keywords, wantsNumber: asksForNumber(question) };
  const scored = sections.map((section, i) => scoreSection(section, about, (i + pages.indexOf(section.page)) / 2));
  scored.sort((a, b) => b.score - a.score);
  const quotable = nearlyBest(scored);
  const isCovered = scored.some((one) => one.coverage > minimumCoverage(keywords, one));
  if (!isCovered || !quotable.some((one) => one.quoted >= minimumQuoted(keywords, one)))
    return { quotes: [], nearest: nearestOf(scored, maxQuotes) };
  return { quotes: quotesOf(quotable, maxQuotes), nearest: [] };
}

/** The sections that quotes are taken from, in the order of search, and all terms that search found. */
interface ReadSections {
  sections: { section: IndexedSection; score: number }[];
  terms: Set<string>;
}

/**
 * Of the sections that search finds, those to read: each may be in a file of its own. The index itself knows which keywords a section
 * has, so the best by search come first, then those with most of the question.
 */
async function bestOf(candidates: Candidate[], keywords: Keyword[], limit: number, index: SearchIndex): Promise<ReadSections> {
  const terms = new Set(candidates.flatMap((candidate) => candidate.terms));
  const corrected = withCorrections(keywords, terms);
  const share = (candidate: Candidate) => matchedWeight(corrected, matchesOf(new Set(candidate.terms.map(stemOf)), corrected));
  const first = candidates.slice(0, maxRead / 2);
  const others = candidates.slice(maxRead / 2).sort((a, b) => share(b) - share(a));
  const chosen = new Set([...first, ...others.slice(0, limit - first.length)]);
  return {
    sections: await withTexts(
      candidates.filter((candidate) => chosen.has(candidate)),
      index,
    ),
    terms,
  };
}

async function ofPage(results: SearchResult[], page: string, index: SearchIndex): Promise<ReadSections> {
  const found = results.filter((result) => result.page === page);
  const terms = new Set(found.flatMap((result) => result.terms));
  return { sections: await withTexts(found, index), terms };
}

async function withTexts(found: { section: number; score: number }[], index: SearchIndex): Promise<ReadSections['sections']> {
  const sections = await index.sections(found.map(({ section }) => section));
  return sections.flatMap((section, i) => ({ section, score: found[i]?.score ?? 0 }));
}

const searched = 50;
const maxRead = 16;
const searchedForOnePage = 100;
const maxQuotesPerPage = 2;

/**
 * The share of a question that a section has to match. The longer the question, the more of it is about the reader's own situation.
 * A single match of several keywords has to be a larger share, unless the section is about it. Measured on the questions in
 * fixtures/questions and on a set of other docs.
 */
function minimumCoverage(keywords: Keyword[], { matched, isNamed }: ScoredSection): number {
  const most = Math.max(...keywords.map(({ weight }) => weight));
  const telling = keywords.filter(({ weight }) => weight * 3 > most);
  if (matched === 1 && telling.length > 1) return isNamed ? 0.54 : 0.7;
  return Math.max(0.33, 0.55 - 0.045 * Math.max(0, keywords.length - 5));
}

/**
 * The share of a short question that one of the quotes and the headings above it have to match: quotes without its rarest words are
 * about something else. Measured on the same questions, and on 160 about four other sites, of which half have no answer.
 */
function minimumQuoted(keywords: Keyword[], { isNamed }: ScoredSection): number {
  if (keywords.length > 4) return 0;
  return isNamed ? 0.55 : 0.635;
}

// How much the section's name counts, and its first sentences. Measured on short questions and on those in fixtures/questions.
const nameWeight = 0.6;
const leadWeight = 0.3;
// A passage with a number is more likely to say how long or how many.
const numberFactor = 1.25;

interface ScoredSection {
  section: IndexedSection;
  passage: Passage;
  /** How many keywords the section matches. */
  matched: number;
  /** Whether the question has at least half of the section's name. */
  isNamed: boolean;
  /** Share of the question that the section matches, 0 to 1; matches within one passage count more. */
  coverage: number;
  /** Share of the question that the passage and the headings above it match. */
  quoted: number;
  score: number;
}

/** What a passage is judged by. */
interface Asked {
  keywords: Keyword[];
  wantsNumber: boolean;
}

function scoreSection(section: IndexedSection, { keywords, wantsNumber }: Asked, rank: number): ScoredSection {
  const total = keywords.reduce((sum, { weight }) => sum + weight, 0);
  const share = (matches: number[]) => matchedWeight(keywords, matches) / total;
  // The description of a page is one of its names: what follows it is about that.
  const described = matchesOf(stemsIn(descriptionIn(section.marked), keywords), keywords);
  const headingMatches = strongest(
    matchesOf(stemsIn([section.title, ...section.headings].join('\n'), keywords), keywords),
    described,
  );
  const name = nameMatchOf(section, keywords);
  const nameScore = share(name.matches) * name.share;
  const nameMatches = strongest(
    name.matches.map((match) => match * name.share),
    described.map((match) => match / 2),
  );
  const passages = passagesOf(section.marked, keywords);
  const rated = passages.map((passage) => {
    // The first sentences of a section are about what its name says, and need not be short.
    const lead = passage.isLead ? nameScore : 0;
    const own = share(passage.isLead ? strongest(passage.matches, nameMatches) : passage.matches);
    const withHeadings = share(strongest(passage.matches, headingMatches));
    const length = passage.length * (1 - lead);
    const asWanted = wantsNumber && hasNumber(passage.marked) ? numberFactor : 1;
    return { passage, withHeadings, rating: (asWanted * (1 + leadWeight * lead) * (own + withHeadings)) / (1 + length / 900) };
  });
  const best = rated.reduce((a, b) => (b.rating > a.rating ? b : a));
  const matches = passages.reduce((strongestYet, passage) => strongest(strongestYet, passage.matches), headingMatches);
  const coverage = 0.7 * share(matches) + 0.3 * Math.max(...rated.map(({ withHeadings }) => withHeadings));
  const rankFactor = 1 / (1 + (rank * (1 - nameScore)) / 15);
  return {
    section,
    passage: best.passage,
    matched: matches.filter((match) => match > 0).length,
    isNamed: name.share >= 0.5,
    coverage,
    quoted: best.withHeadings,
    score: (coverage + best.rating * 0.7 + nameWeight * nameScore) * rankFactor,
  };
}

function nearlyBest(scored: ScoredSection[]): ScoredSection[] {
  const [best] = scored;
  return scored.filter(({ score, coverage }) => best && score >= best.score * 0.65 && coverage >= best.coverage * 0.65);
}

function quotesOf(quotable: ScoredSection[], limit: number): Quote[] {
  const [best] = quotable;
  const quotes: Quote[] = [];
  for (const { section, passage, score } of quotable) {
    if (!best || quotes.length === limit) break;
    const { id, page, title, headings } = section;
    const { marked } = passage;
    const { text, code } = textAndCode(marked);
    if (marked === '') continue;
    if (quotes.filter((quote) => quote.page === page).length === maxQuotesPerPage) continue;
    if (quotes.some((quote) => quote.text.includes(text) && quote.code.includes(code))) continue;
    quotes.push({ id, page, title, headings, score: relativeScore(score, best.score), text, code, marked });
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
