// Downloads a bundle. The bytes received so far are in `download.part`, and `download.json` says which bundle they belong to, so that
// a broken connection or a killed process does not lose them.
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import { writeError } from '../../integration/output/write-error.ts';
import { readRecord, writeRecord } from '../platform/json-file.ts';
import { createProxiedPool, RefusedUrl, safeFetch } from '../../integration/remote/safe-fetch.ts';

export interface FetchBundleOptions {
  /** http or https; its query is a secret and is never shown. */
  url: string;
  /** Folder of the partial download; created if it does not exist. */
  folder: string;
  /** The stored bundle; if the link still points to it, nothing is downloaded. */
  known?: BundleState;
  maxBytes: number;
  /** Ends the download; the partial download stays. */
  signal?: AbortSignal;
  /** Milliseconds to wait before each retry after an attempt that brought nothing. @default [500, 1000, 2000, 4000] */
  waits?: number[];
  /** Milliseconds without a byte after which a connection is abandoned. @default 30,000 */
  silence?: number;
  /** Called as bytes arrive; `total` if the server sends it. */
  onProgress?: (done: number, total: number | undefined) => void;
}

/** Identifies a bundle by what its server sends. */
export interface BundleState {
  /** The link without its query: presigned links to one object differ in nothing else. */
  address: string;
  /** Strong `ETag` or `Last-Modified`: changes when the bundle does. */
  validator?: string;
}

export interface FetchedBundle {
  archive: string;
  state: BundleState;
  /** Assembled from more than one response. */
  isResumed: boolean;
}

const partSchema = z.strictObject({ address: z.string(), validator: z.string().optional(), total: z.number().optional() });
type Part = z.infer<typeof partSchema>;

/**
 * Downloads a bundle; 'unchanged' if the link points to the known one.
 * Throws `ExportError`: `BundleLinkDead` (401, 403, 404, 410), `BundleNotFetched`, `BundleTooLarge`, `DiskFull`, `OutputNotWritable`.
 */
export async function fetchBundle(options: FetchBundleOptions): Promise<FetchedBundle | 'unchanged'> {
  const { folder, waits = [500, 1000, 2000, 4000], signal } = options;
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw writeError(folder, error);
  });
  let before = await partSize(folder);
  for (let fruitless = 0; ;) {
    try {
      return await attempt(options);
    } catch (error) {
      if (error instanceof ExportError || signal?.aborted) throw signal?.aborted ? signal.reason : error;
      const size = await partSize(folder);
      fruitless = size > before ? 0 : fruitless + 1;
      before = size;
      if (fruitless > waits.length) throw notFetchedError(options.url, error);
      await pause(waits[Math.max(fruitless - 1, 0)] ?? 0, undefined, { signal });
    }
  }
}

/** Requests the first byte of a bundle: links to buckets are signed for GET alone. Throws `ExportError`: `BundleLinkDead`, `BundleNotFetched`. */
export async function probeBundle(url: string, signal: AbortSignal): Promise<void> {
  const headers = { 'accept-encoding': 'identity', range: 'bytes=0-0' };
  const response = await requestBundle(url, headers, signal).catch((error: unknown) => {
    throw error instanceof ExportError ? error : notFetchedError(url, signal.aborted ? signal.reason : error);
  });
  if (deadStatuses.has(response.status)) throw await linkDead(url, response);
  await response.body?.cancel();
  if (!response.ok) throw notFetchedError(url, new Error(`it answered ${response.status}`));
}

/** Removes what was downloaded. */
export async function forgetDownload(folder: string): Promise<void> {
  await rm(join(folder, 'download.part'), { force: true });
  await rm(join(folder, 'download.json'), { force: true });
}

async function attempt({ url, folder, known, maxBytes, signal, silence = 30_000, onProgress }: FetchBundleOptions) {
  const { address } = bundleState(url);
  const archive = join(folder, 'download.part');
  const part = await readPart(folder, address);
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (part) Object.assign(headers, { range: `bytes=${part.offset}-`, 'if-range': part.validator });
  else if (known?.address === address && known.validator)
    Object.assign(headers, { [known.validator.startsWith('"') ? 'if-none-match' : 'if-modified-since']: known.validator });

  const quiet = quietTimer(silence);
  const either = AbortSignal.any([quiet.signal, ...(signal ? [signal] : [])]);
  try {
    const response = await requestBundle(url, headers, either);
    quiet.again();
    if (response.status === 304) return 'unchanged';
    if (deadStatuses.has(response.status)) throw await linkDead(url, response);
    const isPart = response.status === 206 && part !== undefined && continues(response, part);
    if (!isPart && response.status !== 200) {
      await response.body?.cancel();
      if (part) await forgetDownload(folder);
      const error = new Error(`it answered ${response.status} ${response.statusText}`.trim());
      const isPassing = response.status >= 500 || [206, 408, 416, 425, 429].includes(response.status);
      throw isPassing ? error : notFetchedError(url, error);
    }
    const offset = isPart ? part.offset : 0;
    const total = isPart ? part.total : lengthOf(response);
    const state = isPart ? { address, validator: part.validator } : bundleState(url, response);
    if (total !== undefined && total > maxBytes) throw tooLargeError(url, total, maxBytes);
    if (!isPart) {
      await forgetDownload(folder);
      await writeRecord(join(folder, 'download.json'), { ...state, total } satisfies Part);
    }
    let done = offset;
    const file = await open(archive, isPart ? 'r+' : 'w', 0o600);
    try {
      for await (const piece of response.body ?? []) {
        quiet.again();
        if (done + piece.length > maxBytes) throw tooLargeError(url, done + piece.length, maxBytes);
        // Written before the next piece is read, so that no error loses it.
        for (let at = 0; at < piece.length;) at += (await file.write(piece, at, piece.length - at, done + at)).bytesWritten;
        done += piece.length;
        onProgress?.(done, total);
      }
    } finally {
      await file.close();
    }
    if (total !== undefined && done !== total) throw new Error(`only ${done} of ${total} bytes arrived`);
    return { archive, state, isResumed: isPart };
  } catch (error) {
    if (error instanceof ExportError && error.code === 'BundleTooLarge') await forgetDownload(folder);
    throw quiet.signal.aborted ? new Error(`no data for ${silence / 1000} seconds`) : writeError(folder, error);
  } finally {
    quiet.end();
  }
}

/** The partial download that can be resumed. Its last byte is requested again, so that a complete one is checked as well. */
async function readPart(folder: string, address: string) {
  const part = await readRecord(join(folder, 'download.json'), partSchema);
  const size = await partSize(folder);
  if (part?.address !== address || part.validator === undefined || part.total === undefined) return undefined;
  if (size === 0 || size > part.total) return undefined;
  return { validator: part.validator, total: part.total, offset: Math.min(size, part.total - 1) };
}

async function partSize(folder: string): Promise<number> {
  return (await stat(join(folder, 'download.part')).catch(() => undefined))?.size ?? 0;
}

function continues(response: Response, part: { offset: number; total: number }): boolean {
  return response.headers.get('content-range') === `bytes ${part.offset}-${part.total - 1}/${part.total}`;
}

function bundleState(url: string, response?: Response): BundleState {
  const { origin, pathname } = new URL(url);
  const tag = response?.headers.get('etag');
  // A weak tag says that two responses mean the same, not that their bytes are equal.
  const validator = tag && !tag.startsWith('W/') ? tag : response?.headers.get('last-modified');
  return { address: `${origin}${pathname}`, validator: validator ?? undefined };
}

function lengthOf(response: Response): number | undefined {
  const isPacked = ![null, 'identity'].includes(response.headers.get('content-encoding'));
  const length = response.headers.get('content-length');
  return isPacked || length === null || !/^\d+$/.test(length) ? undefined : Number(length);
}

/** A signal that is aborted if `again` is not called for this long. */
function quietTimer(milliseconds: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return { signal: controller.signal, again: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

/** Statuses of a link that no longer works. */
const deadStatuses = new Set([401, 403, 404, 410]);

/** The link without its query, which contains the signature: anyone who has it has the bundle. */
export function shownLink(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const pool = createProxiedPool();

/**
 * A GET that follows a few redirects, never from https to http. The operator chose the link, so it may point into any network.
 * Throws `ExportError` `BundleNotFetched` for a redirect it does not follow, and what `safeFetch` throws.
 */
async function requestBundle(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  try {
    return await safeFetch(new URL(link), { headers, signal, pool: () => pool, allowed: anyNetwork });
  } catch (error) {
    throw error instanceof RefusedUrl ? notFetchedError(link, error) : error;
  }
}

function anyNetwork(url: URL, from: URL | undefined): 'any' {
  if (from?.protocol === 'https:' && url.protocol === 'http:') {
    throw new RefusedUrl(`it redirects from https to http, on ${url.host}`);
  }
  return 'any';
}

async function linkDead(url: string, response: Response): Promise<ExportError> {
  const reason = reasonIn(await startOf(response, 4096).catch(() => ''));
  return new ExportError(
    'BundleLinkDead',
    `The link to the bundle is dead: ${shownLink(url)} answered ${response.status}${reason ? ` (${reason})` : ''}.`,
    'Links expire. Request a new one for the same job: POST /v1/static-export/jobs/{jobId}/bundle',
  );
}

export function notFetchedError(url: string, cause: unknown): ExportError {
  return new ExportError(
    'BundleNotFetched',
    `The bundle at ${shownLink(url)} could not be downloaded: ${causeOf(cause)}.`,
    'Check that this machine can reach the URL. The next attempt resumes a partial download.',
    { cause },
  );
}

function tooLargeError(url: string, bytes: number, limit: number): ExportError {
  return new ExportError(
    'BundleTooLarge',
    `The bundle at ${shownLink(url)} is at least ${bytes} bytes long; the limit is ${limit}.`,
    'If it is the right one, raise the limit: --max-size',
  );
}

/** The innermost reason. */
export function causeOf(error: unknown): string {
  const { cause, message, code } = error as Error & { code?: string };
  if (cause instanceof Error) return causeOf(cause);
  return message || code || 'no reason given';
}

/** The reason in an error response of our API or a service like S3. Only known fields are read, since the rest may contain parts of the link. */
export function reasonIn(text: string): string {
  const found = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? '';
  const plain = found.replace(/\\./g, ' ').replace(/[\p{C}\s]+/gu, ' ');
  return plain.replace(/\?\S*/g, '?…').trim().slice(0, 200);
}

/** The first characters of a response. */
export async function startOf(response: Response, bytes: number): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= bytes) break;
  }
  return text.slice(0, bytes);
}
