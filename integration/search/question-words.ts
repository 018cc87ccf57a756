import { saysLittle, withoutAsking } from './asking-words.ts';
import { similarTerms } from './dictionary.ts';
import type { SearchIndex } from './index.ts';
import { digitOf } from './numbers.ts';
import { rootOf } from './root.ts';
import { synonymsOf } from './synonyms.ts';
import { candidateTokens, isUnspaced, toTerm } from './tokenize.ts';

/** A word of a question that says what the question is about. */
export interface QuestionWord {
  /** The term as it is asked for. */
  term: string;
  /** How much it tells: the rarer in the docs, the more. */
  weight: number;
  /** Roots that speak of it, each with how far: 1 is the word itself. */
  kin: Map<string, number>;
  /** Whether the docs have it, or a word of its family. */
  isKnown: boolean;
}

/** The telling words of a question, and what to search for. */
export async function questionWords(index: SearchIndex, question: string): Promise<{ words: QuestionWord[]; query: string }> {
  const asked = new Map<string, { term: string; parts: string[]; isName: boolean }>();
  for (const { word, isFirst } of withoutAsking(question.slice(0, longestQuestion))) {
    const terms = candidateTokens(word).flatMap((token) => toTerm(token) ?? []);
    // A stretch of a script without spaces has no whole, only pairs.
    const [whole, ...parts] = terms.filter((term) => !isUnspaced(term));
    const isName = !isFirst && /^\p{Lu}/u.test(word);
    for (const term of whole === undefined ? terms : [whole, ...terms.filter(isUnspaced)]) {
      if (asked.has(rootOf(term)) || asked.size === mostWords) continue;
      asked.set(rootOf(term), { term, parts: term === whole ? parts : [], isName });
    }
  }
  const isShort = asked.size <= shortQuestion;
  const found = await Promise.all([...asked.values()].map((one) => wordOf(index, one, isShort)));
  if (isShort) await joinNeighbours(index, found);
  return { words: found.map(({ word }) => word), query: `${termsOf(found).join(' ')}?` };
}

/** Terms to search for, in the order of the question; of a very large index without the commonest, which cost most and tell least. */
function termsOf(found: { terms: string[]; sections: number }[]): string[] {
  let cost = 0;
  const rarest = [...found].sort((a, b) => a.sections - b.sections);
  const affordable = new Set(rarest.filter(({ sections }, i) => (cost += sections) <= mostPostings || i === 0));
  return [...new Set(found.flatMap((one) => (affordable.has(one) ? one.terms : [])))];
}

const mostPostings = 6000;

const longestQuestion = 4000;
// Each costs a file of the index or more.
const mostWords = 24;

/** Telling words of a question that has so few of them that it may well have others than the docs. */
const shortQuestion = 2;

/** Two words that the docs write as one speak of it: `quick start`, `web hook`. */
async function joinNeighbours(index: SearchIndex, found: Awaited<ReturnType<typeof wordOf>>[]): Promise<void> {
  for (const [i, { word, terms }] of found.entries()) {
    const next = found[i + 1];
    const joined = next && `${word.term}${next.word.term}`;
    if (!joined || isUnspaced(joined) || (await index.family(joined)).sections === 0) continue;
    terms.push(joined);
    for (const { kin } of [word, next.word]) kin.set(rootOf(joined), 1);
  }
}

async function wordOf(index: SearchIndex, asked: { term: string; parts: string[]; isName: boolean }, isShort: boolean) {
  const { term, parts, isName } = asked;
  const root = rootOf(term);
  const family = await index.family(term);
  const isKnown = family.sections > 0;
  const kin = new Map([[root, 1]]);
  const terms = family.terms.includes(term) ? [term] : [term, ...family.terms];
  for (const synonym of synonymsOf(root)) {
    kin.set(rootOf(synonym), 0.8);
    if (!isKnown || isShort) terms.push(synonym);
  }
  if (!isKnown && parts.length > 0) {
    const known = await Promise.all(parts.map(async (part) => (await index.family(part)).sections > 0));
    if (known.every((one) => one)) for (const part of parts) kin.set(rootOf(part), 0.5 / parts.length);
  }
  // A name that the docs never mention is hardly in them under another one.
  const factor = /^\d+$/.test(term) ? 0.5 : saysLittle(root) ? 0.25 : isName && !isKnown ? 1.5 : 1;
  const rarity = Math.log((index.sectionCount + 1) / (family.sections + 0.5));
  return {
    terms,
    sections: family.sections,
    word: { term, kin, isKnown, weight: Math.max(rarity, 0.1) * factor } satisfies QuestionWord,
  };
}

/** The words with what search took them for where the docs do not know them: `adress` may be `address`. */
export function corrected(words: QuestionWord[], found: Set<string>): QuestionWord[] {
  const entries = [...found].map((term) => digitOf(0) + term);
  return words.map((word) => {
    if (word.isKnown || word.term.length < 6 || isUnspaced(word.term)) return word;
    const similar = similarTerms(entries, word.term, word.term.length < 9 ? 1 : 2);
    const kin = new Map(word.kin);
    for (const term of similar.keys()) {
      // Letters are left out, doubled or swapped; where one stands for another, it is mostly another word: `consent`, `content`.
      const credit = term.length !== word.term.length || lettersOf(term) === lettersOf(word.term) ? 0.8 : 0.4;
      kin.set(rootOf(term), Math.max(kin.get(rootOf(term)) ?? 0, credit));
    }
    return { ...word, kin };
  });
}

function lettersOf(term: string): string {
  return [...term].sort().join('');
}
