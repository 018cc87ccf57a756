import { ExportError } from '../../integration/errors.ts';
import type { Deployment } from '../../integration/manifest.ts';
import { publishedFolder } from '../../integration/urls/parts.ts';
import type { Source } from '../source/source.ts';
import { sourceFor } from './audience.ts';
import { textField, type PageFacts } from './page-facts.ts';
import { analyticsOf } from './analytics.ts';
import type { ChangeDates } from './last-updated.ts';
import type { Site, SiteConfig } from './model.ts';
import { navigationContext } from './navigation/contexts.ts';
import { navigationOf } from './navigation/navigation.ts';
import { toPage } from './pages.ts';
import { knownPages, selectPages, type Selection } from './select-pages.ts';
import { siteConfig } from './site-config.ts';
import type { SiteFonts } from './site-fonts.ts';
import { siteProblems } from './site-problems.ts';
import { siteRedirects } from './site-redirects.ts';
import { siteLanguage } from './languages.ts';

export interface SiteOptions extends Selection {
  /** The folder that the site is published in, such as '/docs', which its redirects may begin with. @default the path of `siteUrl` */
  base?: string;
  siteUrl?: string;
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
export function buildSite(given: Source, options: SiteOptions = {}): Site {
  const source = sourceFor(given, options.groups);
  const { configFile = 'docs.json' } = source;
  const { repository, fonts, deployment, changed } = options;
  const isOffline = deployment === 'air-gapped';
  const config = { ...siteConfig(source, { isOffline, fonts }), ...(repository && { repository }) };
  const analytics = analyticsOf(source.config?.integrations, configFile, deployment);
  const files = knownPages(source);
  const { known } = files;
  const navigation = navigationOf(source, [...known.values()], files.summary);
  const selected = selectPages(navigation.root, source, files, options);
  const { walked, wanted, shown, excluded } = selected;
  const language = siteLanguage(walked.contexts, [...known.values()], options.language);
  const pageRules = { known, language: language.tag, config, changed, directories: walked.directories };
  const pages = shown.map((one) => toPage(one, pageRules));
  if (pages.length === 0) {
    throw new ExportError(
      'NoPages',
      'No pages remain to export: all are drafts, limited to other groups, or links to other sites.',
      'Publish at least one page.',
    );
  }
  const paths = new Set(pages.map((page) => page.path));
  const positions = lazy(source.positions);
  const at = positions && ((entry: string) => positions().ofText(entry));
  const entries = { configFile, paths: [...known.keys()], at };
  const redirects = siteRedirects(source, files, selected, pages, { ...entries, folder: publishedFolder(options) });
  const [start] = wanted;
  const home = paths.has('') ? '' : (pages.find((page) => page.context === start?.key) ?? pages[0])!.path;
  const first = options.paths ? pages.find((page) => page.path === home) : start;
  return {
    name: source.config?.name ?? siteName(source, known.get('')),
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
    redirects: redirects.redirects,
    redirectRules: redirects.rules,
    navigation: selected.navigation,
    problems: siteProblems(source, files, selected, {
      entries,
      before: [...navigation.problems, ...language.problems],
      after: [...redirects.problems, ...analytics.problems],
      fonts,
    }),
  };
}

/** Calls a function at most once. */
function lazy<Value>(make: (() => Value) | undefined): (() => Value) | undefined {
  let made: { value: Value } | undefined;
  return make && (() => (made ??= { value: make() }).value);
}

/** Name of a site without configuration: the title of the home page, or else the name of the package or folder. */
function siteName({ root, packageName }: Source, home: PageFacts | undefined): string {
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
