import type { Options, SearchOptions } from 'minisearch';
import { tokenize, toTerm } from './tokenize.ts';
import { isStopWord } from './stop-words.ts';

/** The searched fields of a section. Their order is part of the index format. */
export const fields = ['title', 'heading', 'text', 'code'] as const;
export type Field = (typeof fields)[number];

/** The searched texts of a section, by field. */
export function fieldTexts(section: Section): Record<Field, string> {
  return { title: section.title, heading: section.headings.at(-1) ?? '', text: section.text, code: section.code };
}

/**
 * Whether stop words are indexed in the field: a page may be called `if` or `For`, but in running text they say nothing about the subject.
 */
export function indexesStopWords(field: string | undefined): boolean {
  return field === 'title' || field === 'heading';
}

/** For filling and opening a MiniSearch index; a document's `id` is the number of the section. */
export const indexOptions = {
  fields: [...fields],
  tokenize,
  processTerm: (token: string, field?: string) => (!indexesStopWords(field) && isStopWord(token) ? null : toTerm(token)),
} satisfies Options;

/** Weights measured by the rank of pages and sections in several documentation sites: `test/bench/relevance.ts`. */
export const searchOptions = {
  boost: { title: 4, heading: 3, text: 1, code: 0.4 },
  bm25: { k: 1.4, b: 0.8, d: 0.2 },
  combineWith: 'OR',
} satisfies SearchOptions;

/** Weights for whole questions, whose words are rarely those of a title. Measured with questions that are headings: `npm run bench -- answers`. */
export const questionBoost = { title: 1, heading: 1, text: 1, code: 0.4 };

/** Weights for lines of code and of logs, which docs have in their text and code. Measured with lines of several documentation sites. */
export const pastedBoost = { title: 1, heading: 1, text: 1, code: 1 };

/** How many sections of a page a list of results shows before the next pages. */
export const shownPerPage = 2;

/** Unit of search, retrieval and citation: the introduction of a page, or a heading with the text below it. */
export interface Section {
  /** `path#anchor`; an introduction has no `#anchor`. */
  id: string;
  /** Path of its page, '' = home. */
  page: string;
  /** Title of its page. */
  title: string;
  /** Headings from the page's first level down to the section's own (last); empty for the introduction. */
  headings: string[];
  text: string;
  code: string;
  /** Both with the marks of `text-marks.ts`, in the order of the page. */
  marked?: string;
  language: string;
  docsVersion?: string;
}

/** A section as an answer cites it. */
export type Citation = Pick<Section, 'id' | 'page' | 'title' | 'headings'>;
