import { openStored, type StoredBundle } from '../active-exports/stored-bundle.ts';
import { listenForSite, type ListenOptions } from './serve.ts';
import { described, obtainBundle, errorText, type ObtainBundleOptions } from '../active-exports/obtain-bundle.ts';

export interface ServeBundleOptions extends ListenOptions, ObtainBundleOptions {}

/**
 * Downloads a bundle, checks it, stores it and serves it until it is closed; serves the stored copy when the link fails or its bundle
 * is refused. Listens from the beginning, so that its health can be checked.
 * Throws `ExportError` `CannotListen`, and what `obtainBundle` throws.
 */
export async function serveBundle(options: ServeBundleOptions) {
  const listening = await listenForSite(options);
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
    reload: (): Promise<void> => (running = running.then(reload)),
    close: (): Promise<void> => listening.close(),
  };
}
