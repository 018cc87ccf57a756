import { ExportError } from '../../integration/errors.ts';
import type { Problem } from '../../integration/diagnostics.ts';
import type { Deployment } from '../../integration/manifest.ts';
import type { Source } from '../source/source.ts';
import { checkPaths, choosePaths, normalPath } from './page-paths.ts';
import { flagField, textField, pageFacts, type PageFacts } from './page-facts.ts';
import { analyticsOf } from './analytics.ts';
import type { ChangeDates } from './last-updated.ts';
import type { Site, SiteConfig } from './model.ts';
import { isWanted, selectedContexts, navigationContext } from './navigation/contexts.ts';
import { emptyEntries, missingEntries, unreadSpecifications, unresolvedEntryProblems } from './navigation/missing-pages.ts';
import { navigationOf, isSummary } from './navigation/navigation.ts';
import { listedPages, toPage, type ListedPage } from './pages.ts';
import { expandRedirects, formerUrls, redirectRules } from './redirects.ts';
import { siteConfig } from './site-config.ts';
import type { SiteFonts } from './site-fonts.ts';
import { siteLanguage } from './languages.ts';
import { unsupportedPages, unsupportedScripts, unsupportedSettings } from './unsupported.ts';
import { walkNavigation } from './navigation/walk-navigation.ts';

export interface SiteOptions {
  /** Exports only this language. For a site without a declared language, sets it. */
  language?: string;
  /** Exports only this version of the docs. */
  docsVersion?: string;
  /** Only these pages, by their paths. */
  paths?: string[];
  /** An air-gapped site has no menu entries that open external origins. */
  deployment?: Deployment;
  /** The repository that pages link to. */
  repository?: SiteConfig['repository'];
  /** When files last changed. */
  changed?: ChangeDates;
  /** The fonts that were found. */
  fonts?: SiteFonts;
}

/**
 * Assigns every page its navigation context. Throws `LanguageNotFound`, `VersionNotFound` or `PathNotFound` when an option names something
 * that the site does not have, and `NoPages` when no page remains.
 */
export function buildSite(source: Source, options: SiteOptions = {}): Site {
  const configFile = source.configFile ?? 'docs.json';
  const isOffline = options.deployment === 'air-gapped';
  const { repository, fonts } = options;
  const config = { ...siteConfig(source, { isOffline, fonts }), ...(repository && { repository }) };
  const analytics = analyticsOf(source.config?.integrations, configFile, options.deployment);
  const named = source.pages.map(pageFacts);
  // Hugo and Jekyll name the page's own URL in its frontmatter. Links to that URL go to the page.
  const ownUrls = new Map(source.config ? [] : named.flatMap((facts) => (hasOwnUrl(facts) ? [[facts.path, facts.url]] : [])));
  const all = named.map((facts) => (ownUrls.has(facts.path) ? { ...facts, url: undefined } : facts));
  const drafts = new Set(source.config ? [] : all.filter((facts) => flagField(facts.source.frontmatter.draft)));
  const summary = source.config ? undefined : all.find(isSummary);
  const known = new Map(all.filter((facts) => facts !== summary && !drafts.has(facts)).map((facts) => [facts.path, facts]));

  const navigation = navigationOf(source, [...known.values()], summary);
  const chosen = options.paths && choosePaths(options.paths, known);
  const isChosen = (path: string) => chosen?.has(path) ?? true;
  const excludedPaths = [...[...drafts].map((facts) => facts.path), ...[...known.keys()].filter((path) => !isChosen(path))];
  // Entries name files, whose pages can have other paths.
  const byFile = new Map([...known.values()].map((facts) => [normalPath(facts.source.file), facts]));
  const walked = walkNavigation(navigation.root, new Map([...byFile, ...known]), {
    excluded: new Set(excludedPaths),
    configFile,
    unresolved: source.unresolved,
  });
  const language = siteLanguage(walked.contexts, [...known.values()], options.language);
  const wanted = selectedContexts(walked.contexts, options);
  const withContext = listedPages(walked, known, wanted);
  const isLimited = ({ facts, listing }: ListedPage) => facts.groups.length > 0 && !listing;
  const limited = withContext.filter(isLimited);
  // A page whose frontmatter has a URL is only a navigation entry.
  const linked = withContext.filter(({ facts }) => facts.url !== undefined);
  const reachable = withContext.filter((one) => !isLimited(one) && one.facts.url === undefined);
  if (options.paths) checkPaths(options.paths, known, new Set(reachable.map(({ facts }) => facts.path)));
  const shown = reachable.filter(({ facts }) => isChosen(facts.path));
  // Pages of other languages and versions exist, too: links and redirects to them are not broken.
  const isPart = options.language !== undefined || options.docsVersion !== undefined;
  const everywhere = isPart ? listedPages(walked, known, new Set(walked.contexts)) : reachable;
  const exported = new Set(shown.map(({ facts }) => facts));
  const excluded = everywhere.map(({ facts }) => facts).filter((facts) => !exported.has(facts) && facts.url === undefined);
  const pageRules = { known, language: language.tag, config, changed: options.changed, directories: walked.directories };
  const pages = shown.map((one) => toPage(one, pageRules));
  const paths = new Set(pages.map((page) => page.path));
  if (pages.length === 0) {
    throw new ExportError(
      'NoPages',
      'No pages remain to export: all are drafts, limited to groups, or links to other sites.',
      'Publish at least one page.',
    );
  }

  const positions = lazy(source.positions);
  const navigationSource = {
    configFile,
    paths: [...known.keys()],
    at: positions && ((entry: string) => positions().ofText(entry)),
  };
  const configured = redirectRules(source.config?.redirects ?? [], configFile, navigationSource.at);
  const moved = redirectRules(
    [
      ...linked.map(({ facts }) => ({ source: `/${facts.path}`, destination: facts.url! })),
      ...[...ownUrls].flatMap(([path, url]) =>
        paths.has(path) && normalPath(url) !== path ? { source: url, destination: `/${path}` } : [],
      ),
      ...(source.config ? [] : pages.flatMap(formerUrls).filter((url) => !paths.has(normalPath(url.source)))),
    ],
    configFile,
  );
  const rules = [...configured.rules, ...moved.rules];
  const outside = foldersOutside(excluded, paths);
  const outsideFiles = new Set(excluded.map(({ source: { file } }) => file));
  const assets = new Set(source.assets.map((asset) => asset.path));
  const expanded = expandRedirects(
    rules.filter(({ destination }) => !outside.has(firstFolder(normalPath(destination)))),
    new Set([...paths, ...excluded.map(({ path }) => path)]),
    (path) => assets.has(path),
    configFile,
    navigationSource.at,
  );

  // An export of one part reports only problems of that part.
  const missing = chosen ? [] : walked.missing.filter((one) => wanted.has(one.context));
  const unresolved = chosen ? [] : walked.unresolved.filter((one) => isWanted(one, options));
  const unread = unreadSpecifications(source.problems.filter(({ page }) => !isPart || !outsideFiles.has(page ?? '')));
  const entryProblems = unresolvedEntryProblems(
    unresolved.filter(({ reason }) => !unread.isCounted(reason)),
    navigationSource,
  );
  const pageProblems = unsupportedPages(
    shown.map(({ facts }) => facts),
    source.unresolved,
    unread.isCounted,
  );
  const missingNames = new Set([...missing, ...unresolved].map(({ entry }) => entry));
  const listed = new Set(
    withContext
      .filter(({ facts, listing }) => listing && facts.url === undefined && isChosen(facts.path))
      .map(({ facts }) => facts.path),
  );
  const limitedAndListed = limited.filter(({ facts }) => walked.limited.has(facts.path) && isChosen(facts.path));
  const excludedPages = new Set(excluded.map(({ path }) => path).filter((path) => path !== ''));
  const [start] = wanted;
  const home = paths.has('') ? '' : (pages.find((page) => page.context === start?.key) ?? pages[0])!.path;
  const first = chosen ? pages.find((page) => page.path === home) : start;
  return {
    name: source.config?.name ?? nameOf(source, known.get('')),
    source,
    config,
    isOffline,
    analyticsProviders: analytics.providers,
    pages,
    excluded,
    unlisted: shown
      .filter(({ listing, facts }) => !listing && !facts.hidden && facts.path !== home)
      .map(({ facts }) => facts.source.file),
    home,
    defaultLanguage: first?.language ?? language.tag,
    ...(first?.docsVersion !== undefined && { defaultDocsVersion: first.docsVersion }),
    contexts: new Map([...wanted].map((context) => [context.key, navigationContext(context, language.tag, options)])),
    redirects: expanded.redirects.filter(({ to }) => !excludedPages.has(normalPath(to.replace(/[?#].*$/s, '')))),
    redirectRules: rules,
    navigation: {
      listed: listed.size + limitedAndListed.length + missingNames.size,
      exported: [...listed].filter((path) => paths.has(path)).length,
      links: linked.filter(({ facts, listing }) => listing && isChosen(facts.path)).length,
      missing: [
        ...missing.map(({ entry, at }) => ({ entry, at })),
        ...unresolved.map(({ entry, at, reason }) => ({ entry, at, reason })),
      ],
    },
    problems: [
      ...unread.problems(),
      ...navigation.problems,
      ...language.problems,
      ...(chosen
        ? []
        : excludedPageProblems(
            [...drafts],
            limited.map(({ facts }) => facts),
          )),
      ...entryProblems,
      ...missingEntries(missing, navigationSource),
      ...(chosen
        ? []
        : emptyEntries(
            walked.empty.filter((one) => isWanted(one, options)),
            navigationSource,
          )),
      ...configured.problems,
      ...expanded.problems,
      ...analytics.problems,
      ...(source.config ? unsupportedSettings(source.config, configFile, options.fonts) : []),
      ...pageProblems,
      ...unsupportedScripts(source.assets),
    ],
  };
}

/** Calls a function at most once. */
function lazy<Value>(make: (() => Value) | undefined): (() => Value) | undefined {
  let made: { value: Value } | undefined;
  return make && (() => (made ??= { value: make() }).value);
}

/** Whether the URL in a page's frontmatter is its own: a page without text is only a navigation entry. */
function hasOwnUrl(facts: PageFacts): facts is PageFacts & { url: string } {
  return facts.url?.startsWith('/') === true && facts.source.body.trim() !== '';
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

function excludedPageProblems(drafts: PageFacts[], limited: PageFacts[]): Problem[] {
  const note = (kind: string, { source: { file } }: PageFacts, why: string): Problem => ({
    kind,
    severity: 'note',
    page: file,
    message: `${file} ${why}. It is excluded.`,
  });
  return [
    ...drafts.map((facts) => note('page-draft', facts, 'is a draft')),
    ...limited.map((facts) =>
      note('page-limited-to-groups', facts, `is limited to ${facts.groups.join(', ')}, and exports do not have a login`),
    ),
  ];
}

/** Name of a site without configuration: the title of the home page, or else the name of the package or folder. */
function nameOf({ root, packageName }: Source, home: PageFacts | undefined): string {
  const title =
    home && (home.source.frontmatter.title !== undefined || home.anchors.length > 0) ? textField(home.title) : undefined;
  if (title !== undefined && !general.test(title)) return title;
  if (packageName !== undefined) return packageName;
  // A generic folder name is skipped in favor of its parent's, which is the project's.
  const folder = root.split(/[\\/]/).findLast((name) => name !== '' && !general.test(name));
  return folder === undefined ? (title ?? 'Docs') : folder;
}

const general =
  /^(?:home|index|readme|docs?|documentation|content|contents|src|source|site|website|www|pages|introduction|overview|welcome|getting[ -]started)!?$/i;
