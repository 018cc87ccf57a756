import type { Problem } from '../../integration/diagnostics.ts';
import type { DocsConfig } from './docs-json.ts';
import type { Operation } from './specifications.ts';

/** What a docs folder contains, unresolved. */
export interface Source {
  /** Absolute, real path of the docs folder. */
  root: string;
  /** The parsed docs.json (or converted mint.json); null for a plain folder. */
  config: DocsConfig | null;
  /** 'docs.json' or 'mint.json', for messages; undefined for a plain folder. */
  configFile?: string;
  /** The name in a plain folder's package.json, without the scope. */
  packageName?: string;
  /** Sorted by `path` in code-unit order. */
  pages: SourcePage[];
  /** Files served at their own path, sorted by `path`. */
  assets: SourceAsset[];
  /** Snippet files (never pages), by their path in the folder: 'snippets/note.mdx'. */
  snippets: Map<string, SourceSnippet>;
  /** Operations of the API specifications that the navigation uses, by the specification's path. */
  specifications?: Map<string, Operation[]>;
  problems: Problem[];
}

export interface SourcePage {
  /** URL path without extension: 'guides/install'; '' for the root index. */
  path: string;
  /** Path in the folder, '/'-separated: 'guides/install.mdx'. */
  file: string;
  frontmatter: Record<string, unknown>;
  /** Text after the frontmatter. */
  body: string;
  /** Number of lines before `body`, so that problems can name the line in the file. */
  bodyLine: number;
  kind: 'mdx' | 'md';
  /** SHA-256 (hex) of the file's bytes. */
  digest: string;
}

export interface SourceSnippet {
  file: string;
  body: string;
  kind: 'mdx' | 'md' | 'jsx';
  digest: string;
}

export interface SourceAsset {
  /** Path in the folder and in the export: 'images/logo.svg'. */
  path: string;
  /** Absolute path. */
  file: string;
  size: number;
}
