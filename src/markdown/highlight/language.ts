// Names of languages, and what opens one.
import { bundledLanguagesInfo } from 'shiki/langs';
import type { Tokenizer } from './token-kinds.ts';

/** More names that authors write, in fences and as `lang` of a sample in a specification. */
const alsoCalled: Record<string, string> = {
  diff: 'patch',
  dotenv: 'env .env',
  go: 'golang',
  groovy: 'gradle',
  html: 'html5',
  ini: 'cfg conf',
  javascript: 'node node.js nodejs',
  jsonl: 'jsonlines ndjson',
  jsx: 'react',
  'objective-c': 'objectivec',
  python: 'py3 python3',
  shellscript: 'curl terminal',
  sql: 'mysql pgsql postgres postgresql psql tsql',
};

/** `javascript` for `js`: the language of each name in a fence. */
const languages = new Map([
  ...bundledLanguagesInfo.flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name) => [name, id] as const)),
  ...Object.entries(alsoCalled).flatMap(([id, names]) => names.split(' ').map((name) => [name, id] as const)),
]);

/** Every name that a fence may give a language that can be colored. */
export function codeLanguages(): string[] {
  return [...languages.keys()];
}

/** The language of a name, under which its tokenizer is kept; undefined for one that is unknown. */
export function languageOf(name: string): string | undefined {
  return languages.get(name);
}

/** Loads what reads a language; `open` gives it those of the languages inside. */
export type Open = (open: OpenLanguage) => Promise<Tokenizer>;

/** The tokenizer of a language, by any of its names. */
export type OpenLanguage = (name: string) => Promise<Tokenizer>;

/** A name in capitals. */
export const constantName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z][A-Z0-9]{2,}$/;
