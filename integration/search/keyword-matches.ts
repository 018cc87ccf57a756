import type { Keyword } from './keywords.ts';
import { stemOf } from './stem.ts';
import { isUnspaced, toTerm, tokenize } from './tokenize.ts';

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
