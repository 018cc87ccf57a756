import { specifiersOf } from '../source/snippets.ts';
import type { SourcePage, SourceSnippet } from '../source/source.ts';
import { readModule, type Module } from './modules.ts';
import { parseMarkdown, type Parser } from './parse.ts';
import { prepare } from './prepare.ts';
import type { MarkdownNode } from './tree.ts';

/** A parsed snippet: its tree, and what it imports and exports. */
export interface Snippet {
  file: string;
  source: string;
  nodes: MarkdownNode[];
  module: Module;
  kind: 'mdx' | 'md';
}

export interface SnippetLibrary {
  /** Path of the file that `specifier` in `file` names, or the reason that there is none. */
  resolve(specifier: string, file: string): { file: string } | { refused: 'outside' | 'missing' | 'package' };
  get(file: string): Snippet;
  /** Sorted digests of all snippets that a page can use, directly and through other snippets. */
  dependencies(page: SourcePage): string[];
}

export function createSnippetLibrary(
  snippets: Map<string, SourceSnippet>,
  variables: Record<string, string>,
  parser?: Parser,
): SnippetLibrary {
  const read = new Map<string, Snippet>();
  const uses = new Map<string, string[]>();

  const resolve: SnippetLibrary['resolve'] = (specifier, file) => {
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
    get(file) {
      let snippet = read.get(file);
      if (!snippet) read.set(file, (snippet = readSnippet(snippets.get(file)!, variables, parser)));
      return snippet;
    },
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

function readSnippet(snippet: SourceSnippet, variables: Record<string, string>, parser?: Parser): Snippet {
  if (snippet.kind === 'jsx') return { file: snippet.file, source: '', nodes: [], module: readModule(snippet.body), kind: 'mdx' };
  const { tree, source, invalid } = parseMarkdown(prepare(snippet.body, variables), snippet.kind, parser);
  const nodes = tree.children ?? [];
  return { file: snippet.file, source, nodes, module: readModule(moduleSource(nodes)), kind: invalid ? 'md' : snippet.kind };
}

/** The import and export lines of a tree. */
export function moduleSource(nodes: MarkdownNode[]): string {
  return nodes
    .filter((node) => node.type === 'mdxjsEsm')
    .map((node) => node.value)
    .join('\n');
}
