// The files that an export of a site would have, each made when it is requested. A preview shows one state of a site after another, and takes
// from the previous state what is the same.
import { hash } from 'node:crypto';
import type { Problem } from '../diagnostics.ts';
import type { Deployment } from '../manifest.ts';
import { exportedFeatures } from '../page-settings.ts';
import { recordIn, type ExportCache } from '../output/export-cache.ts';
import { knownPages, pageIn, type KnownPages } from '../output/export-state.ts';
import { PreviousChanged } from '../output/incremental.ts';
import { assetText, collected, type CollectedAsset, type ExportAsset } from '../page/asset.ts';
import type { PageRecord, PageSource, WrittenPage } from '../page/page-types.ts';
import { createRemotePolicy } from '../remote/remote-policy.ts';
import { detached } from '../text/detach.ts';
import { relativeStylesheet } from './assets.ts';
import { checkLinks } from './check-links.ts';
import type { ExportInput } from './export-input.ts';
import { createPageExporter } from './export-page.ts';
import { createPreviewIndexes, variantKey } from './preview-indexes.ts';
import { writeRedirects } from './redirects.ts';
import type { Variant } from './search-index.ts';
import { writeDownloadList, writeFixed, writeVersion, writeSiteData } from './site-files.ts';
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

export function createPreview({ deployment, cache }: PreviewOptions) {
  const memory = createMemory(cache);
  let states = 0;

  return {
    /** The state of the site from now on. */
    async open(site: PreviewInput) {
      const indexFolder = `_carrel/search/preview-${++states}/`;
      const state = await beginState(site, deployment, indexFolder);
      const { files, byFile, assets, problems, context, pages } = state;
      const { render, shown } = pageRenderer(state, memory);
      const read = siteReader(state, site, memory);
      let fingerprint: string | undefined;

      const indexFile = async (path: string): Promise<PreviewFile | undefined> => {
        const [key = '', name = ''] = path.split(/\/(.*)/s);
        const variant = state.variants.get(key);
        const indexes = await (await read()).indexes();
        const contents = variant && indexes(variant)?.get(name);
        return contents === undefined ? undefined : { contents };
      };

      const assetFile = async (asset: ExportAsset | CollectedAsset, file: string): Promise<PreviewFile> => {
        const read = [...memory.known.pages.values(), ...(await shown())];
        const extras = new Set(read.flatMap(({ facts }) => facts.extras ?? []));
        const made = await collected(asset, extras);
        if (!/\.css$/i.test(file)) return 'file' in made ? { file: made.file } : { contents: made.contents };
        const { resolver, vendored, policy } = state.shared;
        const { blanksStyleUrls: blanksUrls } = policy;
        return { contents: relativeStylesheet(assetText(made), { resolver, file, blanksUrls, vendored }) };
      };

      return {
        name: site.name,
        /** What is wrong with the site, without its pages. */
        problems,
        /** Equal for states whose pages are the same. */
        fingerprint: (): string => (fingerprint ??= hash('sha256', [context, ...pages.map(({ key = '' }) => key)].join('\n'))),
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
        fileOf: (path: string): string => state.shared.names.page(path),
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

type Memory = ReturnType<typeof createMemory>;

/** What a state takes from those before it. */
function createMemory(cache: ExportCache | undefined) {
  const records = new Map<string, { key: string | undefined; record: PageRecord }>();
  const makeRecord = recordIn(cache);
  let known: KnownPages = { context: '', pages: new Map() };
  return {
    indexes: createPreviewIndexes((path) => records.get(path)?.record),
    async record(source: PageSource, make: () => Promise<PageRecord>): Promise<PageRecord> {
      const latest = records.get(source.path);
      const isSame = source.key !== undefined && latest?.key === source.key;
      if (latest && isSame && (source.hasTargets?.(latest.record.linkTargets ?? []) ?? true)) return latest.record;
      const made = await makeRecord(source, async () => detached(await make()));
      records.set(source.path, { key: source.key, record: made });
      return made;
    },
    get known() {
      return known;
    },
    /** Keeps the pages of the latest state that was read, and no others. */
    keep(next: KnownPages): void {
      known = next;
      for (const path of records.keys()) if (!next.pages.has(path)) records.delete(path);
    },
  };
}

type BegunState = Awaited<ReturnType<typeof beginState>>;

/** The files of a state that are known without its pages, and what its pages need. */
async function beginState(site: PreviewInput, deployment: Deployment, indexFolder: string) {
  const { rules, listPages = [] } = site;
  const urls = assignUrls(site, { deployment, vendor: false });
  const { names, resolver, siteUrl, context } = urls;
  const files = new Map<string, string | Uint8Array>();
  const folder = { write: (path: string, contents: string | Uint8Array) => void files.set(path, contents), files };
  const vendored = new Map<string, string>();
  const policy = createRemotePolicy({ rules: rules.remote, deployment, write: folder.write, vendored });
  const problems = [...site.problems, ...writeRedirects(site, urls, folder)];
  writeFixed({ site, urls, folder }, exportedFeatures({ providers: site.analyticsProviders, deployment }));

  writeVersion(folder, '');
  writeDownloadList(folder, []);
  const pages = [...site.pages, ...listPages];
  const searchable = [...site.variants.values()].filter((variant) => variant.searchable);
  const variants = new Map<string, Variant>(searchable.map((variant) => [variantKey(variant), variant]));
  await writeSiteData({
    ...{ site, names, resolver, folder },
    pages: site.pages.map(({ path }) => ({
      source: { path },
      facts: site.variants.get(path) ?? { language: site.defaultLanguage },
    })),
    indexes: [...variants].map(([key, { language, docsVersion }]) => ({
      language,
      ...(docsVersion !== undefined && { docsVersion }),
      folder: indexFolder + key,
    })),
  });
  return {
    ...{ files, folder, problems, pages, variants, context },
    byFile: new Map([
      ...pages.flatMap((source) => [names.page, names.markdown].map((name) => [name(source.path), source] as const)),
      ...(site.notFound ? [[names.page(site.notFound.path), site.notFound] as const] : []),
    ]),
    assets: new Map<string, ExportAsset | CollectedAsset>(site.assets.map((asset) => [names.asset(asset.path), asset])),
    /** What both ways to make a page need. */
    shared: {
      ...{ names, resolver, siteUrl, deployment, vendored, policy, rules },
      imageSize: (file: string) => urls.sizes.get(file),
    },
  };
}

const noTexts = { text: () => undefined, storeText() {} };

/** Makes the texts of a page, once it is requested. */
function pageRenderer({ shared, folder }: BegunState, { record }: Memory) {
  const rendered = new Map<string, Promise<WrittenPage>>();
  const renderPage = createPageExporter({
    ...shared,
    incremental: { ...noTexts, folder, record, page: () => undefined, isSame: () => false, reusePage: () => false },
    indexes: { add() {}, keep: () => true },
    problems: [],
  });
  return {
    render(source: PageSource): Promise<WrittenPage> {
      let page = rendered.get(source.path);
      if (!page) rendered.set(source.path, (page = renderPage(source)));
      return page;
    },
    /** The pages that were requested so far. */
    async shown(): Promise<WrittenPage[]> {
      const settled = await Promise.allSettled(rendered.values());
      return settled.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : []));
    },
  };
}

/** Reads all pages of a state once, without their texts; after a failure the next call tries again. */
function siteReader(state: BegunState, site: PreviewInput, memory: Memory) {
  const { shared, folder, context } = state;
  let reading: ReturnType<typeof readAll> | undefined;

  const readAll = async (signal?: AbortSignal) => {
    const begun = memory.indexes.begin();
    const problems: Problem[] = [];
    const { known } = memory;
    const readPage = createPageExporter({
      ...shared,
      incremental: {
        ...{ ...noTexts, folder, record: memory.record, isSame: begun.isSame },
        page: pageIn(known, context),
        // Texts are made when they are requested.
        reusePage: () => true,
      },
      indexes: begun.indexes,
      problems,
    });
    const written: WrittenPage[] = [];
    let paused = performance.now();
    for (const source of state.pages) {
      // Requests are answered meanwhile.
      if (performance.now() - paused > 10) {
        await new Promise((resume) => setImmediate(resume));
        paused = performance.now();
      }
      signal?.throwIfAborted();
      written.push(await readPage(source));
    }
    memory.keep(knownPages(context, written));
    let indexes: ReturnType<typeof begun.finish> | undefined;
    return {
      problems: [...state.problems, ...problems, ...checkLinks(written)],
      indexes: () => (indexes ??= begun.finish(site.pages).catch(retryLater)),
    };
  };
  const retryLater = (error: unknown): never => {
    reading = undefined;
    if (error instanceof PreviousChanged) memory.indexes.reset();
    throw error;
  };
  return (signal?: AbortSignal) => (reading ??= readAll(signal).catch(retryLater));
}
