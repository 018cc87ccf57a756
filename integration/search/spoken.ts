import type { QuestionWord } from './question-words.ts';
import { rootOf } from './root.ts';
import { isUnspaced, toTerm, tokenize } from './tokenize.ts';

/** Roots of a text's words; single characters of scripts without spaces only where the words of the question have them. */
export function rootsIn(text: string, words: QuestionWord[]): Set<string> {
  if (!mayHave(text, words)) return new Set();
  const roots = new Set(tokenize(text).map((token) => rootOf(toTerm(token) ?? '')));
  for (const { kin } of words)
    for (const root of kin.keys()) if (root.length === 1 && isUnspaced(root) && text.includes(root)) roots.add(root);
  return roots;
}

/** How far a text with these roots speaks of each word: 0 not at all, 1 by the word itself. */
export function speaksOf(roots: Set<string>, words: QuestionWord[]): number[] {
  if (roots.size === 0) return words.map(() => 0);
  return words.map(({ kin }) => {
    let most = 0;
    for (const [root, credit] of kin) if (credit > most && roots.has(root)) most = credit;
    return most;
  });
}

/** For each word what speaks of it more. */
export function most(a: number[], b: number[]): number[] {
  return a.map((value, i) => Math.max(value, b[i]!));
}

// Cutting a text into words costs far more than this look at it. A root begins its word; where letters have other forms, it may not.
function mayHave(text: string, words: QuestionWord[]): boolean {
  if (beyondAscii.test(text)) return true;
  const plain = text.toLowerCase();
  return words.some(({ kin }) => [...kin.keys()].some((root) => plain.includes(root)));
}

const beyondAscii = /[\u0080-\uffff]/;
