import { ExportError } from '../../integration/errors.ts';
import type { Problem } from '../../integration/diagnostics.ts';
import type { Source } from '../source/source.ts';
import { checkPaths, choosePaths } from './navigation/choose-pages.ts';
import { normalPath } from './find-page.ts';
import { flagField, textField } from './frontmatter-fields.ts';
import type { Site } from './model.ts';
import { isWanted, wantedPlaces } from './navigation/selected-contexts.ts';
import { generatedPageProblems } from './navigation/generated-pages.ts';
import { missingEntries } from './navigation/missing-entries.ts';
import { navigationOf } from './navigation/navigation.ts';
import { isSummary } from './navigation/navigation-from-summary.ts';
import { pageFacts, type PageFacts } from './page-facts.ts';
import { placedPages, toPage } from './pages.ts';
import { toPlace } from './navigation/contexts.ts';
import { expandRedirects, redirectRules } from './redirects.ts';
import { siteConfig } from './site-config.ts';
import { siteLanguage } from './site-language.ts';
import { unsupportedPages, unsupportedScripts, unsupportedSettings } from './unsupported.ts';
import { walkNavigation } from './navigation/walk-navigation.ts';

export interface SiteOptions {
  /** Only this language; for a site that names none, the language it is in. */
  language?: string;
  /** Only this version of the docs. */
  docsVersion?: string;
  /** Only these pages, by their paths. */
  paths?: string[];
}

/**
 * Gives every page its place. Throws `LanguageNotFound`, `VersionNotFound` or `PathNotFound` where the options name what the site does not
 * have, and `NoPages` where nothing is left to show.
 */
export function buildSite(source: Source, options: SiteOptions = {}): Site {
  const configFile = source.configFile ?? 'docs.json';
  const config = siteConfig(source);
  const all = source.pages.map(pageFacts);
  const drafts = source.config ? [] : all.filter((facts) => flagField(facts.source.frontmatter.draft));
  const summary = source.config ? undefined : all.find(isSummary);
  const known = new Map(all.filter((facts) => facts !== summary && !drafts.includes(facts)).map((facts) => [facts.path, facts]));

  const navigation = navigationOf(source, [...known.values()], summary);
  const chosen = options.paths && choosePaths(options.paths, known);
  const isChosen = (path: string) => chosen?.has(path) ?? true;
  const leftOutPaths = [...drafts.map((facts) => facts.path), ...[...known.keys()].filter((path) => !isChosen(path))];
  const walked = walkNavigation(navigation.root, known, {
    leftOut: new Set(leftOutPaths),
    configFile,
    specifications: source.specifications,
    openapi: (source.config?.api as { openapi?: unknown } | undefined)?.openapi,
  });
  const language = siteLanguage(walked.places, [...known.values()], options.language);
  const wanted = wantedPlaces(walked.places, options);
  const placed = placedPages(walked, known, wanted);
  const limited = placed.filter(({ facts, listing }) => facts.groups.length > 0 && !listing);
  // A page with an address of its own elsewhere is only an entry of the navigation.
  const linked = placed.filter(({ facts }) => facts.url !== undefined);
  const reachable = placed.filter((one) => !limited.includes(one) && !linked.includes(one));
  if (options.paths) checkPaths(options.paths, known, new Set(reachable.map(({ facts }) => facts.path)));
  const shown = reachable.filter(({ facts }) => isChosen(facts.path));
  // Pages of other languages and versions exist too: links and redirects to them are not wrong.
  const isPart = options.language !== undefined || options.docsVersion !== undefined;
  const everywhere = isPart ? placedPages(walked, known, new Set(walked.places)) : reachable;
  const exported = new Set(shown.map(({ facts }) => facts));
  const leftOut = everywhere.map(({ facts }) => facts).filter((facts) => !exported.has(facts) && facts.url === undefined);
  const pages = shown.map((one) => toPage(one, known, language.tag, config.indexing === 'all'));
  const paths = new Set(pages.map((page) => page.path));
  if (pages.length === 0) {
    throw new ExportError(
      'NoPages',
      'No page is left to export: all are drafts, limited to groups, or links elsewhere.',
      'Publish at least one page.',
    );
  }

  const generated = walked.generated.filter((one) => isWanted(one, options) && !paths.has(one.path ?? '\0'));
  const generatedPaths = new Map(generated.flatMap(({ path, entry }) => (path === undefined ? [] : [[path, entry] as const])));
  const configured = redirectRules(source.config?.redirects ?? [], configFile);
  const moved = redirectRules(
    linked.map(({ facts }) => ({ source: `/${facts.path}`, destination: facts.url! })),
    configFile,
  );
  const rules = [...configured.rules, ...moved.rules];
  const outside = foldersOutside(leftOut, paths);
  const outsideFiles = new Set(leftOut.map(({ source: { file } }) => file));
  const assets = new Set(source.assets.map((asset) => asset.path));
  const expanded = expandRedirects(
    rules.filter(({ destination }) => !outside.has(firstFolder(normalPath(destination)))),
    new Set([...paths, ...leftOut.map(({ path }) => path)]),
    (path) => assets.has(path),
    configFile,
    generatedPaths,
  );

  // Of a part of the site nothing is told that lies outside it.
  const missing = chosen ? [] : walked.missing.filter((one) => wanted.has(one.place));
  const notMade = chosen ? [] : generated;
  const missingNames = new Set([...missing.map(({ entry }) => entry), ...notMade.map(({ path, entry }) => path ?? entry)]);
  const listed = new Set(placed.filter(({ facts, listing }) => listing && isChosen(facts.path)).map(({ facts }) => facts.path));
  const limitedAndListed = limited.filter(({ facts }) => walked.limited.has(facts.path) && isChosen(facts.path));
  const [start] = wanted;
  const home = paths.has('') ? '' : (pages.find((page) => page.place === start?.key) ?? pages[0])!.path;
  const first = chosen ? pages.find((page) => page.path === home) : start;
  return {
    name: source.config?.name ?? nameOf(source, known.get('')),
    source,
    config,
    pages,
    leftOut,
    home,
    defaultLanguage: first?.language ?? language.tag,
    ...(first?.docsVersion !== undefined && { defaultDocsVersion: first.docsVersion }),
    places: new Map([...wanted].map((place) => [place.key, toPlace(place, language.tag, options)])),
    redirects: expanded.redirects.filter(
      ({ to }) => !leftOut.some(({ path }) => path !== '' && path === normalPath(to.replace(/[?#].*$/s, ''))),
    ),
    redirectRules: rules,
    generated: generatedPaths,
    navigation: {
      listed: listed.size + limitedAndListed.length + missingNames.size,
      exported: [...listed].filter((path) => paths.has(path)).length,
      missing: [
        ...missing.map(({ entry, at }) => ({ entry, at })),
        ...notMade.map(({ entry, at, path }) => ({ entry, at, ...(path !== undefined && { path }) })),
      ],
    },
    problems: [
      ...source.problems.filter(({ page }) => !isPart || !outsideFiles.has(page ?? '')),
      ...navigation.problems,
      ...language.problems,
      ...(chosen
        ? []
        : notShown(
            drafts,
            limited.map(({ facts }) => facts),
          )),
      ...generatedPageProblems(notMade, configFile),
      ...missingEntries(missing, configFile),
      ...configured.problems,
      ...expanded.problems,
      ...(source.config ? unsupportedSettings(source.config, configFile, options.language) : []),
      ...unsupportedPages(shown.map(({ facts }) => facts)),
      ...unsupportedScripts(source.assets),
    ],
  };
}

/** First folders that only pages outside the export have, such as those of other languages. */
function foldersOutside(leftOut: readonly PageFacts[], paths: ReadonlySet<string>): Set<string> {
  const folders = new Set(leftOut.map(({ path }) => firstFolder(path)));
  for (const path of paths) folders.delete(firstFolder(path));
  return folders;
}

function firstFolder(path: string): string {
  return path.split('/', 1)[0]!;
}

function notShown(drafts: PageFacts[], limited: PageFacts[]): Problem[] {
  const note = (kind: string, { source: { file } }: PageFacts, why: string): Problem => ({
    kind,
    severity: 'note',
    page: file,
    message: `${file} ${why}; it is left out.`,
  });
  return [
    ...drafts.map((facts) => note('page-draft', facts, 'is a draft')),
    ...limited.map((facts) =>
      note('page-limited-to-groups', facts, `is limited to ${facts.groups.join(', ')}, and an export has no login`),
    ),
  ];
}

/** Without a configuration: the title of the home page, else the package's name, else the folder's. */
function nameOf({ root, packageName }: Source, home: PageFacts | undefined): string {
  const title =
    home && (home.source.frontmatter.title !== undefined || home.anchors.length > 0) ? textField(home.title) : undefined;
  if (title !== undefined && !general.test(title)) return title;
  if (packageName !== undefined) return packageName;
  // The folder of the docs says nothing where the one around it is the project's.
  const folder = root.split(/[\\/]/).findLast((name) => name !== '' && !general.test(name));
  return folder === undefined ? (title ?? 'Docs') : folder;
}

const general =
  /^(?:home|index|readme|docs?|documentation|content|contents|src|source|site|website|www|pages|introduction|overview|welcome|getting[ -]started)!?$/i;
