import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { errorCode } from '../../integration/errors.ts';
import { detached } from '../../integration/text/detach.ts';
import { cachedJson, type ExportCache } from '../../integration/output/export-cache.ts';
import { generator } from '../version.ts';
import { conflictIn, conflictProblem } from './merge-conflict.ts';
import { firstHeading } from './first-heading.ts';
import { bodyOf, readFrontmatter } from './frontmatter.ts';
import { misspelledKeys } from './frontmatter-keys.ts';
import { importedFiles, specifiersOf } from './snippets.ts';
import type { DialectIssue, DialectPage } from './dialects/page-files.ts';
import { readersOf } from './readers.ts';
import type { SourcePage } from './source.ts';
import { isInDocs, realPath } from './walk.ts';

/** Larger pages are skipped and reported: they contain data rather than prose, and one slows down all others. */
export const largestPage = 5 * 1024 * 1024;

/** What a file says besides its body, and the issues found in it: plain JSON. */
type TextFacts = Pick<SourcePage, 'frontmatter' | 'heading' | 'specifiers' | 'bodyLine' | 'lines' | 'digest' | 'included'> & {
  imports: string[];
  /** Whether the body or the issues depend on other files. */
  includes?: true;
  problems: Problem[];
};

/** A Markdown, JSX or TSX file, before Carrel knows whether it is a page. */
export interface TextFile {
  file: string;
  kind: 'mdx' | 'md' | 'jsx';
  facts: TextFacts;
  /** Text after the frontmatter. Throws `SourceChanged`. */
  body(): string;
}

/** A file that was not read, because it was the same as in the last run, changed before its body was needed. */
export class SourceChanged extends Error {
  override name = 'SourceChanged';
}

export interface ReadTextsOptions {
  /** Folders outside the docs folder whose files pages may include. */
  includeRoots?: readonly string[];
  /** Stores what files say between runs, so that unchanged files are not read. */
  cache?: ExportCache;
  /** Milliseconds since 1970. */
  now?: number;
  /** Called while files are read. */
  onRead?: (done: number, total: number) => void;
  /** What the files of the folder with these paths will contain, once an editor saves them. */
  unsaved?: ReadonlyMap<string, string>;
  /** For a folder that is opened repeatedly: its files are read again only when they have changed. */
  openedTexts?: OpenedTexts;
}

/** The texts of files that were read before, each with the disk entries of the file and of those that it includes. */
export type OpenedTexts = Map<string, { text: TextFile; entries: [path: string, ...DiskEntry][] }>;

/** The disk entry of a file and what the file says, by file. */
type KnownTexts = Record<string, [...DiskEntry, facts: TextFacts]>;
type DiskEntry = [size: number, mtime: number, changed: number, inode: number];

/** Version of `TextFacts` and of how files are read: older cache entries are ignored. */
const format = 8;

function kindOf(file: string): TextFile['kind'] | undefined {
  const [, extension] = /\.(mdx?|[jt]sx)$/i.exec(file.toLowerCase()) ?? [];
  return extension === 'tsx' ? 'jsx' : (extension as TextFile['kind'] | undefined);
}

/** So many characters of bodies stay in memory; the other files are read again, so a large folder does not need memory for all texts at once. */
const mostKept = 64 * 1024 * 1024;

/** Files read between two reports of progress. */
const filesBetween = 32;

/** Reads the text files of a folder. Files that cannot be read or decoded are reported in `problems`. */
export function readTexts(
  root: string,
  files: string[],
  problems: Problem[],
  { cache, now = Date.now(), includeRoots = [], onRead, unsaved, openedTexts }: ReadTextsOptions = {},
): TextFile[] {
  const roots = [root, ...includeRoots];
  const key = `texts-${format}/${generator}/${roots.join('\n')}`;
  const stored = openedTexts?.size ? undefined : cache;
  const known = new Map(Object.entries(cachedJson<KnownTexts>(stored?.get(key)) ?? {}));
  const next: KnownTexts = {};
  let isSame = true;
  let kept = 0;
  const readAgain = ({ facts, ...text }: Omit<TextFile, 'body'>): TextFile['body'] => {
    let known: string | undefined;
    return () => {
      if (known !== undefined) return known;
      const body = bodyAgain(roots, text, facts);
      if (kept + body.length > mostKept) return body;
      kept += body.length;
      return (known = body);
    };
  };
  const open = (text: TextFile): TextFile => {
    const entries = unsaved?.has(text.file) ? undefined : entriesOf(root, text, now);
    if (entries) openedTexts?.set(text.file, { text, entries });
    return text;
  };
  const texts = files.flatMap((file, index): TextFile[] => {
    if (index % filesBetween === filesBetween - 1) onRead?.(index, files.length);
    const kind = kindOf(file);
    if (!kind) return [];
    const path = join(root, file);
    const text = unsaved?.get(file);
    const opened = text === undefined ? openedTexts?.get(file) : undefined;
    if (opened?.entries.every(([one, ...entry]) => isAt([...entry, undefined], statSync(one, { throwIfNoEntry: false })))) {
      problems.push(...opened.text.facts.problems);
      return [opened.text];
    }
    openedTexts?.delete(file);
    const stats = text === undefined && cache ? statSync(path, { throwIfNoEntry: false }) : undefined;
    const previous = known.get(file);
    if (stats && previous && isAt(previous, stats)) {
      known.delete(file);
      next[file] = previous;
      const facts = previous[4];
      problems.push(...facts.problems);
      return [open({ file, kind, facts, body: readAgain({ file, kind, facts }) })];
    }
    if (text !== undefined) known.delete(file);
    const bytes = readPage(path, file, problems, text);
    if (!bytes) return [];
    const { body, ...read } = readFacts(bytes, roots, file, kind);
    const canStore = cache !== undefined && text === undefined && !read.includes && isPlain(read.frontmatter);
    kept += body.length;
    const isKept = !canStore || kept <= mostKept;
    const facts = isKept ? read : detached(read);
    problems.push(...facts.problems);
    if (stats && isSettled(stats, now) && canStore) {
      next[file] = [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino, facts];
      isSame = false;
    }
    return [open({ file, kind, facts, body: isKept ? always(body) : readAgain({ file, kind, facts }) })];
  });
  if (!isSame || known.size > 0) stored?.set(key, JSON.stringify(next));
  return texts;
}

/** The disk entries of a file and of those that it includes; undefined if a change need not show in them. */
function entriesOf(root: string, { file, facts }: TextFile, now: number): [path: string, ...DiskEntry][] | undefined {
  if (facts.problems.some(({ kind }) => kind.startsWith('snippet-'))) return undefined;
  const paths = [file, ...(facts.included ?? []).map((one) => one.file)].map((one) => join(root, one));
  const entries = paths.map((path): [string, ...DiskEntry] | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && isSettled(stats, now) ? [path, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino] : undefined;
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

// A function of its own: closures of one scope keep all that any of them uses.
function always<Value>(value: Value): () => Value {
  return () => value;
}

/** A file as it is read: its body, what it says besides, and the issues found in it. */
function readFacts(bytes: Buffer, roots: readonly string[], file: string, kind: TextFile['kind']): TextFacts & { body: string } {
  const problems: Problem[] = [];
  const text = decode(bytes, file, problems);
  const digest = hash('sha256', bytes, 'hex');
  const { problem, ...page } = kind === 'jsx' ? { frontmatter: {}, body: text, bodyLine: 0 } : readFrontmatter(text, file);
  const conflict = conflictIn(text);
  if (conflict !== undefined) problems.push(conflictProblem(file, text, conflict));
  else if (problem) problems.push(problem);
  else problems.push(...misspelledKeys(page.frontmatter, text, file));
  const translated = translate(page, roots, { file, kind });
  if (!translated) return { ...page, ...bodyFacts(page.body), digest, imports: importedFiles(page.body, file), problems };
  const { frontmatter, bodyLine } = page;
  const { body, lines, issues, included, groupsOfFiles } = translated;
  problems.push(...issues.map((issue) => dialectProblem(issue, file, bodyLine)));
  const files = [...included.keys()];
  return {
    ...{ frontmatter, bodyLine, body },
    ...(lines && { lines }),
    ...(files.length > 0 && { included: files.map((one) => ({ file: one, groups: groupsOfFiles.get(one) ?? [] })) }),
    ...bodyFacts(body),
    digest: files.length === 0 ? digest : hash('sha256', [digest, ...included.values()].join('\0'), 'hex'),
    ...((files.length > 0 || issues.some(({ kind }) => kind !== 'unknown-syntax')) && { includes: true as const }),
    imports: [...importedFiles(body, file), ...files.filter((one) => partial.test(one))],
    problems,
  };
}

/** A body in the syntax of another generator, as Carrel reads it; undefined for all others. */
function translate(
  { frontmatter, body }: { frontmatter: Record<string, unknown>; body: string },
  roots: readonly string[],
  { file, kind }: Pick<TextFile, 'file' | 'kind'>,
) {
  if (kind === 'jsx' || !(mayBeDialect.test(body) || frontmatter.layout === 'home')) return undefined;
  const groupsOfFiles = new Map<string, string[]>();
  const read: DialectPage['read'] = (path, from) => {
    const found = readIncluded(roots, path, from);
    if ('file' in found) groupsOfFiles.set(found.file, readersOf(found.frontmatter ?? {}));
    return found;
  };
  return { ...loadDialects().translateDialects(body, { file, kind, frontmatter, read }), groupsOfFiles };
}

/** The modules that translate other generators' syntax are loaded only for a page that can have it. */
function loadDialects(): typeof import('./dialects/translate.ts') {
  const require = createRequire(import.meta.url);
  return require(import.meta.url.endsWith('.ts') ? './dialects/translate.ts' : './dialects/translate.js');
}

const mayBeDialect =
  /\{[{%:!*.#]|\{[a-z][\w:+-]*\}|\{ [.#*]|\{[ \t]*id=|\)\{|\]\(g\)|\+\+|==\S|\^\^|-8<-|<<<|@include:|\[!(?:INCLUDE|code)|<xref:|<template[ \t]|\(#tab\/|^[ \t]*:::code[ \t]|^::: +[a-z_]\w*\.\w|^ {0,3}:[ \t]+\S|^[ \t>]*(?:!!!|\?\?\?|===[+!]*[ \t]+"|\/\/\/)|\[_?TOC_?\]|:[a-z]+-[\w-]+:|\smarkdown[=>]|(?:(?<!`)`{3,}[^`\n]*|(?<!~)~{3,}[^~\n]*)\{\w+=|^\([\w.-]+\)=|(?:^[ \t]*\n|(?<![^]))[ \t]*\|.*\|[ \t]*\n[ \t]*\|(?![ \t|:-]+$).*\|[ \t]*$/im;

/** Files that exist to be included are not pages. */
const partial = /(?:^|\/)(?:_(?!index\.)[^/]*|includes?|partials?|snippets?)(?:\/.*)?\.mdx?$|(?:^|\/)_(?!index\.)[^/]*\.mdx?$/i;

/**
 * A file of the docs folder, or of another root, that `from` includes. Generators look beside the page, in the folder of their project, and in
 * folders of their own.
 */
function readIncluded([root = '', ...others]: readonly string[], path: string, from: string): ReturnType<DialectPage['read']> {
  const name = path.replace(/^(?:@|~)?\/+/, '');
  const inProject = name.replace(/^(?:docs|content|src|site)\//, '');
  const isAbsolute = name !== path;
  const folders = ['', '_includes', 'includes', 'snippets'].map((folder) => posix.join(folder, name));
  // DocFX counts from the folder of its project, which can be any above the page.
  const above = path.startsWith('~/') ? from.split('/').slice(0, -1) : [];
  const inAbove = above.map((_, i) => [...above.slice(0, i + 1), name].join('/')).reverse();
  // MkDocs counts from the folder of its configuration, which contains the docs folder.
  const outside = others.flatMap((other) => [join(other, name), join(other, name.replace(/^(?:\.\.\/)+/, ''))]);
  const fromConfig = others.length > 0 ? [join(root, '..', name)] : [];
  const candidates = [...inAbove, ...(isAbsolute ? [] : [posix.join(posix.dirname(from), path)]), ...folders, inProject];
  const isAllowed = (file: string) => [root, ...others].some((folder) => isInDocs(folder, file));
  let isOutside = candidates.some((one) => !isAllowed(join(root, one)));
  for (const file of new Set([...candidates.map((one) => join(root, one)), ...fromConfig, ...outside].filter(isAllowed))) {
    const real = realPath(file);
    if (real === null) continue;
    if (!isAllowed(real)) isOutside = true;
    else {
      const stats = statSync(real);
      if (!stats.isFile() || stats.size > largestPage) continue;
      const found = relative(root, file).split(sep).join('/');
      const { body, frontmatter } = readFrontmatter(readFileSync(real, 'utf8'), found);
      return { file: found, body, frontmatter };
    }
  }
  return { refused: isOutside ? 'outside' : 'missing' };
}

function dialectProblem(issue: DialectIssue, file: string, bodyLine: number): Problem {
  const { what, line } = issue;
  const problems: Record<DialectIssue['kind'], Omit<Problem, 'page' | 'line'>> = {
    'unknown-syntax': {
      kind: 'unknown-syntax',
      severity: 'note',
      message: `"${what}" is not a tag that Carrel knows; only its content or text is shown.`,
      hint: 'Write the content as Markdown if something is missing.',
    },
    'snippet-missing': createProblem({
      kind: 'snippet-missing',
      message: `"${what}", included by ${file}, was not found in the docs folder; its path is shown.`,
      hint: 'Correct the path, move the file into the docs folder, or export a folder that contains it.',
    }),
    'snippet-outside-folder': createProblem({
      kind: 'snippet-outside-folder',
      message: `"${what}", included by ${file}, is outside the docs folder and was not read; its path is shown.`,
      hint: 'Name a folder that contains it with --include-root, or move the file into the docs folder.',
    }),
    'snippet-too-deep': createProblem({
      kind: 'snippet-too-deep',
      message: `"${what}", included by ${file}, was not inserted: files can include others 8 levels deep and add 2 MB in total, but never themselves.`,
      hint: 'Look for a file that includes itself.',
    }),
  };
  return { ...problems[issue.kind], page: file, line: bodyLine + line };
}

/** What is known of a page from its body alone. */
export function bodyFacts(body: string): Pick<SourcePage, 'heading' | 'specifiers'> {
  return { heading: firstHeading(body), specifiers: specifiersOf(body) };
}

function bodyAgain(
  roots: readonly string[],
  { file, kind }: Pick<TextFile, 'file' | 'kind'>,
  { frontmatter, digest }: TextFacts,
): string {
  const bytes = readPage(join(roots[0]!, file), file, []);
  // The digest is that of the file alone: one that includes others is never read again.
  if (!bytes || hash('sha256', bytes, 'hex') !== digest) throw new SourceChanged(`"${file}" was changed while it was exported.`);
  const text = decode(bytes, file, []);
  const body = kind === 'jsx' ? text : bodyOf(text);
  return translate({ frontmatter, body }, roots, { file, kind })?.body ?? body;
}

function isAt([size, mtime, changed, inode]: [...DiskEntry, unknown], stats: Stats | undefined): boolean {
  return stats?.size === size && stats.mtimeMs === mtime && stats.ctimeMs === changed && stats.ino === inode;
}

/** Whether any later change of a file shows in its times. Some disks count whole seconds or two, and none counts finer than the system's clock ticks. */
function isSettled({ mtimeMs, ctimeMs }: Stats, now: number): boolean {
  const latest = Math.max(mtimeMs, ctimeMs);
  return latest < now - (latest % 1000 === 0 ? 2000 : 50);
}

/** Whether JSON can store a frontmatter: YAML can also express endless numbers and values that contain themselves. */
function isPlain(frontmatter: Record<string, unknown>): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(frontmatter)), frontmatter);
  } catch {
    return false;
  }
}

function readPage(path: string, file: string, problems: Problem[], text?: string): Buffer | null {
  try {
    const bytes = text === undefined ? readFileSync(path) : Buffer.from(text);
    if (bytes.length <= largestPage) return bytes;
    problems.push(
      createProblem({
        kind: 'page-too-large',
        page: file,
        message: `${file} is ${(bytes.length / 1024 / 1024).toFixed(1)} MB; pages over ${largestPage / 1024 / 1024} MB are skipped.`,
        hint: 'Split the page, or offer its content as a download.',
      }),
    );
  } catch (cause) {
    problems.push(fileNotReadableProblem(file, errorCode(cause)));
  }
  return null;
}

export function fileNotReadableProblem(file: string, code: string | undefined): Problem {
  return createProblem({
    kind: 'file-not-readable',
    page: file,
    message: `${file} cannot be read${code ? ` (${code})` : ''}. It is skipped.`,
    hint: 'Check its name and its permissions.',
  });
}

/** Decodes UTF-8, or UTF-16 with a byte-order mark. Invalid bytes become "\uFFFD", so that the page is still shown. */
function decode(bytes: Buffer, file: string, problems: Problem[]): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  const line = text.slice(0, Math.max(text.indexOf('\uFFFD'), 0)).split('\n').length;
  const shown = encoding === 'utf-8' ? 'invalid bytes are shown as "\uFFFD"' : `it was read as ${encoding.toUpperCase()}`;
  problems.push(
    createProblem({
      kind: 'page-not-utf8',
      page: file,
      line,
      message: `${file} is not UTF-8; ${shown}.`,
      hint: 'Save the file as UTF-8.',
    }),
  );
  return text;
}
