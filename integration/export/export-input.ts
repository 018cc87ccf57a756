// What is exported and how: the arguments of `exportSite`.
import type { Deployment, Manifest } from '../manifest.ts';
import type { Problem } from '../diagnostics.ts';
import type { ExportFolder, OutputFolder } from '../output/export-folder.ts';
import type { IncrementalOptions } from '../output/incremental.ts';
import type { PendingFile } from '../output/write-archive.ts';
import type { AnalyticsProviders, PageSettings } from '../page-settings.ts';
import type { CollectedAsset, ExportAsset } from '../page/asset.ts';
import type { PageSource } from '../page/page-types.ts';
import type { NavigationData, SiteData } from '../reader/core/site-data.ts';
import type { Progress } from '../export-messages.ts';
import type { download } from '../remote/download.ts';
import type { RemoteRules } from '../remote/remote-policy.ts';
import type { Resolver } from '../urls/resolver.ts';
import type { UrlRules } from '../urls/site-paths.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import type { Embeddings } from './vectors.ts';

export interface ExportInput {
  /** Name of the site. */
  name: string;
  description?: string;
  /** The author's words to programs that read the docs, for llms.txt. */
  instructions?: string;
  /** In order of navigation. */
  pages: PageSource[];
  /** Pages that list entries of the navigation, for readers without scripts: part of no list of pages. */
  listPages?: PageSource[];
  /** Whole sidebars by the key that pages name; URLs are root-relative. */
  navigations?: ReadonlyMap<string, NavigationData>;
  /** Paths of pages that the site has and this export excludes: links to them open the site's URL, if it is known. */
  excluded?: string[];
  /** Pages that its readers may not see: links to them become text. With any, the export has only files that its pages use. */
  limited?: LimitedTarget[];
  limitedWords?: LimitedWords;
  /** The groups of the readers whom the export is for; absent of an export for everybody. */
  audience?: readonly string[];
  assets: (ExportAsset | CollectedAsset)[];
  /** `from` is a path, `to` a path of the site or a URL; patterns are expanded. */
  redirects: { from: string; to: string }[];
  /** What differs between our own theme and an existing site. */
  rules: SiteRules;
  /**
   * The target of a path that no list can contain, such as any path below an old folder; undefined for most.
   */
  redirectOf?(path: string): string | undefined;
  /** Changes with the targets of links beyond what this input says, such as those of `redirectOf`. */
  linkRules?: string;
  /** Path of the page that `/` opens. */
  home: string;
  defaultLanguage: string;
  defaultDocsVersion?: string;
  /** The 404 page. */
  notFound?: PageSource;
  /** Analytics providers that the site names. */
  analyticsProviders?: AnalyticsProviders;
  /** The other sites of a collection, whose start page this site is. It writes their files. */
  writeSites?: (folder: ExportFolder) => Promise<CollectedSites>;
  /** Issues found before the export; reported first. */
  problems: Problem[];
}

/** What a collection says of its sites. */
export interface CollectedSites {
  /** One for each language. */
  indexes: Manifest['indexes'];
  pages: Manifest['pages'];
  /** For the reader's scripts. */
  sites: SiteData['sites'];
  manifest: Pick<Manifest, 'sites' | 'redirects' | 'guest' | 'requests'>;
}

export interface LimitedWords {
  /** Words as `wordsIn` gives them, each with the file of a page that has it. */
  words: ReadonlyMap<string, string>;
  /** Texts whose words may be in the export all the same: what its readers see, and what every export has. Read only for words that were found. */
  others(): AsyncIterable<string>;
}

/** A page that the readers of an export may not see. */
interface LimitedTarget {
  path: string;
  /** The groups of readers that may see it. */
  groups: readonly string[];
}

export interface ExportOptions extends IncrementalOptions {
  /** Archive to write of the same files. */
  zip?: string;
  /** Make books of the export, which take their places together with it. */
  books?: BookWriter[];
  /** What readers can download, by format; `from` is what it depends on besides the files of the export. */
  downloads?: { zip: boolean; from: unknown } & Partial<Record<'epub' | 'pdf', BookWriter['write']>>;
  /** Writes only the Markdown of the pages, llms.txt and the search index: what programs without a browser need. */
  only?: 'markdown';
  deployment: Deployment;
  /** Download media from external origins into the export. */
  vendor: boolean;
  /** How `vendor` downloads a file. @default that of `remote/download.ts` */
  download?: typeof download;
  siteUrl?: string;
  /** Makes a vector of each section, with which servers also find what has other words. */
  embeddings?: Embeddings;
  /** Settings of the pages, which the host can override. */
  settings?: PageSettings;
  /** Export version. @default first 12 hex digits of the content hash */
  label?: string;
  /** Program and version: `carrel/0.1.0`. */
  generator: string;
  /** Called with each page that is written anew. */
  onPage?: (file: string, html: string) => void;
  /** The text of `billFile`, if the export has one, from everything else in it. */
  billOf?: (contents: ExportContents) => string | Promise<string>;
  /** Says who made an export of this `carrel.json`, with these files of external origins: files beside it, which it does not list (`unlisted`). */
  attest?: (manifest: string, remote: { url: string; sha256: string }[]) => Promise<Map<string, string>>;
  /** For `SOURCE_DATE_EPOCH`. */
  environment?: Record<string, string | undefined>;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface BookWriter {
  file: string;
  /** Writes it beside the path `file`. */
  write(
    exported: FinishedExport,
    file: string,
    onProgress: ExportOptions['onProgress'],
  ): Promise<{ written: PendingFile; problems: Problem[] }>;
}

/** The files of an export before its manifest is written. */
export interface ExportContents {
  site: string;
  folder: Pick<ExportFolder, 'files' | 'readBytes'>;
  /** Those of external origins. */
  vendored: { url: string; path: string }[];
}

/** The files of an export before it takes its place. */
export interface FinishedExport extends Pick<ExportFolder, 'files' | 'read' | 'readBytes'> {
  pageFile(path: string): string;
}

/** What differs between a site of our own theme and an existing site; the caller passes it once. */
export interface SiteRules {
  urls: UrlRules;
  remote: RemoteRules;
  /** Whether pages keep the file names of the site: its scripts may depend on them. */
  keepsFiles: boolean;
  /** Other URLs that the files of the site have, each ending in a slash. */
  ownUrls: string[];
  /** Whether a page has a Markdown version, by its path. */
  hasMarkdown(path: string): boolean;
  /** What the manifest says of the site. */
  manifest: Pick<Manifest, 'guest'>;
  /** Opens what the site needs beside its pages; pages of the same site use it in their `edits`. */
  open?(context: SiteContext): Promise<SiteFixes>;
}

export interface SiteContext {
  assets: ExportAsset[];
  names: SafeNames;
  resolver: Resolver;
  folder: OutputFolder;
  /** Files in the export by their external URLs, verbatim. */
  vendored: Map<string, string>;
  problems: Problem[];
  /** Whether files from external origins are vendored. */
  vendors: boolean;
}

/** What is known of the site's files once all pages are written. */
export interface SiteFixes {
  /** Whether a page loads a file as a module. */
  isModule(path: string): boolean;
  /** Whether no page needs a file any more. */
  isExcluded(path: string): boolean;
  /** The new text of a script, if it must change. */
  rewritten?(path: string): Promise<string | undefined>;
  /** Writes the files that the pages were edited to load. */
  write(): Promise<void>;
}
