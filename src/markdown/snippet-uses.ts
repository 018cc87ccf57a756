// Which snippets a page uses. This loads no parser, which an export without changed pages does not need.
import { specifiersOf } from '../source/snippets.ts';
import type { SourcePage, SourceSnippet } from '../source/source.ts';

export interface SnippetUses {
  /** Path of the file that `specifier` in `file` names, or the reason that there is none. */
  resolve(specifier: string, file: string): { file: string } | { refused: 'outside' | 'missing' | 'package' };
  /** Sorted digests of all snippets that a page can use, directly and through other snippets. */
  dependencies(page: SourcePage): string[];
}

export function createSnippetUses(snippets: Map<string, SourceSnippet>): SnippetUses {
  const uses = new Map<string, string[]>();

  const resolve: SnippetUses['resolve'] = (specifier, file) => {
    if (!/^[./]/.test(specifier)) return { refused: 'package' };
    const path = resolvePath(specifier, file);
    if (path === undefined) return { refused: 'outside' };
    const oldPath = path.startsWith('snippets/') ? [`_${path}`] : [];
    const found = [path, ...oldPath]
      .flatMap((name) => ['', '.mdx', '.md', '.jsx', '.tsx'].map((extension) => name + extension))
      .find((candidate) => snippets.has(candidate));
    return found === undefined ? { refused: 'missing' } : { file: found };
  };

  const usesOf = (specifiers: string[], file: string): string[] =>
    specifiers.flatMap((specifier) => {
      const found = resolve(specifier, file);
      return 'file' in found ? [found.file] : [];
    });

  return {
    resolve,
    dependencies(page) {
      const digests = new Map<string, string>();
      const waiting = usesOf(page.specifiers, page.file);
      for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
        if (digests.has(file)) continue;
        const snippet = snippets.get(file);
        if (!snippet) continue;
        digests.set(file, snippet.digest);
        const used = uses.get(file) ?? usesOf(specifiersOf(snippet.body), file);
        uses.set(file, used);
        waiting.push(...used);
      }
      return [...digests.values()].sort();
    },
  };
}

/** Path in the docs folder that `specifier` in `file` names; undefined when it is outside. */
export function resolvePath(specifier: string, file: string): string | undefined {
  const parts = specifier.startsWith('/') ? [] : file.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
