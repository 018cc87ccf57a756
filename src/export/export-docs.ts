// docs folder → source → site → pages → export, in one call; the command line calls it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from '../../integration/manifest.ts';
import type { CheckReport } from '../../integration/export/check-site.ts';
import type { BookWriter, ExportContents } from '../../integration/export/export-input.ts';
import type { ExportAsset, ExportCache, ExportOptions, ExportReport } from '../../integration/export/export-site.ts';
import type { PageSettings } from '../../integration/page-settings.ts';
import { withoutCopies, type Problem } from '../../integration/diagnostics.ts';
import type { PackagesByFile } from '../../integration/reader-build/npm-packages.ts';
import type { Progress } from '../../integration/export-messages.ts';
import type { Embeddings } from '../../integration/export/vectors.ts';
import type { Download } from '../../integration/remote/download.ts';
import type { KnownPages } from '../../integration/output/export-state.ts';
import { defaultCacheFolder } from '../cache/folder.ts';
import { openStore, type Store } from '../cache/store.ts';
import { iconSetFinder } from '../markdown/icons.ts';
import type { RemoteFile } from '../openapi/remote-files.ts';
import { openDocs } from '../render/open-docs.ts';
import { exportInput } from './export-input.ts';
import { adviceOf } from '../site/advice.ts';
import { generator } from '../version.ts';
import type { Theme } from '../theme/load.ts';
import type { Paper } from '../pdf/print-page.ts';
import type { PageRenderer } from '../render/render-pages.ts';
import type { Site } from '../site/model.ts';
import { SourceChanged } from '../source/read-texts.ts';

export interface ExportDocsOptions {
  /** The docs folder. */
  source: string;
  /** Folders outside the docs folder whose files pages may include. */
  includeRoots?: readonly string[];
  /** Folder to write; replaced entirely. */
  out: string;
  zip?: string;
  /** EPUB to write of the same pages. */
  epub?: string;
  /** PDF to write of the same pages. */
  pdf?: string;
  /** Of PDFs. @default 'a4' */
  paper?: Paper;
  /** The program that prints PDFs, 'none' for no PDF. @default one of the machine */
  browser?: string;
  siteUrl?: string;
  /** Base path of links: the folder that the site is published in, such as '/docs'. */
  base?: string;
  language?: string;
  docsVersion?: string;
  /** Exports only the pages with these paths. */
  paths?: string[];
  /** The groups of the readers whom the export is for; without it, it is for everybody. */
  groups?: readonly string[];
  /** Repository that pages link to; see `CheckoutOptions`. */
  repository?: string;
  label?: string;
  deployment: Deployment;
  /** Settings of the pages. */
  settings?: PageSettings;
  vendor: boolean;
  download?: ExportOptions['download'];
  /** Runs the components of the folder, for which the caller vouches. */
  trustComponents?: boolean;
  /** Draws an image of each page for social networks; needs `siteUrl`. */
  socialCards?: boolean;
  /** Makes a vector of each section. */
  embeddings?: Omit<Embeddings, 'cache'>;
  /** Cache folder; false turns the cache off. @default the user's cache folder */
  cache?: string | false;
  /** Milliseconds since 1970, for the age of cached values. The exported bytes do not depend on it. */
  now: number;
  environment: NodeJS.ProcessEnv;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  attest?: ExportOptions['attest'];
  /** The key with which `attest` signs. */
  signedBy?: string;
  only?: ExportOptions['only'];
  billOf?: (contents: BillContents) => string;
}

/** An export, and where what it contains of others is from. */
export interface BillContents extends ExportContents {
  /** The packages in the scripts and fonts of the reader, by name in `_carrel`. */
  packages: PackagesByFile;
  /** Undefined for built HTML, whose own scripts and icons are not known. */
  docs?: {
    assets: Pick<ExportAsset, 'path' | 'origin'>[];
    iconSetsIn: (html: string) => string[];
    /** Those of the pages that were written anew, by their files. */
    iconSets: ReadonlyMap<string, string[]>;
    cache?: ExportCache;
  };
}

export type DocsReport = ExportReport & {
  navigation: Site['navigation'];
  /** Downloaded specifications, if there are any. */
  specifications?: RemoteFile[];
};

/** Exports a docs folder. Throws an ExportError on failure and leaves an existing export folder unchanged. */
export async function exportDocs(options: ExportDocsOptions): Promise<DocsReport> {
  const { report, problems } = await withDocs(options, (opened) => exportOpened(opened, options));
  return { ...report, warnings: [...report.warnings, ...problems] };
}

export type CheckDocsOptions = Omit<
  ExportDocsOptions,
  'out' | 'zip' | 'epub' | 'pdf' | 'label' | 'embeddings' | 'socialCards' | 'settings' | 'billOf'
>;

/** Finds what an export of a docs folder would report, and advice, without writing a file. Throws an ExportError. */
export async function checkDocs(options: CheckDocsOptions): Promise<CheckReport> {
  const { report, problems } = await withDocs({ ...options, plainCode: true }, ({ docs, store }) =>
    checkOpened(docs, { ...options, cache: store }),
  );
  return { pages: report.pages, problems: [...withoutCopies(report.problems), ...problems] };
}

type CheckOpenedOptions = Omit<CheckDocsOptions, 'source' | 'now' | 'environment' | 'cache'> & { cache?: ExportCache };

/** The same of an opened docs folder, with the problems that several files have in each of them; see `checkPages`. */
export async function checkOpened(docs: PageRenderer, options: CheckOpenedOptions, previous?: KnownPages) {
  const { checkPages } = await import('../../integration/export/check-site.ts');
  const input = await exportInput(docs, options);
  const problems = [...input.problems, ...adviceOf(docs.site)];
  return await checkPages({ ...input, problems }, { ...options, generator }, previous);
}

type WithDocsOptions = CheckDocsOptions & Pick<ExportDocsOptions, 'socialCards'> & { plainCode?: boolean };

interface OpenedDocs {
  docs: PageRenderer;
  folder: string | undefined;
  store: Store | undefined;
  /** Of `performance.now()`. */
  started: number;
}

/** Runs `work` on an opened docs folder, and again if a file changes meanwhile. `problems` are those of the cache. */
async function withDocs<Report>(
  options: WithDocsOptions,
  work: (opened: OpenedDocs) => Promise<Report>,
): Promise<{ report: Report; problems: Problem[] }> {
  const folder = options.cache === false ? undefined : (options.cache ?? defaultCacheFolder(options.environment));
  const store = folder === undefined ? undefined : openStore(folder, { now: options.now });
  try {
    const report = await openAnd(work, { options, folder, store, sourceCache: store }).catch((error: unknown) => {
      if (error instanceof SourceChanged) return openAnd(work, { options, folder, store });
      throw error;
    });
    store?.close();
    return { report, problems: cacheProblems(folder, store?.fault()) };
  } finally {
    store?.close();
  }
}

interface OpenOptions extends Pick<OpenedDocs, 'folder' | 'store'> {
  options: WithDocsOptions;
  /** Without it, all files are read before the work begins. */
  sourceCache?: Store;
}

async function openAnd<Report>(
  work: (opened: OpenedDocs) => Promise<Report>,
  { options, folder, store, sourceCache }: OpenOptions,
): Promise<Report> {
  const started = performance.now();
  const remote = { cache: store, ...(mayDownload(options) && { download: (url: URL) => downloadFile(url, options.signal) }) };
  const docs = await openDocs(options.source, {
    ...options,
    onRead: (done, total) => options.onProgress?.({ stage: 'read', done, total }),
    highlightCache: store,
    cacheFolder: folder,
    sourceCache,
    remote,
    ...(options.vendor && { downloadFont: (url: URL) => downloadFont(url, options.signal) }),
  });
  try {
    return await work({ docs, folder, store, started });
  } finally {
    await docs.close();
  }
}

async function exportOpened({ docs, folder, store, started }: OpenedDocs, options: ExportDocsOptions): Promise<DocsReport> {
  const { exportSite } = await import('../../integration/export/export-site.ts');
  const { site } = docs;
  const { embeddings } = options;
  options.onProgress?.({ stage: 'read', done: site.source.pages.length, total: site.source.pages.length });
  const read = (performance.now() - started) / 1000;
  const input = await exportInput(docs, { ...options, cache: store });
  const limited = site.source.limited ? await import('../site/limited-words.ts') : undefined;
  const bills: string[] = [];
  const limitedWords = limited?.limitedWords(site.source, () => ownTexts(docs.theme, options, bills));
  const books = await bookOptions(site, options);
  const report = await exportSite(
    { ...input, limitedWords },
    {
      ...options,
      embeddings: embeddings && { ...embeddings, cache: store },
      ...books,
      attest: options.attest && ((manifest, remote) => options.attest!(manifest, [...remote, ...docs.remoteFiles])),
      ...billOptions(docs, options.billOf, { cache: store, bills }),
      sourceRoot: site.source.root,
      generator,
      cache: store,
      cacheFolder: folder && join(folder, 'exports'),
    },
  );
  const { remoteFiles } = docs;
  return {
    ...report,
    seconds: { read, ...report.seconds },
    navigation: site.navigation,
    ...(remoteFiles.length > 0 && { specifications: remoteFiles }),
  };
}

/** Throws an ExportError `BrowserNotFound` for `pdf`. */
async function bookOptions(
  site: Site,
  { epub, pdf, paper = 'a4', browser: named, groups, signedBy, siteUrl, environment, signal }: ExportDocsOptions,
): Promise<Pick<ExportOptions, 'books' | 'downloads'>> {
  const options = { site, siteUrl, generator, environment, signal };
  const asEpub: BookWriter['write'] = async (exported, file) => {
    const { writeEpub } = await import('../epub/write-epub.ts');
    return await writeEpub(exported, { ...options, file });
  };
  const asPdf = async (): Promise<BookWriter['write']> => {
    const { findBrowser } = await import('../pdf/browser.ts');
    const browser = findBrowser(named, environment);
    return async (exported, file, onProgress) => {
      const { writePdf } = await import('../pdf/write-pdf.ts');
      return await writePdf(exported, { ...options, paper, browser, file, onProgress });
    };
  };
  const books = epub === undefined ? [] : [{ file: epub, write: asEpub }];
  if (pdf !== undefined) books.push({ file: pdf, write: await asPdf() });
  const wanted = new Set(site.config.downloads);
  if (wanted.size === 0) return { books };
  const downloads = {
    ...{ zip: wanted.has('zip'), from: { paper, groups, signedBy } },
    ...(wanted.has('epub') && { epub: asEpub }),
    ...(wanted.has('pdf') && { pdf: async (...given: Parameters<BookWriter['write']>) => (await asPdf())(...given) }),
  };
  return { books, downloads };
}

function billOptions(
  { site, theme: { packages }, assets }: PageRenderer,
  billOf: ExportDocsOptions['billOf'],
  { cache, bills }: { cache: Store | undefined; bills: string[] },
): Pick<ExportOptions, 'onPage'> & { billOf: ExportOptions['billOf'] } {
  if (!billOf) return { billOf };
  const iconSetsIn = iconSetFinder(site.config.iconLibrary);
  const iconSets = new Map<string, string[]>();
  return {
    // Reading pages again would take four times as long.
    onPage: (file, html) => void iconSets.set(file, iconSetsIn(html)),
    billOf(contents) {
      const bill = billOf({ ...contents, packages, docs: { assets, iconSetsIn, iconSets, cache } });
      bills.push(bill);
      return bill;
    },
  };
}

/** What Carrel itself writes into an export: the theme, its bill of materials, and an export of the example. */
async function* ownTexts(
  theme: Theme,
  { siteUrl, deployment, cache, now, environment }: ExportDocsOptions,
  bills: readonly string[],
): AsyncIterable<string> {
  yield* theme.programTexts();
  yield* bills;
  const { exampleFolder } = await import('./example-folder.ts');
  const folder = mkdtempSync(join(tmpdir(), 'carrel-example-'));
  const out = join(folder, 'site');
  try {
    await exportDocs({ source: exampleFolder, out, siteUrl, deployment, cache, now, environment, vendor: false });
    for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }))
      if (/\.(?:html|js|json|md|txt|xml|css|svg)$/.test(name)) yield readFileSync(join(out, name), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An air-gapped export is often made without a network, too. */
function mayDownload({ deployment, vendor }: Pick<ExportDocsOptions, 'deployment' | 'vendor'>): boolean {
  return deployment !== 'air-gapped' || vendor;
}

async function downloadFile(url: URL, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const { download } = await import('../../integration/remote/download.ts');
  return (await download(url, { signal })).bytes;
}

async function downloadFont(url: URL, signal: AbortSignal | undefined): Promise<Download> {
  const { browserHeaders, download } = await import('../../integration/remote/download.ts');
  return await download(url, { signal, headers: browserHeaders, maxBytes: 10_000_000 });
}

/** An unusable cache costs time, but does not fail the export. */
function cacheProblems(folder: string | undefined, fault: string | undefined): Problem[] {
  if (fault === undefined) return [];
  return [
    {
      kind: 'cache-not-used',
      severity: 'note',
      message: `The cache in "${folder}" was not fully used: ${fault}.`,
      hint: 'The export is complete, but the next one may take longer. Make sure the folder is writable and has free disk space, choose another one with --cache, or disable caching with --cache off.',
    },
  ];
}
