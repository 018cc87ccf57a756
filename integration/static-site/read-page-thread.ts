// Reads a page of an existing site, from its file to everything that the export needs, in one pass. Worker threads do this too, so all
// values are plain data.
import { join } from 'node:path';
import { errorMessage, ExportError } from '../errors.ts';
import { pageText } from '../html/decode-page.ts';
import type { ContentRules } from '../page/content-rules.ts';
import { withRootFinder } from '../page/not-found-page.ts';
import { linksOf } from '../page/page-record.ts';
import { headReader, readStaticPage, type PageHead, type StaticPageOptions } from '../page/read-page.ts';
import { beginPage, type TokenizedPage, type TokenizeOptions } from '../page/scan-page.ts';
import { withoutBaseElement } from './base-element.ts';
import { withContent, type MarkdownOf } from './built-page-text.ts';
import { existingPageObserver, type ExistingPage, type ReadExistingPage } from './existing-page.ts';
import { rootUrlReader } from './guess-base.ts';
import { withApp, withoutApp, type AppEdits, type PageApp } from './page-apps.ts';
import { readBytes } from './read-bytes.ts';
import type { StaticSite } from './static-site.ts';

/** What is known of a site before any of its pages is read. */
export interface PageReading {
  /** Folder of the site. */
  root: string;
  content: ContentRules;
  /** Whether pages have Markdown versions. */
  markdown: boolean;
}

/** What its first pages say about all others. */
export interface PageRules {
  site: StaticSite;
  pages: StaticPageOptions;
  app: SiteApp | undefined;
}

/** The client application of a site. */
export interface SiteApp extends PageApp {
  /** Whether its scripts can run in the export; otherwise they are removed. */
  runs: boolean;
}

export interface PageFile {
  path: string;
  /** Path below the root. */
  file: string;
  /** Whether hosts show it for a missing URL, at any depth. */
  isMissingPage?: boolean;
}

/** A page that is looked at before the rules of all pages are known. */
export interface PageLook extends PageFile {
  app: SiteApp | undefined;
  /** Whether it is the home page, of which more than its head is asked. */
  isHome?: boolean;
}

export interface SeenPage {
  head: PageHead;
  /** The root-absolute URLs of what the home page loads; empty for other pages. */
  rootUrls: string[];
}

/** Reads pages; `bytes` are those of the file, if they are known. Throws `ExportError` `SiteNotReadable`. */
export interface PageReader {
  /** Keeps a page of usual size until it is read, which is soon. */
  look(look: PageLook, bytes?: Uint8Array): SeenPage;
  read(file: PageFile, rules: PageRules, bytes?: Uint8Array): ReadExistingPage;
}

/** A page whose pass has begun. */
interface BegunPage {
  app: SiteApp | undefined;
  text: string;
  head: PageHead;
  /** Called once. */
  finish(): FinishedPage;
}

interface FinishedPage extends SeenPage {
  /** Without `<base>`. */
  html: string;
  existing: ExistingPage;
  page: TokenizedPage;
}

// So many pages, up to this length, may wait for the rules of all pages.
const mostLooked = 16;
const longestLooked = 512 * 1024;

export async function openPageReader({ root, content, markdown }: PageReading): Promise<PageReader> {
  const markdownOf: MarkdownOf =
    // Loaded on demand: it is large, and an export without Markdown does not need it.
    markdown ? (await import('../page/markdown-of-html.ts')).markdownOf : () => undefined;
  const looked = new Map<string, BegunPage>();

  const readText = (file: string, bytes: Uint8Array = bytesOf(root, file)): string => {
    const text = pageText(bytes);
    if (text === undefined) throw siteChangedError(root, file, 'it is not text any more');
    return text;
  };
  // For a look at its head, the pass stops there.
  const begin = (text: string, app: SiteApp | undefined, look?: 'head' | 'home'): BegunPage => {
    const head = headReader(text);
    const existing = existingPageObserver();
    const rootUrls = rootUrlReader();
    const appEdits: AppEdits = { edits: [] };
    const through = app?.runs && app.page.test(text) ? withApp : withoutApp;
    const options: TokenizeOptions = {
      content,
      observers: look === 'home' ? [existing, head, rootUrls] : [existing, head],
      through: app && ((reader) => through(text, app, reader, appEdits)),
    };
    const rest = beginPage(text, options, look === 'head' ? head.end : 0);
    const finish = (): FinishedPage => {
      const page = rest();
      if (page.bases.length > 0) return begin(withoutBaseElement(text, page), app, look).finish();
      return { html: text, head: head.head(), existing: { ...existing.found(), app: appEdits }, page, rootUrls: rootUrls.urls };
    };
    return { app, text, head: head.head(), finish };
  };

  return {
    look({ file, app, isHome = false }, bytes) {
      const known = looked.get(file);
      if (known && known.app?.name === app?.name) return { head: known.head, rootUrls: [] };
      const text = known?.text ?? readText(file, bytes);
      if (isHome) {
        const home = begin(text, app, 'home').finish();
        looked.set(file, { app, text, head: home.head, finish: () => home });
        return { head: home.head, rootUrls: home.rootUrls };
      }
      const page = begin(text, app, 'head');
      if (text.length <= longestLooked && looked.size < mostLooked) looked.set(file, page);
      return { head: page.head, rootUrls: [] };
    },
    read({ path, file, isMissingPage }, { site, pages, app }, bytes) {
      const known = looked.get(file);
      looked.delete(file);
      const textOf = () => {
        const text = readText(file, bytes);
        return isMissingPage ? withRootFinder(text, site.base) : text;
      };
      const { html, head, existing, page } = (
        known ?? begin(textOf(), isMissingPage && app ? { ...app, runs: false } : app)
      ).finish();
      const { contentOf, ...tokenized } = page;
      const built = readStaticPage(path, html, head, pages);
      const scan = { ...tokenized, ...contentOf(built) };
      const withMarkdown = withContent(built, scan, existing.needsServer, site, markdownOf);
      return { page: withMarkdown, scan, existing, links: linksOf(withMarkdown, scan) };
    },
  };
}

function bytesOf(root: string, file: string): Buffer {
  try {
    return readBytes(join(root, file));
  } catch (error) {
    throw siteChangedError(root, file, errorMessage(error), error);
  }
}

function siteChangedError(root: string, file: string, reason: string, cause?: unknown): ExportError {
  return new ExportError(
    'SiteNotReadable',
    `The page "${file}" changed while the site was exported: ${reason}.`,
    `Run the export again when "${root}" is built and nothing writes to it.`,
    { cause },
  );
}
