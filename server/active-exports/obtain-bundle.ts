import { mkdirSync } from 'node:fs';
import { defaultLimits, type BundleLimits } from '../../integration/output/check-entries.ts';
import { ExportError } from '../../integration/errors.ts';
import { guarded } from '../../integration/output/write-error.ts';
import { shownName } from '../../integration/text/shown.ts';
import { notFetched, toldLink, fetchBundle, forgetDownload, type FetchBundleOptions } from './fetch-bundle.ts';
import { withStoreLock } from './bundle-lock.ts';
import { storeBundle, readStored, type StoredBundle } from './stored-bundle.ts';

export interface ObtainBundleOptions extends Pick<FetchBundleOptions, 'waits' | 'silence'> {
  /** Link to a bundle, http or https. */
  url: string;
  /** The only export version that is served. */
  version?: string;
  /** Folder to store the bundle in, for this site only. */
  keep: string;
  /** Maximum size of the archive, packed and unpacked. @default 8 GiB */
  maxBytes?: number;
  /** Milliseconds for the whole download. @default 30 minutes */
  timeLimit?: number;
  /** Ends a start that is not finished. */
  signal?: AbortSignal;
  now: () => number;
  /** Receives a line for each step. */
  say: (line: string) => void;
  /** Receives what an operator should look at although the site is up. */
  warn: (line: string) => void;
}

/**
 * The bundle to serve: the one at the link, or else the stored one. If the stored one is the pinned version, nothing is downloaded.
 * Throws `ExportError` if there is none to serve: `BundleLinkDead`, `BundleNotFetched`, `BundleTooLarge`, `BundleRefused`,
 * `BundleVersionDiffers`, `DiskFull`, `OutputNotWritable`.
 */
export async function obtainBundle(options: ObtainBundleOptions): Promise<StoredBundle> {
  const { keep, version, say, warn, signal } = options;
  let kept: StoredBundle | undefined;
  let damage: ExportError | undefined;
  const work = async () => {
    kept = (await readStored(keep, limitsOf(options)).catch((error: ExportError) => void (damage = error))) ?? undefined;
    if (damage) warn(told(damage));
    if (kept === undefined || kept.version !== version) return fetchAndKeep(options, kept);
    say(`${described(kept)} is kept already: nothing is fetched.`);
    return kept;
  };
  const onWait = () => say(`Another process is fetching into "${keep}": waiting for it.`);
  try {
    guarded(keep, () => mkdirSync(keep, { recursive: true }));
    return await withStoreLock(keep, work, { signal, onWait });
  } catch (error) {
    signal?.throwIfAborted();
    // A full disk has no room for the lock either.
    if (!damage)
      kept ??= (await readStored(keep, limitsOf(options)).catch((found: ExportError) => void (damage = found))) ?? undefined;
    if (kept === undefined || (version !== undefined && kept.version !== version)) throw withKept(error, kept, damage);
    warn(`${told(error)}\nThe kept copy is served instead: ${described(kept)}, fetched ${kept.fetchedAt}.`);
    return kept;
  }
}

async function fetchAndKeep(options: ObtainBundleOptions, kept: StoredBundle | undefined): Promise<StoredBundle> {
  const { url, keep, version, say, now, signal } = options;
  const link = toldLink(url);
  for (let isSecond = false; ; isSecond = true) {
    say(`Fetching the bundle from ${link}`);
    const fetched = await inTime(options, (ending) =>
      fetchBundle({
        ...options,
        folder: keep,
        known: kept && { address: kept.address, validator: kept.validator },
        maxBytes: limitsOf(options).bytes,
        signal: ending,
        onProgress: progressLines(say),
      }),
    );
    if (fetched === 'unchanged') {
      refuseOther(link, kept!.version, version);
      say(`The link leads to what is kept: ${described(kept!)}.`);
      return kept!;
    }
    try {
      const { archive, state } = fetched;
      const accept = (manifest: { version: string }) => refuseOther(link, manifest.version, version);
      const next = await storeBundle(keep, archive, { state, limits: limitsOf(options), signal, accept, now: now() });
      await forgetDownload(keep);
      say(`${described(next)} is unpacked; every file has the hash its manifest names.`);
      return next;
    } catch (error) {
      // The download is the bundle at the link: it stays, so that the next attempt only checks whether it is current.
      if (!(error instanceof ExportError) || keepsDownload.has(error.code)) throw error;
      await forgetDownload(keep);
      if (isSecond || !fetched.isResumed) throw refused(link, error);
      say('The parts of the bundle do not fit together: fetching it whole.');
    }
  }
}

const keepsDownload = new Set(['BundleVersionDiffers', 'DiskFull', 'OutputNotWritable']);

function refuseOther(link: string, version: string, pinned: string | undefined): void {
  if (pinned === undefined || version === pinned) return;
  throw new ExportError(
    'BundleVersionDiffers',
    `The bundle at ${link} is version "${shownName(version)}"; version "${pinned}" is pinned.`,
    `Give a link to version "${pinned}", pin version "${shownName(version)}", or pin none.`,
  );
}

function refused(link: string, cause: ExportError): ExportError {
  const hint = 'Ask the API for a new link, or export the site again.';
  return new ExportError('BundleRefused', `What ${link} leads to is refused. ${cause.message}`, hint, { cause });
}

/** Adds why the stored copy, if there is one, is not served. */
function withKept(error: unknown, kept: StoredBundle | undefined, damage: ExportError | undefined): unknown {
  const more = damage?.message ?? (kept && `The kept copy is version "${shownName(kept.version)}", which is not the pinned one.`);
  if (more === undefined || !(error instanceof ExportError)) return error;
  return new ExportError(error.code, `${error.message} ${more}`, error.hint, { cause: error });
}

async function inTime<T>(options: ObtainBundleOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeLimit = 30 * 60_000, signal, url } = options;
  const timeout = AbortSignal.timeout(timeLimit);
  try {
    return await work(AbortSignal.any([timeout, ...(signal ? [signal] : [])]));
  } catch (error) {
    if (!timeout.aborted || error instanceof ExportError) throw error;
    throw notFetched(url, new Error(`it did not come whole within ${timeLimit / 60_000} minutes`));
  }
}

function limitsOf({ maxBytes = defaultLimits.bytes }: ObtainBundleOptions): BundleLimits {
  return { ...defaultLimits, bytes: maxBytes };
}

/** The name of a bundle in messages. */
export function described({ site, version }: StoredBundle): string {
  return `${shownName(site)}, version ${shownName(version)}`;
}

/** An error with what to do about it. */
export function told(error: unknown): string {
  const { message, hint } = error as ExportError;
  return hint ? `${message}\n${hint}` : message;
}

const megabyte = 1024 * 1024;

/** A line for each tenth, or for each 50 MB if the size is unknown. */
function progressLines(say: (line: string) => void): FetchBundleOptions['onProgress'] {
  let next = 0;
  return (done, total) => {
    const step = total === undefined ? 50 * megabyte : Math.max(total / 10, megabyte);
    if (next === 0) next = Math.floor(done / step) * step + step;
    if (done < next && done !== total) return;
    next = Math.floor(done / step) * step + step;
    say(`  ${size(done)}${total === undefined ? '' : ` of ${size(total)}`}`);
  };
}

function size(bytes: number): string {
  return bytes < megabyte ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / megabyte)} MB`;
}
