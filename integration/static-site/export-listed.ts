// What a finished site is: its name, base, languages and pages, as its own files tell; then its export.
import { join } from 'node:path';
import { ExportError } from '../errors.ts';
import type { FinishedOptions, FinishedSite } from './export-static-site.ts';
import { exportSite, type ExportInput, type ExportReport } from '../export/export-site.ts';
import { isElsewhere, joinAddress, withoutBase } from '../urls/address.ts';
import { guessBase } from './guess-base.ts';
import type { Guest } from './static-site.ts';
import { english, labelsOf } from '../search/labels/index.ts';
import { openSiteFixes, type StaticSiteFixes } from './site-fixes.ts';
import { staticSiteRules } from './site-rules.ts';
import { appOf, appProblem } from './page-apps.ts';
import type { PageThreads } from './page-threads.ts';
import { guestText, type GuestFile } from './read-page-thread.ts';
import type { PageSource } from '../page/page-types.ts';
import { entryPage } from './entry-page.ts';
import { checkRules, usualContent, usualIgnored } from '../page/content-rules.ts';
import { readFinishedFiles, type FinishedFiles } from './read-folder.ts';
import type { ListedFiles } from './list-files.ts';
import { nameInEnding, titleEnding } from '../page/page-title.ts';
import { variantOf } from '../page/page-variant.ts';
import { pathMatcher } from '../text/path-patterns.ts';
import { readGuestPage, readHead, type GuestPageOptions, type PageHead } from '../page/read-page.ts';

/** Exports a finished site whose files are known by name; `threads` read its pages. Throws `ExportError`. */
export async function exportListed(
  site: FinishedSite,
  listed: ListedFiles,
  threads: PageThreads,
  options: FinishedOptions,
): Promise<ExportReport> {
  const content = { select: options.content ?? usualContent, ignore: [...usualIgnored, ...options.ignore] };
  checkRules(content);
  const files = readFinishedFiles(listed, { order: site.order ?? [], isLeftOut: pathMatcher(options.exclude) });
  const first = files.pages[0];
  if (!first) throw noPages(site.root, files);
  const { root } = site;
  const home = readHead(guestText(first.file, { root }));
  const app = appOf(home);
  const read = (file: string): string => guestText(file, { root, app });
  const homeHtml = read(first.file);
  const said = first.path === '' ? saidAddress(home) : undefined;
  const base = site.base ?? guessBase(homeHtml, filesOf(files)) ?? (said === undefined ? '/' : new URL(said).pathname);
  const address = siteUrlOf(site.site, base) ?? said;
  const ending = titleEnding(
    sampleOf(files.pages.slice(1)).map(({ file }) => readHead(read(file)).title),
    [options.name, home.metas.get('og:site_name'), home.title],
  );
  const redirects = redirectsOf(site, files, base);
  const defaultLanguage = options.language ?? site.languages?.[''];
  const languages = { languages: options.languages, routedLanguages: site.languages ?? {}, versions: options.versions };
  const entry = entryPage(files.pages, {
    redirects,
    forAnyLanguage: home.forAnyLanguage && sitePath(home.forAnyLanguage, base),
    isDefaultLanguage:
      defaultLanguage === undefined
        ? undefined
        : ({ path, file }) => {
            const said = { language: readHead(read(file)).language };
            return isSameLanguage(variantOf(path, said, { ...languages, defaultLanguage }).language, defaultLanguage);
          },
  });
  const { search, allow, markdown } = options;
  const guest: Guest = { base, address, ownAddresses: site.ownAddresses, content, search, allow, markdown };
  const pageOptions: GuestPageOptions = {
    variants: { ...languages, defaultLanguage: options.language ?? home.language ?? 'en' },
    titleEnding: ending,
    // Whoever says what content is does not mean what another search was told.
    onlyMarked: files.hasPagefindBody && options.content === undefined,
  };
  const reader = threads.reader({ root, guest, pages: pageOptions, app }, options.signal);
  let fixes: StaticSiteFixes | undefined;
  const source = (file: GuestFile): PageSource => ({
    path: file.path,
    file: file.file,
    begin: () => reader.begin(file),
    async build() {
      const read = await reader.read(file);
      const labels = await labelsOf(read.page.language);
      const searchLabel = labels === english ? undefined : labels.search.search;
      return { ...read, edits: (others) => fixes?.edits(read, searchLabel, others) ?? [] };
    },
  });
  const entryHtml = entry === first ? homeHtml : read(entry.file);
  const homePage = readGuestPage(entry.path, entryHtml, pageOptions);
  const { metas } = entry === first ? home : readHead(entryHtml);
  const input: ExportInput = {
    name: options.name ?? metas.get('og:site_name') ?? nameInEnding(ending) ?? homePage.title,
    description: metas.get('carrel:site-description') ?? metas.get('description'),
    pages: files.pages.map(source),
    leftOut: files.leftOut,
    assets: files.assets.map((path) => ({ path, file: join(site.root, path) })),
    redirects,
    home: entry.path,
    defaultLanguage: homePage.language,
    defaultDocsVersion: homePage.docsVersion,
    notFound:
      files.notFound === undefined ? undefined : { page: source({ path: '404', file: files.notFound, isMissingPage: true }) },
    problems: [...(site.problems ?? []), ...files.problems, ...(app ? [appProblem(app)] : [])],
    rules: staticSiteRules(guest, async (context) => (fixes = await openSiteFixes(context, guest))),
  };
  return exportSite(input, { ...options, siteUrl: site.site === undefined ? undefined : address });
}

/** A few of them, from all over the site. */
function sampleOf<T>(all: T[], wanted = 8): T[] {
  const step = Math.max(1, Math.floor(all.length / wanted));
  return all.filter((_, i) => i % step === 0).slice(0, wanted);
}

function filesOf({ assets, pages }: FinishedFiles): Set<string> {
  return new Set([...assets, ...pages.map(({ file }) => file)]);
}

/** The address that a home page says is its own. */
function saidAddress({ canonical, metas }: PageHead): string | undefined {
  const said = canonical ?? metas.get('og:url') ?? '';
  if (!/^https?:\/\//i.test(said) || !URL.canParse(said)) return undefined;
  const { origin, pathname } = new URL(said);
  return origin + pathname.replace(/\/index\.html?$/, '').replace(/\/*$/, '/');
}

/** Astro's `site` is the host, others give the whole address. */
function siteUrlOf(site: string | undefined, base: string): string | undefined {
  if (site === undefined) return undefined;
  const { origin, pathname } = new URL(site);
  return origin + (pathname === '/' ? base : pathname.replace(/\/*$/, '/'));
}

/** Path in the site of an address on a page, without the base. */
function sitePath(address: string, base: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  return withoutBase(path, base) ?? path;
}

function isSameLanguage(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase().replaceAll('_', '-');
}

/** Stubs of the site and what its generator knows besides; addresses become root-absolute, without the base. */
function redirectsOf(site: FinishedSite, files: FinishedFiles, base: string): { from: string; to: string }[] {
  const stubs = files.stubs.map(({ path, file, to }) => {
    const from = file.endsWith('index.html') ? path : file;
    if (isElsewhere(to)) return { from, to };
    const address = to.startsWith('/') ? to : joinAddress(base + file, to);
    return { from, to: withoutBase(address, base) ?? address };
  });
  const known = new Set(stubs.map(({ from }) => from));
  const pages = new Set(files.pages.map(({ path }) => path));
  const others = (site.redirects ?? []).filter(({ from }) => !known.has(from) && !known.has(`${from}.html`) && !pages.has(from));
  return [...stubs, ...others];
}

function noPages(root: string, files: FinishedFiles): ExportError {
  if (files.leftOut.length > 0)
    return new ExportError('NoPages', `"exclude" leaves out every page of "${root}".`, 'Take from it what shall be exported.');
  return new ExportError('NoPages', `"${root}" holds no page.`, 'Build the site first, and name the folder that holds its HTML.');
}
