// An audience is an export: the site for readers of some groups is made of a source without all that they may not see. What no later step knows,
// none can show.
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { entryLevels, entryNames, type DocsConfig, type NavigationEntry } from '../source/docs-json.ts';
import { mayRead, readersOf, type MayRead } from '../source/readers.ts';
import type { LimitedPage, Source, SourcePage } from '../source/source.ts';
import { createSnippetUses } from '../markdown/snippet-uses.ts';
import { normalPath } from './page-paths.ts';

const levels = ['pages', ...entryLevels] as const;

/**
 * The source as readers of these groups may see it; without groups, as everybody may. A page or an entry of the navigation is for readers of one of
 * the groups that it names, and an entry in another one for those who may see both. `public: true` opens the pages of an entry to all who see it.
 */
export function sourceFor(source: Source, groups: readonly string[] = []): Source {
  const maySee = mayRead(groups);
  const before = visibleNavigation(source, { maySee, limits: pageLimits(source, maySee) });
  // A page that takes the text of one that an entry hides may not be seen either.
  const hiddenFiles = new Map(
    [...before.hidden].flatMap(([page, readers]) => (before.shown.has(page) ? [] : [[page.file, readers]])),
  );
  const limits = pageLimits(source, maySee, hiddenFiles);
  const { navigation, shown, hidden, isCut } = hiddenFiles.size === 0 ? before : visibleNavigation(source, { maySee, limits });
  const limited = source.pages.flatMap((page): LimitedPage[] => {
    const { path, file } = page;
    const limit = limits.get(page);
    // A snippet may hold what its readers alone should see, whatever an entry says of the page.
    if (limit?.snippet !== undefined) return [{ path, file, page, ...limit }];
    if (shown.has(page)) return [];
    const readers = limit?.groups ?? hidden.get(page);
    return readers === undefined ? [] : [{ path, file, page, groups: readers }];
  });
  const files = limitedFiles(source, limited);
  if (limited.length === 0 && !isCut && files.length === 0) return source;
  const limitedPaths = new Set(limited.map(({ path }) => path));
  const pages = source.pages.filter(({ path }) => !limitedPaths.has(path));
  const withheld = new Set(files);
  if (!source.config) return { ...source, pages, limited, withheld, problems: [...source.problems, ...files.map(fileProblem)] };
  const links = withoutLimitedLinks({ ...source.config, navigation }, { pages, limited });
  const problems = [...source.problems, ...files.map(fileProblem), ...links.removed.map((link) => linkProblem(source, link))];
  return { ...source, pages, limited, withheld, problems, config: withoutLimitedRedirects(links.value, pages, limited) };
}

/** The files of specifications of which these readers may not see all: in their pages, the rest is left out, but a file is one piece. */
function limitedFiles({ assets, specifications = [] }: Source, limited: readonly LimitedPage[]): string[] {
  const ofPages = new Set(limited.map(({ page }) => page.described?.specification));
  const files = new Set(specifications.flatMap(({ path, files, isLimited }) => (isLimited || ofPages.has(path) ? files : [])));
  return assets.map(({ path }) => path).filter((path) => files.has(path));
}

function fileProblem(path: string): Problem {
  return createProblem({
    kind: 'file-without-use',
    page: path,
    message: `${path} is left out: it has parts of an API that readers of this export may not see.`,
    hint: 'Nothing, unless readers should get the file: then link to a copy without these parts.',
  });
}

type Limit = Pick<LimitedPage, 'groups' | 'snippet'>;

/** The pages that these readers may not see by themselves, or because of a file in them. `hiddenFiles` has the readers of pages that entries hide. */
function pageLimits(
  source: Source,
  maySee: MayRead,
  hiddenFiles: ReadonlyMap<string, string[]> = new Map(),
): Map<SourcePage, Limit> {
  const unreadable = (file: string, own: string[]) => [own, hiddenFiles.get(file) ?? []].find((groups) => !maySee(groups));
  const includedIn = ({ included = [] }: Pick<SourcePage, 'included'>): Limit | undefined => {
    for (const { file, groups } of included) {
      const readers = unreadable(file, groups);
      if (readers) return { groups: readers, snippet: file };
    }
    return undefined;
  };
  const limitedSnippets = new Map(
    [...new Set(source.snippets.values())].flatMap((snippet) => {
      const readers = unreadable(snippet.file, readersOf(snippet.frontmatter)) ?? includedIn(snippet)?.groups;
      return readers === undefined ? [] : [[snippet, readers] as const];
    }),
  );
  const { snippetsOf } = createSnippetUses(source.snippets);
  return new Map(
    source.pages.flatMap((page): [SourcePage, Limit][] => {
      const groups = readersOf(page.frontmatter);
      if (!maySee(groups)) return [[page, { groups }]];
      const included = includedIn(page);
      if (included) return [[page, included]];
      const snippet = limitedSnippets.size === 0 ? undefined : snippetsOf(page).find((one) => limitedSnippets.has(one));
      return snippet ? [[page, { groups: limitedSnippets.get(snippet)!, snippet: snippet.file }]] : [];
    }),
  );
}

interface NavigationLimits {
  maySee: MayRead;
  limits: ReadonlyMap<SourcePage, Limit>;
}

/** The navigation without what these readers may not see; the pages that it shows them, and those that only other readers find in it. */
function visibleNavigation({ config, pages }: Source, { maySee, limits }: NavigationLimits) {
  const byName = new Map([
    ...pages.map((page) => [normalPath(page.file), page] as const),
    ...pages.map((page) => [page.path, page] as const),
  ]);
  const pageOf = (entry: string) => byName.get(entry) ?? byName.get(normalPath(entry));
  const shown = new Set<SourcePage>();
  const hidden = new Map<SourcePage, string[]>();
  // An entry without pages is limited, too.
  let isCut = false;

  const hideAll = (entry: NavigationEntry, readers: string[]): void => {
    const named = [...(entry.pages ?? []), ...(entry.root === undefined ? [] : [entry.root])];
    for (const one of named) {
      const page = typeof one === 'string' ? pageOf(one) : undefined;
      if (page) hidden.set(page, hidden.get(page) ?? readers);
    }
    for (const inside of entriesIn(entry)) hideAll(inside, readers);
  };
  const isShown = (name: string, isPublic: boolean): boolean => {
    const page = pageOf(name);
    if (page === undefined) return true;
    const limit = limits.get(page);
    if (limit && (limit.snippet !== undefined || !isPublic)) return false;
    shown.add(page);
    return true;
  };
  const visible = (entry: NavigationEntry, isOpen: boolean): NavigationEntry | undefined => {
    const { readers, ...result } = entry;
    if (readers && !maySee(readers)) {
      isCut = true;
      hideAll(entry, readers);
      return undefined;
    }
    const isPublic = entry.public ?? isOpen;
    const before = entriesIn(entry).length + (entry.pages?.length ?? 0) + (entry.root === undefined ? 0 : 1);
    if (entry.root !== undefined && !isShown(entry.root, isPublic)) delete result.root;
    for (const level of levels) {
      const inside: (string | NavigationEntry)[] | undefined = entry[level];
      if (inside)
        result[level] = inside.flatMap((one) => {
          if (typeof one !== 'string') return visible(one, isPublic) ?? [];
          return isShown(one, isPublic) ? one : [];
        }) as NavigationEntry[];
    }
    if (entry.global) result.global = visible(entry.global, isPublic) ?? {};
    const after = levels.some((level) => result[level]?.length) || result.root !== undefined;
    return before > 0 && !after && result.href === undefined ? undefined : result;
  };
  const navigation = config?.navigation && (visible(config.navigation, false) ?? { pages: [] });
  return { navigation, shown, hidden, isCut };
}

function entriesIn(entry: NavigationEntry): NavigationEntry[] {
  const inside = levels.flatMap((level): (string | NavigationEntry)[] => entry[level] ?? []);
  return [...inside, ...(entry.global ? [entry.global] : [])].filter((one) => typeof one !== 'string');
}

type Pages = Pick<Source, 'pages' | 'limited'>;
type ConfigLink = { href: string; name: string };

/** A part of the configuration without the links to limited pages, wherever it has links; an entry or a picture only loses its own. */
function withoutLimitedLinks<Value>(value: Value, { pages, limited = [] }: Pages): { value: Value; removed: ConfigLink[] } {
  const open = new Set(pages.map(({ path }) => path));
  // A link to the home page goes to the first page that these readers see.
  const withheld = new Set(limited.flatMap(({ path }) => (path === '' || open.has(path) ? [] : path)));
  const removed: ConfigLink[] = [];
  const isGone = (one: object): boolean => {
    if (!('href' in one) || typeof one.href !== 'string' || !withheld.has(normalPath(one.href.replace(/[?#].*$/s, ''))))
      return false;
    const name = ['label', ...entryNames].map((key): unknown => (one as Record<string, unknown>)[key]).find(isText);
    removed.push({ href: one.href, name: name ?? '' });
    return true;
  };
  const cleaned = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(cleaned).filter((item) => item !== undefined);
    const { href, ...rest } = Object.fromEntries(
      Object.entries(one).flatMap(([key, inside]) => {
        const result = cleaned(inside);
        return result === undefined ? [] : [[key, result]];
      }),
    );
    if (hasItems(one) && !hasItems(rest)) return undefined;
    if (!isGone(one)) return href === undefined ? rest : { ...rest, href };
    return keptWithoutLink.some((key) => key in rest) ? rest : undefined;
  };
  return { value: cleaned(value) as Value, removed };
}

const keptWithoutLink = [...levels, 'root', 'light', 'dark'];

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function hasItems({ items }: { items?: unknown }): boolean {
  return Array.isArray(items) && items.length > 0;
}

function linkProblem({ configFile = 'docs.json', positions }: Source, { href, name }: ConfigLink): Problem {
  return createProblem({
    kind: 'link-to-limited-page',
    page: configFile,
    ...positions?.().ofText(href),
    message: `The link ${name === '' ? '' : `"${name}" `}to "${href}" is left out: readers of this export may not see that page.`,
    hint: 'Nothing needs to change.',
  });
}

/** The configuration without redirects from and to limited pages. */
function withoutLimitedRedirects(config: DocsConfig, pages: readonly SourcePage[], limited: readonly LimitedPage[]): DocsConfig {
  // A pattern such as /partners/:slug* says something of all pages below its folder.
  const isOfLimited = (url: string) => {
    const fixed = normalPath(url.replace(/[:*?#].*$/s, ''));
    const isInside = (path: string, folder: string) => folder !== '' && path.startsWith(`${folder}/`);
    const isNear = ({ path }: Pick<LimitedPage, 'path'>) => path === fixed || isInside(path, fixed) || isInside(fixed, path);
    return limited.some(isNear) && !pages.some(isNear);
  };
  return {
    ...config,
    ...(config.redirects && {
      redirects: config.redirects.filter(({ source, destination }) => !isOfLimited(source) && !isOfLimited(destination)),
    }),
  };
}
