// Reads a page of an existing site, from its file to everything that the export needs. Worker threads do this too, so all values are plain data.
import { join } from 'node:path';
import { errorMessage, ExportError } from '../errors.ts';
import { linksOf } from '../page/page-record.ts';
import { scanPage } from '../page/scan-page.ts';
import { existingPageObserver, type ReadExistingPage } from './existing-page.ts';
import { pageText } from '../html/decode-page.ts';
import { readStaticPage, type StaticPageOptions } from '../page/read-page.ts';
import { readBytes } from './read-bytes.ts';
import { withoutBaseElement } from './base-element.ts';
import { withContent, type MarkdownOf } from './built-page-text.ts';
import type { StaticSite } from './static-site.ts';
import { withRootFinder } from '../page/missing-page.ts';
import { withoutApp, type PageApp } from './page-apps.ts';

/** How all pages of a site are read. */
export interface PageReading {
  /** Folder of the site. */
  root: string;
  site: StaticSite;
  pages: StaticPageOptions;
  /** The client application that is removed from its pages. */
  app?: PageApp;
}

export interface PageFile {
  path: string;
  /** Path below the root. */
  file: string;
  /** Whether hosts show it for a missing URL, at any depth. */
  isMissingPage?: boolean;
}

/** The text of a page without its client application. Throws `ExportError` `SiteNotReadable` for a file that is not a page any more. */
export function staticPageText(file: string, { root, app }: Pick<PageReading, 'root' | 'app'>): string {
  const text = pageText(bytesOf(root, file));
  if (text === undefined) throw siteChanged(root, file, 'it is not text any more');
  return app ? withoutApp(text, app) : text;
}

function bytesOf(root: string, file: string): Buffer {
  try {
    return readBytes(join(root, file));
  } catch (error) {
    throw siteChanged(root, file, errorMessage(error), error);
  }
}

function siteChanged(root: string, file: string, reason: string, cause?: unknown): ExportError {
  return new ExportError(
    'SiteNotReadable',
    `The page "${file}" changed while the site was exported: ${reason}.`,
    `Run the export again when "${root}" is built and nothing writes to it.`,
    { cause },
  );
}

/** A function that reads pages. */
export async function staticPageReader(reading: PageReading): Promise<(file: PageFile) => ReadExistingPage> {
  const { site, pages } = reading;
  const markdownOf: MarkdownOf =
    // Loaded on demand: it is large, and an export without Markdown does not need it.
    site.markdown === false ? () => undefined : (await import('../page/markdown-of-html.ts')).markdownOf;
  const scanned = (path: string, html: string) => {
    const built = readStaticPage(path, html, pages);
    const observer = existingPageObserver();
    const scan = scanPage(html, built, site.content, [observer]);
    return { built, scan, existing: observer.found() };
  };
  return ({ path, file, isMissingPage }) => {
    const text = staticPageText(file, reading);
    const html = isMissingPage ? withRootFinder(withoutBaseElement(text), site.base) : text;
    const found = scanned(path, html);
    const { built, scan, existing } = found.scan.bases.length === 0 ? found : scanned(path, withoutBaseElement(html, found.scan));
    const page = withContent(built, scan, existing.needsServer, site, markdownOf);
    return { page, scan, existing, links: linksOf(page, scan) };
  };
}
