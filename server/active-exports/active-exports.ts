// The active exports of sites: opened when first used, cached, and reopened when their files were removed.
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { settingsFile, unlisted, type Manifest } from '../../integration/manifest.ts';
import type { Jobs } from '../jobs/model/jobs.ts';
import type { RegisteredSite, Sites } from '../sites/sites.ts';
import type { Storage } from '../storage/storage.ts';
import { fileInMemory, type OpenedSite, type SiteFile } from './open-site.ts';
import { fileKey, manifestKey } from '../storage/storage-keys.ts';
import { readManifest } from '../storage/read-manifest.ts';

/** The active export of a site, with the value that `make` created from it. It does not change when a newer export becomes active. */
export interface ActiveExport<Made> {
  /** As of `exportKey`. */
  key: string;
  site: RegisteredSite;
  /** Digest of its manifest. */
  digest: string;
  made: Made;
}

export interface ActiveExportsOptions<Made> {
  /** Maximum number of open exports; the least recently used ones are closed. */
  most: number;
  make(domain: string, stored: { opened: OpenedSite; manifest: Manifest; groups: string[] }): Made | Promise<Made>;
}

interface Known {
  key: string;
  site: RegisteredSite;
  digest: string;
}

interface Opened<Made> extends Known {
  made: Promise<Made | undefined>;
}

/** Names what readers of a site see: a domain alone is what everybody sees. */
export function exportKey(domain: string, groups: string[] = []): string {
  return [domain, ...groups].join('\0');
}

function partsOf(key: string): { domain: string; groups: string[] } {
  const [domain = '', ...groups] = key.split('\0');
  return { domain, groups };
}

/** While the database is unavailable, open exports stay in use. */
export function createActiveExports<Made>(
  { sites, jobs, storage }: { sites: Pick<Sites, 'get' | 'lastKnown'>; jobs: Pick<Jobs, 'get' | 'latestFor'>; storage: Storage },
  { most, make }: ActiveExportsOptions<Made>,
) {
  const opened = new LRUCache<string, Opened<Made>>({ max: most });

  const exports = {
    /** Undefined if the site has no active export. A newer export is opened at most a second after it became active. */
    async open(key: string): Promise<ActiveExport<Made> | undefined> {
      const current = await look(key);
      return current && openAt(current);
    },

    /**
     * The export that replaced one whose files were removed. Waits for it, since the registry is cached for a second; throws `removed` if the
     * site still has the same export after that.
     */
    async openNext({ key, digest }: ActiveExport<Made>, removed: FileRemoved): Promise<ActiveExport<Made> | undefined> {
      if (opened.peek(key)?.digest === digest) opened.delete(key);
      for (let looks = 0; looks < 7; looks++) {
        const current = await look(key);
        if (current?.digest !== digest) return current && openAt(current);
        await setTimeout(200);
      }
      throw removed;
    },

    /** Calls `work` with the active export, and once more with the next one if the files of the first were removed; undefined if there is none. */
    async use<Value>(key: string, work: (active: ActiveExport<Made>) => Promise<Value>): Promise<Value | undefined> {
      const active = await exports.open(key);
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

  async function look(key: string): Promise<Known | undefined> {
    try {
      const { domain, groups } = partsOf(key);
      const site = await sites.get(domain);
      const id = site && ((await latestFor(site, groups)) ?? site.activeJob);
      const job = id ? await jobs.get(id) : undefined;
      const digest = job?.result?.manifest;
      if (site && digest !== undefined) return { key, site, digest };
      opened.delete(key);
      return undefined;
    } catch (error) {
      const known = opened.get(key);
      // A site that has changed may have become private.
      const site = known && sites.lastKnown(known.site.domain);
      if (!site) throw error;
      return { ...known, site };
    }
  }

  async function openAt({ key, site, digest }: Known): Promise<ActiveExport<Made> | undefined> {
    const known = opened.get(key);
    const current = known?.digest === digest ? known : { key, site, digest, made: openAnew(key, digest) };
    opened.set(key, current);
    current.site = site;
    const forget = () => {
      if (opened.peek(key) === current) opened.delete(key);
    };
    try {
      const made = await current.made;
      if (made === undefined) forget();
      return made === undefined ? undefined : { key, site, digest, made };
    } catch (error) {
      // The next call retries.
      forget();
      throw error;
    }
  }

  /** Until an audience has an export, it sees what everybody may see. */
  async function latestFor(site: RegisteredSite, groups: string[]): Promise<string | undefined> {
    const { organization, domain, activeJob: whole } = site;
    return groups.length > 0 && whole !== null ? jobs.latestFor({ organization, domain, groups, whole }) : undefined;
  }

  async function openAnew(key: string, digest: string): Promise<Made | undefined> {
    const { domain, groups } = partsOf(key);
    const stored = await openStoredSite(storage, domain, digest);
    return stored && make(domain, { ...stored, groups });
  }
}

/** A file of an open export is no longer stored: the export was removed after a newer one replaced it. */
export class FileRemoved extends Error {
  override name = 'FileRemoved';
}

// Larger files (videos, archives) are streamed instead of read into memory.
const largestInMemory = 4 * 1024 * 1024;

/**
 * Opens a stored export by the digest of its manifest; undefined if the manifest was removed. Reading a file throws `FileRemoved` if the
 * export was removed in the meantime, and `StorageUnavailable`.
 */
export async function openStoredSite(
  storage: Storage,
  domain: string,
  manifestDigest: string,
): Promise<{ opened: OpenedSite; manifest: Manifest } | undefined> {
  const manifest = await readManifest(storage, domain, manifestDigest);
  if (!manifest) return undefined;
  const files = new Map(Object.entries(manifest.files));
  // Read once, since every page loads the settings. The manifest does not list them.
  const settings = await storage.get(manifestKey(domain, manifestDigest, settingsFile));
  const settingsBytes = settings && (await inMemory(await settings.read()));

  async function read(path: string, key: string, range: { start: number; end: number }) {
    const stored = await storage.get(key);
    const stream = await stored?.read(range).catch(unlessMissing);
    if (!stream) throw new FileRemoved(`"${path}" of "${domain}" was removed.`);
    return range.end - range.start < largestInMemory ? inMemory(stream) : stream;
  }

  const opened: OpenedSite = {
    name: manifest.site,
    deployment: manifest.deployment,
    guest: manifest.guest,
    async file(path): Promise<SiteFile | undefined> {
      const listed = files.get(path);
      if (listed) {
        // Size and tag come from the manifest, so that a file that the reader already has is not fetched.
        const { sha256, size } = listed;
        const key = fileKey(domain, sha256);
        return { path, size, tag: sha256.slice(0, 16), read: (start, end) => read(path, key, { start, end }) };
      }
      // Written once for an export, like the manifest itself, so the digest of the manifest identifies both.
      const tag = manifestDigest.slice(0, 16);
      if (path === settingsFile && settingsBytes) {
        return fileInMemory(path, settingsBytes, tag);
      }
      const key = manifestKey(domain, manifestDigest, path);
      const stored = unlisted.has(path) ? await storage.get(key) : undefined;
      return stored && { path, size: stored.size, tag, read: (start, end) => read(path, key, { start, end }) };
    },
  };
  return { opened, manifest };
}

async function inMemory(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
