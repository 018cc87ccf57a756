import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { LimitedWords } from '../../integration/export/export-input.ts';
import { createFinder, wordsIn } from '../../integration/export/limited-words.ts';
import { createSnippetUses } from '../markdown/snippet-uses.ts';
import type { Source, SourcePage, SourceSnippet } from '../source/source.ts';

/** The words that only limited pages and their snippets have. `own` is what every export has. */
export function limitedWords(source: Source, own: () => AsyncIterable<string>): LimitedWords {
  const { pages, limited = [] } = source;
  const { snippetsOf } = createSnippetUses(source.snippets);
  const withSnippets = (some: readonly SourcePage[]) => new Set(some.flatMap((page) => [page, ...snippetsOf(page)]));
  const seen = withSnippets(pages);
  const words = new Map<string, string>();
  for (const file of withSnippets(limited.map(({ page }) => page)))
    for (const word of wordsIn(textOf(file))) words.set(word, file.file);
  const find = createFinder(words);
  for (const text of textsOf(source, seen)) for (const word of find(text)) words.delete(word);
  return {
    words,
    async *others() {
      yield* textsOf(source, seen);
      yield* dataTexts(source);
      yield* own();
    },
  };
}

/** What the readers of a source see, of which these are the pages and their snippets. */
function* textsOf({ root, config, packageName }: Source, seen: Iterable<SourcePage | SourceSnippet>): Iterable<string> {
  yield JSON.stringify([basename(root), config, packageName]);
  for (const file of seen) yield textOf(file);
}

/** The specifications that pages show, and other data of the folder. */
function* dataTexts({ assets }: Source): Iterable<string> {
  for (const { file } of assets) if (/\.(?:json|ya?ml|graphqls?)$/i.test(file)) yield readFileSync(file, 'utf8');
}

function textOf({ file, frontmatter, body, ...page }: SourcePage | SourceSnippet): string {
  return `${'path' in page ? page.path : ''}\n${file}\n${JSON.stringify(frontmatter)}\n${body}`;
}
