// What goes into an export, and what all its steps share.
import { hash } from 'node:crypto';
import type { Deployment } from '../manifest.ts';
import { createRemotePolicy, type RemotePolicy } from '../remote/policy.ts';
import type { PageSource } from '../page/built-page.ts';
import type { Problem } from '../diagnostics.ts';
import type { Progress } from '../progress.ts';
import type { ExportAsset } from './assets.ts';
import type { SiteRules } from './site-rules.ts';
import type { PageCache } from './export-page.ts';
import { openPrevious, type Previous, type State } from '../output/previous-export.ts';
import { encodePath } from '../urls/relative-url.ts';
import { safeNames, type SafeNames } from '../urls/safe-names.ts';
import { createIndexes, type Indexes } from './search-index.ts';
import { ownSitemaps } from './sitemap.ts';
import { createResolver, type Resolver } from '../urls/resolver.ts';
import type { download } from '../remote/download.ts';
import type { ExportFolder } from '../output/export-folder.ts';

export interface ExportInput {
  /** Name of the site. */
  name: string;
  description?: string;
  /** In order of navigation. */
  pages: PageSource[];
  /** Paths of pages that the site has and this export has not: links to them lead to the site's address, where it is known. */
  leftOut?: string[];
  assets: ExportAsset[];
  /** `from` is a path, `to` an address of the site or a URL; patterns are expanded. */
  redirects: { from: string; to: string }[];
  /** What differs between our own theme and an existing site. */
  rules: SiteRules;
  /** Pages that the site has elsewhere and that cannot be made here, by path, each with what it would be made of. */
  generated?: ReadonlyMap<string, string>;
  /**
   * Where a path leads that no list can hold, such as any below an old folder; undefined for most.
   * The keys of pages must change with it.
   */
  redirectOf?(path: string): string | undefined;
  /** Path of the page that `/` leads to. */
  home: string;
  defaultLanguage: string;
  defaultDocsVersion?: string;
  /** The whole 404 page, written as it is: hosts show it at any depth, so nothing in it may be relative. Or the page of a guest. */
  notFound?: { html: string } | { page: PageSource };
  /** Links of the navigation to other sites, for llms.txt. */
  external?: { title: string; href: string }[];
  /** What was noticed before; reported first. */
  problems: Problem[];
}

export interface ExportOptions {
  /** Folder to write; replaced whole when the export is complete. */
  out: string;
  /** Whether `out` may hold other things than an export, which then are gone: a site that the export takes the place of. */
  replacesSite?: boolean;
  /** Archive to write of the same files. */
  zip?: string;
  deployment: Deployment;
  /** Download media of other hosts into the export. */
  vendor: boolean;
  /** How `vendor` downloads a file. @default that of `remote/download.ts` */
  download?: typeof download;
  siteUrl?: string;
  /** Export version. @default first 12 hex digits of the content hash */
  label?: string;
  /** Program and version: `carrel/0.1.0`. */
  generator: string;
  /** The docs folder, which `out` may neither hold nor be in. */
  sourceRoot?: string;
  cache?: PageCache;
  /** Folder on the disk of `out`, of the caller's cache: the replaced export is kept there, and the next one starts from it. */
  keep?: string;
  /** For `SOURCE_DATE_EPOCH`. */
  environment?: Record<string, string | undefined>;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** What all steps share. */
export interface Work {
  input: ExportInput;
  options: ExportOptions;
  folder: ExportFolder;
  previous: Previous;
  indexes: Indexes;
  names: SafeNames;
  targets: Resolver;
  siteUrl: string | undefined;
  /** Paths of the sitemaps that the site brings. */
  sitemaps: string[];
  policy: RemotePolicy;
  /** Files in the export by their external addresses, verbatim. */
  vendored: Map<string, string>;
  problems: Problem[];
}

const ownFiles = ['carrel.json', 'carrel.config.js', '404.html', '_carrel/site.js'];
// An author's own file of these names wins.
const listFiles = ['llms.txt', 'llms-full.txt', 'sitemap.xml', 'robots.txt'];

export function startWork(input: ExportInput, options: ExportOptions, folder: ExportFolder, state: State): Work {
  const siteUrl = options.siteUrl?.replace(/\/*$/, '/');
  const assets = input.assets.map(({ path }) => path);
  const given = new Set(assets);
  const sitemaps = ownSitemaps(input.assets);
  const lists = listFiles.filter((file) => {
    if (given.has(file) || (file === 'sitemap.xml' && sitemaps.length > 0)) return false;
    return siteUrl !== undefined || file.startsWith('llms');
  });
  const pages = input.pages.map(({ path }) => path);
  const notFound = input.notFound && 'page' in input.notFound ? [input.notFound.page] : [];
  const reserved = [
    ...ownFiles.filter((file) => notFound.every((page) => page.file !== file)),
    ...lists,
    ...(pages.includes('') ? [] : ['index.html']),
  ];
  const { rules } = input;
  const sitePages = [...input.pages, ...notFound];
  const siteFiles = new Map(sitePages.map(({ path, file = path }) => [path, file]));
  const names = rules.keepsFiles
    ? safeNames([...siteFiles.keys()], assets, reserved, (path) => siteFiles.get(path) ?? path)
    : safeNames(pages, assets, reserved);
  // Addresses of the root link to the page that the stub there redirects to, not to the stub.
  const files = [...assets, ...reserved.filter((file) => !given.has(file) && file !== 'index.html')];
  const fileNames: SafeNames = { ...names, asset: (path) => (given.has(path) ? names.asset(path) : path) };
  const { leftOut = [], redirects, redirectOf, home } = input;
  const targets = createResolver({
    names: fileNames,
    pages: sitePages,
    leftOut,
    files,
    redirects,
    redirectOf,
    home,
    generated: input.generated?.keys(),
    rules: rules.urls,
  });
  const surroundings = hash(
    'sha256',
    JSON.stringify([
      pages.map((path) => [path, names.page(path), names.mirror(path)]),
      files.map((path) => [path, fileNames.asset(path)]),
      redirects,
      [home, siteUrl, options.deployment, options.vendor],
      ...(leftOut.length ? [leftOut] : []),
      [rules.urls.base, rules.urls.optionalBase, [...(input.generated?.keys() ?? [])]],
    ]),
  );
  const previous = openPrevious(options.out, options.cache, state, surroundings);
  const indexes = createIndexes(
    ({ language, docsVersion }) => previous.index(language, docsVersion, folder),
    (path) => previous.read(path, folder),
  );
  const { download, signal, deployment } = options;
  const vendored = new Map<string, string>();
  for (const address of rules.ownAddresses)
    for (const path of assets) vendored.set(address + encodePath(path), encodePath(fileNames.asset(path)));
  const reuse = (url: string) => previous.reuseVendored(url, folder);
  const policy = createRemotePolicy({
    rules: rules.remote,
    deployment,
    vendor: options.vendor ? { download, signal, reuse } : undefined,
    write: (path, contents) => void folder.write(path, contents),
    vendored,
  });
  return {
    input,
    options,
    folder,
    previous,
    indexes,
    names,
    targets,
    siteUrl,
    sitemaps,
    policy,
    vendored,
    problems: [...input.problems],
  };
}
