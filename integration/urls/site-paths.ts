// What a path of a site means: a page, a file, a page that the export excludes, or what a redirect leads to.
import { cleanPath, decode, isElsewhere, splitUrl, withoutBase } from './parts.ts';
import { encodePath } from './relative-url.ts';
import type { SafeNames } from './safe-names.ts';

export interface Target {
  kind: 'page' | 'file' | 'elsewhere' | 'excluded' | 'limited' | 'missing';
  /** Encoded path in the export; verbatim for what lies elsewhere. */
  file: string;
  /** Path of the page. */
  page?: string;
  /** With its `?`. */
  query: string;
  /** With its `#`. */
  hash: string;
  /** The decoded path that was looked for: only of a target that is missing, excluded, limited or outside. */
  wanted?: string;
  /** Whether it lies outside the base of the site. */
  isOutside?: true;
  /** First folder of the URL, where its target was found only without that folder. */
  base?: string;
}

/** A page of the site: its path, and its file where the site has one. */
interface SitePage {
  path: string;
  file?: string;
}

/** How the URLs of a kind of site are read. */
export interface UrlRules {
  /** What the root-absolute URLs of the site begin with: '/' or '/docs/'. */
  base: string;
  /** URL of the site, ending in a slash. */
  siteUrl?: string;
  /** What URLs may begin with, where authors also write them without: '/docs/'. */
  optionalBase?: string;
  /**
   * Whether authors write URLs in several ways: with a folder before them, or from the root of the site where they are in a page.
   * Otherwise URLs are read as browsers and hosts read them.
   */
  isLenient: boolean;
  /** Whether authors begin the URLs of other sites on the host with a slash, as in DocFX. Applies to lenient rules. */
  isPartOfHost?: boolean;
  /** The name under which a page is found. */
  nameOf(page: SitePage): string;
  /** The names that a clean path may mean, best first; `isFolder` when it was written with a slash at its end. */
  candidates(path: string, isFolder: boolean): string[];
  /** The path that a page with one of these names would have. */
  pathOf(name: string): string;
  /** Decoded root-absolute paths that relative URLs on a page start from, first the one of the page itself. */
  startsOf(page: SitePage): string[];
  /** The target of links to an excluded page: below the site's URL, or in the export if that URL is unknown. */
  excluded(page: string, path: string): { onSite: string; file: string };
}

export interface ResolverInput {
  names: Pick<SafeNames, 'page' | 'markdown' | 'asset'>;
  pages: SitePage[];
  /** Paths of pages that the site has and this export excludes. */
  excluded?: string[];
  /** Paths of pages that the readers of this export may not see: nothing links to them. */
  limited?: string[];
  /** Paths of files that are not pages. */
  files: string[];
  /** `from` is a path, `to` a URL without the base. */
  redirects: { from: string; to: string }[];
  /** The redirect target of a path that no list can contain, such as any below an old folder. */
  redirectOf?(path: string): string | undefined;
  /** Path of the page that `/` links to. */
  home: string;
  rules: UrlRules;
}

const mostRedirects = 20;

/** Resolves the decoded paths of a site, without its base. It follows redirects, so links go directly to their targets. */
export function sitePaths(input: ResolverInput) {
  const { names, pages, excluded = [], limited = [], files, redirects, redirectOf, home, rules } = input;
  const { optionalBase, siteUrl, isLenient } = rules;
  const pageOf = lookup(pages.map((page) => [rules.nameOf(page), page.path]));
  const excludedOf = lookup(excluded.map((path) => [path, path]));
  const limitedOf = lookup(limited.map((path) => [path, path]));
  const fileOf = lookup(files.map((path) => [path, path]));
  const redirectTo = lookup(
    redirects.map(({ from, to }) => [cleanPath(decode(splitUrl(from).path)), { to }] as [string, { to: string }]),
  );
  const named = [...pages.map(rules.nameOf), ...excluded, ...limited, ...files, ...redirects.map(({ from }) => cleanPath(from))];
  const folders = new Set(isLenient ? named.map(firstFolder) : []);
  const encoded = new Map<string, string>();

  const encodedFile = (file: string) => {
    let path = encoded.get(file);
    if (path === undefined) encoded.set(file, (path = encodePath(file)));
    return path;
  };
  const pageTarget = (page: string, query: string, hash: string): Target => ({
    kind: 'page',
    page,
    file: encodedFile(names.page(page)),
    query,
    hash,
  });
  const excludedTarget = (page: string, path: string, query: string, hash: string): Target => {
    const { onSite, file } = rules.excluded(page, path);
    // Without a public URL, the link points to where the page would be, and works once the page is there.
    return siteUrl === undefined
      ? { kind: 'excluded', file: encodePath(file), query, hash, wanted: page }
      : { kind: 'elsewhere', file: siteUrl + encodePath(onSite), query, hash };
  };
  const redirected = (to: string, query: string, hash: string, redirects: number): Target => {
    const url = splitUrl(to);
    const target: Target = isElsewhere(to)
      ? { kind: 'elsewhere', file: url.path, query: url.query, hash: url.hash }
      : resolvePath(`/${decode(url.path)}`, url.query, url.hash, redirects + 1);
    return { ...target, query: target.query || query, hash: target.hash || hash };
  };

  /** `path` is decoded and without the base. */
  const resolveInSite = (path: string, query: string, hash: string, redirects: number): Target => {
    const wanted = cleanPath(path);
    for (const name of rules.candidates(wanted, path.endsWith('/'))) {
      const page = pageOf(name);
      if (page !== undefined) return pageTarget(page, query, hash);
      const file = fileOf(name);
      // A query on a file only identifies a cached version; some hosts would not find the file with it.
      if (file !== undefined) return { kind: 'file', file: encodedFile(names.asset(file)), query: '', hash };
      const excludedPath = excludedOf(rules.pathOf(name));
      if (excludedPath !== undefined) return excludedTarget(excludedPath, path, query, hash);
      const limitedPath = limitedOf(rules.pathOf(name));
      if (limitedPath !== undefined) return { kind: 'limited', file: '', query: '', hash: '', wanted: limitedPath };
      const to = redirectTo(name)?.to ?? redirectOf?.(name);
      if (to !== undefined && redirects < mostRedirects) return redirected(to, query, hash, redirects);
    }
    if (wanted === '' || wanted === 'index.html') return pageTarget(home, query, hash);
    return { kind: 'missing', file: encodePath(wanted), query, hash, wanted };
  };

  // Many sites are published in a folder (`example.com/docs/`), and their authors write its name in URLs.
  const resolveLenient = (path: string, query: string, hash: string, redirects: number): Target => {
    const target = resolveInSite(path, query, hash, redirects);
    if (target.kind !== 'missing') return target;
    const wanted = cleanPath(path);
    if (optionalBase !== undefined) {
      const inside = withoutBase(`/${wanted}`, optionalBase);
      return inside === undefined ? target : foundOr(target, resolveInSite(inside, query, hash, redirects));
    }
    const folder = firstFolder(wanted);
    if (folder === wanted || folders.has(folder) || notBase.test(folder)) return target;
    const found = resolveInSite(wanted.slice(folder.length), query, hash, redirects);
    return found.kind === 'page' || found.kind === 'file' ? { ...found, base: folder } : target;
  };
  const resolvePath = isLenient ? resolveLenient : resolveInSite;

  return {
    pageOf,
    pageTarget,
    encodedFile,
    /** Whether the site has the first folder of a path. Known where rules are lenient. */
    hasFolderOf: (path: string): boolean => folders.has(firstFolder(path)),
    resolve: (path: string, query: string, hash: string): Target => resolvePath(path, query, hash, 0),
  };
}

// A language or a version that the site does not have: its pages are not the pages of the same name here.
const notBase = /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|v?\d[\w.]*|latest|next|stable)$/i;

function firstFolder(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? path : path.slice(0, slash);
}

/** The second target, unless nothing was found there either. */
export function foundOr(missing: Target, found: Target): Target {
  return found.kind === 'missing' ? missing : found;
}

/** Finds a value by name: verbatim, in the other Unicode form, or in another letter case. Of two values with one name, the first wins. */
function lookup<Value>(entries: [name: string, value: Value][]): (name: string) => Value | undefined {
  const exact = new Map<string, Value>();
  const folded = new Map<string, Value>();
  for (const [name, value] of entries) {
    if (!exact.has(name)) exact.set(name, value);
    const normal = name.normalize('NFC');
    const lower = normal.toLowerCase();
    if (!folded.has(normal)) folded.set(normal, value);
    if (lower !== normal && !folded.has(lower)) folded.set(lower, value);
  }
  return (name) => {
    if (exact.has(name)) return exact.get(name);
    const normal = name.normalize('NFC');
    return folded.get(normal) ?? folded.get(normal.toLowerCase());
  };
}
