// What new names of files change in the others: links, the moved files' own relative links, and in docs.json the navigation and the redirects.
import { posix } from 'node:path';
import { applyEdits as applyJsonEdits, modify, parse, parseTree, visit } from 'jsonc-parser';
import type { TextEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { applyEdits, type Edit } from '../../integration/text/edit.ts';
import { objectOf } from '../../integration/text/json.ts';
import { decode } from '../../integration/urls/parts.ts';
import { encodePath } from '../../integration/urls/relative-url.ts';
import { normalPath } from '../site/page-paths.ts';
import { pagePath } from '../source/read-source.ts';
import type { ReadDocs } from './edited-docs.ts';
import { linksIn, pageOfLink, relativePath } from './links.ts';

/** A file or a folder of the docs folder that gets another path in it. */
export interface Move {
  from: string;
  to: string;
}

interface Texts {
  textOf(file: string): string | undefined;
  uriOf(file: string): string;
}

/** The edits by the URIs of the files, which still have their old names. */
export function editsOfMoves(read: ReadDocs, moves: readonly Move[], { textOf, uriOf }: Texts): Record<string, TextEdit[]> {
  const { source } = read.site;
  const edits = new Map<string, Edit[]>();
  for (const file of new Set([...source.pages, ...source.snippets.values()].map((one) => one.file)))
    edits.set(file, linkEdits(textOf(file) ?? '', { file, read, moves }));
  if (source.configFile !== undefined) edits.set(source.configFile, configEdits(textOf(source.configFile) ?? '', read, moves));
  return Object.fromEntries(
    [...edits].flatMap(([file, those]): [string, TextEdit[]][] => {
      const document = TextDocument.create('', '', 0, textOf(file) ?? '');
      const positionAt = (offset: number) => document.positionAt(offset);
      const changes = those.map(({ start, end, text }) => ({
        range: { start: positionAt(start), end: positionAt(end) },
        newText: text,
      }));
      return changes.length === 0 ? [] : [[uriOf(file), changes]];
    }),
  );
}

function moved(file: string, moves: readonly Move[]): string {
  const move = moves.find(({ from }) => file === from || file.startsWith(`${from}/`));
  return move ? move.to + file.slice(move.from.length) : file;
}

function linkEdits(text: string, { file, read, moves }: { file: string; read: ReadDocs; moves: readonly Move[] }): Edit[] {
  return linksIn(text).flatMap(({ url, start }): Edit[] => {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url)!;
    if (path === '' || /^[a-z][a-z\d+.-]*:|^\/\//i.test(path)) return [];
    const named = path.startsWith('/') ? decode(path.slice(1)) : posix.join(posix.dirname(file), decode(path));
    const target = pageOfLink(path, { ...read, file })?.source.file ?? named;
    const next = moved(target, moves);
    const isUnmoved = next === target && (path.startsWith('/') || moved(file, moves) === file);
    if (isUnmoved || !isKnown(target, read)) return [];
    const extension = posix.extname(path) === '' ? /\.mdx?$/i : /$/;
    const absolute = /\.\w+$/.test(path) ? next : pagePath(next, read.site.source.config === null);
    const changed = path.startsWith('/')
      ? `/${encodePath(absolute)}${path.endsWith('/') ? '/' : ''}`
      : relativePath(moved(file, moves), next, path.startsWith('.')).replace(extension, '');
    return changed === path ? [] : [{ start, end: start + url.length, text: changed + rest }];
  });
}

function isKnown(file: string, { site: { source } }: ReadDocs): boolean {
  return (
    source.snippets.has(file) ||
    [...source.pages, ...source.assets.map(({ path }) => ({ file: path }))].some((one) => one.file === file)
  );
}

/** The keys of docs.json whose values are paths of pages. */
const pageKeys = new Set<unknown>(['pages', 'root', 'href', 'destination']);

function configEdits(text: string, { site: { pages, source } }: ReadDocs, moves: readonly Move[]): Edit[] {
  if (!parseTree(text)) return [];
  const renamed = (file: string) => moved(file, moves) !== file;
  const movedPages = pages.filter(({ path, source: { file } }) => renamed(file) && path === pagePath(file, false));
  const paths = new Map(movedPages.map(({ path, source: { file } }) => [path, pagePath(moved(file, moves), false)]));
  const assets = new Map(source.assets.flatMap(({ path }) => (renamed(path) ? [[path, moved(path, moves)] as const] : [])));
  const edits: Edit[] = [];
  visit(text, {
    onLiteralValue(value: unknown, start, length, _line, _character, pathOf) {
      if (typeof value !== 'string') return;
      const [slash] = /^(?:\.?\/)?/.exec(value)!;
      const isPage = pageKeys.has(pathOf().findLast((one) => typeof one === 'string'));
      const next = assets.get(value.slice(slash.length)) ?? (isPage ? paths.get(normalPath(value)) : undefined);
      if (next !== undefined) edits.push({ start, end: start + length, text: JSON.stringify(slash + (next || 'index')) });
    },
  });
  const changed = withRedirects(applyEdits(text, edits), moves, paths);
  return changed === text ? [] : [difference(text, changed)];
}

/** The configuration with a redirect for each page or folder, and without those from paths that have a page now. */
function withRedirects(text: string, moves: readonly Move[], paths: ReadonlyMap<string, string>): string {
  const indent = /\n( +|\t)"/.exec(text)?.[1] ?? '  ';
  const formattingOptions = { insertSpaces: indent !== '\t', tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const change = (json: string, at: number, redirect: object | undefined) =>
    applyJsonEdits(
      json,
      modify(json, ['redirects', at], redirect, { formattingOptions, isArrayInsertion: redirect !== undefined }),
    );
  const taken = new Set(paths.values());
  const { redirects } = objectOf(parse(text));
  const kept = (Array.isArray(redirects) ? redirects : []).reduceRight<string>((json, redirect, index) => {
    return taken.has(normalPath(String(objectOf(redirect).source))) ? change(json, index, undefined) : json;
  }, text);
  return moves.reduce((json, { from, to }) => {
    const [path, next] = [pagePath(from, false), pagePath(to, false)];
    if (/\.mdx?$/i.test(from)) return paths.has(path) ? change(json, -1, { source: `/${path}`, destination: `/${next}` }) : json;
    const hasPages = [...paths.keys()].some((one) => one === from || one.startsWith(`${from}/`));
    return hasPages ? change(json, -1, { source: `/${from}/:slug*`, destination: `/${to}/:slug*` }) : json;
  }, kept);
}

/** The smallest single edit that makes one text of another. */
function difference(from: string, to: string): Edit {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  return { start, end: from.length - end, text: to.slice(start, to.length - end) };
}
