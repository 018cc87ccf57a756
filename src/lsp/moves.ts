// What new names of files change in the others: links, the moved files' own relative links, and in docs.json the navigation and the redirects.
import { posix } from 'node:path';
import { applyEdits as applyJsonEdits, modify, parse, parseTree, visit, type ParseError } from 'jsonc-parser';
import type { TextEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { applyEdits, type Edit } from '../../integration/text/edit.ts';
import { objectOf } from '../../integration/text/json.ts';
import { decode } from '../../integration/urls/parts.ts';
import { encodePath } from '../../integration/urls/relative-url.ts';
import { isExternal, normalPath } from '../site/page-paths.ts';
import { pagePath } from '../source/read-source.ts';
import type { FollowedFolder, ReadDocs } from './follow-folder.ts';
import { linksIn, pageOfLink, relativePath } from './links.ts';

/** A file or a folder of the docs folder that gets another path in it. */
export interface Move {
  from: string;
  to: string;
}

/** The edits by the URIs of the files, which still have their old names. */
export function editsOfMoves(
  read: ReadDocs,
  all: readonly Move[],
  { textOf, uriOf }: Pick<FollowedFolder, 'textOf' | 'uriOf'>,
): Record<string, TextEdit[]> {
  const { source } = read.site;
  // A page that becomes another file is gone, like a deleted one: a check reports the links to it.
  const moves = all.filter(({ from, to }) => !isPage(from) || isPage(to));
  const pages = [...source.pages, ...source.snippets.values()].map(({ file }) => file);
  const files = new Set([...pages, ...source.snippets.keys(), ...source.assets.map(({ path }) => path)]);
  const editsOf = (file: string, text: string): Edit[] =>
    source.configFiles.includes(file) ? configEdits(text, { file, read, moves }) : linkEdits(text, { file, read, moves, files });
  return Object.fromEntries(
    [...source.configFiles, ...new Set(pages)].flatMap((file): [string, TextEdit[]][] => {
      const text = textOf(file);
      const edits = editsOf(file, text);
      const document = TextDocument.create('', '', 0, text);
      const rangeOf = ({ start, end }: Edit) => ({ start: document.positionAt(start), end: document.positionAt(end) });
      return edits.length === 0 ? [] : [[uriOf(file), edits.map((edit) => ({ range: rangeOf(edit), newText: edit.text }))]];
    }),
  );
}

function isPage(file: string): boolean {
  return /\.mdx?$/i.test(file);
}

function moved(file: string, moves: readonly Move[]): string {
  const move = moves.find(({ from }) => file === from || file.startsWith(`${from}/`));
  return move ? move.to + file.slice(move.from.length) : file;
}

interface Moved {
  file: string;
  read: ReadDocs;
  moves: readonly Move[];
}

function linkEdits(text: string, { file, read, moves, files }: Moved & { files: ReadonlySet<string> }): Edit[] {
  const ownNext = moved(file, moves);
  return linksIn(text).flatMap(({ url, start }): Edit[] => {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url)!;
    if (path === '' || isExternal(path)) return [];
    const isAbsolute = path.startsWith('/');
    const written = decode(path);
    const named = isAbsolute ? written.slice(1) : posix.join(posix.dirname(file), written);
    const target = pageOfLink(path, { ...read, file })?.source.file ?? named;
    const next = moved(target, moves);
    if ((next === target && (isAbsolute || ownNext === file)) || !files.has(target)) return [];
    const isFile = written.endsWith(posix.extname(target));
    const changed = isAbsolute
      ? `/${encodePath(isFile ? next : pagePath(next, read.site.source.config === null))}${path.endsWith('/') ? '/' : ''}`
      : relativePath(ownNext, next, path.startsWith('.')).replace(isFile ? /$/ : /\.mdx?$/i, '');
    return changed === path ? [] : [{ start, end: start + url.length, text: changed + rest }];
  });
}

/** The keys of docs.json whose values are paths of pages. */
const pageKeys = new Set<unknown>(['pages', 'root', 'href', 'destination']);

function configEdits(text: string, { file, read: { site }, moves }: Moved): Edit[] {
  const faults: ParseError[] = [];
  if (!parseTree(text, faults)) return [];
  const movedPages = site.pages.flatMap(({ path, source }): [string, string][] => {
    const next = pagePath(moved(source.file, moves), false);
    return path === pagePath(source.file, false) && path !== next ? [[path, next]] : [];
  });
  const paths = new Map(movedPages);
  const assets = new Map(site.source.assets.map(({ path }) => [path, moved(path, moves)]));
  const edits: Edit[] = [];
  visit(text, {
    onLiteralValue(value: unknown, start, length, _line, _character, pathOf) {
      if (typeof value !== 'string') return;
      const key = pathOf().findLast((one) => typeof one === 'string') ?? 'pages';
      const isUrl = key === 'href' || key === 'destination';
      const [, slash = '', path = '', rest = ''] = (isUrl ? /^(\.?\/)?([^?#]*)(.*)$/s : /^(\.?\/)?(.*)$/s).exec(value)!;
      const page = pageKeys.has(key) ? paths.get(normalPath(path)) : undefined;
      const next = assets.get(path) ?? (isUrl && page !== undefined ? encodePath(page) : page);
      if (next !== undefined && next !== path)
        edits.push({ start, end: start + length, text: JSON.stringify(slash + (next || (isUrl ? '' : 'index')) + rest) });
    },
  });
  // In JSON that is broken, or in a part of docs.json, there is no place for redirects.
  if (faults.length > 0 || file !== site.source.configFiles[0]) return edits;
  const corrected = applyEdits(text, edits);
  const changed = withRedirects(corrected, moves, paths);
  return changed === corrected ? edits : [difference(text, changed)];
}

/** The configuration with a redirect for each page or folder, and without those from paths that have a page now. */
function withRedirects(text: string, moves: readonly Move[], paths: ReadonlyMap<string, string>): string {
  const { redirects = [] } = objectOf(parse(text));
  if (!Array.isArray(redirects)) return text;
  const indent = /\n( +|\t)"/.exec(text)?.[1] ?? '  ';
  const formattingOptions = { insertSpaces: indent !== '\t', tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const change = (json: string, at: number, redirect?: object) =>
    applyJsonEdits(
      json,
      modify(json, ['redirects', at], redirect, { formattingOptions, isArrayInsertion: redirect !== undefined }),
    );
  const taken = new Set([...paths.values(), ...moves.map(({ to }) => `${to}/:slug*`)]);
  const kept = redirects.reduceRight<string>(
    (json, redirect, index) => (taken.has(normalPath(String(objectOf(redirect).source))) ? change(json, index) : json),
    text,
  );
  const added = moves.flatMap(({ from, to }): [string, string][] => {
    if (!isPage(from))
      return [...paths.keys()].some((path) => `${path}/`.startsWith(`${from}/`)) ? [[`${from}/:slug*`, `${to}/:slug*`]] : [];
    const path = pagePath(from, false);
    return paths.has(path) ? [[path, paths.get(path)!]] : [];
  });
  // Some servers and disks do not distinguish case, so that a redirect would lead to itself.
  return added.reduce((json, [source, destination]) => {
    const isSame = taken.has(source) || source.toLowerCase() === destination.toLowerCase();
    return isSame ? json : change(json, -1, { source: `/${encodePath(source)}`, destination: `/${encodePath(destination)}` });
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
