// Vendors files of external origins with everything that they load in turn, so that the site does not need a network.
import { hash } from 'node:crypto';
import { ExportError } from '../errors.ts';
import { cssUrls, styleLoads } from '../html/css.ts';
import { isOembedUrl, thumbnailOf } from '../urls/oembed.ts';
import { relativeUrl } from '../urls/relative-url.ts';
import { rewriteCss } from '../page/rewrite-page.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import { applyEdits, type Edit } from '../text/edit.ts';
import { browserHeaders, download, type Download, type DownloadOptions } from './download.ts';
import { extensionOf, fileKinds, kindOfFile, type FileKind } from './file-kinds.ts';
import { placeLoads, type Load, type PlacedLoad } from '../html/load.ts';
import { isAllowed } from '../urls/external-url.ts';
import { scriptImports, loadsOfScript } from '../scripts/script-facts.ts';

export interface VendorOptions extends Pick<DownloadOptions, 'signal' | 'maxBytes' | 'timeout'> {
  /** Hosts whose files are vendored; with none, only images, sounds, videos and fonts are, of every public host. */
  allow: string[];
  /** @default that of `download.ts` */
  download?: typeof download;
  write(path: string, bytes: Uint8Array): void;
  /** Reuses the copy of the previous export; returns its file. */
  reuse(url: string): string | undefined;
  /** Files in the export by their external URLs, verbatim. */
  vendored: Map<string, string>;
  /** Receives what a vendored file still loads from external origins. */
  onFile(url: string, loads: PlacedLoad[]): void;
}

export interface Vendor {
  /**
   * Vendors the files of these loads: each URL is requested once, equal media are one file. Throws `ExportError` `RemoteNotVendored` when
   * one of an allowed host cannot be downloaded; one that was only tried becomes a problem.
   */
  vendor(page: string, loads: VendoredLoad[]): Promise<Problem[]>;
}

export type VendoredLoad = Pick<PlacedLoad, 'written' | 'url' | 'kind' | 'rewritable'> & { line?: number };

/** Downloads at the same time. */
const mostDownloads = 6;

export function createVendor(options: VendorOptions): Vendor {
  const { allow, vendored, onFile, write, download: get = download, signal, maxBytes, timeout } = options;
  // The file name of a URL is known before everything that it loads is downloaded: stylesheets and modules may load each other.
  const heads = new Map<string, Promise<string>>();
  const bodies: Promise<void>[] = [];
  const writtenFiles = new Set<string>();
  const slot = limiter(mostDownloads);
  const failed = new Set<string>();
  const privateHosts = allow.filter((entry) => !entry.startsWith('*'));

  const headOf = (href: string, kind: FileKind): Promise<string> => {
    const url = new URL(href);
    url.hash = '';
    const key = `${kind} ${url.href}`;
    let head = heads.get(key);
    if (!head) heads.set(key, (head = fetchFile(url, kind)));
    return head;
  };

  const fetchFile = async (url: URL, kind: FileKind): Promise<string> => {
    const known = kind === 'media' ? options.reuse(url.href) : undefined;
    if (known !== undefined) {
      writtenFiles.add(known);
      return known;
    }
    const load = (url: URL) => slot(() => get(url, { signal, maxBytes, timeout, headers: browserHeaders, privateHosts }));
    const found = await load(kind === 'media' && isOembedUrl(url) ? thumbnailOf((await load(url)).bytes) : url);
    const extension = extensionOf(found, kind);
    const file = `_carrel/vendor/${hash('sha256', kind === 'media' ? found.bytes : url.href).slice(0, 16)}.${extension}`;
    if (kind === 'media') writeOnce(file, found.bytes);
    else {
      const body = writeText(found, url.href, file, kind);
      // It may fail before it is awaited.
      body.catch(() => {});
      bodies.push(body);
    }
    return file;
  };

  /** Writes a stylesheet or script, once all that it loads has a name. */
  const writeText = async (found: Download, url: string, file: string, kind: 'stylesheet' | 'script'): Promise<void> => {
    const local = (written: string, kind: FileKind) => nested(written, found.url, file, kind);
    const { text, loads } = await texts[kind](new TextDecoder().decode(found.bytes), found.url, local);
    writeOnce(file, Buffer.from(text));
    onFile(url, placeLoads(text, loads));
  };

  const writeOnce = (file: string, bytes: Uint8Array) => {
    if (!writtenFiles.has(file)) write(file, bytes);
    writtenFiles.add(file);
  };

  /** A file that another one loads: its relative URL, or undefined if its host is not vendored. */
  const nested = async (written: string, base: URL, from: string, kind: FileKind): Promise<string | undefined> => {
    const url = URL.parse(written, base);
    if (!url || !/^https?:$/.test(url.protocol) || !isAllowed(url.href, allow)) return undefined;
    const file = await headOf(url.href, kind).catch((error: unknown) => {
      throw notVendoredError(url.href, base.href, error);
    });
    vendored.set(written, file);
    return relativeUrl(from, file) + url.hash;
  };

  const vendorOne = async (page: string, { written, url, line }: VendoredLoad, kind: FileKind): Promise<Problem[]> => {
    try {
      vendored.set(written, (await headOf(url, kind)) + new URL(url).hash);
      return [];
    } catch (error) {
      signal?.throwIfAborted();
      const location = line === undefined ? { page } : { page, line };
      if (allow.length > 0) throw notVendoredError(url, Object.values(location).join(':'), error);
      return failed.has(url) || !failed.add(url) ? [] : [notVendoredProblem(url, location, error)];
    }
  };

  return {
    async vendor(page, loads) {
      const isWanted = ({ kind, url }: VendoredLoad) => (allow.length > 0 ? isAllowed(url, allow) : fileKinds[kind] === 'media');
      const wanted = loads.flatMap((load) => {
        const kind = fileKinds[load.kind];
        return kind && load.rewritable && !vendored.has(load.written) && isWanted(load) ? [{ load, kind }] : [];
      });
      // All are awaited, so that nothing is written after an error has abandoned the export.
      const results = await Promise.allSettled(wanted.map(({ load, kind }) => vendorOne(page, load, kind)));
      const bodyResults: PromiseSettledResult<void>[] = [];
      while (bodies.length > 0) bodyResults.push(...(await Promise.allSettled(bodies.splice(0))));
      const broken = [...results, ...bodyResults].find((result) => result.status === 'rejected');
      if (broken) throw broken.reason;
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
  };
}

function notVendoredError(url: string, location: string, error: unknown): ExportError {
  return new ExportError(
    'RemoteNotVendored',
    `"${url}" (in ${location}) could not be downloaded into the export: ${reasonOf(error)}.`,
    'Correct the URL, put a copy into the site, or remove its host from allow.',
    { cause: error },
  );
}

function notVendoredProblem(url: string, location: Pick<Problem, 'page' | 'line'>, error: unknown): Problem {
  const message = `"${url}" could not be downloaded into the export: ${reasonOf(error)}.`;
  return createProblem({ kind: 'remote-not-vendored', ...location, message, hint: 'Put a copy into the site.' });
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

/** The relative URL of a file that another one loads, once it has a name; undefined if it stays on its host. */
type Local = (written: string, kind: FileKind) => Promise<string | undefined>;

type LocalText = (text: string, url: URL, local: Local) => Promise<{ text: string; loads: Load[] }>;

/** A text that loads local files where they are vendored, and what it loads besides. */
const texts: Record<'stylesheet' | 'script', LocalText> = {
  async stylesheet(css, base, local) {
    const locals = new Map<string, string>();
    for (const { url: written, isImport } of cssUrls(css)) {
      if (written === '' || /^(?:#|data:)/i.test(written) || locals.has(written)) continue;
      const file = await local(written, isImport ? 'stylesheet' : 'media');
      locals.set(written, file ?? URL.parse(written, base)?.href ?? written);
    }
    const text = rewriteCss(css, (written) => locals.get(written) ?? written);
    return { text, loads: styleLoads(text) };
  },
  async script(code, base, local) {
    const edits: Edit[] = [];
    const isModule = /\b(?:import|export)\b/.test(code);
    for (const { start, end, written } of isModule ? await importsOf(code) : []) {
      const file = await local(written, 'script');
      if (file !== undefined) edits.push({ start, end, text: JSON.stringify(`./${file}`) });
    }
    for (const { start, end, written } of isModule ? besides(code) : []) {
      const url = URL.parse(written, base);
      if (!url) continue;
      const kind = kindOfFile(url.pathname);
      const file = kind && (await local(written, kind));
      edits.push({ start, end, text: JSON.stringify(file === undefined ? url.href : `./${file}`) });
    }
    const text = applyEdits(code, edits);
    return { text, loads: (await loadsOfScript(text)).map((load) => ({ ...load, rewritable: false })) };
  },
};

/** What a module imports by URL, in the order of the text. */
async function importsOf(text: string): Promise<{ start: number; end: number; written: string }[]> {
  const found = new Map<number, { start: number; end: number; written: string }>();
  for (const { argument } of await scriptImports(text)) {
    const written = /^(["'`])((?:\.{0,2}\/|https?:)[^"'`\\$]*)\1$/.exec(text.slice(argument.start, argument.end))?.[2];
    if (written !== undefined) found.set(argument.start, { ...argument, written });
  }
  return [...found.values()];
}

/** Files that a module names relative to itself: `new URL('./x.png', import.meta.url)`. */
function besides(text: string): { start: number; end: number; written: string }[] {
  const pattern = /(\bnew\s+URL\(\s*)((["'`])([^"'`\\$]+)\3)\s*,\s*import\.meta\.url\s*\)/g;
  return [...text.matchAll(pattern)].map((match) => {
    const start = match.index + match[1]!.length;
    return { start, end: start + match[2]!.length, written: match[4]! };
  });
}

/** Runs at most `most` tasks at a time. */
function limiter(most: number): <Value>(run: () => Promise<Value>) => Promise<Value> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free--;
    else await new Promise<void>((resume) => waiting.push(resume));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
