import { ExportError } from '../../integration/errors.ts';
import { listenForSite, type ListenOptions } from './listen-for-site.ts';
import { openSite } from '../active-exports/open-site.ts';

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

/**
 * Serves a site until it is closed. Of an archive every file is read before, so that what `carrel verify` refuses is not served.
 * Throws what `openSite` throws, and `ExportError` `BundleNotWhole`, `CannotListen`.
 */
export async function serveSite({ source, ...options }: ServeSiteOptions): Promise<ServedSite> {
  const site = await openSite(source);
  const [problem] = (await site.verify?.()) ?? [];
  if (problem) throw new ExportError('BundleNotWhole', `"${source}" is not served: ${problem.message}`, problem.hint);
  const { address, show, close } = await listenForSite(options);
  show(site);
  return { address, name: site.name, close: () => close() };
}
