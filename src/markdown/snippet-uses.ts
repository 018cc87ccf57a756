// Which snippets a page uses. This loads no parser, which an export without changed pages does not need.
import { specifiersOf } from '../source/snippets.ts';
import type { SourcePage, SourceSnippet } from '../source/source.ts';

export interface SnippetUses {
  /** Path of the file that `specifier` in `file` names, or the reason that there is none. */
  resolve(specifier: string, file: string): { file: string } | { refused: 'outside' | 'missing' | 'package' };
  /**
   * Names and digests of all snippets that a page can use, directly and through other snippets, sorted; with the names of all, for a page that names
   * a missing one: its report says which are meant.
   */
  dependencies(page: SourcePage): string[];
  /** The snippets that a page or a snippet can use, directly and through other snippets. */
  snippetsOf(file: SourcePage | SourceSnippet): SourceSnippet[];
}

export function createSnippetUses(snippets: Map<string, SourceSnippet>): SnippetUses {
  const uses = new Map<string, string[]>();
  const missing = '';

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
      return 'file' in found ? [found.file] : found.refused === 'missing' ? [missing] : [];
    });

  const reach = (from: SourcePage | SourceSnippet) => {
    const found = new Map<string, SourceSnippet>();
    let isAnyMissing = false;
    const waiting = usesOf('specifiers' in from ? from.specifiers : specifiersOf(from.body), from.file);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      isAnyMissing ||= file === missing;
      if (found.has(file)) continue;
      const snippet = snippets.get(file);
      if (!snippet) continue;
      found.set(file, snippet);
      const used = uses.get(file) ?? usesOf(specifiersOf(snippet.body), file);
      uses.set(file, used);
      waiting.push(...used);
    }
    return { found, isAnyMissing };
  };

  return {
    resolve,
    snippetsOf: (file) => [...reach(file).found.values()],
    dependencies(page) {
      const { found, isAnyMissing } = reach(page);
      const used = [...found].map(([file, { digest }]) => `${file} ${digest}`).sort();
      return isAnyMissing ? [...used, ...[...snippets.keys()].sort()] : used;
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

/** Whether a file may define components: the test is fast, and finds some that define none. */
export function mayDefineComponents({ kind, body }: Pick<SourceSnippet, 'kind' | 'body'>): boolean {
  return kind === 'jsx' || (kind === 'mdx' && /^export\s/m.test(body));
}
