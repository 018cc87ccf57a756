// Opens a docs folder: its site, the compiled theme, and the pages they produce.
import type { ExportAsset } from '../../integration/export/export-site.ts';
import type { ExportCache } from '../../integration/output/export-cache.ts';
import type { HighlightCache, MarkdownRenderer } from '../markdown/render.ts';
import type { Pages } from '../markdown/links.ts';
import { openRenderThreads } from '../markdown/render-threads.ts';
import { createSnippetUses } from '../markdown/snippet-uses.ts';
import { createOperationPages } from './operation-pages.ts';
import { fromCheckout, type CheckoutOptions } from '../site/from-checkout.ts';
import type { PageRenderer } from './render-pages.ts';
import { ensureTheme } from '../setup/ensure-theme.ts';
import { buildSite } from '../site/build-site.ts';
import { textField } from '../site/page-facts.ts';
import { extraOfScript, formulaAssets, utilityAsset } from '../site/extras.ts';
import { folderPages } from '../site/redirects.ts';
import { findSiteFonts, type SiteFontOptions } from '../site/site-fonts.ts';
import { codeSheet } from '../site/site-config.ts';
import type { SiteConfig } from '../site/model.ts';
import { createViewIcons } from '../site/view-icons.ts';
import { readSource } from '../source/read-source.ts';
import { namedSpecifications } from '../openapi/generate-pages.ts';
import type { KnownSpecifications } from '../openapi/reference.ts';
import type { RemoteOptions } from '../openapi/remote-files.ts';
import type { SocialCards } from '../social-cards/social-cards.ts';
import { loadTheme } from '../theme/load.ts';
import { noComponents, openTrustedComponents } from './trusted-components.ts';
import { generator } from '../version.ts';

export interface OpenDocsOptions extends CheckoutOptions {
  /** Only this language. */
  language?: string;
  /** Exports only this version of the docs. */
  docsVersion?: string;
  /** Only these pages, by their paths. */
  paths?: string[];
  /** URL of the published site. */
  siteUrl?: string;
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
  const given = await readSource(folder, {
    cache: options.sourceCache,
    now: options.now,
    includeRoots: options.includeRoots,
  });
  const reference =
    namedSpecifications(given) &&
    (await (
      await import('../openapi/reference.ts')
    ).readReference(given, { ...options.remote, known: options.knownSpecifications }));
  const source = reference?.source ?? given;
  const { repository, changed, problems } = await fromCheckout(given, options);
  source.problems.push(...problems);
  const fonts = await findSiteFonts(source.config?.fonts, { root: source.root, download: options.downloadFont });
  const site = buildSite(source, { ...options, repository, changed, fonts });
  // Links are resolved against all pages of the folder; the export reports links to excluded pages.
  const all = [...site.pages, ...site.excluded];
  const theme = await loadTheme(await ensureTheme());
  let pages: Pages | undefined;
  const linkPages = () =>
    (pages ??= {
      pagePaths: new Set(all.map((page) => page.path)),
      pageFiles: new Map(all.map((page) => [page.source.file, page.path])),
      folderPages: folderPages(site.pages, site.redirectRules),
      pageIds: new Map(all.map((page) => [textField(page.source.frontmatter.uid) ?? '', page.path])),
    });
  const uses = createSnippetUses(source.snippets);
  const { dependencies: snippetsOf } = uses;
  // A warm export renders few or no pages, and loading the highlighter takes longer than rendering those.
  let renderer: Promise<MarkdownRenderer> | undefined;
  const shared = {
    snippets: source.snippets,
    variables: site.config.variables,
    iconLibrary: site.config.iconLibrary,
    drawingProgram: theme.drawingProgram,
    ...(options.plainCode && { plainCode: true }),
  };
  const trusted = options.trustComponents
    ? await openTrustedComponents({ source, uses, theme, cache: options.sourceCache })
    : noComponents;
  site.problems.push(...trusted.problems);
  const { highlightCache } = options;
  const markdown = { ...shared, highlightCache, islands: trusted.islands };
  const { cacheFolder, now } = options;
  const threadCache = cacheFolder !== undefined && now !== undefined && { cache: { folder: cacheFolder, now } };
  const operations = await createOperationPages(site, reference, {
    cache: options.sourceCache,
    snippetsOf,
    openBodies: async () => (await import('../markdown/render.ts')).createBodyReader(markdown),
  });
  const socialCards =
    options.socialCards && options.siteUrl !== undefined
      ? await (
          await import('../social-cards/social-cards.ts')
        ).openSocialCards({ site, theme, siteUrl: options.siteUrl, cache: options.sourceCache })
      : noSocialCards;
  site.problems.push(...socialCards.problems);
  // Without colors, a page takes less time than another thread needs to get it.
  const threadCount = options.plainCode ? 0 : undefined;
  const threads = openRenderThreads(() => ({ ...shared, ...linkPages(), ...threadCache }), threadCount);
  return {
    site,
    theme,
    generator,
    operationScripts: operations.scripts,
    socialCards,
    remoteFiles: reference?.remoteFiles ?? [],
    siteUrl: options.siteUrl,
    assets: [
      ...source.assets,
      ...theme.assets.map(({ path, contents }) => ({ path: `_carrel/${path}`, contents, neededFor: extraOfScript(path) })),
      ...fonts.assets,
      ...(await codeAssets(site.config)),
      ...operations.assets,
      ...formulaAssets(),
      utilityAsset,
      ...trusted.assets,
      ...socialCards.assets,
    ],
    icons: createViewIcons(site.config),
    dependencies: (page) => [...snippetsOf(page), ...operations.dependencies(page), ...trusted.dependencies(page)],
    linkPages,
    threads,
    needsMainThread: (page) => operations.isOperation(page) || trusted.isUsedOn(page),
    close: async () => {
      trusted.close();
      await threads.close();
    },
    renderer: () =>
      (renderer ??= Promise.all([import('../markdown/render.ts'), operations.generated()]).then(
        ([{ createRenderer }, generated]) => createRenderer({ ...markdown, ...linkPages(), generated }),
      )),
  };
}

const noSocialCards: SocialCards = { cardOf: () => undefined, assets: [], problems: [] };

async function codeAssets({ codeTheme }: SiteConfig): Promise<ExportAsset[]> {
  if (!codeTheme) return [];
  const { codeThemeSheet } = await import('../theme/code-theme.ts');
  return [{ path: codeSheet.slice(1), contents: await codeThemeSheet(codeTheme) }];
}
