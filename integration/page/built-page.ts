import type { ReadPage } from './page-record.ts';
import type { Problem } from '../diagnostics.ts';

/** The seam between any site and the export: one finished page, addresses in it still root-absolute (`/guides/x`). */
export interface BuiltPage {
  /** 'guides/install', '' = home. */
  path: string;
  html: string;
  title: string;
  /** One or two sentences for llms.txt; the first paragraph of `markdown` where there is none. */
  description?: string;
  language: string;
  docsVersion?: string;
  /** Markdown mirror of the page, links root-absolute without extension. */
  markdown?: string;
  searchable: boolean;
  /** Multiplies search scores of its sections. */
  boost?: number;
  /** Whether sitemap.xml lists it. */
  inSitemap: boolean;
  /** Whether llms.txt and llms-full.txt list it. */
  inLlms: boolean;
  /** What was noticed while it was built. */
  problems?: Problem[];
}

/** A page that can be built. The same `key` promises the same `BuiltPage`, so a cache may answer instead. */
export interface PageSource {
  path: string;
  key?: string;
  /** File of the docs folder the page is made from, for problems. */
  file?: string;
  /** 1-based line of `file` that holds an address, as far as the source can tell. */
  lineOf?(href: string): number | undefined;
  /** Builds the page, or has it built and read at once. */
  build(): Promise<BuiltPage | ReadPage>;
  /** Begins what other threads do of it, since it is built soon. */
  begin?(): void;
}
