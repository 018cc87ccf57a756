import { openStored, type StoredBundle } from '../active-exports/stored-bundle.ts';
import { listenForSite, type ListenOptions } from './serve.ts';
import { described, obtainBundle, errorText, type ObtainBundleOptions } from '../active-exports/obtain-bundle.ts';

export type ServeBundleOptions = ListenOptions &
  ObtainBundleOptions & {
    /** Milliseconds between two requests for a newer bundle. By default, only `reload` requests one. */
    refreshEvery?: number;
  };

/**
 * Downloads a bundle, checks it, stores it and serves it until it is closed; serves the stored copy when the link fails or its bundle
 * is refused. Listens from the beginning, so that its health can be checked.
 * Throws `ExportError` `CannotListen`, and what `obtainBundle` throws.
 */
export async function serveBundle(given: ServeBundleOptions) {
  const listening = await listenForSite(given);
  const options: ServeBundleOptions = { ...given, accept: ({ deployment }) => listening.check(deployment) };
  let shown: StoredBundle;
  const show = async (stored: StoredBundle) => {
    listening.show(await openStored(options.keep, stored), stored.version);
    shown = stored;
  };
  try {
    await show(await obtainBundle(options));
  } catch (error) {
    await listening.close(0);
    throw error;
  }

  let running = Promise.resolve();
  const reload = async () => {
    try {
      const stored = await obtainBundle(options);
      if (stored.folder === shown.folder) return options.say(`No change: serving ${described(stored)}.`);
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
