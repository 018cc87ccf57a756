import type { Problem } from '../../integration/diagnostics.ts';
import { lineAndColumn } from '../../integration/text/edit.ts';
import type { DocsConfig } from './docs-json.ts';
import type { FirstHeading } from './first-heading.ts';
import type { JsonPositions } from './parse-json.ts';

/** What a docs folder contains, unresolved. */
export interface Source {
  /** Absolute, real path of the docs folder. */
  root: string;
  /** The parsed docs.json (or converted mint.json); null for a plain folder. */
  config: DocsConfig | null;
  /** 'docs.json' or 'mint.json', for messages; undefined for a plain folder. */
  configFile?: string;
  /** The same, and the files that it includes with `$ref`. */
  configFiles: string[];
  /** The positions of the values of docs.json; undefined for a plain folder and mint.json. */
  positions?: () => JsonPositions;
  /** The name in a plain folder's package.json, without the scope. */
  packageName?: string;
  /** The texts of files that an editor has not saved yet, by their paths. */
  unsaved?: ReadonlyMap<string, string>;
  /** Sorted by `path` in code-unit order. */
  pages: SourcePage[];
  /** Files served at their own path. */
  assets: SourceAsset[];
  /** Snippet files (never pages), by their path in the folder: 'snippets/note.mdx'. */
  snippets: Map<string, SourceSnippet>;
  /** The definitions of the terms in glossary.json. */
  glossary?: ReadonlyMap<string, string>;
  /** Why navigation entries of API specifications have no page, by the entry. */
  unresolved?: ReadonlyMap<string, string>;
  /** The API specifications that were read: path, files, and whether they have parts that the audience of this source may not see. */
  specifications?: readonly { path: string; files: readonly string[]; isLimited: boolean }[];
  /** Paths of assets that the audience may not get as they are, since they have such parts. */
  withheld?: ReadonlySet<string>;
  /** Pages that the audience of this source may not see. They are in no other part of it. */
  limited?: LimitedPage[];
  problems: Problem[];
}

/** A page that only some readers may see. */
export interface LimitedPage {
  path: string;
  file: string;
  /** The groups of readers that may see it. */
  groups: string[];
  /** The snippet that is limited, if the page itself is not. */
  snippet?: string;
  /** For the last look at the export, which may have no word of it alone. */
  page: SourcePage;
}

export interface SourcePage {
  /** URL path without extension: 'guides/install'; '' for the root index. */
  path: string;
  /** Path in the folder, '/'-separated: 'guides/install.mdx'. */
  file: string;
  frontmatter: Record<string, unknown>;
  /** Text after the frontmatter. Of a file that is unchanged since the last run or of a large folder, it is read when it is needed: throws `SourceChanged` if it changed meanwhile. */
  readonly body: string;
  /** The heading in `body` that can be the title. */
  heading?: FirstHeading;
  /** What `body` imports, verbatim: files, packages and, of `<Snippet>`, paths. */
  specifiers: string[];
  /** Number of lines before `body`, so that problems can name the line in the file. */
  bodyLine: number;
  /** The line in the file's own body for each line of `body`; undefined if they are the same. Syntax of other generators takes more or fewer lines than ours. */
  lines?: number[];
  kind: 'mdx' | 'md';
  /** SHA-256 (hex) of the file's bytes, and of the files that it includes. */
  digest: string;
  /** The files that the body includes. */
  included?: IncludedFile[];
  /**
   * What the page describes after its body: path of the specification, name in it (`GET /users`), and the paths of the pages that it links to:
   * by the names of definitions in GraphQL, by `schema User` in OpenAPI.
   */
  described?: { specification: string; name: string; links?: Record<string, string> };
}

interface IncludedFile {
  file: string;
  /** The groups of readers that may see it; empty for everybody. */
  groups: string[];
}

/** Where relative URLs in a page's text begin: at its file, or at the path of a page that is made of a specification. */
export function urlBase({ path, file, described }: Pick<SourcePage, 'path' | 'file' | 'described'>): string {
  return described && file.startsWith(`${described.specification} (`) ? path : file;
}

/** The page with a changed body, which is computed when it is read. */
export function withBody(page: SourcePage, change: (body: string) => string): SourcePage {
  const { path, file, frontmatter, heading, specifiers, bodyLine, lines, kind, digest, included, described } = page;
  return {
    ...{ path, file, frontmatter, heading, specifiers, bodyLine, kind, digest },
    ...(lines && { lines }),
    ...(included && { included }),
    ...(described && { described }),
    get body() {
      return change(page.body);
    },
  };
}

/** The 1-based line in the page's file of a 1-based line of its body. */
export function lineInFile({ bodyLine, lines }: Pick<SourcePage, 'bodyLine' | 'lines'>, line: number): number {
  return bodyLine + (lines?.[line - 1] ?? line);
}

/** Where the page's file contains a URL verbatim, or the end of one. */
export function positionOfUrl(page: SourcePage, text: string): Pick<Problem, 'line' | 'column'> | undefined {
  const { body } = page;
  const at = startOfUrl(body, text);
  if (at < 0) return undefined;
  const { line, column } = lineAndColumn(body, at);
  return { line: lineInFile(page, line), ...(page.lines === undefined && { column }) };
}

/** Start of the URL that contains a text: of the first one that is no longer, or else of the first one. */
function startOfUrl(body: string, text: string): number {
  const first = body.indexOf(text);
  if (first < 0) return -1;
  const isWhole = (at: number) => delimiter.test(body[at - 1] ?? ' ') && delimiter.test(body[at + text.length] ?? ' ');
  let start = first;
  while (start >= 0 && !isWhole(start)) start = body.indexOf(text, start + 1);
  if (start < 0) start = first;
  if (delimiter.test(text[0] ?? '')) return start + 1;
  while (start > 0 && !delimiter.test(body[start - 1]!)) start--;
  return start;
}

const delimiter = /[\s()"'<>]/;

export interface SourceSnippet {
  file: string;
  frontmatter: Record<string, unknown>;
  body: string;
  bodyLine: number;
  lines?: number[];
  included?: IncludedFile[];
  kind: 'mdx' | 'md' | 'jsx';
  digest: string;
}

export interface SourceAsset {
  /** Path in the folder and in the export: 'images/logo.svg'. */
  path: string;
  /** Absolute path. */
  file: string;
  size: number;
  /** The file is in the public folder of the project around the docs: the export contains it only if a page uses it. */
  onlyIfUsed?: true;
}
