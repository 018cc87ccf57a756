import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';

/** Returns the absolute URLs of the links in a part of a page. */
export function hrefs(part: Page | Locator): Promise<string[]> {
  return part.locator('a[href]').evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).href));
}

// A page menu opens editors, too.
const schemes = ['http:', 'https:', 'mailto:', 'cursor:', 'vscode:'];

/** Whether an absolute URL is external, or a file of the export with an element of that id. */
export function isWorkingLink(href: string, folder: string, ids: Map<string, Set<string>>): boolean {
  const url = new URL(href);
  if (url.protocol !== 'file:') return schemes.includes(url.protocol);
  const target = new URL(url.href.split('#')[0]!);
  const file = fileURLToPath(target);
  const known = ids.get(target.href);
  const anchor = decodeURIComponent(url.hash.slice(1));
  // From file:// a browser lists a folder, so a link must name the file.
  return file.startsWith(folder) && existsSync(file) && !file.endsWith('/') && (anchor === '' || !known || known.has(anchor));
}
