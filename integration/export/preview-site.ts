// The files that an export of a site would have, each made when it is requested. A preview shows one state of a site after another, and takes
// from the previous state what is the same.
import { hash } from 'node:crypto';
import type { Problem } from '../diagnostics.ts';
import type { Deployment } from '../manifest.ts';
import { exportedFeatures } from '../page-settings.ts';
import type { ExportCache } from '../output/export-cache.ts';
import type { PreviousPage } from '../output/export-state.ts';
import { PreviousChanged, recordIn } from '../output/incremental.ts';
import { assetText, collected, type CollectedAsset, type ExportAsset } from '../page/asset.ts';
import type { PageRecord, PageSource, WrittenPage } from '../page/page-types.ts';
import { createRemotePolicy } from '../remote/remote-policy.ts';
import { relativeStylesheet } from './assets.ts';
import { checkLinks } from './check-links.ts';
import type { ExportInput } from './export-input.ts';
import { createPageExporter, type PageOptions } from './export-page.ts';
import { createPreviewIndexes, variantKey } from './preview-indexes.ts';
import { writeRedirects } from './redirects.ts';
import type { Variant } from './search-index.ts';
import { writeFixed, writeSiteData } from './site-files.ts';
import { assignUrls } from './site-urls.ts';

export interface PreviewInput extends ExportInput {
  /** What is known of each page before it is rendered, by its path. */
  variants: ReadonlyMap<string, Variant & { searchable: boolean }>;
}

export interface PreviewOptions {
  deployment: Deployment;
  cache?: ExportCache;
}

/** A file on disk, or its contents. */
export type PreviewFile = { file: string } | { contents: string | Uint8Array };

/** One state of a site. */
export type SitePreview = Awaited<ReturnType<ReturnType<typeof createPreview>['open']>>;

interface KnownPages {
  /** Digest of everything that determines the targets of links. */
  context: string;
  pages: Map<string, PreviousPage>;
}

export function createPreview({ deployment, cache }: PreviewOptions) {
  const records = new Map<string, { key: string | undefined; record: PageRecord }>();
  const indexStates = createPreviewIndexes((path) => records.get(path)?.record);
  let known: KnownPages = { context: '', pages: new Map() };
  let states = 0;

  const record = async (source: PageSource, make: () => Promise<PageRecord>): Promise<PageRecord> => {
    const latest = records.get(source.path);
    const isSame = source.key !== undefined && latest?.key === source.key;
    if (latest && isSame && (source.hasTargets?.(latest.record.linkTargets ?? []) ?? true)) return latest.record;
    const made = await recordIn(cache)(source, make);
    records.set(source.path, { key: source.key, record: made });
    return made;
  };

  return {
    /** The state of the site from now on. */
    async open(site: PreviewInput) {
      const { rules, listPages = [] } = site;
      const state = ++states;
      const urls = assignUrls(site, { deployment, vendor: false });
      const { names, resolver, siteUrl, context } = urls;
      const files = new Map<string, string | Uint8Array>();
      const folder = { write: (path: string, contents: string | Uint8Array) => void files.set(path, contents), files };
      const vendored = new Map<string, string>();
      const policy = createRemotePolicy({ rules: rules.remote, deployment, write: folder.write, vendored });
      const problems = [...site.problems, ...writeRedirects(site, urls, folder)];
      writeFixed({ site, urls, folder }, exportedFeatures({ providers: site.analyticsProviders, deployment }));

      const pages = [...site.pages, ...listPages];
      const byFile = new Map(pages.flatMap((source) => [names.page, names.markdown].map((name) => [name(source.path), source])));
      const assets = new Map<string, ExportAsset | CollectedAsset>(site.assets.map((asset) => [names.asset(asset.path), asset]));
      const found = [...site.variants.values()].filter(({ searchable }) => searchable);
      const variants = new Map(found.map((variant) => [variantKey(variant), variant]));
      const indexFolder = `_carrel/search/preview-${state}/`;
      const variantOf = (path: string): Variant => site.variants.get(path) ?? { language: site.defaultLanguage };
      await writeSiteData({
        ...{ site, names, resolver, folder },
        pages: site.pages.map(({ path }) => ({ source: { path }, facts: variantOf(path) })),
        indexes: [...variants].map(([key, { language, docsVersion }]) => ({
          language,
          ...(docsVersion !== undefined && { docsVersion }),
          folder: indexFolder + key,
        })),
      });

      const shared = {
        ...{ names, resolver, siteUrl, deployment, vendored, policy, rules },
        imageSize: (file: string) => urls.sizes.get(file),
      };
      const texts = { text: () => undefined, storeText() {}, folder };
      const rendered = new Map<string, Promise<WrittenPage>>();
      const renderPage = createPageExporter({
        ...shared,
        incremental: { ...texts, record, page: () => undefined, isSame: () => false, reusePage: () => false },
        indexes: { add() {}, keep: () => true },
        problems: [],
      });
      const render = (source: PageSource): Promise<WrittenPage> => {
        let page = rendered.get(source.path);
        if (!page) rendered.set(source.path, (page = renderPage(source)));
        return page;
      };

      let reading: ReturnType<typeof readAll> | undefined;
      const readAll = async (signal?: AbortSignal) => {
        const begun = indexStates.begin();
        const next: KnownPages = { context, pages: new Map() };
        const pageProblems: Problem[] = [];
        const readPage = createPageExporter({
          ...shared,
          incremental: {
            ...texts,
            record,
            isSame: begun.isSame,
            page: ({ path, key }) =>
              known.context === context && known.pages.get(path)?.key === key ? known.pages.get(path) : undefined,
            // Texts are made when they are requested.
            reusePage: () => true,
          } satisfies PageOptions['incremental'],
          indexes: begun.indexes,
          problems: pageProblems,
        });
        const written: WrittenPage[] = [];
        let paused = performance.now();
        for (const source of pages) {
          // Requests are answered meanwhile.
          if (performance.now() - paused > 10) {
            await new Promise((resume) => setImmediate(resume));
            paused = performance.now();
          }
          signal?.throwIfAborted();
          const page = await readPage(source);
          written.push(page);
          const { facts, checks, fingerprint = '' } = page;
          if (source.key !== undefined) next.pages.set(source.path, { key: source.key, fingerprint, facts, checks, files: [] });
        }
        known = next;
        for (const path of records.keys()) if (!next.pages.has(path)) records.delete(path);
        let indexes: ReturnType<typeof begun.finish> | undefined;
        return {
          problems: [...problems, ...pageProblems, ...checkLinks(written)],
          indexes: () => (indexes ??= begun.finish(site.pages).catch(retryLater)),
        };
      };
      /** Reads all pages once; after a failure the next call tries again. */
      const read = (signal?: AbortSignal) => (reading ??= readAll(signal).catch(retryLater));
      const retryLater = (error: unknown): never => {
        reading = undefined;
        if (error instanceof PreviousChanged) indexStates.reset();
        throw error;
      };

      const indexFile = async (path: string): Promise<PreviewFile | undefined> => {
        const [key = '', name = ''] = path.split(/\/(.*)/s);
        const variant = variants.get(key);
        const indexes = await (await read()).indexes();
        const contents = variant && indexes(variant)?.get(name);
        return contents === undefined ? undefined : { contents };
      };

      const assetFile = async (asset: ExportAsset | CollectedAsset, file: string): Promise<PreviewFile> => {
        const shown = await Promise.allSettled(rendered.values());
        const read = [...known.pages.values(), ...shown.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : []))];
        const extras = new Set(read.flatMap(({ facts }) => facts.extras ?? []));
        const made = await collected(asset, extras);
        if (!/\.css$/i.test(file)) return 'file' in made ? { file: made.file } : { contents: made.contents };
        const { blanksStyleUrls: blanksUrls } = policy;
        return { contents: relativeStylesheet(assetText(made), { resolver, file, blanksUrls, vendored }) };
      };

      return {
        name: site.name,
        /** What is wrong with the site, without its pages. */
        problems,
        /** Equal for states whose pages are the same. */
        fingerprint: hash('sha256', [context, ...pages.map(({ key = '' }) => key)].join('\n')),
        /** The file at a path of the export. */
        async file(path: string): Promise<PreviewFile | undefined> {
          if (path.startsWith(indexFolder)) return indexFile(path.slice(indexFolder.length));
          const source = byFile.get(path);
          if (source) await render(source);
          const contents = files.get(path);
          if (contents !== undefined) return { contents };
          const asset = assets.get(path);
          return asset && assetFile(asset, path);
        },
        /** The file that shows a page, by the page's path. */
        fileOf: (path: string): string => names.page(path),
        /** The file of the docs folder that a page is made from, by the file that it becomes. */
        sourceOf: (file: string): string | undefined => byFile.get(file)?.file,
        /** What is wrong with the page that a file shows. */
        async pageProblems(file: string): Promise<Problem[]> {
          const source = byFile.get(file);
          return source ? ((await render(source)).facts.problems ?? []) : [];
        },
        /** Reads all pages and returns everything that is wrong. Rejects when it is aborted. */
        readPages: async (signal: AbortSignal): Promise<Problem[]> => (await read(signal)).problems,
      };
    },
  };
}
