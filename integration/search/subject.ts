import type { Place } from './answer.ts';
import { withoutAsking } from './asking-words.ts';
import type { QuestionWord } from './question-words.ts';
import { rootOf } from './root.ts';
import { rootsIn, speaksOf } from './spoken.ts';
import { toTerm } from './tokenize.ts';

/** How far a section is about what is asked, by its name alone. */
export interface Subject {
  /** How far the name speaks of each word of the question. */
  speaks: number[];
  /** Share of the name's telling words that the question has, 0 to 1; less for a heading, which is one of its page's many matters. */
  share: number;
}

/** The name of a section is its own heading; that of an introduction the title of its page, or the last part of its address. */
export function subjectOf({ page, title, headings }: Place, words: QuestionWord[]): Subject {
  const heading = headings.at(-1);
  if (heading !== undefined) return named(heading, words, 0.5);
  const [byTitle, byAddress] = [named(title, words, 1), named(page.slice(page.lastIndexOf('/') + 1), words, 1)];
  return byAddress.share > byTitle.share ? byAddress : byTitle;
}

function named(name: string, words: QuestionWord[], most: number): Subject {
  const speaks = speaksOf(rootsIn(name, words), words);
  if (!speaks.some((value) => value > 0)) return { speaks, share: 0 };
  const telling = [...new Set(withoutAsking(name).map(({ word }) => rootOf(toTerm(word) ?? '')))];
  const asked = telling.filter((root) => words.some(({ kin }) => kin.has(root)));
  return { speaks, share: (most * asked.length) / Math.max(1, telling.length) };
}
