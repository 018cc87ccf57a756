// Looks for words that a bundle must not contain, such as the names of another customer.
import { escapeHtml } from '../text/escape.ts';
import { escapePattern } from '../text/path-patterns.ts';

/** Reads a text in pieces, and finds words in it. */
export interface WordFinder {
  add(piece: Uint8Array): void;
  /** The words that were found so far. */
  found(): string[];
}

/** A function that opens a finder of these words, in any letter case, and as HTML, JSON and URLs write them. */
export function wordFinders(words: readonly string[]): () => WordFinder {
  const spellings = new Map(
    words.flatMap((word) => spellingsOf(word).map((spelling) => [spelling.toLowerCase(), word] as const)),
  );
  const ordered = [...spellings.keys()].sort((one, other) => other.length - one.length);
  const longest = ordered[0]?.length ?? 0;
  const pattern = new RegExp(ordered.map(escapePattern).join('|') || '(?!)', 'g');
  // A match may hide shorter words at its place, and longer matches that begin inside it.
  const wordsIn = (match: string) =>
    ordered.filter((spelling) => match.includes(spelling)).map((spelling) => spellings.get(spelling)!);
  return () => {
    const found = new Set<string>();
    const decoder = new TextDecoder();
    let rest = '';
    return {
      add(piece) {
        const text = rest + decoder.decode(piece, { stream: true }).toLowerCase();
        pattern.lastIndex = 0;
        for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
          for (const word of wordsIn(match[0])) found.add(word);
          pattern.lastIndex = match.index + 1;
        }
        rest = longest > 1 ? text.slice(1 - longest) : '';
      },
      found: () => [...found],
    };
  };
}

function spellingsOf(word: string): string[] {
  return [word, escapeHtml(word), JSON.stringify(word).slice(1, -1), encodeURIComponent(word), encodeURI(word)];
}
