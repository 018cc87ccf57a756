// Which pages of a docs folder a site has: all that its options name, without drafts and mere links.
import type { NavigationEntry } from '../source/docs-json.ts';
import type { Source } from '../source/source.ts';
import type { Site } from './model.ts';
import { isWanted, selectedContexts } from './navigation/contexts.ts';
import { isSummary } from './navigation/navigation.ts';
import { walkNavigation, type FoundContext, type UnresolvedEntry, type Walked } from './navigation/walk-navigation.ts';
import { flagField, pageFacts, withOwnHeadings, type PageFacts } from './page-facts.ts';
import { checkPaths, choosePaths, normalPath } from './page-paths.ts';
import { listedPages, type ListedPage } from './pages.ts';

/** The part of a site that is exported. */
export interface Selection {
  /** Exports only this language. For a site without a declared language, sets it. */
  language?: string;
  /** Exports only this version of the docs. */
  docsVersion?: string;
  /** Only these pages, by their paths. */
  paths?: string[];
  /** The groups of the readers whom the site is for; without it, the site is for everybody. */
  groups?: readonly string[];
}

export interface KnownPages {
  /** By path, without drafts and the table of contents. */
  known: Map<string, PageFacts>;
  drafts: PageFacts[];
  /** The table of contents of a book. */
  summary: PageFacts | undefined;
  /** The page's own URL in its frontmatter, by its path. */
  ownUrls: Map<string, string>;
}

export function knownPages({ config, pages }: Source): KnownPages {
  const named = withOwnHeadings(pages).map(pageFacts);
  // Hugo and Jekyll name the page's own URL in its frontmatter. Links to that URL go to the page.
  const ownUrls = new Map(config ? [] : named.flatMap((facts) => (hasOwnUrl(facts) ? [[facts.path, facts.url] as const] : [])));
  const all = named.map((facts) => (ownUrls.has(facts.path) ? { ...facts, url: undefined } : facts));
  const drafts = new Set(config ? [] : all.filter((facts) => flagField(facts.source.frontmatter.draft)));
  const summary = config ? undefined : all.find(isSummary);
  const known = new Map(all.filter((facts) => facts !== summary && !drafts.has(facts)).map((facts) => [facts.path, facts]));
  return { known, drafts: [...drafts], summary, ownUrls };
}

/** Whether the URL in a page's frontmatter is its own: a page without text is only a navigation entry. */
function hasOwnUrl(facts: PageFacts): facts is PageFacts & { url: string } {
  return facts.url?.startsWith('/') === true && facts.source.body.trim() !== '';
}

export interface SelectedPages {
  walked: Walked;
  wanted: Set<FoundContext>;
  /** Whether the options name a language or version. */
  isPart: boolean;
  /** Whether they name pages. */
  isChosen: boolean;
  shown: ListedPage[];
  excluded: PageFacts[];
  /** Entries of the navigation that are pages with another URL. */
  linked: PageFacts[];
  missing: Walked['missing'];
  unresolved: UnresolvedEntry[];
  empty: Walked['empty'];
  navigation: Site['navigation'];
}

export function selectPages(
  root: NavigationEntry,
  { configFile = 'docs.json', unresolved, limited = [] }: Source,
  { known, drafts }: KnownPages,
  options: Selection,
): SelectedPages {
  const chosen = options.paths && choosePaths(options.paths, known);
  const isChosen = ({ path }: PageFacts) => chosen?.has(path) ?? true;
  // Entries name files, whose pages can have other paths.
  const byFile = new Map([...known.values()].map((facts) => [normalPath(facts.source.file), facts]));
  const walked = walkNavigation(root, new Map([...byFile, ...known]), {
    excluded: new Set([...drafts, ...[...known.values()].filter((facts) => !isChosen(facts))].map(({ path }) => path)),
    configFile,
    unresolved,
  });
  const wanted = selectedContexts(walked.contexts, options);
  const all = listedPages(walked, known, wanted);
  // A page whose frontmatter has a URL is only a navigation entry.
  const linked = all.filter(({ facts }) => facts.url !== undefined);
  const reachable = all.filter(({ facts }) => facts.url === undefined);
  if (options.paths) checkPaths(options.paths, { known, limited, reachable: new Set(reachable.map(({ facts }) => facts.path)) });
  const shown = reachable.filter(({ facts }) => isChosen(facts));
  // Pages of other languages and versions exist, too: links and redirects to them are not broken.
  const isPart = options.language !== undefined || options.docsVersion !== undefined;
  const everywhere = isPart ? listedPages(walked, known, new Set(walked.contexts)) : reachable;
  const exported = new Set(shown.map(({ facts }) => facts));
  const listed = all.filter(({ facts, listing }) => listing && facts.url === undefined && isChosen(facts));
  // An export of one part reports only problems of that part.
  const missing = chosen ? [] : walked.missing.filter((one) => wanted.has(one.context));
  const entries = chosen ? [] : walked.unresolved.filter((one) => isWanted(one, options));
  const missingNames = new Set([...missing, ...entries].map(({ entry }) => entry));
  return {
    ...{ walked, wanted, isPart, isChosen: chosen !== undefined, shown, missing, unresolved: entries },
    excluded: everywhere.map(({ facts }) => facts).filter((facts) => !exported.has(facts) && facts.url === undefined),
    linked: linked.map(({ facts }) => facts),
    empty: chosen ? [] : walked.empty.filter((one) => isWanted(one, options)),
    navigation: {
      listed: listed.length + missingNames.size,
      exported: listed.filter(({ facts }) => exported.has(facts)).length,
      links: linked.filter(({ facts, listing }) => listing && isChosen(facts)).length,
      missing: [
        ...missing.map(({ entry, at }) => ({ entry, at })),
        ...entries.map(({ entry, at, reason }) => ({ entry, at, reason })),
      ],
    },
  };
}
