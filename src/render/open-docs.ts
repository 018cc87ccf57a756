// docs folder → source → specifications → site → renderer: what renders the pages of a docs folder.
import { createRequire } from 'node:module';
import type { ExportAsset } from '../../integration/export/export-site.ts';
import type { ExportCache } from '../../integration/output/export-cache.ts';
import type { Pages } from '../markdown/links.ts';
import type { HighlightCache, MarkdownRenderer } from '../markdown/render.ts';
import { openRenderThreads } from '../markdown/render-threads.ts';
import { createSnippetUses } from '../markdown/snippet-uses.ts';
import { namedSpecifications } from '../openapi/named-specifications.ts';
import type { KnownSpecifications, Reference } from '../openapi/reference.ts';
import type { RemoteOptions } from '../openapi/remote-files.ts';
import { ensureTheme } from '../setup/ensure-theme.ts';
import { buildSite } from '../site/build-site.ts';
import { extraOfScript, formulaAssets, utilityAsset } from '../site/extras.ts';
import { fromCheckout, type CheckoutOptions } from '../site/from-checkout.ts';
import type { Site, SiteConfig } from '../site/model.ts';
import { textField } from '../site/page-facts.ts';
import { folderPages } from '../site/redirects.ts';
import { codeSheet } from '../site/site-config.ts';
import type { Selection } from '../site/select-pages.ts';
import { findSiteFonts, type SiteFontOptions, type SiteFonts } from '../site/site-fonts.ts';
import { createViewIcons } from '../site/view-icons.ts';
import { readSource } from '../source/read-source.ts';
import type { OpenedTexts } from '../source/read-texts.ts';
import type { Source } from '../source/source.ts';
import { loadTheme, type Theme } from '../theme/load.ts';
import { generator } from '../version.ts';
import type { PageRenderer } from './render-pages.ts';

export interface OpenDocsOptions extends CheckoutOptions, Selection {
  /** URL of the published site. */
  siteUrl?: string;
  /** The folder that it is published in, such as '/docs'. @default the path of `siteUrl` */
  base?: string;
  /** Leaves code without colors, where only the text of pages counts. */
  plainCode?: boolean;
  /** Stores highlighted code between runs. */
  highlightCache?: HighlightCache;
  /** The same for the threads that render pages: the folder of the store. */
  cacheFolder?: string;
  /** Folders outside the docs folder whose files pages may include. */
  includeRoots?: readonly string[];
  /** Stores what files say between runs, so that unchanged files are not read. */
  sourceCache?: ExportCache;
  /** Called while files are read. */
  onRead?: (done: number, total: number) => void;
  /** What files will contain once an editor saves them, by their paths in the folder. */
  unsaved?: ReadonlyMap<string, string>;
  /** For a folder that is opened repeatedly: its files are read again only when they have changed. */
  openedTexts?: OpenedTexts;
  /** How specifications from external origins are read. Without it, they are not. */
  remote?: RemoteOptions;
  /** For a folder that is opened repeatedly: its specifications are read again only when they have changed. */
  knownSpecifications?: KnownSpecifications;
  /** How fonts from external origins are downloaded. Without it, they are not. */
  downloadFont?: SiteFontOptions['download'];
  /** Milliseconds since 1970, for the age of files. */
  now?: number;
  /** Whether the author vouches for the components of the folder, which then run. */
  trustComponents?: boolean;
  /** Draws an image of each page for social networks; needs `siteUrl`. */
  socialCards?: boolean;
}

/** Reads a docs folder and loads the theme. Throws an ExportError when the folder cannot be read. */
export async function openDocs(folder: string, options: OpenDocsOptions = {}): Promise<PageRenderer> {
  const { sourceCache, now, includeRoots, onRead, unsaved, openedTexts } = options;
  const source = await readSource(folder, { cache: sourceCache, now, includeRoots, onRead, unsaved, openedTexts });
  const reference = await openReference(source, options);
  const { site, fonts } = await openSite(source, reference?.source ?? source, options);
  const theme = await loadTheme(await ensureTheme());
  return await openRenderer({ site, fonts, reference, theme }, options);
}

/** What the specifications describe that the source names, if it names any. */
async function openReference(source: Source, options: OpenDocsOptions): Promise<Reference | undefined> {
  const named = namedSpecifications(source);
  if (!named) return undefined;
  const { readReference } = await import('../openapi/reference.ts');
  return await readReference(source, { ...options.remote, known: options.knownSpecifications, groups: options.groups }, named);
}

/** The site of a source with all its pages; `given` is the source as written. */
async function openSite(given: Source, source: Source, options: OpenDocsOptions): Promise<{ site: Site; fonts: SiteFonts }> {
  const { repository, changed, problems } = await fromCheckout(given, options);
  source.problems.push(...problems);
  const fonts = await findSiteFonts(source.config?.fonts, { root: source.root, download: options.downloadFont });
  return { fonts, site: buildSite(source, { ...options, repository, changed, fonts }) };
}

interface OpenedSite {
  site: Site;
  fonts: SiteFonts;
  reference: Reference | undefined;
  theme: Theme;
}

async function openRenderer(opened: OpenedSite, options: OpenDocsOptions): Promise<PageRenderer> {
  const { site, theme, reference } = opened;
  const { source, config } = site;
  const { sourceCache, highlightCache, cacheFolder, now, siteUrl } = options;
  let pages: Pages | undefined;
  const linkPages = () => (pages ??= linkTargets(site));
  const uses = createSnippetUses(source.snippets);
  const shared = {
    snippets: source.snippets,
    glossary: source.glossary,
    variables: config.variables,
    iconLibrary: config.iconLibrary,
    drawingProgram: theme.drawingProgram,
    ...(options.plainCode && { plainCode: true }),
  };
  const trusted = options.trustComponents
    ? await (await import('./trusted-components.ts')).openTrustedComponents({ source, uses, theme, cache: sourceCache })
    : undefined;
  const markdown = { ...shared, highlightCache, islands: trusted?.islands };
  const hasOperations = reference !== undefined || site.pages.some((page) => page.source.frontmatter.api !== undefined);
  const operations = hasOperations
    ? await (
        await import('./operation-pages.ts')
      ).createOperationPages(site, reference, {
        cache: sourceCache,
        snippetsOf: uses.dependencies,
        openBodies: async () => (await import('../markdown/render.ts')).createBodyReader(markdown),
      })
    : undefined;
  const socialCards =
    options.socialCards && siteUrl !== undefined
      ? await (await import('../social-cards/social-cards.ts')).openSocialCards({ site, theme, siteUrl, cache: sourceCache })
      : undefined;
  site.problems.push(...(trusted?.problems ?? []), ...(socialCards?.problems ?? []));
  const threadCache = cacheFolder !== undefined && now !== undefined && { cache: { folder: cacheFolder, now } };
  // Without colors, a page takes less time than another thread needs to get it.
  const threads = openRenderThreads(() => ({ ...shared, ...linkPages(), ...threadCache }), options.plainCode ? 0 : undefined);
  // A warm export renders few or no pages, and loading the highlighter takes longer than rendering those.
  let renderer: Promise<MarkdownRenderer> | undefined;
  const createMarkdownRenderer = async () => {
    const { createRenderer } = await import('../markdown/render.ts');
    return createRenderer({ ...markdown, ...linkPages(), generated: await operations?.generated() });
  };
  return {
    ...{ site, theme, generator, siteUrl, linkPages, threads },
    ...(!options.plainCode && { markdownCache: highlightCache }),
    cardOf: (page) => socialCards?.cardOf(page),
    remoteFiles: reference?.remoteFiles ?? [],
    assets: [
      ...(await siteAssets(opened)),
      ...(operations?.assets ?? []),
      ...(trusted?.assets ?? []),
      ...(socialCards?.assets ?? []),
    ],
    icons: createViewIcons(config),
    dependencies: (page) => [
      ...uses.dependencies(page),
      ...[operations, trusted].flatMap((part) => part?.dependencies(page) ?? []),
    ],
    needsMainThread: (page) => [operations, trusted].some((part) => part?.isUsedOn(page)),
    close: async () => {
      trusted?.close();
      await threads.close();
    },
    renderer: () => (renderer ??= createMarkdownRenderer()),
  };
}

/** What links refer to: all pages of the folder. The export reports links to excluded pages. */
function linkTargets(site: Site): Pages {
  const all = [...site.pages, ...site.excluded];
  const named = [...all.map(({ path, source: { file } }) => ({ path, file })), ...(site.source.limited ?? [])];
  return {
    pagePaths: new Set(named.map((page) => page.path)),
    pageFiles: new Map(named.map((page) => [page.file, page.path])),
    folderPages: folderPages(site.pages, site.redirectRules),
    pageIds: new Map(all.map((page) => [textField(page.source.frontmatter.uid) ?? '', page.path])),
  };
}

/** The files of the folder and of the theme, and those that docs.json asks for. */
async function siteAssets({ site: { source, config }, theme, fonts }: OpenedSite): Promise<PageRenderer['assets']> {
  return [
    ...source.assets.filter(({ path }) => !source.withheld?.has(path)),
    ...theme.assets.map(({ path, contents }) => ({ path: `_carrel/${path}`, contents, neededFor: extraOfScript(path) })),
    ...fonts.assets,
    ...(await codeAssets(config)),
    ...formulaAssets(),
    utilityAsset,
  ];
}

async function codeAssets({ codeTheme }: SiteConfig): Promise<ExportAsset[]> {
  if (!codeTheme) return [];
  const { codeThemeSheet } = await import('../theme/code-theme.ts');
  const origin = createRequire(import.meta.url).resolve('@shikijs/themes');
  return [{ path: codeSheet.slice(1), contents: await codeThemeSheet(codeTheme), origin }];
}
