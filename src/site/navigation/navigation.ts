import { posix } from 'node:path';
import { createProblem, type Problem } from '../../../integration/diagnostics.ts';
import type { NavigationEntry } from '../../source/docs-json.ts';
import type { Source } from '../../source/source.ts';
import { objectOf } from '../../../integration/text/json.ts';
import { languageTag } from '../../../integration/text/language-tag.ts';
import { mainLanguage } from '../languages.ts';
import { humanize, numberField, type PageFacts } from '../page-facts.ts';
import { normalPath } from '../page-paths.ts';
import { divisionKinds } from './navigation-items.ts';

/** The configured navigation, or else that of SUMMARY.md, or else one generated from the files. */
export function navigationOf(
  source: Source,
  pages: readonly PageFacts[],
  summary?: PageFacts,
): { root: NavigationEntry; problems: Problem[] } {
  const own = source.config?.navigation;
  if (own && (own.pages || own.groups || divisionKinds.some((name) => own[name]))) return { root: own, problems: [] };
  const root = {
    ...(summary ? navigationFromSummary(summary) : navigationOfFolder(pages)),
    ...(own?.global && { global: own.global }),
  };
  if (!source.config) return { root, problems: [] };
  const problem: Problem = createProblem({
    kind: 'navigation-missing',
    page: source.configFile,
    message: `${source.configFile} does not list pages in "navigation". The navigation is generated from the files.`,
    hint: 'List the pages under "navigation" to set their order.',
  });
  return { root, problems: [problem] };
}

interface Folder {
  name: string;
  index?: PageFacts;
  pages: PageFacts[];
  folders: Map<string, Folder>;
}

/**
 * Navigation of a folder without configuration: a group for each folder, named after its index page or itself.
 * Order: explicit first (`sidebar.order`, `sidebar_position`, `order`, `weight`, a leading number), then pages, then folders, by name.
 * `base` is the folder to list, '' for all.
 */
function navigationFromFiles(pages: readonly PageFacts[], base = ''): NavigationEntry {
  const root: Folder = { name: '', pages: [], folders: new Map() };
  for (const page of pages) context(page, root, base);
  const index = root.index && [root.index.path || 'index'];
  return { pages: [...(index ?? []), ...entries(root)] };
}

function context(page: PageFacts, root: Folder, base: string): void {
  const relative = base ? page.path.slice(base.length).replace(/^\//, '') : page.path;
  const names = relative === '' ? [] : relative.split('/');
  // An index page has the path of its folder; its file name distinguishes it from a page beside the folder.
  const isIndex = relative === '' || /(?:^|\/)(?:_?index|readme)\.mdx?$/i.test(page.source.file);
  const last = isIndex ? undefined : names.pop();
  let folder = root;
  for (const name of names) {
    const inner: Folder = folder.folders.get(name) ?? { name, pages: [], folders: new Map() };
    folder.folders.set(name, inner);
    folder = inner;
  }
  if (last === undefined) folder.index = page;
  else folder.pages.push(page);
}

function entries(folder: Folder): (string | NavigationEntry)[] {
  const pages = folder.pages.map((page) => ({ key: sortKey(posix.basename(page.path), page, 0), entry: page.path }));
  const folders = [...folder.folders.values()].map((inner) => ({
    key: sortKey(inner.name, inner.index, 1),
    entry: group(inner),
  }));
  return [...pages, ...folders].sort((a, b) => compareKeys(a.key, b.key)).map(({ entry }) => entry);
}

function group(folder: Folder): NavigationEntry {
  const { index } = folder;
  return {
    group: index ? (index.sidebarTitle ?? index.title) : humanize(folder.name),
    ...(index && { root: index.path }),
    pages: entries(folder),
  };
}

interface SortKey {
  order: number;
  kind: number;
  name: string;
}

function sortKey(name: string, page: PageFacts | undefined, kind: number): SortKey {
  const frontmatter = page?.source.frontmatter ?? {};
  const stated =
    numberField(objectOf(frontmatter.sidebar).order) ??
    numberField(frontmatter.sidebar_position) ??
    numberField(frontmatter.order) ??
    numberField(frontmatter.weight);
  const leading = /^(\d{1,4})(?:[-_. ]|$)/.exec(name)?.[1];
  return { order: stated ?? (leading === undefined ? Infinity : Number(leading)), kind, name: name.toLowerCase() };
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  if (a.order === Infinity && a.kind !== b.kind) return a.kind - b.kind;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Navigation of a folder without configuration, by language if its top-level folders are translations (`de/`, `pt-br/`). */
function navigationOfFolder(pages: readonly PageFacts[]): NavigationEntry {
  const translated = translationFolders(pages);
  if (translated.size === 0) return navigationFromFiles(pages);
  const rest = pages.filter((page) => !translated.has(topFolder(page)));
  const folders = [...translated].sort((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));
  const languages = folders.map((folder): NavigationEntry => {
    const own = pages.filter((page) => topFolder(page) === folder);
    return { language: folder, ...navigationFromFiles(own, folder) };
  });
  if (rest.length === 0) return { languages };
  return { languages: [{ language: mainLanguage(rest) ?? 'en', default: true, ...navigationFromFiles(rest) }, ...languages] };
}

/** Top-level folders named like a language in which enough pages have a counterpart elsewhere: `api/` or `go/` is not a language. */
function translationFolders(pages: readonly PageFacts[]): Set<string> {
  const paths = new Set(pages.map((page) => page.path));
  const inner = new Map<string, string[]>();
  for (const page of pages) {
    const folder = topFolder(page);
    if (!folder) continue;
    let own = inner.get(folder);
    if (!own) inner.set(folder, (own = []));
    own.push(page.path.slice(folder.length + 1));
  }
  for (const folder of inner.keys()) if (!isLanguage(folder)) inner.delete(folder);
  const folders = [...inner.keys()];
  const hasTwin = (folder: string, path: string) =>
    paths.has(path) || folders.some((other) => other !== folder && paths.has(path ? `${other}/${path}` : other));
  return new Set(
    [...inner].flatMap(([folder, pages]) =>
      pages.filter((path) => hasTwin(folder, path)).length * 2 >= pages.length ? folder : [],
    ),
  );
}

function topFolder(page: PageFacts): string {
  const slash = page.source.file.indexOf('/');
  return slash < 0 ? '' : page.source.file.slice(0, slash);
}

function isLanguage(folder: string): boolean {
  if (!/^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(folder)) return false;
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(languageTag(folder)) !== undefined;
}

/** The table of contents of a book: nested Markdown lists of links, with a heading for each part. */
const summaryFile = 'SUMMARY.md';

interface Line {
  indent: number;
  title: string;
  path?: string;
  pages: Line[];
}

/** Whether a page is the table of contents instead of content. */
export function isSummary(facts: PageFacts): boolean {
  return facts.source.file === summaryFile && linksOf(facts.source.body).length > 1;
}

/** The navigation in a SUMMARY.md. */
function navigationFromSummary(summary: PageFacts): NavigationEntry {
  const parts: Line[] = [{ indent: -1, title: '', pages: [] }];
  let open: Line[] = [];
  for (const line of summary.source.body.split('\n')) {
    const part = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (part !== undefined) {
      parts.push({ indent: -1, title: part, pages: [] });
      open = [];
      continue;
    }
    const entry = readLine(line);
    if (!entry) continue;
    open = open.filter((above) => above.indent < entry.indent);
    (open.at(-1) ?? parts.at(-1))?.pages.push(entry);
    open.push(entry);
  }
  return { pages: parts.flatMap((part) => (part.title && part.pages.length ? [toEntry(part)] : part.pages.map(toEntry))) };
}

function toEntry(line: Line): string | NavigationEntry {
  if (line.pages.length === 0 && line.path !== undefined) return line.path || 'index';
  return { group: line.title, ...(line.path !== undefined && { root: line.path || 'index' }), pages: line.pages.map(toEntry) };
}

function readLine(line: string): Line | undefined {
  const [, indent = '', title, url = ''] = /^(\s*)(?:[-*+]\s+)?\[([^\]]+)\]\(([^)]*)\)\s*$/.exec(line) ?? [];
  if (title === undefined) return undefined;
  // A draft chapter has a title but no link.
  const path = url.trim() === '' ? undefined : normalPath(url.replace(/#.*$/, '').replace(/(^|\/)README\.md$/i, '$1index.md'));
  return { indent: indent.replaceAll('\t', '    ').length, title, path, pages: [] };
}

function linksOf(body: string): RegExpMatchArray[] {
  return [...body.matchAll(/\]\([^)\s]+\.md(?:#[^)]*)?\)/g)];
}
