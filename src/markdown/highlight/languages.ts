// How each language of code is read: by Lezer's parsers, by CodeMirror's stream modes, or, where neither knows it, by a grammar of TextMate.
import { languageOf, type Open } from './language.ts';
import { markupLanguages } from './markup-languages.ts';
import { modeLanguages } from './mode-languages.ts';
import { parsedLanguages } from './parsed-languages.ts';
import type { Tokenizer } from './token-kinds.ts';

const openers: Record<string, Open> = { ...parsedLanguages, ...markupLanguages, ...modeLanguages };

const opened = new Map<string, Promise<Tokenizer>>();

/** Reads the code of a language. Each is loaded once in a process. */
export function openTokenizer(language: string): Promise<Tokenizer> {
  let tokenizer = opened.get(language);
  if (!tokenizer) {
    const open = openers[language] ?? (async () => (await import('./text-mate.ts')).openGrammar(language));
    opened.set(language, (tokenizer = open((name) => openTokenizer(languageOf(name)!))));
  }
  return tokenizer;
}
