// One page: from the cache or built, its links resolved, written with its Markdown version and the script with that.
import { hash } from 'node:crypto';
import type { Deployment } from '../manifest.ts';
import type { Problem } from '../diagnostics.ts';
import type { Reference } from '../html/references.ts';
import { isExternal } from '../urls/external-url.ts';
import type { Incremental } from '../output/incremental.ts';
import { markdownVersion } from '../page/markdown-version.ts';
import { positionOf, recordOf } from '../page/page-record.ts';
import type { LinkPosition, LinkTargets, PageFacts, PageLink, PageSource, ScannedPage, WrittenPage } from '../page/page-types.ts';
import { rewritePage } from '../page/rewrite-page.ts';
import { scanPage } from '../page/scan-page.ts';
import { placeholderStylesheet } from '../remote/placeholder.ts';
import type { RemotePolicy } from '../remote/remote-policy.ts';
import { createAnalyzer, type AnalyzedPage } from '../search/analyze.ts';
import { detached } from '../text/detach.ts';
import { isElsewhere } from '../urls/parts.ts';
import { relativeUrl } from '../urls/relative-url.ts';
import { loaded, type Resolver } from '../urls/resolver.ts';
import type { Target } from '../urls/site-paths.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import { linkChecks } from './check-links.ts';
import type { ExportOptions } from './export-input.ts';
import { sizeAttributes, type ImageSize } from './image-sizes.ts';
import type { SiteRules } from './export-input.ts';
import type { Indexes } from './search-index.ts';
import { filesOf } from './used-files.ts';

export interface PageOptions {
  names: SafeNames;
  resolver: Resolver;
  /** Ends in a slash. */
  siteUrl?: string;
  deployment: Deployment;
  /** Files in the export by their external URLs, verbatim. */
  vendored: Map<string, string>;
  /** The size of an image of the export, by the URL of its file. */
  imageSize(file: string): ImageSize | undefined;
  policy: Pick<RemotePolicy, 'vendors' | 'blanksStyleUrls' | 'readPage' | 'addPage' | 'replacements'>;
  rules: Pick<SiteRules, 'remote' | 'hasMarkdown'>;
  incremental: Pick<Incremental, 'page' | 'isSame' | 'reusePage' | 'record' | 'text' | 'storeText'> & {
    folder: { write(path: string, contents: string): unknown };
  };
  indexes: Pick<Indexes, 'add' | 'keep'>;
  problems: Problem[];
  /** Whether the export has only files that its pages use. */
  countsFiles?: boolean;
  onPage?: ExportOptions['onPage'];
}

/** Writes pages one after another. For a page with a key, only what changed around it is done again. */
export function createPageExporter(options: PageOptions): (source: PageSource) => Promise<WrittenPage> {
  const { names, resolver, incremental, indexes, policy, problems, rules } = options;
  const analyze = createAnalyzer();

  return async (source) => {
    let scanned: ScannedPage | undefined;
    const scan = async () => (scanned ??= await scannedPage(source));

    const readRecord = () =>
      incremental.record(source, async () => {
        const read = await scan();
        return recordOf(read, await policy.readPage(read.page.html, read.scan.loads), analyze);
      });
    const addToIndex = (page: PageFacts, analyzed: AnalyzedPage | undefined): boolean => {
      if (!page.searchable || (incremental.isSame(source) && indexes.keep(source.path, page))) return true;
      if (analyzed) indexes.add(analyzed, page);
      return analyzed !== undefined;
    };

    const previous = incremental.page(source);
    const mayChange = policy.vendors && previous !== undefined && previous.facts.loads.length > 0;
    if (previous && !mayChange && incremental.reusePage(source.path, previous.fingerprint)) {
      const { facts, fingerprint, checks } = previous;
      problems.push(...(facts.problems ?? []), ...(await policy.addPage(source, facts.loads)));
      if (!addToIndex(facts, undefined)) addToIndex(facts, (await readRecord()).analyzed);
      return { source, facts, fingerprint, checks };
    }

    const { links, linkTargets: asWritten, analyzed, ...record } = await readRecord();
    const facts = detached(record.facts);
    // Such a site is opened on the internet, where the page reads the Markdown itself.
    if (options.deployment === 'cloud') delete facts.copiesMarkdown;
    problems.push(...(facts.problems ?? []), ...(await policy.addPage(source, facts.loads)));
    addToIndex(facts, analyzed);
    const targetOf = linkTargets(resolver, source.path);
    const resolved = links.map((link) => ({ link, target: targetOf(link) }));
    if (options.countsFiles) facts.files = filesOf(resolved);
    const checks = detached(linkChecks(resolved, { path: source.path, ids: facts.ids }));
    const fingerprint = source.key === undefined ? undefined : fingerprintOf(source, facts, asWritten, resolved, options);
    if (incremental.reusePage(source.path, fingerprint)) return { source, facts, fingerprint, checks };

    const textOf = async (kind: 'html' | 'markdown', make: (page: ScannedPage) => string) => {
      // The cache has no text of a page that was built just now.
      const cached = fingerprint === undefined || scanned ? undefined : incremental.text(kind, fingerprint);
      if (cached !== undefined) return cached;
      const text = make(await scan());
      if (fingerprint !== undefined) incremental.storeText(kind, fingerprint, text);
      return text;
    };
    const { folder } = incremental;
    const html = await textOf('html', (page) => rewrite(page, source.path, targetOf, options));
    folder.write(names.page(source.path), html);
    options.onPage?.(names.page(source.path), html);
    if (facts.hasMarkdown) {
      const markdown = await textOf('markdown', ({ page }) =>
        markdownVersion(page, { names, resolver, hasMarkdown: rules.hasMarkdown }),
      );
      folder.write(names.markdown(source.path), markdown);
      if (facts.copiesMarkdown)
        folder.write(names.markdownScript(source.path), `__carrel_script(${JSON.stringify(markdown)});\n`);
    }
    return { source, facts, fingerprint, checks };
  };
}

async function scannedPage(source: PageSource): Promise<ScannedPage> {
  const built = await source.build();
  return 'scan' in built ? built : { page: built, scan: scanPage(built.html, built) };
}

/** A function that resolves the links of a page, each distinct link once. */
function linkTargets(resolver: Resolver, page: string): (link: PageLink) => Target {
  const known = new Map<LinkPosition, Map<string, Target>>();
  return (link) => {
    const [position, url] = link;
    let targets = known.get(position);
    if (targets === undefined) known.set(position, (targets = new Map()));
    let target = targets.get(url);
    if (target === undefined) targets.set(url, (target = resolveLink(resolver, link, page)));
    return target;
  };
}

function resolveLink(resolver: Resolver, [position, url]: PageLink, page: string): Target {
  if (position === 'markdown-link') return resolver.resolveMarkdown(url, page);
  const target = resolver.resolve(url, page);
  return position.endsWith('file') ? loaded(target) : target;
}

/** Digest of everything that the written page depends on: equal fingerprints mean equal bytes. */
function fingerprintOf(
  source: PageSource,
  facts: PageFacts,
  linkTargets: LinkTargets | undefined,
  resolved: { target: Target }[],
  options: PageOptions,
): string {
  let text = `${source.key}\n${options.names.page(source.path)}\n${options.names.markdown(source.path)}\n${options.siteUrl ?? ''}\n`;
  text += `${options.deployment}\n${options.rules.remote.allow.join()}\n`;
  if (linkTargets) text += `${JSON.stringify(linkTargets)}\n`;
  for (const { target } of resolved)
    text += `${target.kind === 'missing' || target.kind === 'limited' ? `${target.kind} ` : ''}${target.file}${target.query}${target.hash}${sizeText(options.imageSize(target.file))}\n`;
  for (const { url } of facts.loads) text += `${options.vendored.get(url) ?? ''}\n`;
  return hash('sha256', text);
}

function sizeText(size: ImageSize | undefined): string {
  return size ? ` ${size.width}x${size.height}` : '';
}

function rewrite(
  { page, scan, edits }: ScannedPage,
  path: string,
  targetOf: (link: PageLink) => Target,
  options: PageOptions,
): string {
  const from = encodeURI(options.names.page(path));
  const isMissing = (url: string) => !options.resolver.isElsewhere(url) && targetOf(['content-file', url]).kind === 'missing';
  const isOwn = options.rules.remote.onBlocked === 'placeholder';
  return rewritePage(page.html, scan, {
    replacement: options.policy.replacements(relativeUrl(from, placeholderStylesheet), isMissing),
    edits,
    sizeOf({ src, ...given }) {
      const isAway = options.resolver.isElsewhere(src);
      const file = isAway ? options.vendored.get(src) : targetOf(['content-file', src]).file;
      return sizeAttributes(file === undefined ? undefined : options.imageSize(file), given);
    },
    posterOf(url) {
      const file = options.vendored.get(url);
      return file && relativeUrl(from, file);
    },
    rewriteUrl(url, reference) {
      if (reference.kind === 'root') return relativeUrl(from, url.replace(/^\//, ''));
      // Canonical URLs stay unchanged, even those of the site itself.
      const isAway = reference.kind === 'meta' ? isElsewhere(url) : options.resolver.isElsewhere(url);
      if (isAway && isExternal(url)) {
        const vendored = reference.load && options.vendored.get(url);
        if (vendored) return relativeUrl(from, vendored);
        return options.policy.blanksStyleUrls && reference.kind === 'css' ? 'data:,' : url;
      }
      if (isAway) return url;
      if (reference.kind === 'css' && isOwn && isMissing(url)) return 'data:,';
      const link: PageLink = [positionOf(reference), url];
      return write(targetOf(link), url, reference, from, options.siteUrl);
    },
  });
}

/** The URL that is written for a target; undefined for none. */
function write(target: Target, url: string, reference: Reference, from: string, siteUrl: string | undefined): string | undefined {
  if (target.kind === 'limited') return undefined;
  if (target.kind === 'elsewhere') return target.file + target.query + target.hash;
  // An anchor on the page itself.
  if (target.file === '' && reference.kind !== 'meta') return url;
  const rest = target.query + target.hash;
  if (reference.kind === 'meta' && siteUrl !== undefined) return siteUrl + publicUrl(target.file) + rest;
  return relativeUrl(from, target.file) + rest;
}

/** URL of a file on a host: for an `index.html`, that of its folder. */
export function publicUrl(file: string): string {
  return file.replace(/(^|\/)index\.html$/, '$1');
}
