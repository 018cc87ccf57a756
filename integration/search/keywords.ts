import { contentWords, isGeneric } from './content-words.ts';
import { similarTerms } from './dictionary.ts';
import type { SearchIndex } from './index.ts';
import { digitOf } from './numbers.ts';
import { parseQuery } from './query.ts';
import { candidateTokens, isCompound, isUnspaced, stemOf, toTerm } from './tokenize.ts';
import { synonymsOf } from './synonyms.ts';

/** A word of a question that says what the question is about. */
export interface Keyword {
  /** The term as asked. */
  term: string;
  /** The rarer the keyword is in the docs, the higher. */
  weight: number;
  /** Stems that match the keyword, each with the strength of the match: 1 is the word itself. */
  relatedStems: Map<string, number>;
  /** Whether the docs have the word or an inflection of it. */
  isKnown: boolean;
}

/** The keywords of a question, and the query to search for. */
export async function keywordsOf(index: SearchIndex, question: string): Promise<{ keywords: Keyword[]; query: string }> {
  const asked = new Map<string, AskedTerm>();
  const text = beginningOf(question);
  for (const { word, isFirst } of contentWords(text)) {
    const terms = candidateTokens(word).flatMap((token) => toTerm(token) ?? []);
    // A word of a script without spaces is indexed as pairs of characters only.
    const [whole, ...parts] = terms.filter((term) => !isUnspaced(term));
    const isName = !isFirst && /^\p{Lu}/u.test(word);
    for (const term of whole === undefined ? terms : [whole, ...terms.filter(isUnspaced)]) {
      if (asked.has(stemOf(term)) || asked.size === maxKeywords) continue;
      asked.set(stemOf(term), { term, parts: term === whole ? parts : [], isName });
    }
  }
  const isShort = asked.size <= shortQuestion;
  const found = await Promise.all([...asked.values()].map((one) => lookUp(index, one, isShort)));
  if (isShort) await addCompounds(index, found);
  const { terms, isPasted } = parseQuery(text);
  // Times, addresses and ids are in no section, and are not what a pasted line is about.
  const telling = found.filter(({ keyword, sections }) => !isPasted || sections > 0 || !/\d/.test(keyword.term));
  const compounds = terms.flatMap(({ term }) => (isCompound(term) ? term : []));
  return {
    keywords: telling.map(({ keyword }) => keyword),
    query: isPasted ? text : `${[...compounds, ...termsOf(found)].join(' ')}?`,
  };
}

/** The beginning of a long question, up to the end of a word. */
function beginningOf(question: string): string {
  const beginning = question.slice(0, maxQuestionLength);
  return beginning === question ? question : beginning.replace(/[\p{L}\p{M}\p{N}_]{1,40}$/u, '');
}

interface AskedTerm {
  term: string;
  /** Parts of a compound such as `batchTrigger`. */
  parts: string[];
  isName: boolean;
}

interface FoundKeyword {
  keyword: Keyword;
  /** Terms of the index to search for. */
  terms: string[];
  /** How many sections have one of them. */
  sections: number;
}

/** Terms to search for, in the order of the question; in a very large index without the most frequent, which cost most and say least. */
function termsOf(found: FoundKeyword[]): string[] {
  let cost = 0;
  const rarest = [...found].sort((a, b) => a.sections - b.sections);
  const affordable = new Set(rarest.filter(({ sections }, i) => (cost += sections) <= maxPostings || i === 0));
  return [...new Set(found.flatMap((one) => (affordable.has(one) ? one.terms : [])))];
}

const maxPostings = 6000;

const maxQuestionLength = 4000;
// Each keyword costs a file of the index or more.
const maxKeywords = 24;

/** A question with so few keywords is likely to use other words than the docs. */
const shortQuestion = 2;

/** Two keywords also match the one word that the docs make of them: `quickstart`, `webhook`. */
async function addCompounds(index: SearchIndex, found: FoundKeyword[]): Promise<void> {
  for (const [i, { keyword, terms }] of found.entries()) {
    const next = found[i + 1];
    const compound = next && `${keyword.term}${next.keyword.term}`;
    if (!compound || isUnspaced(compound) || (await index.inflections(compound)).sections === 0) continue;
    terms.push(compound);
    for (const { relatedStems } of [keyword, next.keyword]) relatedStems.set(stemOf(compound), 1);
  }
}

async function lookUp(index: SearchIndex, { term, parts, isName }: AskedTerm, isShort: boolean): Promise<FoundKeyword> {
  const stem = stemOf(term);
  const inflections = await index.inflections(term);
  const isKnown = inflections.sections > 0;
  const relatedStems = new Map([[stem, 1]]);
  const terms = inflections.terms.includes(term) ? [term] : [term, ...inflections.terms];
  for (const synonym of synonymsOf(stem)) {
    relatedStems.set(stemOf(synonym), 0.8);
    if (!isKnown || isShort) terms.push(synonym);
  }
  if (!isKnown && parts.length > 0) {
    const known = await Promise.all(parts.map(async (part) => (await index.inflections(part)).sections > 0));
    if (known.every((one) => one)) for (const part of parts) relatedStems.set(stemOf(part), 0.5 / parts.length);
  }
  // A name that the docs never mention is unlikely to be in them under another one.
  const factor = /^\d+$/.test(term) ? 0.5 : isGeneric(stem) ? 0.25 : isName && !isKnown ? 1.5 : 1;
  const rarity = Math.log((index.sectionCount + 1) / (inflections.sections + 0.5));
  return {
    terms,
    sections: inflections.sections,
    keyword: { term, relatedStems, isKnown, weight: Math.max(rarity, 0.1) * factor },
  };
}

/** Keywords that the docs do not have also match what search corrected them to: `adress` matches `address`. */
export function withCorrections(keywords: Keyword[], found: Set<string>): Keyword[] {
  const entries = [...found].map((term) => digitOf(0) + term);
  return keywords.map((keyword) => {
    const { term, isKnown } = keyword;
    if (isKnown || term.length < 6 || isUnspaced(term)) return keyword;
    const relatedStems = new Map(keyword.relatedStems);
    for (const similar of similarTerms(entries, term, term.length < 9 ? 1 : 2).keys()) {
      // Typos drop, double or swap letters. A term with another letter in place of one is mostly another word: `consent`, `content`.
      const strength = similar.length !== term.length || lettersOf(similar) === lettersOf(term) ? 0.8 : 0.4;
      relatedStems.set(stemOf(similar), Math.max(relatedStems.get(stemOf(similar)) ?? 0, strength));
    }
    return { ...keyword, relatedStems };
  });
}

function lettersOf(term: string): string {
  return Array.from(term).sort().join('');
}
