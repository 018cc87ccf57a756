// Where the addresses of a finished site lead: to the file that a host of files would answer, or to where its redirects lead.
import { encodePath } from './relative-url.ts';
import type { SafeNames } from './safe-names.ts';
import {
  cleanPath,
  decode,
  detached,
  elsewhere,
  isElsewhere,
  lookup,
  redirectsByPath,
  splitAddress,
  type Target,
  type Targets,
} from './targets.ts';

export interface FinishedTargetsInput {
  names: SafeNames;
  /** Each with its file in the site. */
  pages: { path: string; file: string }[];
  /** Paths of pages that the site has and this export has not. */
  leftOut: string[];
  /** Paths of files that are no pages. */
  files: string[];
  /** Root-absolute addresses in `to` are without the base. */
  redirects: { from: string; to: string }[];
  /** Path of the page that `/` leads to. */
  home: string;
  /** What root-absolute addresses begin with: '/' or '/docs/'. */
  base: string;
  /** Address of the site, `base` included, ending in a slash. */
  address?: string;
}

/** Addresses in a finished site, which mean what they mean on the site's own host. */
export function createFinishedTargets(input: FinishedTargetsInput): Targets {
  const { names, base, address: siteUrl, home } = input;
  const pageByFile = new Map(input.pages.map(({ path, file }) => [file, path]));
  const fileByPage = new Map(input.pages.map(({ path, file }) => [path, file]));
  const redirectTo = redirectsByPath(input.redirects);
  const fileOf = lookup([...pageByFile.keys(), ...input.files, ...redirectTo.keys()]);
  const leftOutOf = lookup(input.leftOut);
  const origin = siteUrl === undefined ? undefined : new URL(siteUrl).origin;
  const known = new Map<string, Target>();

  const pageTarget = (page: string, query: string, hash: string): Target => ({
    kind: 'page',
    page,
    file: encodePath(names.page(page)),
    query,
    hash,
  });

  const fileTarget = (file: string, query: string, hash: string, redirected: number): Target => {
    const page = pageByFile.get(file);
    if (page !== undefined) return pageTarget(page, query, hash);
    const to = redirectTo.get(file);
    // A query on a file only tells caches apart; it would keep some hosts from finding the file.
    if (to === undefined || redirected >= 20) return { kind: 'file', file: encodePath(names.asset(file)), query: '', hash };
    if (isElsewhere(to)) return elsewhere(to);
    const address = splitAddress(to);
    const target = resolveInSite(`/${decode(address.path)}`, address.query, address.hash, redirected + 1);
    return { ...target, query: target.query || query, hash: target.hash || hash };
  };

  const resolveInSite = (path: string, query: string, hash: string, redirected: number): Target => {
    const wanted = cleanPath(path);
    const candidates = path.endsWith('/') || wanted === '' ? asFolder(wanted) : asFile(wanted);
    for (const name of candidates) {
      const file = fileOf(name);
      if (file !== undefined) return fileTarget(file, query, hash, redirected);
    }
    if (wanted === '' || wanted === 'index.html') return pageTarget(home, query, hash);
    const away = candidates
      .map((name) => leftOutOf(name.replace(/(?:^|\/)index\.html$|\.html$/, '')))
      .find((page) => page !== undefined);
    if (away === undefined) return { kind: 'missing', file: encodePath(wanted), query, hash, wanted };
    // Without an address of the site the link leads to where the page would be, and works where it was put beside.
    return siteUrl === undefined
      ? { kind: 'left-out', file: encodePath(wanted), query, hash, wanted: away }
      : { kind: 'elsewhere', file: siteUrl + encodePath(path.replace(/^\//, '')), query, hash };
  };

  const resolveAbsolute = (address: string): Target => {
    const { path, query, hash } = splitAddress(address);
    const decoded = decode(path);
    const inside = withoutBase(decoded, base);
    if (inside !== undefined) return resolveInSite(inside, query, hash, 0);
    if (origin !== undefined) return { ...elsewhere(origin + address), wanted: cleanPath(decoded), isOutside: true };
    const target = resolveInSite(decoded, query, hash, 0);
    return target.kind === 'missing' ? { ...target, isOutside: true } : target;
  };

  // Absolute addresses of the site itself lead to the copy.
  const own = (address: string): string | undefined => {
    if (siteUrl === undefined || !isElsewhere(address)) return undefined;
    const plain = address.startsWith('//') ? siteUrl.slice(0, siteUrl.indexOf('/')) + address : address;
    if (`${plain}/` === siteUrl) return base;
    return plain.startsWith(siteUrl) ? base + plain.slice(siteUrl.length) : undefined;
  };

  const remembered = (address: string): Target => {
    let target = known.get(address);
    if (target === undefined) {
      const kept = detached(address);
      known.set(kept, (target = resolveAbsolute(kept)));
    }
    return target;
  };

  const resolve = (written: string, page: string): Target => {
    const trimmed = written.trim();
    const address = own(trimmed) ?? trimmed;
    if (isElsewhere(address)) return elsewhere(address);
    if (address[0] === '#' || address === '') return { ...pageTarget(page, '', address), file: '' };
    if (address[0] === '/') return remembered(address);
    const file = fileByPage.get(page) ?? '';
    const target = remembered(siteAddress(base, file, address));
    if (target.kind !== 'missing') return target;
    // Hosts also answer a page under the other address (`/guides/install`, `/guides/install/`): its authors may have had that one.
    const other = siteAddress(base, otherPlace(file), address);
    // Out of the site such a guess finds anything.
    if (withoutBase(splitAddress(other).path, base) === undefined) return target;
    const found = remembered(other);
    return found.kind === 'missing' ? target : found;
  };
  return { isElsewhere: (address) => isElsewhere(address) && own(address) === undefined, resolve, resolveMirror: resolve };
}

function asFolder(path: string): string[] {
  if (path === '') return ['index.html', 'index.htm', ''];
  return [`${path}/index.html`, `${path}/index.htm`, path, `${path}.html`, ...asSource(path)];
}

function asFile(path: string): string[] {
  return [path, `${path}.html`, `${path}/index.html`, `${path}.htm`, `${path}/index.htm`, ...asSource(path)];
}

/** The pages made of a file that authors named by its source: `install.md`, `guides/README.md`. */
function asSource(path: string): string[] {
  const name = /^(.*)\.mdx?$/i.exec(path)?.[1];
  if (name === undefined) return [];
  const bare = name.replace(/(?:^|\/)(?:index|README)$/i, '');
  return [...new Set([`${name}.html`, `${name}/index.html`, bare === '' ? 'index.html' : `${bare}/index.html`])];
}

/** What is left of a path behind the base; undefined when it lies outside. */
export function withoutBase(path: string, base: string): string | undefined {
  if (path.startsWith(base)) return path.slice(base.length - 1);
  return `${path}/` === base ? '/' : undefined;
}

/** Where a page's relative addresses start from when it is served under its other address. */
function otherPlace(file: string): string {
  const folder = /^(.*?)(?:^|\/)index\.html?$/i.exec(file)?.[1];
  return folder === undefined ? file.replace(/\.html?$/i, '/index.html') : folder;
}

/** A relative address from a file of the site, as browsers read it; the result is root-absolute. */
export function siteAddress(base: string, file: string, address: string): string {
  const { path, query, hash } = splitAddress(address);
  const segments = (base + file)
    .split('/')
    .slice(1, path === '' ? undefined : -1)
    .map(encodeURIComponent);
  for (const segment of path === '' ? [] : path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  const isFolder = /(?:^|\/)\.{0,2}$/.test(path) && path !== '';
  return `/${segments.filter(Boolean).join('/')}${isFolder && segments.length > 0 ? '/' : ''}${query}${hash}`.replace(
    /\/{2,}/g,
    '/',
  );
}
