// Sorts the files of a built site into pages, redirects and assets.
import { join } from 'node:path';
import type { Problem } from '../diagnostics.ts';
import { isPageName, notReadable, type ListedFiles } from './list-files.ts';
import { isPageText, pageText } from '../html/decode-page.ts';
import { readHead } from '../page/read-page.ts';
import { readBytes } from './read-bytes.ts';

export interface ReadSiteFiles {
  /** Pages in their order: 'guides/install' with its file 'guides/install/index.html' or 'guides/install.html'. */
  pages: SiteFile[];
  /** Paths of excluded pages. */
  excluded: string[];
  /** Pages that only redirect (`<meta http-equiv="refresh">`), with the URL verbatim. */
  stubs: (SiteFile & { to: string })[];
  /** File of the page that hosts show for a missing URL. */
  notFound?: string;
  /** Every other file. */
  assets: string[];
  /** Whether any page marks what Pagefind should index: then pages without a mark are not searched. */
  hasPagefindBody: boolean;
  problems: Problem[];
}

export interface SiteFile {
  path: string;
  file: string;
}

export interface SiteFilesOptions {
  /** Paths that come first, in this order. */
  order: string[];
  /** Whether a page is excluded, by its path. */
  isExcluded(path: string): boolean;
}

/** Throws `ExportError` `SiteNotReadable`. */
export function readSiteFiles(listed: ListedFiles, { order, isExcluded }: SiteFilesOptions): ReadSiteFiles {
  const { root, files, problems } = listed;
  const found: ReadSiteFiles = {
    pages: [],
    excluded: [],
    stubs: [],
    assets: [],
    hasPagefindBody: false,
    problems: [...problems],
  };
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
    if (isExcluded(path)) found.excluded.push(path);
    else if (to !== undefined) found.stubs.push({ path, file, to });
    else found.pages.push({ path, file });
  }
  const positions = new Map(order.map((path, position) => [path, position]));
  const positionOf = ({ path }: SiteFile) => (path === '' ? -1 : (positions.get(path) ?? order.length));
  found.pages.sort((a, b) => positionOf(a) - positionOf(b) || (a.path < b.path ? -1 : 1));
  return found;
}

// Redirects that generators write are a few hundred bytes; a page that reloads itself is larger.
const longestStub = 4096;

/** `guides/install`; a file next to another page of the same name keeps its extension. */
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
      'The file has the extension of a page but is not text in UTF-8 or in the encoding that it declares, so it was copied unchanged and is not searched.',
    hint: 'Save it as UTF-8, or correct its extension.',
  };
}

function read(root: string, file: string): Buffer {
  try {
    return readBytes(join(root, file));
  } catch (error) {
    throw notReadable(join(root, file), error);
  }
}
