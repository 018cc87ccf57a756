// One page: from the cache or built, its links resolved, written with its Markdown mirror.
import { hash } from 'node:crypto';
import type { Problem } from '../diagnostics.ts';
import type { Deployment } from '../manifest.ts';
import type { PageSource } from '../page/built-page.ts';
import { createAnalyser, type AnalysedPage } from '../search/analyse.ts';
import { cachedJson } from '../text/cached-json.ts';
import { linkChecks, type LinkCheck } from './check-links.ts';
import { mirrorOf } from '../page/markdown-version.ts';
import {
  placeOf,
  readBuiltPage,
  recordOf,
  type PageLink,
  type PageRecord,
  type PageSummary,
  type ReadPage,
} from '../page/page-record.ts';
import type { Previous } from '../output/previous-export.ts';
import { relativeUrl } from '../urls/relative-url.ts';
import { rewritePage } from '../page/rewrite-page.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import { isRemote, type Reference } from '../html/references.ts';
import type { Indexes } from './search-index.ts';
import type { SiteRules } from './site-rules.ts';
import { placeholderStylesheet } from '../remote/placeholder.ts';
import type { RemotePolicy } from '../remote/policy.ts';
import { isElsewhere } from '../urls/address.ts';
import { detached } from '../text/detach.ts';
import { loaded, type Target, type Resolver } from '../urls/resolver.ts';
import type { ExportFolder } from '../output/export-folder.ts';

/** Strings by key, kept between exports. */
export interface PageCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

export interface PageOptions {
  names: SafeNames;
  targets: Resolver;
  cache?: PageCache;
  /** Ends in a slash. */
  siteUrl?: string;
  deployment: Deployment;
  /** Files in the export by their external addresses, verbatim. */
  vendored: Map<string, string>;
  policy: Pick<RemotePolicy, 'vendors' | 'emptiesStyles' | 'readPage' | 'addPage' | 'replacements'>;
  rules: Pick<SiteRules, 'remote' | 'hasMarkdown'>;
  previous: Pick<Previous, 'page' | 'reusePage' | 'isSame'>;
  folder: ExportFolder;
  indexes: Pick<Indexes, 'add' | 'keep'>;
  problems: Problem[];
}

/** A page that was written. */
export interface ExportedPage {
  source: PageSource;
  page: PageSummary;
  /** What the written files were made of; none when it has no key. */
  stamp?: string;
  /** Dead links, and those whose anchors are still to be looked up. */
  checks: LinkCheck[];
}

/** Version of `PageRecord` and of how pages are rewritten: older cache entries are left alone. */
const recordFormat = 4;

/** Writes pages one after another. Of a page whose key is known only what changed around it is done again. */
export function createPageExporter(options: PageOptions): (source: PageSource) => Promise<ExportedPage> {
  const { cache, names, targets, previous, folder, indexes, policy, problems, rules } = options;
  const analyse = createAnalyser();

  return async (source) => {
    let built: ReadPage | undefined;
    const build = async () => (built ??= await read(source));

    const readRecord = async (): Promise<PageRecord> => {
      const key = source.key === undefined ? undefined : `page-${recordFormat}/${source.key}`;
      const kept = cachedJson<PageRecord>(key === undefined ? undefined : cache?.get(key));
      if (kept !== undefined) return kept;
      const built = await build();
      const record = recordOf(built, await policy.readPage(built.page.html, built.scan.loads), analyse);
      if (key !== undefined) cache?.set(key, JSON.stringify(record));
      return record;
    };
    const addToIndex = (page: PageSummary, analysed: AnalysedPage | undefined): boolean => {
      if (!page.searchable || (previous.isSame(source) && indexes.keep(source.path, page))) return true;
      if (analysed) indexes.add(analysed, page);
      return analysed !== undefined;
    };

    const kept = previous.page(source);
    const mayChange = policy.vendors && kept !== undefined && kept.page.loads.length > 0;
    if (kept && !mayChange && previous.reusePage(source.path, kept.stamp, folder)) {
      problems.push(...(kept.page.problems ?? []), ...(await policy.addPage(source, kept.page.loads)));
      if (!addToIndex(kept.page, undefined)) addToIndex(kept.page, (await readRecord()).analysed);
      return { source, ...kept };
    }

    const { links, analysed, ...summary } = await readRecord();
    const page = detached(summary);
    problems.push(...(page.problems ?? []), ...(await policy.addPage(source, page.loads)));
    addToIndex(page, analysed);
    const resolved = links.map((link) => ({ link, target: resolveLink(targets, link, source.path) }));
    const checks = detached(linkChecks(resolved));
    const stamp = source.key === undefined ? undefined : stampOf(source, page, resolved, options);
    if (stamp !== undefined && previous.reusePage(source.path, stamp, folder)) return { source, page, stamp, checks };

    const finished = async (kind: string, make: (built: ReadPage) => string) => {
      const key = stamp && `${kind}-${recordFormat}/${stamp}`;
      // A page that is only just built is in no cache.
      const text = key && !built ? cache?.get(key) : undefined;
      if (text !== undefined) return text;
      const made = make(await build());
      if (key) cache?.set(key, made);
      return made;
    };
    folder.write(names.page(source.path), await finished('html', (made) => rewrite(made, source.path, options)));
    if (page.hasMarkdown)
      folder.write(
        names.mirror(source.path),
        await finished('markdown', (made) => mirrorOf(made.page, { names, targets, hasMarkdown: rules.hasMarkdown })),
      );
    return { source, page, stamp, checks };
  };
}

async function read(source: PageSource): Promise<ReadPage> {
  const built = await source.build();
  return 'scan' in built ? built : readBuiltPage(built);
}

function resolveLink(targets: Resolver, [place, address]: PageLink, page: string): Target {
  if (place === 'mirror') return targets.resolveMirror(address, page);
  const target = targets.resolve(address, page);
  return place.endsWith('file') ? loaded(target) : target;
}

/** Names everything that the written page depends on, so that equal stamps mean equal bytes. */
function stampOf(source: PageSource, page: PageSummary, resolved: { target: Target }[], options: PageOptions): string {
  let text = `${source.key}\n${options.names.page(source.path)}\n${options.names.mirror(source.path)}\n${options.siteUrl ?? ''}\n`;
  text += `${options.deployment}\n${options.rules.remote.allow.join()}\n`;
  for (const { target } of resolved) text += `${target.file}${target.query}${target.hash}\n`;
  for (const { address } of page.loads) text += `${options.vendored.get(address) ?? ''}\n`;
  return hash('sha256', text);
}

function rewrite({ page, scan, edits }: ReadPage, path: string, options: PageOptions): string {
  const from = encodeURI(options.names.page(path));
  return rewritePage(page.html, scan, {
    replacement: options.policy.replacements(relativeUrl(from, placeholderStylesheet)),
    edits,
    address(address, reference) {
      if (reference.kind === 'root') return relativeUrl(from, address.replace(/^\//, ''));
      // Canonical addresses stay unchanged, also where they name the site itself.
      const isAway = reference.kind === 'meta' ? isElsewhere(address) : options.targets.isElsewhere(address);
      if (isAway && isRemote(address)) {
        const vendored = reference.load && options.vendored.get(address);
        if (vendored) return relativeUrl(from, vendored);
        return options.policy.emptiesStyles && reference.kind === 'css' ? 'data:,' : address;
      }
      if (isAway) return address;
      const link: PageLink = [placeOf(reference), address];
      return write(resolveLink(options.targets, link, path), address, reference, from, options.siteUrl);
    },
  });
}

function write(target: Target, address: string, reference: Reference, from: string, siteUrl: string | undefined): string {
  if (target.kind === 'elsewhere') return target.file + target.query + target.hash;
  // An anchor on the page itself.
  if (target.file === '' && reference.kind !== 'meta') return address;
  const rest = target.query + target.hash;
  if (reference.kind === 'meta' && siteUrl !== undefined) return siteUrl + publicAddress(target.file) + rest;
  return relativeUrl(from, target.file) + rest;
}

/** Address of a file on a host: that of an `index.html` is its folder. */
export function publicAddress(file: string): string {
  return file.replace(/(^|\/)index\.html$/, '$1');
}
