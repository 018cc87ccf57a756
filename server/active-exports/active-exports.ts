// The exports that sites are served and answered from: opened when they are first used, kept open, and opened again when their files
// were removed.
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Manifest } from '../../integration/manifest.ts';
import type { Jobs } from '../jobs/model/jobs.ts';
import type { RegisteredSite, Sites } from '../sites/sites.ts';
import type { Storage } from '../storage/storage.ts';
import type { OpenedSite } from './open-site.ts';
import { FileRemoved, openStoredSite } from './stored-site.ts';

/** The active export of a site, with what was made of it when it was opened. It stays the same when a newer export becomes active. */
export interface ActiveExport<Made> {
  site: RegisteredSite;
  /** Digest of its manifest. */
  digest: string;
  made: Made;
}

export interface ActiveExports<Made> {
  /** Undefined when the site has no active export. A newer export is opened a second after it became active, at most. */
  open(domain: string): Promise<ActiveExport<Made> | undefined>;
  /**
   * The export that took the place of one whose files were removed. Waits for it, since the registry answers from memory for a second;
   * throws `removed` when the site still has the same export after that.
   */
  openNext(former: ActiveExport<Made>, removed: FileRemoved): Promise<ActiveExport<Made> | undefined>;
  /** Works on the active export, and once more on the next one when the files of the first were removed; undefined when there is none. */
  use<Value>(domain: string, work: (active: ActiveExport<Made>) => Promise<Value>): Promise<Value | undefined>;
}

export interface ActiveExportsOptions<Made> {
  /** So many exports stay open; those used least recently are closed. */
  most: number;
  make(domain: string, stored: { opened: OpenedSite; manifest: Manifest }): Made;
}

interface Known {
  site: RegisteredSite;
  digest: string;
}

interface Opened<Made> extends Known {
  made: Promise<Made | undefined>;
}

/** While the database is away, exports that are open stay in use. */
export function createActiveExports<Made>(
  { sites, jobs, storage }: { sites: Pick<Sites, 'get'>; jobs: Pick<Jobs, 'get'>; storage: Storage },
  { most, make }: ActiveExportsOptions<Made>,
): ActiveExports<Made> {
  const opened = new LRUCache<string, Opened<Made>>({ max: most });

  const exports: ActiveExports<Made> = {
    async open(domain) {
      const current = await look(domain);
      return current && openAt(current);
    },

    async openNext({ site: { domain }, digest }, removed) {
      if (opened.peek(domain)?.digest === digest) opened.delete(domain);
      for (let looks = 0; looks < 7; looks++) {
        const current = await look(domain);
        if (current?.digest !== digest) return current && openAt(current);
        await setTimeout(200);
      }
      throw removed;
    },

    async use(domain, work) {
      const active = await exports.open(domain);
      if (!active) return undefined;
      try {
        return await work(active);
      } catch (error) {
        if (!(error instanceof FileRemoved)) throw error;
        const next = await exports.openNext(active, error);
        return next && (await work(next));
      }
    },
  };
  return exports;

  async function look(domain: string): Promise<Known | undefined> {
    try {
      const site = await sites.get(domain);
      const job = site?.activeJob ? await jobs.get(site.activeJob) : undefined;
      const digest = job?.result?.manifest;
      if (site && digest !== undefined) return { site, digest };
      opened.delete(domain);
      return undefined;
    } catch (error) {
      const known = opened.get(domain);
      if (!known) throw error;
      return known;
    }
  }

  async function openAt({ site, digest }: Known): Promise<ActiveExport<Made> | undefined> {
    const { domain } = site;
    const known = opened.get(domain);
    const current = known?.digest === digest ? known : { site, digest, made: openAnew(domain, digest) };
    opened.set(domain, current);
    current.site = site;
    const forget = () => {
      if (opened.peek(domain) === current) opened.delete(domain);
    };
    try {
      const made = await current.made;
      if (made === undefined) forget();
      return made === undefined ? undefined : { site, digest, made };
    } catch (error) {
      // The next call tries again.
      forget();
      throw error;
    }
  }

  async function openAnew(domain: string, digest: string): Promise<Made | undefined> {
    const stored = await openStoredSite(storage, domain, digest);
    return stored && make(domain, stored);
  }
}
