// The files of an export that are neither pages nor assets.
import { hash } from 'node:crypto';
import type { Manifest } from '../manifest.ts';
import type { SiteData } from '../reader/core/site-data.ts';
import { publicAddress, type ExportedPage } from './export-page.ts';
import { llmsFullPage, llmsText, type LlmsPage } from './llms.ts';
import { notFoundPage } from './not-found.ts';
import { redirectStub } from '../html/redirect-stub.ts';
import { encodePath } from '../urls/relative-url.ts';
import { english, labelsOf } from '../search/labels/index.ts';
import { labelsScript, pageFiles, pagesScript, siteScript, variantsOf } from './site-data.ts';
import { robots, sitemap } from './sitemap.ts';
import type { Work } from './work.ts';
import { defaultVariant } from '../output/write-manifest.ts';

/** What the reader's scripts know of the site: under a fixed name, so that a changed page changes no other. */
export async function writeSiteData(
  { input, folder, names }: Work,
  exported: ExportedPage[],
  indexes: Manifest['indexes'],
): Promise<void> {
  const named = exported.flatMap(({ source: { path } }) => (path === '' ? [] : [[path, names.page(path)] as const]));
  const variants = variantsOf(
    exported.map(({ source: { path }, page: { language, docsVersion } }) => ({ path, language, docsVersion })),
  );
  let pagesName: string | undefined;
  if (variants.length > 1) {
    pagesName = writeNamed(folder, 'pages', pagesScript(variants));
  }
  const script = siteScript({
    format: 1,
    ...defaultVariant(input),
    indexes: indexes.map((index) => ({ ...index, folder: index.folder.slice('_carrel/'.length) })),
    ...pageFiles(new Map(named)),
    labels: await writeLabels(folder, new Set(exported.map(({ page }) => page.language))),
    pagesScript: pagesName,
  });
  folder.write('_carrel/site.js', script);
}

/** The reader's scripts have the English texts; for each other language of the site, they load its own. */
async function writeLabels(folder: Work['folder'], languages: Set<string>): Promise<SiteData['labels']> {
  const scripts: [language: string, name: string][] = [];
  for (const language of [...languages].sort()) {
    const labels = await labelsOf(language);
    if (labels === english) continue;
    const script = labelsScript({ ...labels.search, ...labels.dialogs, ...labels.ask, ...labels.quotes });
    scripts.push([language, writeNamed(folder, 'labels', script)]);
  }
  return scripts.length === 0 ? undefined : Object.fromEntries(scripts);
}

/** Writes a script of `_carrel` that is named by what it holds, and gives that name. */
function writeNamed(folder: Work['folder'], name: string, script: string): string {
  const named = `${name}.${hash('sha256', script).slice(0, 10)}.js`;
  // Some languages share their words.
  if (!folder.files.has(`_carrel/${named}`)) folder.write(`_carrel/${named}`, script);
  return named;
}

/** A page for each redirect whose place is free; those that lead nowhere become problems. */
export function writeRedirects({ input, folder, names, targets, problems }: Work): void {
  for (const { from, to } of [...input.redirects].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const path = from.replace(/^\/+|\/+$/g, '');
    const base = input.rules.urls.base;
    const target = targets.resolve(base + path.split('/').map(encodeURIComponent).join('/'), '');
    if (target.kind === 'missing') {
      problems.push({
        kind: 'redirect-without-target',
        severity: 'warning',
        message: `The redirect from "${from}" to "${to}" leads to no page of the site.`,
        hint: 'Correct its destination.',
      });
      continue;
    }
    const file = names.claim(/\.html?$/i.test(path) ? path : `${path}/index.html`);
    if (file !== undefined && path !== '') folder.write(file, redirectStub(encodePath(file), target, input.defaultLanguage));
  }
}

/** The files that list pages for machines, but for those the author brings. */
export function writeLists({ input, folder, names, siteUrl, sitemaps }: Work, exported: ExportedPage[]): void {
  const given = new Set(input.assets.map(({ path }) => path));
  const address = (file: string) => (siteUrl ?? '') + encodePath(file);
  const listed = exported.filter(
    ({ page }) =>
      page.inLlms && page.hasMarkdown && page.language === input.defaultLanguage && page.docsVersion === input.defaultDocsVersion,
  );
  const hasMirrors = input.rules.hasMarkdown(input.home);
  if (hasMirrors && !given.has('llms.txt')) {
    const pages: LlmsPage[] = listed.map(({ source, page: { title, description } }) => ({
      title,
      description,
      href: address(names.mirror(source.path)),
    }));
    folder.write('llms.txt', llmsText({ ...input, pages }));
  }
  if (hasMirrors && !given.has('llms-full.txt')) {
    const texts = listed.map(({ source }) =>
      llmsFullPage(address(names.mirror(source.path)), folder.read(names.mirror(source.path))),
    );
    folder.write('llms-full.txt', texts.join('\n'));
  }
  if (siteUrl === undefined) return;
  const pages = exported
    .filter(({ page }) => page.inSitemap)
    .map(({ source }) => address(publicAddress(names.page(source.path))));
  if (sitemaps.length === 0 && !given.has('sitemap.xml')) folder.write('sitemap.xml', sitemap(pages));
  const told = sitemaps.length === 0 ? ['sitemap.xml'] : sitemaps.map((path) => names.asset(path));
  if (!given.has('robots.txt')) folder.write('robots.txt', robots(told.map(address)));
}

/** The way in where no page is at the root, the 404 page, and the settings of the place of deployment. */
export function writeFixed({ input, folder, targets, siteUrl }: Work): void {
  if (!input.pages.some(({ path }) => path === '')) {
    folder.write('index.html', redirectStub('index.html', targets.resolve(input.rules.urls.base, ''), input.defaultLanguage));
  }
  const { notFound } = input;
  if (!notFound || 'html' in notFound)
    folder.write('404.html', notFound?.html ?? notFoundPage(input.name, input.defaultLanguage, siteUrl));
  folder.write('carrel.config.js', inertConfig);
}

const inertConfig = `// Settings of the place where this site is deployed. Nothing here is needed: without it the site is complete.
// Whoever serves the site may answer this file with other settings; the site is not built again for that.
// Write them as JSON, so that the server can read them too:
//
// globalThis.__carrel_config = {
//   "assistant": {
//     "url": "https://docs-api.example.com/discovery",
//     "domain": "docs.example.com",
//     "key": "svc_dsc_…",
//     "suggestions": ["How do I begin?"]
//   }
// };
`;
