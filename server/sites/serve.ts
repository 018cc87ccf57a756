import { listenForSite, type ListenOptions } from './listen-for-site.ts';
import { openSite } from './open-site.ts';

export interface ServeSiteOptions extends ListenOptions {
  /** An export folder, or the zip of one. */
  source: string;
}

export interface ServedSite {
  /** Address of the home page: 'http://127.0.0.1:4401/docs/'. */
  address: string;
  name: string;
  close(): Promise<void>;
}

/** Serves a site until it is closed. Throws what `openSite` throws, and `ExportError` `CannotListen`. */
export async function serveSite({ source, ...options }: ServeSiteOptions): Promise<ServedSite> {
  const site = await openSite(source);
  const { address, show, close } = await listenForSite(options);
  show(site);
  return { address, name: site.name, close: () => close() };
}
