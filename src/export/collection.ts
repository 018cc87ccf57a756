// A collection: exports of several sites, each unchanged in a folder of its own, and one search over all of them.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import type { CollectedSites } from '../../integration/export/export-input.ts';
import { indexFolder } from '../../integration/export/search-index.ts';
import { playgroundFile, type Manifest } from '../../integration/manifest.ts';
import type { BundleRules } from '../../integration/output/check-entries.ts';
import type { ExportFolder } from '../../integration/output/export-folder.ts';
import { fileChangedError } from '../../integration/output/open-bundle.ts';
import { unpackBundle } from '../../integration/output/unpack-bundle.ts';
import { chooseIndexes } from '../../integration/reader/core/site-data.ts';
import { mergeIndexes, pathInSite } from '../../integration/search/merge-indexes.ts';
import { format, shardText } from '../../integration/search/shards.ts';
import { shownName } from '../../integration/text/escape.ts';

/** An export that becomes a part of a collection. */
export interface CollectedSite {
  /** A folder or a zip. */
  bundle: string;
  /** Its folder in the collection. */
  path: string;
  title: string;
  manifest: Manifest;
  /** Of `carrel.json`, in hex. */
  manifestHash: string;
  signature?: NonNullable<Manifest['sites']>[number]['signature'];
}

interface CollectionOptions {
  /** Of the start page, whose search finds all sites: those without it in their own language. */
  language: string;
  rules?: BundleRules;
  signal?: AbortSignal;
}

/** Writes the sites of a collection and their index. Throws `ExportError` `CollectionConflict`, and what `unpackBundle` throws. */
export async function writeCollection(
  folder: ExportFolder,
  sites: CollectedSite[],
  { language, rules, signal }: CollectionOptions,
): Promise<CollectedSites> {
  for (const { bundle, path, manifestHash } of sites) {
    const unpacked = await unpackBundle(bundle, join(folder.staging, path), { rules, signal });
    if (unpacked.manifestHash !== manifestHash) throw fileChangedError(bundle, 'carrel.json');
    for (const [file, listed] of unpacked.files) folder.adopt(`${path}/${file}`, listed);
  }
  writeServers(folder, sites);
  return {
    indexes: writeIndexes(folder, sites, language),
    pages: sites.flatMap(pagesOf),
    sites: sites.map(({ path, title }) => ({ path, title })),
    manifest: manifestOf(sites),
  };
}

/** The servers that the playgrounds of all sites may ask: `carrel serve` reads one list. */
function writeServers(folder: ExportFolder, sites: CollectedSite[]): void {
  const files = sites.map(({ path }) => `${path}/${playgroundFile}`).filter((file) => folder.files.has(file));
  const lists = files.map((file) => JSON.parse(folder.read(file)) as Record<'servers' | 'tokens', string[] | undefined>);
  const all = (key: 'servers' | 'tokens') => [...new Set(lists.flatMap((list) => list[key] ?? []))].sort();
  if (lists.length > 0) folder.write(playgroundFile, JSON.stringify({ servers: all('servers'), tokens: all('tokens') }));
}

/** The pages of a site. Those of the docs version that it shows first have none, as the index that they are in. */
function pagesOf({ path: site, manifest }: CollectedSite): Manifest['pages'] {
  const first = manifest.defaultDocsVersion ?? manifest.indexes[0]?.docsVersion;
  return manifest.pages.map(({ path, file, docsVersion, ...page }) => ({
    path: pathInSite(site, path),
    file: `${site}/${file}`,
    ...page,
    ...(docsVersion !== undefined && docsVersion !== first && { docsVersion }),
  }));
}

/** One index for each language, of the docs version that each site shows first. */
function writeIndexes(folder: ExportFolder, sites: CollectedSite[], main: string): Manifest['indexes'] {
  const others = sites.flatMap(({ manifest }) => manifest.indexes.map(({ language }) => language));
  return [...new Set([main, ...others.sort()])].flatMap((language) => {
    const parts = sites.flatMap((site) => {
      const { own } = chooseIndexes(site.manifest, language, site.manifest.defaultDocsVersion);
      if (!own || (own.language !== language && language !== main)) return [];
      const index = `${site.path}/${own.folder}`;
      const read = (name: string) => {
        const file = `${index}/${name}`;
        // The folder is what the manifest says, which may be outside the site.
        if (folder.files.has(file)) return folder.read(file);
        throw new ExportError(
          'BundleFileMissing',
          `"${site.bundle}" has no file "${shownName(file.slice(site.path.length + 1))}".`,
        );
      };
      const { format: found } = JSON.parse(shardText(read('meta.js'))) as { format: unknown };
      if (found !== format)
        throw new ExportError(
          'CollectionConflict',
          `The search index of "${site.bundle}" has format ${String(found)}, and a collection needs format ${format}.`,
          'Export that site again with this version of Carrel.',
        );
      // From the folder of texts in the merged index up to the root.
      return [{ site: site.path, read, texts: `../../../../../${index}/x` }];
    });
    if (parts.length === 0) return [];
    const files = mergeIndexes(parts);
    const name = indexFolder(
      language,
      Array.from(files, ([file, text]) => `${file}\n${hash('sha256', text)}\n`),
    );
    for (const [file, text] of files) folder.write(`${name}/${file}`, text);
    return [{ language, folder: name }];
  });
}

function manifestOf(sites: CollectedSite[]): CollectedSites['manifest'] {
  const guests = sites.flatMap(({ manifest }) => manifest.guest ?? []);
  const requests = new Map<string, NonNullable<Manifest['requests']>[number]>();
  for (const { path, manifest } of sites)
    for (const { host, page, pages } of manifest.requests ?? []) {
      const known = requests.get(host);
      requests.set(host, known ? { ...known, pages: known.pages + pages } : { host, page: pathInSite(path, page), pages });
    }
  const isAbsolute = (url: string) => /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
  return {
    sites: sites.map(({ path, title, signature, manifest: { version, generator, audience } }) => ({
      path,
      title,
      version,
      generator,
      ...(audience && { audience }),
      ...(signature && { signature }),
    })),
    redirects: sites.flatMap(({ path, manifest }) =>
      manifest.redirects.map(({ from, to }) => ({
        from: pathInSite(path, from),
        to: isAbsolute(to) ? to : pathInSite(path, to.replace(/^\/+/, '')),
      })),
    ),
    ...(guests.length > 0 && { guest: { allow: [...new Set(guests.flatMap(({ allow }) => allow))].sort() } }),
    // An older export does not say what it loads, so a collection with one cannot either.
    requests: sites.every(({ manifest }) => manifest.requests)
      ? [...requests.values()].sort((a, b) => (a.host < b.host ? -1 : 1))
      : undefined,
  };
}
