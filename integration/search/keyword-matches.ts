import { contentWords } from './content-words.ts';
import type { Keyword } from './keywords.ts';
import type { Citation } from './index-options.ts';
import { stemOf, isUnspaced, tokenize, toTerm } from './tokenize.ts';

/** Stems of the words of a text; single characters of scripts without spaces only where a keyword has them. */
export function stemsIn(text: string, keywords: Keyword[]): Set<string> {
  if (!mayMatch(text, keywords)) return new Set();
  const stems = new Set(tokenize(text).map((token) => stemOf(toTerm(token) ?? '')));
  for (const { relatedStems } of keywords)
    for (const stem of relatedStems.keys()) if (stem.length === 1 && isUnspaced(stem) && text.includes(stem)) stems.add(stem);
  return stems;
}

/** How well a text with these stems matches each keyword: 0 not at all, 1 by the word itself. */
export function matchesOf(stems: Set<string>, keywords: Keyword[]): number[] {
  if (stems.size === 0) return keywords.map(() => 0);
  return keywords.map(({ relatedStems }) => {
    let best = 0;
    for (const [stem, strength] of relatedStems) if (strength > best && stems.has(stem)) best = strength;
    return best;
  });
}

/** The stronger match of each keyword. */
export function strongest(a: number[], b: number[]): number[] {
  return a.map((match, i) => Math.max(match, b[i] ?? 0));
}

/** The weight of the keywords, each as far as it is matched. */
export function matchedWeight(keywords: Keyword[], matches: number[]): number {
  return keywords.reduce((sum, { weight }, i) => sum + weight * (matches[i] ?? 0), 0);
}

// Tokenizing a text costs far more than this check. A stem begins its word, unless the text has letters whose forms differ.
function mayMatch(text: string, keywords: Keyword[]): boolean {
  if (beyondAscii.test(text)) return true;
  const plain = text.toLowerCase();
  return keywords.some(({ relatedStems }) => [...relatedStems.keys()].some((stem) => plain.includes(stem)));
}

const beyondAscii = /[\u0080-\uffff]/;

/** How well the name of a section matches a question. */
interface NameMatch {
  /** How well the name matches each keyword. */
  matches: number[];
  /** Share of the name's content words that the question has, 0 to 1; halved for a heading, which is one of its page's many subjects. */
  share: number;
}

/** A section is named by its own heading, an introduction by the title of its page or by the last part of its path. */
export function nameMatchOf({ page, title, headings }: Citation, keywords: Keyword[]): NameMatch {
  const heading = headings.at(-1);
  if (heading !== undefined) return matchOf(heading, keywords, 0.5);
  const [byTitle, byPath] = [matchOf(title, keywords, 1), matchOf(page.slice(page.lastIndexOf('/') + 1), keywords, 1)];
  return byPath.share > byTitle.share ? byPath : byTitle;
}

function matchOf(name: string, keywords: Keyword[], factor: number): NameMatch {
  const matches = matchesOf(stemsIn(name, keywords), keywords);
  if (!matches.some((match) => match > 0)) return { matches, share: 0 };
  const stems = [...new Set(contentWords(name).map(({ word }) => stemOf(toTerm(word) ?? '')))];
  const matched = stems.filter((stem) => keywords.some(({ relatedStems }) => relatedStems.has(stem)));
  return { matches, share: (factor * matched.length) / Math.max(1, stems.length) };
}
