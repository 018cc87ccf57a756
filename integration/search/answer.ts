// Answers without a model: the passages of the docs that speak of what is asked, word for word, or nothing.
import type { IndexedSection, SearchIndex } from './index.ts';
import { isAskingWord } from './question.ts';
import { rootOf } from './root.ts';
import { isStopWord, toTerm, tokenize } from './tokenize.ts';

/** A passage with its place. */
export interface Quote {
  /** Address `path#anchor`. */
  id: string;
  page: string;
  title: string;
  headings: string[];
  /** Word for word from the section. */
  text: string;
  /** The section's code, where that is what speaks of the question. */
  code: string;
}

/** A word of the question that says what it is about. */
interface Word {
  root: string;
  /** How much it tells: the rarer in the docs, the more. */
  weight: number;
}

const searched = 20;
const mostQuotes = 3;
/** Share of the question that the best passage has to speak of, with its headings and page. */
const spokenOf = 0.62;

/** The passages that answer a question, best first; none when the docs do not answer it. */
export async function quotesFor(index: SearchIndex, question: string): Promise<Quote[]> {
  const { words, query } = await wordsOf(index, question);
  const all = sum(words.map(({ weight }) => weight));
  if (all === 0) return [];
  const results = await index.search(query, { limit: searched });
  const sections = await index.sections(results.map(({ section }) => section));
  const passages = sections
    .flatMap((section, rank) => passagesOf(section).map((passage) => ({ section, ...judged(section, passage, words, rank) })))
    .sort((a, b) => b.score - a.score);
  const best = passages[0];
  const inSections = sections.map((section) => spokenIn(section, words));
  const byPage = new Map<string, Set<Word>>();
  sections.forEach(({ page }, i) => byPage.set(page, new Set([...(byPage.get(page) ?? []), ...inSections[i]!])));
  const section = Math.max(0, ...inSections.map(weightOf)) / all, pages = Math.max(0, ...[...byPage.values()].map(weightOf)) / all;
  if ((globalThis as any).debug) (globalThis as any).debug({ passage: (best?.spoken ?? 0) / all, section, pages, words: words.map((w) => `${w.root}:${w.weight.toFixed(1)}`).join(' ') });
  if (!best || best.spoken / all < spokenOf) return [];
  const quotes: Quote[] = [];
  for (const { section, text, code, spoken, score } of passages) {
    if (quotes.length === mostQuotes || score < best.score * 0.6 || spoken / all < spokenOf * 0.8) break;
    if (quotes.some(({ id }) => id === section.id)) continue;
    const { id, page, title, headings } = section;
    quotes.push({ id, page, title, headings, text, code });
  }
  return quotes;
}

async function wordsOf(index: SearchIndex, question: string): Promise<{ words: Word[]; query: string }> {
  const terms = new Map<string, string>();
  for (const token of tokenize(question)) {
    const term = toTerm(token);
    if (term && !isStopWord(token) && !isAskingWord(token)) terms.set(rootOf(term), term);
  }
  const others: string[] = [];
  const words = await Promise.all(
    [...terms].map(async ([root, term]): Promise<Word> => {
      const family = await index.family(term);
      if (!family.terms.includes(term)) others.push(...family.terms);
      const rarity = Math.log((index.sectionCount + 1) / (family.sections + 0.5));
      return { root, weight: Math.max(rarity, 0.1) * (saysLittle.has(root) ? 0.25 : 1) };
    }),
  );
  return { words, query: [question, ...others].join(' ') };
}

// What is asked of anything.
const saysLittle = new Set(
  'use make set work write support happen mean there list type add create change need put run show find see possible tell kind way setup allow certain own exist'
    .split(' ')
    .map((word) => rootOf(toTerm(word)!)),
);

interface Passage {
  text: string;
  code: string;
}

const longestPassage = 420;

/** The lines of a section, long ones by sentences, short ones together. */
function passagesOf({ text, code }: IndexedSection): Passage[] {
  const pieces = text.split('\n').flatMap((line) => (line.length > longestPassage ? sentences(line) : [line]));
  const passages: Passage[] = [];
  for (let from = 0; from < pieces.length; from++) {
    let passage = '';
    for (let to = from; to < pieces.length && passage.length + pieces[to]!.length <= longestPassage; to++) {
      passage = passage === '' ? pieces[to]! : `${passage}\n${pieces[to]!}`;
      passages.push({ text: passage, code: '' });
    }
    if (passage === '') passages.push({ text: pieces[from]!.slice(0, longestPassage), code: '' });
  }
  if (code !== '') passages.push({ text: pieces[0] ?? '', code });
  return passages;
}

function sentences(line: string): string[] {
  return line.match(/.+?(?:[.!?。！？]["')\]]?(?=\s|$)|[。！？]|$)\s*/gsu)?.map((sentence) => sentence.trim()) ?? [line];
}

/** How much of the question a passage speaks of, and how good it is. */
function judged(section: IndexedSection, passage: Passage, words: Word[], rank: number) {
  const own = rootsOf(`${passage.text}\n${passage.code}`);
  const around = rootsOf([section.title, ...section.headings].join('\n'));
  const inPassage = sum(words.map(({ root, weight }) => (own.has(root) ? weight : 0)));
  const spoken = sum(words.map(({ root, weight }) => (own.has(root) || around.has(root) ? weight : 0)));
  // A little for what is short and what search puts first.
  const score = (spoken + inPassage) * (1 - passage.text.length / 4000) * (1 - rank / 100);
  return { ...passage, spoken, score };
}

function spokenIn({ title, headings, text, code }: IndexedSection, words: Word[]): Word[] {
  const roots = rootsOf([title, ...headings, text, code].join('\n'));
  return words.filter(({ root }) => roots.has(root));
}

function weightOf(words: Iterable<Word>): number {
  return sum([...words].map(({ weight }) => weight));
}

function rootsOf(text: string): Set<string> {
  return new Set(tokenize(text).map((token) => rootOf(toTerm(token) ?? '')));
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
