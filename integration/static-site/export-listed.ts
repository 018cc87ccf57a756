// Reads the name, base, languages and pages of a built site from its files, then exports it.
import { join } from 'node:path';
import { ExportError } from '../errors.ts';
import type { BuiltSiteOptions, BuiltSite } from './static-site.ts';
import type { ExportInput } from '../export/export-site.ts';
import { urlJoiner, isElsewhere, withoutBase } from '../urls/parts.ts';
import type { ReadExistingPage } from './existing-page.ts';
import { guessBase } from './guess-base.ts';
import type { StaticSite } from './static-site.ts';
import { english, labelsOf } from '../texts/index.ts';
import type { StaticSiteFixes } from './site-fixes.ts';
import { staticSiteRules } from './site-rules.ts';
import { canRun } from './app-scripts.ts';
import { appOf, appProblem } from './page-apps.ts';
import type { PageThreads } from './page-threads.ts';
import type { PageFile } from './read-page-thread.ts';
import type { PageSource, ScannedPage } from '../page/page-types.ts';
import { entryPage } from './entry-page.ts';
import { checkRules, usualContent, usualIgnored } from '../page/content-rules.ts';
import { readSiteFiles, type ReadSiteFiles, type SiteFile } from './read-folder.ts';
import type { ListedFiles } from './list-files.ts';
import { nameInEnding, titleEnding } from '../page/page-title.ts';
import { variantOf } from '../page/page-variant.ts';
import { pathMatcher } from '../text/path-patterns.ts';
import type { PageHead, StaticPageOptions } from '../page/read-page.ts';

type PageReader = ReturnType<PageThreads['reader']>;

/** Passes a built site whose files are listed to `finish`, which exports or checks it; `threads` read its pages. Throws `ExportError`. */
export async function withListedSite<Report>(
  site: BuiltSite,
  listed: ListedFiles,
  threads: PageThreads,
  options: BuiltSiteOptions,
  finish: (input: ExportInput, siteUrl: string | undefined) => Promise<Report>,
): Promise<Report> {
  const content = { select: options.content ?? usualContent, ignore: [...usualIgnored, ...options.ignore] };
  checkRules(content);
  const files = readSiteFiles(listed, { order: site.order ?? [], isExcluded: pathMatcher(options.exclude) });
  const first = files.pages[0];
  if (!first) throw noPagesError(site.root, files);
  const { root } = site;
  const { search, allow, markdown } = options;
  const reader = threads.reader({ root, content, markdown }, files.kept, options.signal);
  // Loads the parser and the bundler of scripts while the threads read the first pages.
  const fixing = import('./site-fixes.ts');
  const { app, home, rootUrls } = await lookAtHome(reader, first, root, files.assets);
  const headOf = async (file: SiteFile) => (await reader.look({ ...file, app })).head;
  const said = first.path === '' ? statedUrl(home) : undefined;
  const base = site.base ?? guessBase(rootUrls, filesOf(files)) ?? (said === undefined ? '/' : new URL(said).pathname);
  const url = siteUrlOf(site.site, base) ?? said;
  const samples = await Promise.all(sampleOf(files.pages.slice(1)).map(headOf));
  const ending = titleEnding(
    samples.map(({ title }) => title),
    [options.name, home.metas.get('og:site_name'), home.title],
  );
  const redirects = redirectsOf(site, files, base);
  const defaultLanguage = options.language ?? site.languages?.[''];
  const languages = { languages: options.languages, routedLanguages: site.languages ?? {}, versions: options.versions };
  const entry = await entryPage(files.pages, {
    redirects,
    forAnyLanguage: home.forAnyLanguage && sitePath(home.forAnyLanguage, base),
    isDefaultLanguage:
      defaultLanguage === undefined
        ? undefined
        : async (page) => {
            const said = { language: (await headOf(page)).language };
            return isSameLanguage(variantOf(page.path, said, { ...languages, defaultLanguage }).language, defaultLanguage);
          },
  });
  const staticSite: StaticSite = { base, url, ownUrls: site.ownUrls, content, search, allow, markdown };
  const pageOptions: StaticPageOptions = {
    variants: { ...languages, defaultLanguage: options.language ?? home.language ?? 'en' },
    titleEnding: ending,
    // The `content` option replaces the marks that the author set for Pagefind.
    onlyMarked: files.hasPagefindBody && options.content === undefined,
  };
  const { metas } = entry === first ? home : await headOf(entry);
  reader.setRules({ site: staticSite, pages: pageOptions, app });
  let fixes: StaticSiteFixes | undefined;
  const { source, withEdits } = pageSources(reader, () => fixes);
  const entryRead = await reader.read(entry);
  const { page: homePage } = entryRead;
  const input: ExportInput = {
    name: options.name ?? metas.get('og:site_name') ?? nameInEnding(ending) ?? homePage.title,
    description: metas.get('carrel:site-description') ?? metas.get('description'),
    pages: files.pages.map((page) =>
      page === entry ? { ...source(page), begin: undefined, build: () => withEdits(entryRead) } : source(page),
    ),
    excluded: files.excluded,
    assets: files.assets.map((path) => ({ path, file: join(site.root, path) })),
    redirects,
    home: entry.path,
    defaultLanguage: homePage.language,
    defaultDocsVersion: homePage.docsVersion,
    notFound: files.notFound === undefined ? undefined : source({ path: '404', file: files.notFound, isMissingPage: true }),
    problems: [...(site.problems ?? []), ...files.problems, ...(app && !app.runs ? [appProblem(app)] : [])],
    rules: staticSiteRules(staticSite, async (context) => {
      const { openSiteFixes } = await fixing;
      const running = app?.runs ? { app, pages: files.pages, redirects: files.stubs } : undefined;
      return (fixes = await openSiteFixes(context, staticSite, running));
    }),
  };
  return finish(input, site.site === undefined ? undefined : url);
}

/** What the first page says, read again as the page of an application if it is one. */
async function lookAtHome(reader: PageReader, first: SiteFile, root: string, assets: string[]) {
  const seen = await reader.look({ ...first, isHome: true, app: undefined });
  const found = appOf(seen.head);
  const app = found && { ...found, runs: canRun(found, root, assets) };
  const { head: home, rootUrls } = app ? await reader.look({ ...first, isHome: true, app }) : seen;
  return { app, home, rootUrls };
}

/** The pages for the export; `fixes` are there once the export has named all files. */
function pageSources(reader: PageReader, fixes: () => StaticSiteFixes | undefined) {
  const withEdits = async (read: ReadExistingPage): Promise<ScannedPage> => {
    const labels = await labelsOf(read.page.language);
    const searchLabel = labels === english ? undefined : labels.search.search;
    return { ...read, edits: (others) => fixes()?.edits(read, searchLabel, others) ?? [] };
  };
  const source = (file: PageFile): PageSource => ({
    path: file.path,
    file: file.file,
    begin: () => reader.begin(file),
    build: async () => withEdits(await reader.read(file)),
  });
  return { source, withEdits };
}

/** A few of them, evenly spaced. */
function sampleOf<T>(all: T[], wanted = 8): T[] {
  const step = Math.max(1, Math.floor(all.length / wanted));
  return all.filter((_, i) => i % step === 0).slice(0, wanted);
}

function filesOf({ assets, pages }: ReadSiteFiles): Set<string> {
  return new Set([...assets, ...pages.map(({ file }) => file)]);
}

/** The URL that the home page states as its own. */
function statedUrl({ canonical, metas }: PageHead): string | undefined {
  const said = canonical ?? metas.get('og:url') ?? '';
  if (!/^https?:\/\//i.test(said) || !URL.canParse(said)) return undefined;
  const { origin, pathname } = new URL(said);
  return origin + pathname.replace(/\/index\.html?$/, '').replace(/\/*$/, '/');
}

/** Astro's `site` is the host; other generators give the whole URL. */
function siteUrlOf(site: string | undefined, base: string): string | undefined {
  if (site === undefined) return undefined;
  const { origin, pathname } = new URL(site);
  return origin + (pathname === '/' ? base : pathname.replace(/\/*$/, '/'));
}

/** Path in the site of a URL on a page, without the base. */
function sitePath(url: string, base: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return withoutBase(path, base) ?? path;
}

function isSameLanguage(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase().replaceAll('_', '-');
}

/** The stubs of the site and the other redirects of its generator; URLs become root-absolute, without the base. */
function redirectsOf(site: BuiltSite, files: ReadSiteFiles, base: string): { from: string; to: string }[] {
  const stubs = files.stubs.map(({ path, file, to }) => {
    const from = file.endsWith('index.html') ? path : file;
    if (isElsewhere(to)) return { from, to };
    const url = to.startsWith('/') ? to : urlJoiner(base + file)(to);
    return { from, to: withoutBase(url, base) ?? url };
  });
  const known = new Set(stubs.map(({ from }) => from));
  const pages = new Set(files.pages.map(({ path }) => path));
  const others = (site.redirects ?? []).filter(({ from }) => !known.has(from) && !known.has(`${from}.html`) && !pages.has(from));
  return [...stubs, ...others];
}

function noPagesError(root: string, files: ReadSiteFiles): ExportError {
  if (files.excluded.length > 0)
    return new ExportError(
      'NoPages',
      `"exclude" matches every page of "${root}".`,
      'Remove the patterns of pages that should be exported.',
    );
  return new ExportError(
    'NoPages',
    `"${root}" does not contain a page.`,
    'Build the site first, and specify the folder that contains its HTML.',
  );
}
