// A page of a guest, from its file to all that the export has to know of it. Takes and gives plain data: other threads do it, too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExportError } from '../errors.ts';
import { linksOf } from '../page/page-record.ts';
import { scanPage } from '../page/scan-page.ts';
import { existingPageObserver, type ReadExistingPage } from './existing-page.ts';
import { pageText } from '../html/decode-page.ts';
import { readGuestPage, type GuestPageOptions } from '../page/read-page.ts';
import { withoutBaseElement } from './base-element.ts';
import { withContent, type MarkdownOf } from './built-page-text.ts';
import type { Guest } from './static-site.ts';
import { withRootFinder } from '../page/missing-page.ts';
import { withoutApp, type PageApp } from './page-apps.ts';

/** How all pages of a site are read. */
export interface GuestReading {
  /** Folder of the site. */
  root: string;
  guest: Guest;
  pages: GuestPageOptions;
  /** What its pages are rid of. */
  app?: PageApp;
}

export interface GuestFile {
  path: string;
  /** Below the root. */
  file: string;
  /** Whether hosts show it for a missing address, at whatever depth. */
  isMissingPage?: boolean;
}

/**
 * The text of a page as the export takes it: without what would take it over, and each address meaning what it says.
 * Throws `ExportError` `SiteNotReadable` for a file that is no page any more.
 */
export function guestText(file: string, { root, app }: Pick<GuestReading, 'root' | 'app'>): string {
  const text = pageText(bytesOf(root, file));
  if (text === undefined) throw siteChanged(root, file, 'it holds no text any more');
  return withoutBaseElement(app ? withoutApp(text, app) : text);
}

function bytesOf(root: string, file: string): Buffer {
  try {
    return readFileSync(join(root, file));
  } catch (error) {
    throw siteChanged(root, file, (error as Error).message, error);
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
export async function guestReader(reading: GuestReading): Promise<(file: GuestFile) => ReadExistingPage> {
  const { guest, pages } = reading;
  const markdownOf: MarkdownOf =
    // It comes with much that an export without Markdown never needs.
    guest.markdown === false ? () => undefined : (await import('../page/markdown-of-html.ts')).markdownOf;
  return ({ path, file, isMissingPage }) => {
    const text = guestText(file, reading);
    const html = isMissingPage ? withRootFinder(text, guest.base) : text;
    const built = readGuestPage(path, html, pages);
    const observer = existingPageObserver();
    const scan = scanPage(html, built, guest.content, [observer]);
    const existing = observer.found();
    const page = withContent(built, scan, existing.needsServer, guest, markdownOf);
    return { page, scan, existing, links: linksOf(page, scan) };
  };
}
