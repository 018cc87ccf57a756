import { contentWords } from './content-words.ts';
import { matchesOf, stemsIn } from './keyword-matches.ts';
import type { Keyword } from './keywords.ts';
import type { Citation } from './section.ts';
import { stemOf } from './stem.ts';
import { toTerm } from './tokenize.ts';

/** How well the name of a section matches a question. */
export interface NameMatch {
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
