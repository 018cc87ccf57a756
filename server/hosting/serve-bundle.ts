import { openStored, type StoredBundle } from '../active-exports/stored-bundle.ts';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { watchFolder, type WatchOptions } from '../active-exports/watched-folder.ts';
import { listenForSite, type ListenOptions } from './serve.ts';
import { described, obtainBundle, errorText, type ObtainBundleOptions } from '../active-exports/obtain-bundle.ts';

export type ServeBundleOptions = ListenOptions &
  (ObtainBundleOptions | WatchOptions) & {
    /** Milliseconds between two looks for a newer bundle. By default, only `reload` looks for one. */
    refreshEvery?: number;
  };

/**
 * Downloads a bundle, checks it, stores it and serves it until it is closed; serves the stored copy when the link fails or its bundle
 * is refused. Of a watched folder, it waits for the first one. Listens from the beginning, so that its health can be checked.
 * Throws `ExportError` `CannotListen`, and what `obtainBundle` throws.
 */
export async function serveBundle(given: ServeBundleOptions) {
  const listening = await listenForSite(given);
  const options: ServeBundleOptions = { ...given, accept: ({ deployment }) => listening.check(deployment) };
  const watched = 'watch' in options ? watchFolder(options) : undefined;
  const obtain = () => (watched ? watched.take() : obtainBundle(options as ObtainBundleOptions));
  let shown: StoredBundle;
  const show = async (stored: StoredBundle) => {
    const site = await openStored(options.keep, stored, options.keys);
    listening.show(site, { version: stored.version, counts: watched?.counts });
    shown = stored;
  };
  try {
    await show(await firstOf(obtain, options));
  } catch (error) {
    await listening.close(0);
    throw error;
  }

  let running = Promise.resolve();
  const reload = async () => {
    try {
      const stored = await obtain();
      if (!stored || stored.folder === shown.folder) {
        if (!watched) options.say(`No change: serving ${described(shown)}.`);
        return;
      }
      await show(stored);
      options.say(`Now serving ${described(stored)}.`);
    } catch (error) {
      options.warn(`${errorText(error)}\n${described(shown)} is still served.`);
    }
  };
  const reloadInTurn = (): Promise<void> => (running = running.then(reload));
  const stopTimer = repeat(reloadInTurn, options.refreshEvery);
  return {
    /** URL of the home page. */
    address: listening.address,
    get name() {
      return shown.site;
    },
    get version() {
      return shown.version;
    },
    /** Requests the link again and shows its bundle. Never rejects: an error is reported, and the current site stays. */
    reload: reloadInTurn,
    close: (): Promise<void> => {
      stopTimer();
      return listening.close();
    },
  };
}

/** The first bundle. A watched folder can be empty for long. */
async function firstOf(
  obtain: () => Promise<StoredBundle | undefined>,
  { refreshEvery = 1000, signal, say }: ServeBundleOptions,
): Promise<StoredBundle> {
  for (let looks = 1; ; looks++) {
    const stored = await obtain();
    if (stored) return stored;
    if (looks === 2) say('Waiting for the first bundle.');
    await setTimeoutPromise(refreshEvery, undefined, { signal });
  }
}

/** Repeats work with a pause after each time, which differs by a tenth, so that replicas that started together spread out. */
function repeat(work: () => Promise<void>, pause: number | undefined): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = pause === undefined;
  const schedule = () => {
    if (isStopped) return;
    timer = setTimeout(() => void work().then(schedule), pause! * (0.9 + 0.2 * Math.random())).unref();
  };
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
