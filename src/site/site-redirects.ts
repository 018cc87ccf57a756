// The redirects of a site: those that are configured, and those from URLs that its pages name in their frontmatter.
import type { Problem } from '../../integration/diagnostics.ts';
import type { Source } from '../source/source.ts';
import type { Page, Redirect, RedirectRule } from './model.ts';
import type { NavigationSource } from './navigation/missing-pages.ts';
import type { PageFacts } from './page-facts.ts';
import { normalPath } from './page-paths.ts';
import { expandRedirects, formerUrls, redirectRules } from './redirects.ts';
import type { KnownPages, SelectedPages } from './select-pages.ts';

export function siteRedirects(
  { config, assets, limited = [] }: Source,
  { ownUrls }: KnownPages,
  { linked, excluded }: SelectedPages,
  pages: readonly Page[],
  { configFile, at, folder }: Pick<NavigationSource, 'configFile' | 'at'> & { folder: string },
): { rules: RedirectRule[]; redirects: Redirect[]; problems: Problem[] } {
  const paths = new Set(pages.map(({ path }) => path));
  const files = new Set(assets.map((asset) => asset.path));
  const known = new Set([...paths, ...excluded.map(({ path }) => path)]);
  const inSite = folder === '' ? normalPath : pathInSite(folder, new Set([...known, ...files]));
  const configured = redirectRules(config?.redirects ?? [], configFile, at, inSite);
  const moved = redirectRules(
    [
      ...linked.map(({ path, url }) => ({ source: `/${path}`, destination: url! })),
      ...[...ownUrls].flatMap(([path, url]) =>
        paths.has(path) && normalPath(url) !== path ? { source: url, destination: `/${path}` } : [],
      ),
      ...(config ? [] : pages.flatMap(formerUrls).filter((url) => !paths.has(normalPath(url.source)))),
    ],
    configFile,
  );
  const rules = [...configured.rules, ...moved.rules];
  const outside = foldersOutside(excluded, paths);
  const expanded = expandRedirects(
    rules.filter(({ destination }) => !outside.has(firstFolder(normalPath(destination)))),
    known,
    (path) => files.has(path),
    configFile,
    at,
  );
  const excludedPaths = new Set([...excluded, ...limited].map(({ path }) => path).filter((path) => path !== ''));
  return {
    rules,
    redirects: expanded.redirects.filter(({ to }) => !excludedPaths.has(normalPath(to.replace(/[?#].*$/s, '')))),
    problems: [...configured.problems, ...expanded.problems],
  };
}

/** Reads paths as links are read: they may begin with the folder that the site is published in, unless the site has what they name. */
function pathInSite(folder: string, known: ReadonlySet<string>): (written: string) => string {
  const isInside = (path: string) => `${path}/`.startsWith(`${folder}/`);
  const hasFolder = [...known].some(isInside);
  return (written) => {
    const path = normalPath(written);
    if (!isInside(path)) return path;
    const rest = path.slice(folder.length + 1);
    return hasFolder && (known.has(path) || !known.has(rest)) ? path : rest;
  };
}

/** Top-level folders that contain only excluded pages, such as those of other languages. */
function foldersOutside(excluded: readonly PageFacts[], paths: ReadonlySet<string>): Set<string> {
  const folders = new Set(excluded.map(({ path }) => firstFolder(path)));
  for (const path of paths) folders.delete(firstFolder(path));
  return folders;
}

function firstFolder(path: string): string {
  return path.split('/', 1)[0]!;
}
