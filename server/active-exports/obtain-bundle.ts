import { mkdirSync } from 'node:fs';
import { deltasArePossible } from '../../integration/output/delta.ts';
import { defaultRules, type BundleRules } from '../../integration/output/check-entries.ts';
import { ExportError } from '../../integration/errors.ts';
import type { Manifest } from '../../integration/manifest.ts';
import { guarded } from '../../integration/output/write-error.ts';
import { shownName } from '../../integration/text/escape.ts';
import { notFetchedError, shownLink, fetchBundle, forgetDownload, type FetchBundleOptions } from './fetch-bundle.ts';
import { withStoreLock } from './bundle-lock.ts';
import { requestLink, type BundleLink, type LinkSource } from './request-link.ts';
import { checkStored, rollBackTo, storeBundle, readStored, type StoredBundle } from './stored-bundle.ts';

export type ObtainBundleOptions = ObtainOptions & LinkOptions;

/** With both, the link is used while the API does not give one. */
type LinkOptions =
  | {
      /** Link to a bundle, http or https. */
      url: string;
      refresh?: LinkSource;
    }
  | {
      url?: undefined;
      /** Asked for a new link each time. */
      refresh: LinkSource;
    };

/** How bundles are stored, wherever they are from. */
export interface KeepOptions {
  /** The only export version that is served. */
  version?: string;
  /** Folder to store the bundle in, for this site only. */
  keep: string;
  /**
   * Number of bundles to store; the newest intact one is served when a newer one is damaged.
   * @default 2
   */
  keepLast?: number;
  /** Only a bundle that one of these keys signed is served. */
  keys?: BundleRules['keys'];
  /** Called with the manifest of a new bundle before it replaces the current one; throws to refuse it. */
  accept?: (manifest: Manifest) => void;
  /** Maximum size of the archive, packed and unpacked. @default 8 GiB */
  maxBytes?: number;
  /** Ends a start that is not finished. */
  signal?: AbortSignal;
  now: () => number;
  /** Receives a line for each step. */
  say: (line: string) => void;
  /** Receives what an operator should look at although the site is up. */
  warn: (line: string) => void;
}

interface ObtainOptions extends KeepOptions, Pick<FetchBundleOptions, 'waits' | 'silence'> {
  /** Milliseconds for a link from the API. @default 30,000 */
  linkTimeLimit?: number;
  /** Milliseconds for the whole download. @default 30 minutes */
  timeLimit?: number;
}

/**
 * The bundle to serve: the one at the link, or else the newest stored one that is intact. If the pinned version is stored, nothing is
 * requested. Throws `ExportError` if there is none to serve: `BundleLinkDead`, `BundleLinkRefused`, `BundleLinkNotReceived`,
 * `BundleNotFetched`, `BundleTooLarge`, `BundleRefused`, `BundleVersionDiffers`, `KeptBundleDamaged`, `DiskFull`, `OutputNotWritable`.
 */
export async function obtainBundle(options: ObtainBundleOptions): Promise<StoredBundle> {
  const { keep, version, say, warn, signal } = options;
  const rules = rulesOf(options);
  let stored: StoredBundle | undefined;
  let damage: ExportError | undefined;
  const onDamage = (found: ExportError) => {
    damage ??= found;
    warn(errorText(found));
  };
  const work = async () => {
    stored = await readStored(keep, { rules, onDamage });
    // From now on, starts without a link or with a full disk find it first.
    if (stored && damage) await rollBackTo(keep, stored);
    const pinned = stored === undefined || stored.version === version ? stored : await readPinned(options);
    if (version === undefined || pinned === undefined) return fetchAndStore(options, stored);
    say(`${described(pinned)} is already stored: nothing to download.`);
    return pinned;
  };
  const onWait = () => say(`Another process is downloading to "${keep}": waiting for it.`);
  try {
    guarded(keep, () => mkdirSync(keep, { recursive: true }));
    return await withStoreLock(keep, work, { signal, onWait });
  } catch (error) {
    signal?.throwIfAborted();
    // A full disk has no room for the lock either.
    if (!damage) stored ??= await readStored(keep, { rules, onDamage: (found) => (damage = found) });
    if (stored === undefined || (version !== undefined && stored.version !== version)) throw withStored(error, stored, damage);
    warn(`${errorText(error)}\nServing the stored copy instead: ${described(stored)}, downloaded ${stored.fetchedAt}.`);
    return stored;
  }
}

async function readPinned(options: ObtainBundleOptions): Promise<StoredBundle | undefined> {
  const { keep, version } = options;
  return version === undefined ? undefined : readStored(keep, { rules: rulesOf(options), version });
}

async function fetchAndStore(options: ObtainBundleOptions, stored: StoredBundle | undefined): Promise<StoredBundle> {
  const link = await linkOf(options, stored);
  try {
    return await fetchFrom(link, options, stored);
  } catch (error) {
    if (!link.isDelta || !(error instanceof ExportError) || !fallsBack.has(error.code)) throw error;
    options.say(`${error.message} Downloading the whole bundle instead.`);
    return fetchFrom(await linkOf(options), options, stored);
  }
}

/** A delta that is not one for the stored bundle, and one that the server has removed. */
const fallsBack = new Set(['BundleRefused', 'BundleLinkDead']);

async function fetchFrom(
  { url, manifest, isDelta = false }: BundleLink,
  options: ObtainBundleOptions,
  stored: StoredBundle | undefined,
): Promise<StoredBundle> {
  const { keep, keepLast = 2, version, say, now, signal } = options;
  const rules = rulesOf(options);
  const link = shownLink(url);
  const current = () => {
    refuseOther(link, stored!.version, version);
    say(`The stored bundle is current: ${described(stored!)}.`);
    return stored!;
  };
  if (stored && manifest === stored.manifestHash) return current();
  for (let isSecond = false; ; isSecond = true) {
    say(`Downloading ${isDelta ? 'what has changed in the' : 'the'} bundle from ${link}`);
    const fetched = await inTime(url, options, (ending) =>
      fetchBundle({
        ...options,
        url,
        folder: keep,
        known: stored && { address: stored.address, validator: stored.validator },
        maxBytes: rules.bytes,
        signal: ending,
        onProgress: progressLines(say),
      }),
    );
    if (fetched === 'unchanged') return current();
    try {
      const { archive, state } = fetched;
      const accept = (manifest: Manifest) => {
        refuseOther(link, manifest.version, version);
        options.accept?.(manifest);
      };
      const base = isDelta ? stored : undefined;
      const next = await storeBundle(keep, archive, { state, rules, signal, accept, base, now: now(), keepLast });
      await forgetDownload(keep);
      say(`${described(next)} is unpacked; every file matches its hash in the manifest.`);
      await checkSwapped(options, next, stored);
      return next;
    } catch (error) {
      // The download is the bundle at the link: it stays, so that the next attempt only checks whether it is current.
      if (!(error instanceof ExportError) || keepsDownload.has(error.code)) throw error;
      await forgetDownload(keep);
      if (isSecond || !fetched.isResumed) throw bundleRefusedError(link, error);
      say('The downloaded parts of the bundle do not match: downloading it again.');
    }
  }
}

/** A link from the API, to a delta from the stored bundle if there is one, or the given link. */
async function linkOf(options: ObtainBundleOptions, stored?: StoredBundle): Promise<BundleLink> {
  const { url, refresh, linkTimeLimit, waits, signal, say, warn } = options;
  if (!refresh) return { url: url! };
  say(`Requesting a link to the bundle from ${refresh.api}`);
  try {
    const since = deltasArePossible() ? stored?.manifestHash : undefined;
    return await requestLink(refresh, { timeLimit: linkTimeLimit, waits, signal, since });
  } catch (error) {
    if (url === undefined || signal?.aborted) throw error;
    warn(`${errorText(error)}\nUsing the given link instead.`);
    return { url };
  }
}

/** Reads the new bundle back from the disk; the one before becomes the current one again if it is not intact. */
export async function checkSwapped(options: KeepOptions, next: StoredBundle, before: StoredBundle | undefined): Promise<void> {
  try {
    await checkStored(options.keep, next, rulesOf(options));
  } catch (error) {
    if (before) await rollBackTo(options.keep, before);
    throw error;
  }
}

const keepsDownload = new Set(['BundleVersionDiffers', 'SettingsNotPossible', 'DiskFull', 'OutputNotWritable']);

/** Throws `ExportError` `BundleVersionDiffers` for another version than the pinned one. */
export function refuseOther(link: string, version: string, pinned: string | undefined): void {
  if (pinned === undefined || version === pinned) return;
  throw new ExportError(
    'BundleVersionDiffers',
    `The bundle at ${link} is version "${shownName(version)}"; version "${pinned}" is pinned.`,
    `Use a link to version "${pinned}", pin version "${shownName(version)}", or pin none.`,
  );
}

function bundleRefusedError(link: string, cause: ExportError): ExportError {
  const hint = 'Request a new link, or export the site again.';
  return new ExportError('BundleRefused', `The bundle at ${link} was rejected. ${cause.message}`, hint, { cause });
}

/** Adds why the stored copy, if there is one, is not served. */
function withStored(error: unknown, stored: StoredBundle | undefined, damage: ExportError | undefined): unknown {
  const more =
    damage?.message ?? (stored && `The stored copy is version "${shownName(stored.version)}", which is not the pinned one.`);
  if (more === undefined || !(error instanceof ExportError)) return error;
  return new ExportError(error.code, `${error.message} ${more}`, error.hint, { cause: error });
}

async function inTime<T>(url: string, options: ObtainBundleOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeLimit = 30 * 60_000, signal } = options;
  const timeout = AbortSignal.timeout(timeLimit);
  try {
    return await work(AbortSignal.any([timeout, ...(signal ? [signal] : [])]));
  } catch (error) {
    if (!timeout.aborted || error instanceof ExportError) throw error;
    throw notFetchedError(url, new Error(`it was not complete within ${timeLimit / 60_000} minutes`));
  }
}

/** What a bundle must be like to be stored and served. */
export function rulesOf({ maxBytes = defaultRules.bytes, keys }: KeepOptions): BundleRules {
  return { ...defaultRules, bytes: maxBytes, ...(keys && { keys }) };
}

/** The name of a bundle in messages. */
export function described({ site, version }: StoredBundle): string {
  return `${shownName(site)}, version ${shownName(version)}`;
}

/** An error with its hint. */
export function errorText(error: unknown): string {
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
