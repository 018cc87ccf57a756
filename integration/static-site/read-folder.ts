// Sorts the files of a built site into pages, redirects and assets.
import { join } from 'node:path';
import { createProblem, type Problem } from '../diagnostics.ts';
import { isPageName, siteNotReadableError, type ListedFiles } from './list-files.ts';
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
  /** The bytes of the first pages, by file, so that a site of usual size is read once. */
  kept: Map<string, Uint8Array<ArrayBuffer>>;
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
    kept: new Map(),
    hasPagefindBody: false,
    problems: [...problems],
  };
  const names = new Set(files);
  let room = mostKept;
  const keep = (file: string, bytes: Buffer) => {
    if (bytes.length > room) return;
    room -= bytes.length;
    found.kept.set(file, new Uint8Array(bytes));
  };
  for (const file of files) {
    if (!isPageName(file)) {
      found.assets.push(file);
      continue;
    }
    const bytes = read(root, file);
    if (!isPageText(bytes)) {
      found.assets.push(file);
      found.problems.push(notTextProblem(file));
      continue;
    }
    found.hasPagefindBody ||= bytes.includes('data-pagefind-body');
    if (file === '404.html') {
      found.notFound = file;
      keep(file, bytes);
      continue;
    }
    const path = pathOf(file, names);
    const to = redirectOf(bytes);
    if (isExcluded(path)) found.excluded.push(path);
    else if (to !== undefined) found.stubs.push({ path, file, to });
    else {
      found.pages.push({ path, file });
      keep(file, bytes);
    }
  }
  const positions = new Map(order.map((path, position) => [path, position]));
  const positionOf = ({ path }: SiteFile) => (path === '' ? -1 : (positions.get(path) ?? order.length));
  found.pages.sort((a, b) => positionOf(a) - positionOf(b) || (a.path < b.path ? -1 : 1));
  return found;
}

// All pages would not fit into memory; those beyond this are read again when their turn comes.
const mostKept = 8 * 1024 * 1024;

// Redirects that generators write are a few hundred bytes; a page that reloads itself is larger.
const longestStub = 4096;

function redirectOf(bytes: Buffer): string | undefined {
  const text = bytes.length <= longestStub ? pageText(bytes) : undefined;
  return text && /http-equiv/i.test(text) ? readHead(text).refresh : undefined;
}

/** `guides/install`; a file next to another page of the same name keeps its extension. */
function pathOf(file: string, files: Set<string>): string {
  const index = /^(?:(.*)\/)?index\.html?$/i.exec(file);
  if (index) return index[1] ?? '';
  const path = file.replace(/\.html?$/i, '');
  return files.has(`${path}/index.html`) || (file.endsWith('.htm') && files.has(`${path}.html`)) ? file : path;
}

function notTextProblem(file: string): Problem {
  return createProblem({
    kind: 'page-not-text',
    page: file,
    message:
      'The file has the extension of a page but is not text in UTF-8 or in the encoding that it declares, so it was copied unchanged and is not searched.',
    hint: 'Save it as UTF-8, or correct its extension.',
  });
}

function read(root: string, file: string): Buffer {
  try {
    return readBytes(join(root, file));
  } catch (error) {
    throw siteNotReadableError(join(root, file), error);
  }
}
