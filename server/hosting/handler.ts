import { chooseEncoding, matchesTag, prefersMarkdown, parseRange, type Encoding } from '../http/request-headers.ts';
import { instructionsFile } from '../../integration/manifest.ts';
import { cacheControl, isHashed } from '../http/cache-control.ts';
import { contentType, isCompressible } from '../http/content-type.ts';
import { FileChanged, textOf, type OpenedSite, type SiteFile } from '../active-exports/open-site.ts';
import { contentSecurityPolicy, inlineSources, imageSecurityPolicy, securityHeaders } from './security-headers.ts';
import { createPagePolicies } from './page-policies.ts';
import { sitePath } from './site-path.ts';
import { answerQuestions, type SiteQuoter } from './site-questions.ts';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export interface SiteHandlerOptions {
  /**
   * Where the site is mounted, with a slash at both ends: '/docs/'.
   * @default '/'
   */
  base?: string;
  /** Compresses and caches; shared by sites that are served together. */
  encode?: ReturnType<typeof createEncoder>;
  /** Answers questions of programs: `GET /guides/install.md?ask=…` and `GET /_carrel/ask?q=…`. */
  quote?: SiteQuoter;
}

// Files are compressed whole and in memory, so that the length is known; beyond this size it is not worth the wait.
const largestCompressed = 32 * 1024 * 1024;
const smallestCompressed = 512;

/** Answers a request. `more` are headers of the answer, whose `cache-control` and `vary` are for files that can be stored. */
export type SiteHandler = (request: Request, more?: Record<string, string>) => Promise<Response>;

/** Answers requests with the files of a site, without cookies or state. */
export function siteHandler(
  site: OpenedSite,
  { base = '/', encode = createEncoder(), quote }: SiteHandlerOptions = {},
): SiteHandler {
  const always = securityHeaders(site);
  const policies = createPagePolicies(site);
  const answerQuestion = quote && answerQuestions(site, quote, { base, always, plain });

  return async function handle(request, more) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plain(405, 'Only GET and HEAD are supported.', { allow: 'GET, HEAD' });
    }
    const url = new URL(request.url);
    const { pathname, search } = url;
    if (`${pathname}/` === base) return redirect(`./${base.split('/').at(-2)}/${search}`);
    if (!pathname.startsWith(base)) return plain(404, `There is nothing here. The site is at ${base}`);
    if (answerQuestion && search !== '') {
      const answer = await answerQuestion(request, sitePath(pathname.slice(base.length)));
      if (answer) return withHeaders(answer, more);
    }
    try {
      return await answerFile(request, url, more);
    } catch (error) {
      if (error instanceof FileChanged) return answerFile(request, url, more);
      throw error;
    }
  };

  async function answerFile(request: Request, { pathname, search }: URL, more?: Record<string, string>): Promise<Response> {
    const found = await findFile(site, sitePath(pathname.slice(base.length)), prefersMarkdown(request.headers.get('accept')));
    if (found === undefined) return withHeaders(await notFound(request), more);
    // It is for the server alone.
    if ('file' in found && found.file.path === instructionsFile) return withHeaders(await notFound(request), more);
    if ('folder' in found) return withHeaders(redirect(`./${found.folder}/${search}`), more);
    const vary = found.negotiated ? 'accept, accept-encoding' : 'accept-encoding';
    return send(request, found.file, more ? { ...more, vary: `${vary}, ${more['vary']}` } : { vary });
  }

  async function send(request: Request, file: SiteFile, extra: Record<string, string>): Promise<Response> {
    const range = parseRange(rangeHeader(request, file), file.size);
    const mayCompress = isCompressible(file.path) && file.size >= smallestCompressed && file.size <= largestCompressed;
    const encoding = range === undefined && mayCompress ? chooseEncoding(request.headers.get('accept-encoding')) : 'identity';
    const etag = `"${file.tag}${encoding === 'identity' ? '' : `-${encoding}`}"`;
    // A page that the browser loads ahead of a click is used without another request only if it may be stored.
    const isAhead = request.headers.get('sec-purpose')?.startsWith('prefetch') && !isHashed(file.path);
    // Not `Headers`: they cost about a tenth of a request.
    const headers: Record<string, string> = {
      ...always,
      ...extra,
      etag,
      'cache-control': file.expires
        ? 'no-store'
        : (extra['cache-control'] ?? (isAhead ? 'private, max-age=30' : cacheControl(file.path))),
    };
    const type = contentType(file.path);
    if (type.startsWith('text/html')) headers['content-security-policy'] = await policies.of(file);
    else if (/xml/.test(type)) headers['content-security-policy'] = imageSecurityPolicy;
    if (matchesTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });

    headers['content-type'] = type;
    headers['accept-ranges'] = 'bytes';
    if (range === 'unsatisfiable') {
      headers['content-range'] = `bytes */${file.size}`;
      return new Response(null, { status: 416, headers });
    }
    const isHead = request.method === 'HEAD';
    if (encoding !== 'identity') {
      const bytes = await encode(`${file.path} ${file.tag}`, encoding, () => readWhole(file));
      headers['content-encoding'] = encoding;
      headers['content-length'] = String(bytes.length);
      return new Response(isHead ? null : bytes, { headers });
    }
    const { start, end } = range ?? { start: 0, end: file.size - 1 };
    headers['content-length'] = String(end - start + 1);
    if (range) headers['content-range'] = `bytes ${start}-${end}/${file.size}`;
    const body = isHead || file.size === 0 ? null : await file.read(start, end);
    return new Response(body, { status: range ? 206 : 200, headers });
  }

  async function notFound(request: Request): Promise<Response> {
    const file = await site.file('404.html');
    if (!file || file.size > largestCompressed) return plain(404, 'There is no such page.');
    const html = await textOf(file);
    const sources = await policies.sources();
    const headers = {
      ...always,
      'content-security-policy': contentSecurityPolicy(site, { ...sources, ...(site.guest ? {} : inlineSources(html)) }),
      'content-type': contentType(file.path),
      'cache-control': 'no-cache',
    };
    return new Response(request.method === 'HEAD' ? null : html, { status: 404, headers });
  }

  function plain(status: number, text: string, extra: Record<string, string> = {}): Response {
    return new Response(`${text}\n`, { status, headers: { ...always, ...extra, 'content-type': 'text/plain; charset=utf-8' } });
  }

  // A relative location works behind a proxy that strips a prefix, and can never point to another host.
  function redirect(location: string): Response {
    return new Response(null, { status: 308, headers: { ...always, location, 'cache-control': 'no-cache' } });
  }
}

/** Rarely: it costs about a tenth of a request. */
function withHeaders(response: Response, more: Record<string, string> = {}): Response {
  const isStored = response.headers.get('cache-control') !== 'no-store';
  for (const [name, value] of Object.entries(more)) if (name !== 'cache-control' || isStored) response.headers.set(name, value);
  return response;
}

type Found = { file: SiteFile; negotiated: boolean } | { folder: string };

async function findFile(site: OpenedSite, path: string | undefined, markdown: boolean): Promise<Found | undefined> {
  if (path === undefined) return undefined;
  const page = path.replace(/(^|\/)index\.html$/, '$1');
  if (page === '' || page.endsWith('/')) {
    const version = markdown ? await site.file(page === '' ? 'index.md' : `${page.slice(0, -1)}.md`) : undefined;
    const file = version ?? (await site.file(`${page}index.html`));
    return file && { file, negotiated: true };
  }
  const file = await site.file(path);
  if (file) return { file, negotiated: false };
  const isFolder = await site.file(`${path}/index.html`);
  return isFolder && { folder: encodeURIComponent(path.slice(path.lastIndexOf('/') + 1)) };
}

/** The `Range` header, unless `If-Range` says that the client's part is of another state of the file. */
function rangeHeader(request: Request, file: SiteFile): string | null {
  const condition = request.headers.get('if-range');
  return condition === null || condition === `"${file.tag}"` ? request.headers.get('range') : null;
}

async function readWhole(file: SiteFile): Promise<Uint8Array> {
  return new Uint8Array(await new Response(await file.read(0, file.size - 1)).arrayBuffer());
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

// Brotli 5 is where it becomes smaller than gzip at about gzip's cost.
const compressors: Record<Exclude<Encoding, 'identity'>, (bytes: Uint8Array) => Promise<Buffer>> = {
  gzip: (bytes) => gzipAsync(bytes),
  br: (bytes) =>
    brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
};

/** Compresses, and caches up to `capacity` bytes by key: a page is compressed once, not at each visit. */
export function createEncoder(capacity = 64 * 1024 * 1024) {
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: capacity,
    sizeCalculation: (bytes) => bytes.length,
  });

  return async function encode(key: string, encoding: Exclude<Encoding, 'identity'>, read: () => Promise<Uint8Array>) {
    const cacheKey = `${encoding} ${key}`;
    const known = cache.get(cacheKey);
    if (known) return known;
    const bytes = new Uint8Array(await compressors[encoding](await read()));
    cache.set(cacheKey, bytes);
    return bytes;
  };
}
