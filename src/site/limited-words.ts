import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { LimitedWords } from '../../integration/export/export-input.ts';
import { wordsIn } from '../../integration/export/limited-words.ts';
import type { Source, SourcePage } from '../source/source.ts';

/** The words that only limited pages have. `own` is what every export has. */
export function limitedWords(source: Source, own: () => AsyncIterable<string>): LimitedWords {
  const { limited = [] } = source;
  const words = new Map<string, string>();
  for (const { page } of limited) for (const word of wordsIn(textOf(page))) words.set(word, page.file);
  for (const text of seenTexts(source)) for (const word of wordsIn(text)) words.delete(word);
  return {
    words,
    async *others() {
      yield* seenTexts(source);
      yield* dataTexts(source);
      yield* own();
    },
  };
}

/** What the readers of a source see. */
function* seenTexts({ root, config, packageName, pages, snippets, limited = [] }: Source): Iterable<string> {
  yield JSON.stringify([basename(root), config, packageName]);
  for (const page of pages) yield textOf(page);
  const limitedSnippets = new Set(limited.map(({ snippet }) => snippet));
  for (const { file, frontmatter, body } of snippets.values())
    if (!limitedSnippets.has(file)) yield `${file}\n${JSON.stringify(frontmatter)}\n${body}`;
}

/** The specifications that pages show, and other data of the folder. */
function* dataTexts({ assets }: Source): Iterable<string> {
  for (const { file } of assets) if (/\.(?:json|ya?ml|graphqls?)$/i.test(file)) yield readFileSync(file, 'utf8');
}

function textOf({ path, file, frontmatter, body }: SourcePage): string {
  return `${path}\n${file}\n${JSON.stringify(frontmatter)}\n${body}`;
}
