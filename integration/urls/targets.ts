// Where addresses lead: to a page, a file of the export, another site, or nowhere.
import { encodePath } from './relative-url.ts';
import type { SafeNames } from './safe-names.ts';

export interface Target {
  kind: 'page' | 'file' | 'folder' | 'elsewhere' | 'left-out' | 'missing';
  /** Encoded path in the export; as written for what lies elsewhere. */
  file: string;
  /** Path of the page. */
  page?: string;
  /** With its `?`. */
  query: string;
  /** With its `#`. */
  hash: string;
  /** What was looked for, decoded: only where it is missing, left out or outside. */
  wanted?: string;
  /** Whether it lies outside what a finished site's addresses begin with. */
  isOutside?: true;
  /** First folder of the address, where what it means was found without it. */
  base?: string;
}

export interface Targets {
  /** Whether an address leads away from the site; its own full address does not. */
  isElsewhere(address: string): boolean;
  /** What an address means that stands on a page. */
  resolve(address: string, page: string): Target;
  /** The same for an address of a page's Markdown (`/guides/install.md`, by its type and not by its ending). */
  resolveMirror(address: string, page: string): Target;
}

export interface TargetsInput {
  names: SafeNames;
  pages: string[];
  /** Paths of pages that the site has and this export has not. */
  leftOut?: string[];
  /** Paths of files that are no pages. */
  files: string[];
  redirects: { from: string; to: string }[];
  /** Where a path leads that no list can hold, such as any below an old folder. */
  redirectOf?(path: string): string | undefined;
  /** Path of the page that `/` leads to. */
  home: string;
  /** Address of the site, ending in a slash: there the pages are that were left out. */
  siteUrl?: string;
  /** What addresses may begin with: the folder that the site is published in, such as 'docs'. */
  base?: string;
  /** Paths of pages that the site has elsewhere and that cannot be made here. */
  generated?: Iterable<string>;
}

/** Every way authors write an address of a page leads to it; redirects are followed here, so that a reader never meets one. */
export function createTargets({
  names,
  pages,
  leftOut = [],
  files,
  redirects,
  redirectOf,
  home,
  siteUrl,
  base = siteUrl === undefined ? '' : cleanPath(decode(new URL(siteUrl).pathname)),
  generated = [],
}: TargetsInput): Targets {
  const pageOf = lookup(pages);
  const leftOutOf = lookup(leftOut);
  const fileOf = lookup(files);
  const redirectTo = redirectsByPath(redirects);
  const known = new Map<string, Target>();
  const knownMirrors = new Map<string, Target>();
  const folders = new Set([...pages, ...leftOut, ...files, ...redirectTo.keys(), ...generated].map(firstFolder));
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

  // Without an address of the site the link leads to where the page would be, and works where it was put beside.
  const leftOutTarget = (page: string, query: string, hash: string): Target =>
    siteUrl === undefined
      ? { kind: 'left-out', file: encodePath(`${page}/index.html`), query, hash, wanted: page }
      : { kind: 'elsewhere', file: `${siteUrl}${encodePath(page)}/`, query, hash };

  const resolveAbsolute = (address: string, redirected: number, mayHaveBase = true): Target => {
    const { path, query, hash } = splitAddress(address);
    const wanted = cleanPath(decode(path));
    if (wanted === '') return pageTarget(pageOf('') ?? home, query, hash);
    const page = pageOf(wanted);
    if (page !== undefined) return pageTarget(page, query, hash);
    const file = fileOf(wanted);
    // A query on a file only tells caches apart; it would keep some hosts from finding the file.
    if (file !== undefined) return { kind: 'file', file: encodedFile(names.asset(file)), query: '', hash };
    const away = leftOutOf(wanted);
    if (away !== undefined) return leftOutTarget(away, query, hash);
    const to = redirectTo.get(wanted) ?? redirectOf?.(wanted);
    if (to !== undefined && redirected < 20) {
      const target = isElsewhere(to) ? elsewhere(to) : resolveAbsolute(`/${to.replace(/^\/+/, '')}`, redirected + 1, mayHaveBase);
      return { ...target, query: target.query || query, hash: target.hash || hash };
    }
    const name = wanted.replace(/\.(?:html?|mdx?)$/i, '').replace(/(?:^|\/)(?:index|README)$/, '');
    const bare = pageOf(name);
    if (bare !== undefined) return pageTarget(bare, query, hash);
    const bareAway = leftOutOf(name);
    if (bareAway !== undefined) return leftOutTarget(bareAway, query, hash);
    const missing: Target = { kind: 'missing', file: encodePath(wanted), query, hash, wanted };
    return (mayHaveBase ? withoutBase(wanted, query + hash, redirected) : undefined) ?? missing;
  };

  // Many sites are published in a folder (`example.com/docs/`), and their authors write its name in addresses.
  const withoutBase = (wanted: string, rest: string, redirected: number): Target | undefined => {
    const inside = (path: string) => resolveAbsolute(`/${encodePath(path)}${rest}`, redirected, false);
    if (base !== '' && (wanted === base || wanted.startsWith(`${base}/`))) {
      const target = inside(wanted.slice(base.length + 1));
      return target.kind === 'missing' ? undefined : target;
    }
    const folder = firstFolder(wanted);
    if (base !== '' || folder === wanted || folders.has(folder) || notBase.test(folder)) return undefined;
    const target = inside(wanted.slice(folder.length + 1));
    return target.kind === 'page' || target.kind === 'file' ? { ...target, base: folder } : undefined;
  };

  const remember = (path: string, make: (path: string) => Target, known: Map<string, Target>) => {
    let target = known.get(path);
    if (target === undefined) {
      const own = detached(path);
      known.set(own, (target = make(own)));
    }
    return target;
  };

  const resolveAddress = (address: string) => resolveAbsolute(address, 0);
  const resolveMirrorAddress = (path: string): Target => {
    const wanted = cleanPath(decode(splitAddress(path).path));
    const owner = pageOf(wanted.replace(/\.mdx?$/, '').replace(/^index$/, '')) ?? pageOf(wanted);
    if (owner === undefined) return resolveAbsolute(path, 0);
    return { kind: 'file', file: encodedFile(names.mirror(owner)), query: '', hash: '' };
  };

  // `images/x.png` on `guides/install` was made root-absolute from the page's folder; authors also mean it from the root of the site.
  const fromRoot = (address: string, page: string): Target | undefined => {
    for (const folder of [page, page.slice(0, Math.max(page.lastIndexOf('/'), 0))]) {
      const start = `/${encodePath(folder)}/`;
      if (folder === '' || !address.startsWith(start)) continue;
      const target = remember(`/${address.slice(start.length)}`, resolveAddress, known);
      if (target.kind !== 'missing' && target.base === undefined) return target;
    }
    return undefined;
  };

  const absolute = (address: string, page: string) => (address[0] === '/' ? address : joinAddress(page, address));

  return {
    isElsewhere,
    resolve(written, page) {
      const address = written[0] === '/' ? written : written.trim();
      if (isElsewhere(address)) return elsewhere(address);
      if (address[0] === '#' || address === '') return { ...pageTarget(page, '', address), file: '' };
      const path = absolute(address, page);
      const target = remember(path, resolveAddress, known);
      if (target.kind !== 'missing' || page === '') return target;
      if (path === address) return fromRoot(address, page) ?? target;
      // Other programs serve pages as files (`/guides/install`): there a relative address starts from the folder above.
      const above = absolute(address, page.slice(0, Math.max(page.lastIndexOf('/'), 0)));
      const alternative = remember(above, resolveAddress, known);
      return alternative.kind === 'missing' ? target : alternative;
    },
    resolveMirror(written, page) {
      if (isElsewhere(written)) return elsewhere(written);
      return remember(absolute(written, page), resolveMirrorAddress, knownMirrors);
    },
  };
}

// A language or a version that the site does not have: its page is not the one of the same name here.
const notBase = /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|v?\d[\w.]*|latest|next|stable)$/i;

function firstFolder(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? path : path.slice(0, slash);
}

/** Where each old path leads, the first to name it decides. */
export function redirectsByPath(redirects: { from: string; to: string }[]): Map<string, string> {
  const redirectTo = new Map<string, string>();
  for (const { from, to } of redirects) {
    const path = cleanPath(decode(splitAddress(from).path));
    if (!redirectTo.has(path)) redirectTo.set(path, to);
  }
  return redirectTo;
}

/** A copy that keeps nothing else in memory: a slice of a string keeps all of the string, here a page's HTML. */
export function detached<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Whether an address leaves the site or is none of a file: `https:`, `mailto:`, `data:`, `//host`. */
export function isElsewhere(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(address);
}

export function elsewhere(address: string): Target {
  return { kind: 'elsewhere', file: address, query: '', hash: '' };
}

/** What an address means that the browser loads: what is on the site's host outside the site is missing, for no host is to be asked. */
export function loaded(target: Target): Target {
  return target.kind === 'elsewhere' && target.isOutside
    ? { ...target, kind: 'missing', file: encodePath(target.wanted!) }
    : target;
}

/** An address with its percent signs decoded; those that encode nothing stay. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}

export function splitAddress(address: string): { path: string; query: string; hash: string } {
  const at = address.indexOf('#');
  const beforeHash = at < 0 ? address : address.slice(0, at);
  const question = beforeHash.indexOf('?');
  return {
    path: question < 0 ? beforeHash : beforeHash.slice(0, question),
    query: question < 0 ? '' : beforeHash.slice(question),
    hash: at < 0 ? '' : address.slice(at),
  };
}

/** Without slashes at its ends, `.` and `..` resolved; never above the root. */
export function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

// A page's address is a folder (`/guides/install/`), so that is what relative addresses start from.
function joinAddress(page: string, address: string): string {
  const { path, query, hash } = splitAddress(address);
  return `/${encodeURIComponent(page).replaceAll('%2F', '/')}/${path === '' ? '.' : path}${query}${hash}`;
}

/** Finds a name as written, in the other Unicode form, or in other letter case. */
export function lookup(names: string[]): (name: string) => string | undefined {
  const exact = new Set(names);
  const folded = new Map<string, string>();
  for (const name of names) {
    for (const form of [name.normalize('NFC'), name.normalize('NFC').toLowerCase()])
      if (!folded.has(form)) folded.set(form, name);
  }
  return (name) => {
    if (exact.has(name)) return name;
    const normal = name.normalize('NFC');
    return folded.get(normal) ?? folded.get(normal.toLowerCase());
  };
}
