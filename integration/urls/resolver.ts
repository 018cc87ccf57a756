// Resolves the URLs on a site's pages to a page, a file of the export or another site, or finds that they are broken.
import { detached } from '../text/detach.ts';
import { urlJoiner, cleanPath, decode, isElsewhere, splitUrl, withoutBase } from './parts.ts';
import { encodePath } from './relative-url.ts';
import { foundOr, sitePaths, type ResolverInput, type Target, type UrlRules } from './site-paths.ts';

export type Resolver = ReturnType<typeof createResolver>;

/** Resolves every URL of a site. */
export function createResolver(input: ResolverInput) {
  const { names, pages, rules } = input;
  const { base, siteUrl, isLenient } = rules;
  const paths = sitePaths(input);
  const pageByPath = new Map(pages.map((page) => [page.path, page]));
  const origin = siteUrl === undefined ? undefined : new URL(siteUrl).origin;
  const known = new Map<string, Target>();

  const resolveAbsolute = (url: string): Target => {
    const { path, query, hash } = splitUrl(url);
    const decoded = decode(path);
    if (isLenient) return paths.resolve(decoded, query, hash);
    const inside = withoutBase(decoded, base);
    if (inside !== undefined) return paths.resolve(inside, query, hash);
    if (origin !== undefined) return { ...elsewhere(origin + url), wanted: cleanPath(decoded), isOutside: true };
    const target = paths.resolve(decoded, query, hash);
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
    if (!rules.isPartOfHost || target.wanted === undefined || paths.hasFolderOf(target.wanted)) return target;
    return { ...(origin === undefined ? target : elsewhere(origin + url)), wanted: target.wanted, isOutside: true };
  };

  const own = ownUrls(rules);
  const startsOf = (page: string) => rules.startsOf(pageByPath.get(page) ?? { path: page });
  // Pages are resolved one after another.
  let joined: { page: string; joiners: ((url: string) => string)[] } | undefined;
  const joinersOf = (page: string) => {
    if (joined?.page !== page) joined = { page, joiners: startsOf(page).map(urlJoiner) };
    return joined.joiners;
  };

  /** The target of a guess, if the site has it as it is. */
  const found = (url: string | undefined): Target | undefined => {
    const target = url === undefined ? undefined : remembered(url);
    return target?.kind !== 'missing' && target?.base === undefined ? target : undefined;
  };

  // `images/x.png` on `guides/install` was made root-absolute from the page's folder; authors also mean it from the root of the site.
  const fromRoot = (url: string, page: string): Target | undefined => {
    for (const start of startsOf(page)) {
      const folder = encodePath(start);
      if (folder === '/' || !url.startsWith(folder)) continue;
      const target = found(`/${url.slice(folder.length)}`);
      if (target) return target;
    }
    return undefined;
  };

  const resolve = (written: string, page: string): Target => {
    const trimmed = written.trim();
    const url = own(trimmed) ?? trimmed;
    if (isElsewhere(url)) return elsewhere(url);
    if (url[0] === '#' || url === '') return { ...paths.pageTarget(page, '', url), file: '' };
    if (url[0] === '/') {
      const target = remembered(url);
      if (target.kind !== 'missing' || !isLenient) return target;
      return (page === '' ? undefined : (found(besidePage(url, page)) ?? fromRoot(url, page))) ?? onHost(target, url);
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
      const owner = paths.pageOf(wanted.replace(/\.mdx?$/, '').replace(/^index$/, '')) ?? paths.pageOf(wanted);
      if (owner === undefined) return resolve(written, page);
      return { kind: 'file', file: paths.encodedFile(names.markdown(owner)), query: '', hash: '' };
    },
  };
}

/** The URLs of an existing site itself, which link to its copy, without their host. */
function ownUrls({ base, siteUrl, isLenient }: UrlRules): (url: string) => string | undefined {
  return (url) => {
    if (isLenient || siteUrl === undefined || !isElsewhere(url)) return undefined;
    const plain = url.startsWith('//') ? siteUrl.slice(0, siteUrl.indexOf('/')) + url : url;
    if (`${plain}/` === siteUrl) return base;
    return plain.startsWith(siteUrl) ? base + plain.slice(siteUrl.length) : undefined;
  };
}

// `../images/x.png` on `guides/install` was made root-absolute from the page's folder; authors also mean it from the page's URL.
function besidePage(url: string, page: string): string | undefined {
  const folders = page.split('/').map(encodePath);
  const written = url.slice(1).split('/');
  const shared = folders.findIndex((folder, i) => folder !== written[i]);
  return shared < 0 ? undefined : `/${[...folders.slice(0, shared + 1), ...written.slice(shared)].join('/')}`;
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
