import type { Section } from '../../integration/search/index-options.ts';
import type { SearchIndex } from '../../integration/search/index.ts';

/** Results for a question, best first. */
export type Engine = (question: string) => Promise<{ id: string; page: string }[]>;

/** What engines search: the sections, and their index by Carrel. */
export interface EngineInput {
  index: SearchIndex;
  sections: Section[];
  language: string;
  /** The index that also has vectors. */
  byMeaning: SearchIndex;
  /** A folder for files. */
  scratch: string;
}

export type OpenEngine = (input: EngineInput) => Promise<{ search: Engine; close?: () => Promise<void> }>;
