import { hash } from 'node:crypto';
import { fixedAssets } from '../page/asset.ts';
import { billFile, unlisted, versionFile } from '../manifest.ts';
import { encodePath } from '../urls/relative-url.ts';
import { createResolver, type Resolver } from '../urls/resolver.ts';
import { safeNames, type SafeNames } from '../urls/safe-names.ts';
import type { ExportInput, ExportOptions } from './export-input.ts';
import { isSizedImage, readImageSize, type ImageSize } from './image-sizes.ts';
import { ownSitemaps } from './llms-and-sitemap.ts';

/** The file of each page and asset in the export, and the resolver of links between them. */
export interface SiteUrls {
  names: SafeNames;
  resolver: Resolver;
  /** Ends in a slash. */
  siteUrl?: string;
  /** Paths of the sitemaps that the site already has. */
  sitemaps: string[];
  /** Digest of everything that determines the targets of links. */
  context: string;
  /** The size of each image of a site of our own theme, by the URL of its file. */
  sizes: ReadonlyMap<string, ImageSize>;
}

const ownFiles = [...unlisted, billFile, '404.html', '_carrel/site.js'];
// An author's own file of one of these names wins.
const listFiles = ['llms.txt', 'llms-full.txt', 'sitemap.xml', 'robots.txt'];

export function assignUrls(
  input: ExportInput,
  { deployment, vendor, ...options }: Pick<ExportOptions, 'siteUrl' | 'deployment' | 'vendor'>,
): SiteUrls {
  const { rules, excluded = [], limited = [], listPages = [], redirects, redirectOf, home } = input;
  const siteUrl = options.siteUrl?.replace(/\/*$/, '/');
  const assets = input.assets.map(({ path }) => path);
  const given = new Set(assets);
  const sitemaps = ownSitemaps(fixedAssets(input.assets));
  const lists = listFiles.filter((file) => {
    if (given.has(file) || (file === 'sitemap.xml' && sitemaps.length > 0)) return false;
    return siteUrl !== undefined || file.startsWith('llms');
  });
  const pages = [...input.pages, ...listPages].map(({ path }) => path);
  const notFound = input.notFound ? [input.notFound] : [];
  const reserved = [
    ...(rules.keepsFiles ? [] : [versionFile]),
    ...ownFiles.filter((file) => notFound.every((page) => page.file !== file)),
    ...lists,
    ...(pages.includes('') ? [] : ['index.html']),
  ];
  const sitePages = [...input.pages, ...listPages, ...notFound];
  const siteFiles = new Map(sitePages.map(({ path, file = path }) => [path, file]));
  const own = safeNames(pages, assets, reserved);
  const names = rules.keepsFiles
    ? safeNames([...siteFiles.keys()], assets, reserved, (path) => siteFiles.get(path) ?? path)
    : // The 404 page is the only one without a folder.
      { ...own, page: (path: string) => (path === '404.html' ? path : own.page(path)) };
  // URLs of the root link to the page that the stub there redirects to, not to the stub.
  const files = [...assets, ...reserved.filter((file) => !given.has(file) && file !== 'index.html')];
  const fileNames: SafeNames = { ...names, asset: (path) => (given.has(path) ? names.asset(path) : path) };
  const resolver = createResolver({
    names: fileNames,
    pages: sitePages,
    excluded,
    limited: limited.map(({ path }) => path),
    files,
    redirects,
    redirectOf,
    home,
    rules: rules.urls,
  });
  const sizes = new Map<string, ImageSize>();
  if (!rules.keepsFiles)
    for (const asset of input.assets) {
      const size = 'file' in asset && isSizedImage(asset.path) ? readImageSize(asset.file) : undefined;
      if (size) sizes.set(encodePath(names.asset(asset.path)), size);
    }
  const context = hash(
    'sha256',
    JSON.stringify([
      pages.map((path) => [path, names.page(path), names.markdown(path)]),
      files.map((path) => [path, fileNames.asset(path)]),
      redirects,
      [...sizes].map(([path, { width, height }]) => [path, width, height]),
      [home, siteUrl, deployment, vendor],
      ...(excluded.length ? [excluded] : []),
      ...(limited.length ? [{ limited }] : []),
      [rules.urls.base, rules.urls.optionalBase, input.linkRules],
    ]),
  );
  return { names, resolver, siteUrl, sitemaps, context, sizes };
}
