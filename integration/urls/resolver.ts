// Resolves the URLs on a site's pages to a page, a file of the export or another site, or finds that they are broken.
import { detached } from '../text/detach.ts';
import { urlJoiner, cleanPath, decode, isElsewhere, splitUrl, withoutBase } from './parts.ts';
import { encodePath } from './relative-url.ts';
import type { SafeNames } from './safe-names.ts';

export interface Target {
  kind: 'page' | 'file' | 'elsewhere' | 'excluded' | 'missing';
  /** Encoded path in the export; verbatim for what lies elsewhere. */
  file: string;
  /** Path of the page. */
  page?: string;
  /** With its `?`. */
  query: string;
  /** With its `#`. */
  hash: string;
  /** The decoded path that was looked for: only of a target that is missing, excluded or outside. */
  wanted?: string;
  /** Whether it lies outside the base of the site. */
  isOutside?: true;
  /** First folder of the URL, where its target was found only without that folder. */
  base?: string;
}

export type Resolver = ReturnType<typeof createResolver>;

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

/** Resolves every URL of a site. It follows redirects, so links go directly to their targets. */
export function createResolver(input: ResolverInput) {
  const { names, pages, excluded = [], files, redirects, redirectOf, home, rules } = input;
  const { base, optionalBase, siteUrl, isLenient } = rules;
  const pageOf = lookup(pages.map((page) => [rules.nameOf(page), page.path]));
  const excludedOf = lookup(excluded.map((path) => [path, path]));
  const fileOf = lookup(files.map((path) => [path, path]));
  const redirectTo = lookup(
    redirects.map(({ from, to }) => [cleanPath(decode(splitUrl(from).path)), { to }] as [string, { to: string }]),
  );
  const pageByPath = new Map(pages.map((page) => [page.path, page]));
  const origin = siteUrl === undefined ? undefined : new URL(siteUrl).origin;
  const folders = new Set(
    isLenient
      ? [...pages.map(rules.nameOf), ...excluded, ...files, ...redirects.map(({ from }) => cleanPath(from))].map(firstFolder)
      : [],
  );
  const encoded = new Map<string, string>();
  const known = new Map<string, Target>();

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

  const resolveAbsolute = (url: string): Target => {
    const { path, query, hash } = splitUrl(url);
    const decoded = decode(path);
    if (isLenient) return resolveLenient(decoded, query, hash, 0);
    const inside = withoutBase(decoded, base);
    if (inside !== undefined) return resolveInSite(inside, query, hash, 0);
    if (origin !== undefined) return { ...elsewhere(origin + url), wanted: cleanPath(decoded), isOutside: true };
    const target = resolveInSite(decoded, query, hash, 0);
    return target.kind === 'missing' ? { ...target, isOutside: true } : target;
  };
  const remembered = (url: string): Target => {
    let target = known.get(url);
    if (target === undefined) {
      const own = detached(url);
      known.set(own, (target = resolveAbsolute(own)));
    }
    return target;
  };

  /** A URL in a folder that the site does not have belongs to another site on the host, if those are linked that way. */
  const onHost = (target: Target, url: string): Target => {
    if (!rules.isPartOfHost || target.wanted === undefined || folders.has(firstFolder(target.wanted))) return target;
    return { ...(origin === undefined ? target : elsewhere(origin + url)), wanted: target.wanted, isOutside: true };
  };

  // Full URLs of an existing site itself link to its copy.
  const own = (url: string): string | undefined => {
    if (isLenient || siteUrl === undefined || !isElsewhere(url)) return undefined;
    const plain = url.startsWith('//') ? siteUrl.slice(0, siteUrl.indexOf('/')) + url : url;
    if (`${plain}/` === siteUrl) return base;
    return plain.startsWith(siteUrl) ? base + plain.slice(siteUrl.length) : undefined;
  };
  const startsOf = (page: string) => rules.startsOf(pageByPath.get(page) ?? { path: page });
  // Pages are resolved one after another.
  let joined: { page: string; joiners: ((url: string) => string)[] } | undefined;
  const joinersOf = (page: string) => {
    if (joined?.page !== page) joined = { page, joiners: startsOf(page).map(urlJoiner) };
    return joined.joiners;
  };

  // `images/x.png` on `guides/install` was made root-absolute from the page's folder; authors also mean it from the root of the site.
  const fromRoot = (url: string, page: string): Target | undefined => {
    for (const start of startsOf(page)) {
      const folder = encodePath(start);
      if (folder === '/' || !url.startsWith(folder)) continue;
      const target = remembered(`/${url.slice(folder.length)}`);
      if (target.kind !== 'missing' && target.base === undefined) return target;
    }
    return undefined;
  };

  // `../images/x.png` on `guides/install` was made root-absolute from the page's folder; authors also mean it from the page's URL.
  const fromPageUrl = (url: string, page: string): Target | undefined => {
    const folders = page.split('/').map(encodePath);
    const written = url.slice(1).split('/');
    const shared = folders.findIndex((folder, i) => folder !== written[i]);
    if (shared < 0) return undefined;
    const target = remembered(`/${[...folders.slice(0, shared + 1), ...written.slice(shared)].join('/')}`);
    return target.kind !== 'missing' && target.base === undefined ? target : undefined;
  };

  const resolve = (written: string, page: string): Target => {
    const trimmed = written.trim();
    const url = own(trimmed) ?? trimmed;
    if (isElsewhere(url)) return elsewhere(url);
    if (url[0] === '#' || url === '') return { ...pageTarget(page, '', url), file: '' };
    if (url[0] === '/') {
      const target = remembered(url);
      if (target.kind !== 'missing' || !isLenient) return target;
      return (page === '' ? undefined : (fromPageUrl(url, page) ?? fromRoot(url, page))) ?? onHost(target, url);
    }
    const [join, ...otherJoins] = joinersOf(page);
    const target = remembered(join?.(url) ?? base);
    if (target.kind !== 'missing') return target;
    // Hosts also serve a page under its other URL (`/guides/install`, `/guides/install/`), from which its authors may have started.
    // A guess outside the site would match unrelated files.
    const inside = otherJoins.map((other) => other(url)).filter((other) => withoutBase(splitUrl(other).path, base) !== undefined);
    return inside.reduce((found, other) => foundOr(found, remembered(other)), target);
  };

  return {
    /** Whether a URL links to another site; the site's own full URL does not. */
    isElsewhere: (url: string): boolean => isElsewhere(url) && own(url) === undefined,
    /** The target of a URL on a page. */
    resolve,
    /** The same for the URL of a Markdown version (`/guides/install.md`; the type of the link marks it, not the suffix). */
    resolveMarkdown(written: string, page: string): Target {
      if (isElsewhere(written)) return elsewhere(written);
      const url = written[0] === '/' ? written : (joinersOf(page)[0] ?? urlJoiner(base))(written);
      const wanted = cleanPath(decode(splitUrl(url).path));
      const owner = pageOf(wanted.replace(/\.mdx?$/, '').replace(/^index$/, '')) ?? pageOf(wanted);
      if (owner === undefined) return resolve(written, page);
      return { kind: 'file', file: encodedFile(names.markdown(owner)), query: '', hash: '' };
    },
  };
}

// A language or a version that the site does not have: its pages are not the pages of the same name here.
const notBase = /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|v?\d[\w.]*|latest|next|stable)$/i;

function firstFolder(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? path : path.slice(0, slash);
}

function foundOr(missing: Target, found: Target): Target {
  return found.kind === 'missing' ? missing : found;
}

function elsewhere(url: string): Target {
  return { kind: 'elsewhere', file: url, query: '', hash: '' };
}

/** The target of a URL that the browser loads: a URL on the site's own host that the site does not contain is missing. */
export function loaded(target: Target): Target {
  return target.kind === 'elsewhere' && target.isOutside && target.wanted !== undefined
    ? { ...target, kind: 'missing', file: encodePath(target.wanted) }
    : target;
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
