// A finished site on disk: which of its files are pages, which only lead on, and what else it has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../diagnostics.ts';
import { isPageName, notReadable, type ListedFiles } from './list-files.ts';
import { isPageText, pageText } from '../html/decode-page.ts';
import { readHead } from '../page/read-page.ts';

export interface FinishedFiles {
  /** Pages in the order they shall have: 'guides/install' with its file 'guides/install/index.html' or 'guides/install.html'. */
  pages: SiteFile[];
  /** Pages that were asked to be left out. */
  leftOut: string[];
  /** Pages that only lead on (`<meta http-equiv="refresh">`), with the address as it stands there. */
  stubs: (SiteFile & { to: string })[];
  /** File of the page that hosts show for a missing address. */
  notFound?: string;
  /** Every other file. */
  assets: string[];
  /** Whether any page marks what Pagefind shall index: then pages without a mark are not searched. */
  hasPagefindBody: boolean;
  problems: Problem[];
}

export interface SiteFile {
  path: string;
  file: string;
}

export interface FinishedFilesOptions {
  /** Paths that come first, in this order. */
  order: string[];
  /** Paths of pages that are left out. */
  isLeftOut(path: string): boolean;
}

/** Throws `ExportError` `SiteNotReadable`. */
export function readFinishedFiles(listed: ListedFiles, { order, isLeftOut }: FinishedFilesOptions): FinishedFiles {
  const { root, files, problems } = listed;
  const found: FinishedFiles = { pages: [], leftOut: [], stubs: [], assets: [], hasPagefindBody: false, problems: [...problems] };
  const names = new Set(files);
  for (const file of files) {
    if (!isPageName(file)) {
      found.assets.push(file);
      continue;
    }
    const bytes = read(root, file);
    if (!isPageText(bytes)) {
      found.assets.push(file);
      found.problems.push(notText(file));
      continue;
    }
    found.hasPagefindBody ||= bytes.includes('data-pagefind-body');
    if (file === '404.html') {
      found.notFound = file;
      continue;
    }
    const path = pathOf(file, names);
    const to = bytes.length <= longestStub ? readHead(pageText(bytes)!).refresh : undefined;
    if (isLeftOut(path)) found.leftOut.push(path);
    else if (to !== undefined) found.stubs.push({ path, file, to });
    else found.pages.push({ path, file });
  }
  const places = new Map(order.map((path, place) => [path, place]));
  const placeOf = ({ path }: SiteFile) => (path === '' ? -1 : (places.get(path) ?? order.length));
  found.pages.sort((a, b) => placeOf(a) - placeOf(b) || (a.path < b.path ? -1 : 1));
  return found;
}

// Redirects that generators write are a few hundred bytes; a page that reloads itself is larger.
const longestStub = 4096;

/** `guides/install`; a file that has another page of its name beside it keeps its ending. */
function pathOf(file: string, files: Set<string>): string {
  const index = /^(?:(.*)\/)?index\.html?$/i.exec(file);
  if (index) return index[1] ?? '';
  const path = file.replace(/\.html?$/i, '');
  return files.has(`${path}/index.html`) || (file.endsWith('.htm') && files.has(`${path}.html`)) ? file : path;
}

function notText(file: string): Problem {
  return {
    kind: 'page-not-text',
    severity: 'warning',
    page: file,
    message:
      'The file is named as a page, but is no text in UTF-8 or in the encoding that it names, so it was copied as it is and cannot be found.',
    hint: 'Save it as UTF-8, or give it the ending of what it is.',
  };
}

function read(root: string, file: string): Buffer {
  try {
    return readFileSync(join(root, file));
  } catch (error) {
    throw notReadable(join(root, file), error);
  }
}
