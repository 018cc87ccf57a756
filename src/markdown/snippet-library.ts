import type { Problem } from '../../integration/diagnostics.ts';
import type { SourceSnippet } from '../source/source.ts';
import { readModule, type Module } from './modules.ts';
import { parseMarkdown } from './parse.ts';
import { prepare } from './prepare.ts';
import { reporter, reportFaults } from './reporter.ts';
import { createSnippetUses, type SnippetUses } from './snippet-uses.ts';
import type { MarkdownNode, Parser } from './tree.ts';

/** A parsed snippet: its tree, and what it imports and exports. */
export interface Snippet {
  file: string;
  source: string;
  nodes: MarkdownNode[];
  module: Module;
  kind: 'mdx' | 'md';
  /** What is wrong with its Markdown. */
  problems: Problem[];
}

export interface SnippetLibrary extends Pick<SnippetUses, 'resolve'> {
  get(file: string): Snippet;
}

export function createSnippetLibrary(
  snippets: Map<string, SourceSnippet>,
  variables: Record<string, string>,
  parser?: Parser,
): SnippetLibrary {
  const read = new Map<string, Snippet>();
  return {
    resolve: createSnippetUses(snippets).resolve,
    get(file) {
      let snippet = read.get(file);
      if (!snippet) read.set(file, (snippet = readSnippet(snippets.get(file)!, variables, parser)));
      return snippet;
    },
  };
}

function readSnippet(snippet: SourceSnippet, variables: Record<string, string>, parser?: Parser): Snippet {
  if (snippet.kind === 'jsx')
    return { file: snippet.file, source: '', nodes: [], module: readModule(snippet.body), kind: 'mdx', problems: [] };
  const parsed = parseMarkdown(prepare(snippet.body, variables), snippet.kind, parser);
  const { tree, source, invalid } = parsed;
  const nodes = tree.children ?? [];
  const problems: Problem[] = [];
  reportFaults(snippet, parsed, reporter(snippet, problems));
  const kind = invalid ? 'md' : snippet.kind;
  return { file: snippet.file, source, nodes, module: readModule(moduleSource(nodes)), kind, problems };
}

/** The import and export lines of a tree, also those between the tags of elements. */
export function moduleSource(nodes: MarkdownNode[]): string {
  return nodes
    .flatMap((node) => {
      if (node.type === 'mdxjsEsm') return node.value ?? '';
      return (node.type === 'mdxJsxFlowElement' && moduleSource(node.children ?? [])) || [];
    })
    .join('\n');
}
