// The files of an export that are neither pages nor assets.
import { hash } from 'node:crypto';
import { framePoster } from '../html/external-loads.ts';
import type { EgressEntry } from '../remote/request-report.ts';
import { redirectStub } from '../html/redirect-stub.ts';
import {
  manifestFormat,
  manifestSchema,
  playgroundFile,
  settingsFile,
  versionFile,
  unlisted,
  type ListedFile,
  type Manifest,
} from '../manifest.ts';
import type { ExportFolder } from '../output/export-folder.ts';
import type { WrittenFile } from '../output/written-file.ts';
import type { Incremental } from '../output/incremental.ts';
import { fixedAssets } from '../page/asset.ts';
import type { WrittenPage } from '../page/page-types.ts';
import type { NavigationData, NavigationEntry, SiteData } from '../reader/core/site-data.ts';
import { english, labelsOf, playgroundLabels, type Labels } from '../texts/index.ts';
import { escapeHtml } from '../text/escape.ts';
import { encodePath } from '../urls/relative-url.ts';
import { loaded, type Resolver } from '../urls/resolver.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import type { CollectedSites, ExportInput, ExportOptions } from './export-input.ts';
import { feedFile, feedText } from './feed.ts';
import { publicUrl } from './export-page.ts';
import { llmsFullPage, llmsText, robots, sitemap, skillsIn, type LlmsPage } from './llms-and-sitemap.ts';
import type { SiteUrls } from './site-urls.ts';
import { labelsScript, navigationScript, pageFiles, siteScript } from './site-data.ts';

/** Where files are written: the next export, or the memory of a preview. */
export interface FileWriter {
  write(path: string, contents: string | Uint8Array): unknown;
  files: { has(path: string): boolean };
}

interface SiteFiles {
  site: ExportInput;
  urls: SiteUrls;
  folder: FileWriter;
}

interface ListOptions extends Pick<ExportOptions, 'generator'> {
  pages: WrittenPage[];
  incremental: Pick<Incremental, 'folder' | 'writeJoined'>;
}

interface SiteDataInput extends Pick<WrittenSite, 'site' | 'names' | 'indexes' | 'collected'> {
  resolver: Resolver;
  folder: FileWriter;
  pages: { source: Pick<WrittenPage['source'], 'path'>; facts: Pick<WrittenPage['facts'], 'language' | 'docsVersion'> }[];
}

export interface WrittenSite {
  site: ExportInput;
  names: SafeNames;
  folder: ExportFolder;
  pages: WrittenPage[];
  indexes: Manifest['indexes'];
  vectors?: Manifest['vectors'];
  /** Of a collection. */
  collected?: CollectedSites;
}

/** Writes what the reader's scripts know about the site. The file name is fixed, so a changed page does not change other pages. */
export async function writeSiteData(input: SiteDataInput): Promise<void> {
  const { site, names, resolver, folder, pages, indexes, collected } = input;
  const named = pages.flatMap(({ source: { path } }) => (path === '' ? [] : [[path, names.page(path)] as const]));
  for (const { path, file } of collected?.pages ?? []) named.push([path, file]);
  const languages = [...new Set(pages.map(({ facts }) => facts.language))].sort();
  const hasPlayground = site.assets.some(({ path }) => path === playgroundFile);
  const script = siteScript({
    format: 1,
    ...defaultVariant(site),
    indexes: indexes.map((index) => ({ ...index, folder: index.folder.slice('_carrel/'.length) })),
    ...(collected && { sites: collected.sites }),
    ...pageFiles(new Map(named)),
    labels: await writeLabels(folder, languages, (labels) =>
      // English is part of the reader's scripts.
      labels === english ? undefined : { ...labels.search, ...labels.dialogs, ...labels.ask, ...labels.quotes },
    ),
    ...(hasPlayground && { playgroundLabels: await writeLabels(folder, languages, playgroundLabels) }),
    navigations: writeNavigations(site, resolver, folder),
  });
  folder.write('_carrel/site.js', script);
}

/** Writes each whole sidebar, its URLs relative to the site's root. */
function writeNavigations(
  { navigations = new Map() }: ExportInput,
  resolver: Resolver,
  folder: FileWriter,
): SiteData['navigations'] {
  const hrefOf = (href: string) => {
    const { kind, file, query, hash } = resolver.resolve(href, '');
    return kind === 'limited' ? undefined : file + query + hash;
  };
  const iconOf = (icon: string, icons: NavigationData['icons']): string | undefined => {
    if (Object.hasOwn(icons, icon)) return icon;
    // An image of an external origin is only on the pages, where the report of external requests has it.
    const target = icon.startsWith('/') && !icon.startsWith('//') ? loaded(resolver.resolve(icon, '')) : undefined;
    return target?.kind === 'file' ? target.file : undefined;
  };
  const resolved = (entry: NavigationEntry, icons: NavigationData['icons']): NavigationEntry => {
    if (Array.isArray(entry)) return entry;
    const icon = entry.icon === undefined ? undefined : iconOf(entry.icon, icons);
    const own = { ...entry, icon, ...(entry.href !== undefined && { href: hrefOf(entry.href) }) };
    return 'entries' in entry ? { ...own, entries: entry.entries.map((inner) => resolved(inner, icons)) } : own;
  };
  const scripts = [...navigations].map(([key, { icons, labels, entries }]): [string, string] => {
    const data = { icons, labels, entries: entries.map((entry) => resolved(entry, icons)) };
    return [key, writeNamed(folder, 'navigation', navigationScript(data))];
  });
  return scripts.length === 0 ? undefined : Object.fromEntries(scripts);
}

/** Writes the labels that `textsOf` picks for each language; returns the scripts' names by language. */
async function writeLabels(
  folder: FileWriter,
  languages: string[],
  textsOf: (labels: Labels) => Record<string, string> | undefined,
): Promise<Record<string, string> | undefined> {
  const scripts: [language: string, name: string][] = [];
  for (const language of languages) {
    const texts = textsOf(await labelsOf(language));
    if (texts) scripts.push([language, writeNamed(folder, 'labels', labelsScript(texts))]);
  }
  return scripts.length === 0 ? undefined : Object.fromEntries(scripts);
}

/** Writes a script of `_carrel` that is named by the digest of its contents; returns its name. */
function writeNamed(folder: FileWriter, name: string, script: string): string {
  const named = `${name}.${hash('sha256', script).slice(0, 10)}.js`;
  // Some languages share their labels.
  if (!folder.files.has(`_carrel/${named}`)) folder.write(`_carrel/${named}`, script);
  return named;
}

/** Writes the lists of pages for programs, except those that the author provides. */
export function writeLists({ site, urls, pages, incremental, generator }: Omit<SiteFiles, 'folder'> & ListOptions): void {
  const { folder } = incremental;
  const { names, siteUrl, sitemaps } = urls;
  const given = new Set(site.assets.map(({ path }) => path));
  const urlOf = (file: string) => (siteUrl ?? '') + encodePath(file);
  const listed = pages.filter(
    ({ facts }) =>
      facts.inLlms &&
      facts.hasMarkdown &&
      facts.language === site.defaultLanguage &&
      facts.docsVersion === site.defaultDocsVersion,
  );
  const hasMarkdown = site.rules.hasMarkdown(site.home);
  if (hasMarkdown && !given.has('llms.txt')) {
    const llmsPages: LlmsPage[] = listed.map(({ source, facts: { title, description } }) => ({
      title,
      description,
      href: urlOf(names.markdown(source.path)),
    }));
    folder.write(
      'llms.txt',
      llmsText({ ...site, skills: skillsIn(fixedAssets(site.assets), (path) => urlOf(names.asset(path))) }, llmsPages),
    );
  }
  if (hasMarkdown && !given.has('llms-full.txt')) {
    const files = listed.map(({ source }) => names.markdown(source.path));
    const textOf = (file: string, index: number) => (index > 0 ? '\n' : '') + llmsFullPage(urlOf(file), folder.read(file));
    incremental.writeJoined('llms-full.txt', `${generator}\n${siteUrl ?? ''}`, files, textOf);
  }
  if (siteUrl === undefined) return;
  for (const { source, facts } of pages) {
    const file = feedFile(names.page(source.path));
    if (!facts.updates?.length || given.has(file)) continue;
    const { title, description, language, updates } = facts;
    const feed = { title: `${title} - ${site.name}`, description, language, entries: updates };
    folder.write(file, feedText({ ...feed, pageUrl: urlOf(publicUrl(names.page(source.path))), url: urlOf(file) }));
  }
  const inSitemap = pages
    .filter(({ facts }) => facts.inSitemap)
    .map(({ source, facts: { lastUpdated } }) => ({ url: urlOf(publicUrl(names.page(source.path))), lastUpdated }));
  if (sitemaps.length === 0 && !given.has('sitemap.xml')) folder.write('sitemap.xml', sitemap(inSitemap));
  const named = sitemaps.length === 0 ? ['sitemap.xml'] : sitemaps.map((path) => names.asset(path));
  if (!given.has('robots.txt')) folder.write('robots.txt', robots(named.map(urlOf)));
}

/** Writes the entry page of a site without a page at the root, the 404 page, and the settings of the deployment. */
export function writeFixed({ site, urls: { resolver, siteUrl }, folder }: SiteFiles, features: Record<string, unknown>): void {
  if (!site.pages.some(({ path }) => path === '')) {
    folder.write('index.html', redirectStub('index.html', resolver.resolve(site.rules.urls.base, ''), site.defaultLanguage));
  }
  if (!site.notFound) folder.write('404.html', notFoundPage(site.name, site.defaultLanguage, siteUrl));
  folder.write(settingsFile, Object.keys(features).length === 0 ? inertConfig : configText(features));
}

/** Of a preview, the version is ''. Hosts may cache what is in `_carrel` for good. */
export function writeVersion(folder: { write(path: string, text: string): void }, version: string): void {
  folder.write(versionFile, `__carrel_version(${JSON.stringify(version)});\n`);
}

/** A file that readers can download. */
export interface OfferedDownload {
  format: string;
  /** Relative to `_carrel`. */
  file: string;
  /** In bytes. */
  size: number;
}

export function writeDownloadList(folder: { write(path: string, text: string): void }, offered: OfferedDownload[]): void {
  folder.write('_carrel/downloads.js', `__carrel_pages(${JSON.stringify(offered)});\n`);
}

/** Writes `carrel.json`, last of all: its version is computed from all other files. */
export function writeManifest(
  { site, names, folder, pages, indexes, vectors, collected, egress }: WrittenSite & { egress: EgressEntry[] },
  { label, deployment, generator, only }: Pick<ExportOptions, 'label' | 'deployment' | 'generator' | 'only'>,
): Pick<Manifest, 'version'> {
  const paths = [...folder.files.keys()].filter((path) => !unlisted.has(path)).sort();
  const content = paths.map((path) => `${path}\n${folder.files.get(path)!.sha256}\n`);
  const version = label ?? hash('sha256', content.join('')).slice(0, 12);
  if (!site.rules.keepsFiles && only !== 'markdown') {
    writeVersion(folder, version);
    paths.push(versionFile);
    paths.sort();
  }
  const files = paths.map((path): [string, WrittenFile] => [path, folder.files.get(path)!]);
  const manifest: Omit<Manifest, 'files'> = {
    format: manifestFormat,
    site: site.name,
    ...accentOf(folder),
    version,
    deployment,
    ...(site.audience?.length && { audience: [...new Set(site.audience)].sort() }),
    generator,
    entry: only === 'markdown' ? 'llms.txt' : 'index.html',
    ...defaultVariant(site),
    indexes,
    ...(vectors && { vectors }),
    pages: [
      ...pages.map(({ source: { path }, facts: { title, language, docsVersion } }) => ({
        path,
        file: only === 'markdown' ? names.markdown(path) : names.page(path),
        title,
        language,
        ...(docsVersion === undefined ? {} : { docsVersion }),
      })),
      ...(collected?.pages ?? []),
    ],
    redirects: [...site.redirects].map(({ from, to }) => ({ from, to })).sort((a, b) => (a.from < b.from ? -1 : 1)),
    ...site.rules.manifest,
    settings: listed(folder.files.get(settingsFile)!),
    requests: requestsOf(egress),
    ...collected?.manifest,
  };
  folder.write('carrel.json', manifestText(manifest, files));
  return manifest;
}

/** By host. What only a script can show counts, too; a link to another site does not. */
function requestsOf(egress: readonly EgressEntry[]): NonNullable<Manifest['requests']> {
  const byHost = new Map<string, { page: string; named: Set<string>; pages: number }>();
  for (const { url, page, pages = 1, kind, outcome, element } of egress) {
    // Only an export that vendors asks for what describes a film.
    if (
      kind === 'navigation' ||
      element === framePoster ||
      !['loads', 'allowed', 'possible'].includes(outcome) ||
      !URL.canParse(url)
    )
      continue;
    const { host } = new URL(url);
    const known = byHost.get(host) ?? { page, named: new Set(), pages };
    byHost.set(host, { ...known, named: known.named.add(page), pages: Math.max(known.pages, pages) });
  }
  return [...byHost]
    .map(([host, { page, named, pages }]) => ({ host, page, pages: Math.max(named.size, pages) }))
    .sort((a, b) => (a.host < b.host ? -1 : 1));
}

function listed({ sha256, size }: WrittenFile): ListedFile {
  return { sha256, size };
}

/** As `<html style>` of our theme says, which the 404 page has like all others. */
function accentOf(folder: ExportFolder): Pick<Manifest, 'accent'> {
  const page = folder.files.has('404.html') ? folder.read('404.html') : '';
  const [, light, dark] = /^[^>]*>\s*<html [^>]*[";]--accent-light:([^;"]*);--accent-dark:([^;"]*);/i.exec(page) ?? [];
  const accent = manifestSchema.shape.accent.parse({ light, dark });
  return accent ? { accent } : {};
}

/** Language and docs version for readers who choose neither. */
function defaultVariant({
  defaultLanguage,
  defaultDocsVersion,
}: ExportInput): Pick<Manifest, 'defaultLanguage' | 'defaultDocsVersion'> {
  return { defaultLanguage, ...(defaultDocsVersion === undefined ? {} : { defaultDocsVersion }) };
}

// One line per file is easy to read and to compare.
function manifestText(manifest: Omit<Manifest, 'files'>, files: [path: string, file: WrittenFile][]): string {
  const lines = files.map(([path, { sha256, size }]) => `${JSON.stringify(path)}:{"sha256":"${sha256}","size":${size}}`);
  return `${JSON.stringify(manifest).slice(0, -1)},"files":{\n${lines.join(',\n')}\n}}\n`;
}

/**
 * A plain 404 page, for sites without one. A host shows it at any depth, so it loads no file; its link home is the URL of the site,
 * or the host's root where that is unknown.
 */
function notFoundPage(name: string, language: string, siteUrl: string | undefined): string {
  const title = escapeHtml(name);
  return (
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>404 - ${title}</title></head>` +
    `<body style="color-scheme:light dark;margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;font:1rem/1.6 system-ui,sans-serif">` +
    `<main><h1>404</h1><p><a href="${escapeHtml(siteUrl ?? '/')}">${title}</a></p></main></body></html>\n`
  );
}

const configHead = `// Settings of the deployment. All of them are optional.
// The host can override this file; the site does not need another export for that.
// Write the settings as JSON, so that the server can read them too`;

function configText(features: Record<string, unknown>): string {
  return `${configHead}.\n\nglobalThis.__carrel_config = ${JSON.stringify({ features }, undefined, 2)};\n`;
}

const inertConfig = `${configHead}:
//
// globalThis.__carrel_config = {
//   "features": {
//     "assistant": {
//       "url": "https://docs-api.example.com/discovery",
//       "domain": "docs.example.com",
//       "key": "svc_dsc_…",
//       "suggestions": ["How do I begin?"]
//     },
//     "playground": { "mode": "direct", "hosts": ["api.example.com"] }
//   }
// };
`;
