// Answers without a model: the passages of the docs that speak of what is asked, word for word, or nothing.
import type { IndexedSection, SearchIndex } from './index.ts';
import { nearTo, type Near } from './near.ts';
import { passagesOf, type Passage } from './passages.ts';
import { corrected, questionWords, type QuestionWord } from './question-words.ts';
import { most, rootsIn, speaksOf } from './spoken.ts';
import { subjectOf } from './subject.ts';

export { quotedAnswer } from './quoted-answer.ts';

/** A place in the docs. */
export interface Place {
  /** Address `path#anchor`. */
  id: string;
  page: string;
  title: string;
  headings: string[];
}

/** A place that was found. */
export interface FoundPlace extends Place {
  /** 0 to 1, of the best. */
  score: number;
}

/** A passage with its place. */
export interface Quote extends FoundPlace {
  /** Whole lines or sentences, word for word from the section; may be empty where there is code. */
  text: string;
  /** Whole lines of the section's code, where they speak of the question. */
  code: string;
}

/** What the docs have to say: quotes, or else pages that are near to what is asked, best first. */
export interface DocsAnswer {
  quotes: Quote[];
  /** Empty when there are quotes, or nothing is near. */
  nearest: FoundPlace[];
}

/** What an answer is looked for by, besides the words of the question. */
export interface Scope {
  /** Pages of the docs to answer from; more of them give more quotes. @default 5 */
  pages?: number;
  /** The reader's place: pages near it come before equals. */
  near?: Near;
  /** Nothing is quoted but this page. */
  only?: string;
}

/** The passages that answer a question, best first, at most three; none when the docs do not answer it. */
export async function quotesFor(index: SearchIndex, question: string): Promise<Quote[]> {
  return (await answerFrom(index, question)).quotes;
}

/** Quotes for a question, at most three of five pages; where the docs do not answer it, the pages that come nearest. */
export async function answerFrom(
  index: SearchIndex,
  question: string,
  { pages: mostPages = 5, near = {}, only }: Scope = {},
): Promise<DocsAnswer> {
  const { words: asked, query } = await questionWords(index, question);
  if (asked.length === 0) return { quotes: [], nearest: [] };
  const limit = Math.ceil((mostPages * 3) / 5);
  const found = await index.search(query, { limit: only === undefined ? Math.max(searched, mostPages * 2) : searchedForOne });
  const factorOf = nearTo(near);
  const results = found
    .filter(({ page }) => only === undefined || page === only)
    .map((result) => ({ ...result, score: result.score * factorOf(result.page) }))
    .sort((a, b) => b.score - a.score);
  if (results.length === 0) return { quotes: [], nearest: [] };
  const words = corrected(asked, new Set(results.flatMap(({ terms }) => terms)));
  const sections = await index.sections(results.map(({ section }) => section));
  const pages = [...new Set(sections.map(({ page }) => page))];
  // A page of many sections keeps the other pages behind it.
  const rankOf = (page: string, place: number) => (place + pages.indexOf(page)) / 2;
  const judged = sections.map((section, place) => judge(section, words, rankOf(section.page, place)));
  judged.sort((a, b) => b.score - a.score);
  if (!judged.some((one) => one.coverage > leastCoverage(words, one.spoken)))
    return { quotes: [], nearest: nearestOf(judged, limit) };
  return { quotes: quotesOf(judged, limit), nearest: [] };
}

const searched = 12;
const searchedForOne = 100;
const mostOfOnePage = 2;

/**
 * The share of a question that a section has to speak of. The longer the question, the more it tells of the reader's own matters.
 * One word of several has to be more of it. Measured on the questions in fixtures/questions.
 */
function leastCoverage(words: QuestionWord[], spoken: number): number {
  if (spoken === 1 && words.length > 1) return 0.54;
  return 0.48 - 0.01 * Math.min(10, Math.max(0, words.length - 8));
}

// What a section is about by its name, and what it begins with. Measured on short questions and on those in fixtures/questions.
const subjectWeight = 0.6;
const leadWeight = 0.3;

interface Judged {
  section: IndexedSection;
  passage: Passage;
  /** How many words of the question the section speaks of. */
  spoken: number;
  /** Share of the question that the section speaks of, 0 to 1; what stands together counts more. */
  coverage: number;
  score: number;
}

function judge(section: IndexedSection, words: QuestionWord[], rank: number): Judged {
  const share = weightOf(words);
  const around = speaksOf(rootsIn([section.title, ...section.headings].join('\n'), words), words);
  const subject = subjectOf(section, words);
  const asked = share(subject.speaks) * subject.share;
  const bySubject = subject.speaks.map((value) => value * subject.share);
  const passages = passagesOf(section, words);
  const rated = passages.map((passage) => {
    // What a section begins with speaks of its subject, and need not be short.
    const lead = passage.leads ? asked : 0;
    const own = share(passage.leads ? most(passage.speaks, bySubject) : passage.speaks);
    const withPlace = share(most(passage.speaks, around));
    const length = (passage.text.length + passage.code.length) * (1 - lead);
    return { passage, withPlace, rating: ((1 + leadWeight * lead) * (own + withPlace)) / (1 + length / 900) };
  });
  const best = rated.reduce((a, b) => (b.rating > a.rating ? b : a));
  const speaks = passages.reduce((sum, passage) => most(sum, passage.speaks), around);
  const spoken = speaks.filter((value) => value > 0).length;
  const coverage = 0.7 * share(speaks) + 0.3 * Math.max(...rated.map(({ withPlace }) => withPlace));
  const found = 1 - (rank * (1 - asked)) / 20;
  return {
    section,
    passage: best.passage,
    spoken,
    coverage,
    score: (coverage + best.rating / 2 + subjectWeight * asked) * found,
  };
}

function quotesOf(judged: Judged[], limit: number): Quote[] {
  const best = judged[0]!;
  const quotes: Quote[] = [];
  for (const { section, passage, coverage, score } of judged) {
    if (quotes.length === limit) break;
    if (score < best.score * 0.65 || coverage < best.coverage * 0.65) continue;
    const { id, page, title, headings } = section;
    const { text, code } = passage;
    if (text === '' && code === '') continue;
    if (quotes.filter((quote) => quote.page === page).length === mostOfOnePage) continue;
    if (quotes.some((quote) => quote.text.includes(text) && quote.code.includes(code))) continue;
    quotes.push({ id, page, title, headings, score: shareOf(score, best.score), text, code });
  }
  return quotes;
}

function nearestOf(judged: Judged[], limit: number): FoundPlace[] {
  const places: FoundPlace[] = [];
  for (const { section, coverage, score } of judged) {
    const { id, page, title, headings } = section;
    if (places.length === limit || coverage < 0.15) break;
    if (!places.some((place) => place.page === page))
      places.push({ id, page, title, headings, score: shareOf(score, judged[0]!.score) });
  }
  return places;
}

function shareOf(score: number, best: number): number {
  return Math.round((score / (best || 1)) * 1000) / 1000;
}

/** Gives what share of the words' weight is spoken of. */
function weightOf(words: QuestionWord[]): (speaks: number[]) => number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  return (speaks) => words.reduce((sum, { weight }, i) => sum + weight * speaks[i]!, 0) / all;
}
