// Site → pages: each page of a docs folder through Markdown and the compiled theme.
import { createHash } from 'node:crypto';
import type { BuiltPage, PageSource } from '../integration/pages/built-page.ts';
import type { MarkdownRenderer } from './markdown/render.ts';
import type { Page, Site } from './site/model.ts';
import type { PageView } from './site/page-view.ts';
import { pageView } from './site/page-view-from.ts';
import { placeDigest } from './site/slice-digest.ts';
import type { Theme } from './theme/load.ts';

export interface PressOptions {
  theme: Theme;
  /** Made at the first page that no cache answers: loading the highlighter costs more than a warm export. */
  renderer: () => Promise<MarkdownRenderer>;
  /** Digests of all that a page's snippets hold, by its file. */
  dependencies: (page: Page) => string[];
  generator: string;
  siteUrl?: string;
}

/** The pages of a site in order of navigation, each built when asked. */
export function press(site: Site, options: PressOptions): PageSource[] {
  const common = digest([
    options.generator,
    options.theme.digest,
    options.siteUrl ?? '',
    JSON.stringify([site.name, site.config]),
  ]);
  return site.pages.map((page) => ({
    path: page.path,
    file: page.source.file,
    key: pageKey(common, site, page, options.dependencies(page)),
    build: () => buildPage(site, page, options),
    lineOf: (text: string) => lineOf(page, text),
  }));
}

/** What the theme gets for one page, and what Markdown had to say about it. */
export async function viewOf(
  site: Site,
  page: Page,
  options: Omit<PressOptions, 'dependencies' | 'theme'> & { reader: PageView['site']['reader'] },
) {
  const renderer = await options.renderer();
  const rendered = await renderer.render(page.source);
  const view = pageView(site, page, rendered, options.reader, { generator: options.generator, url: options.siteUrl });
  return { view, rendered };
}

async function buildPage(site: Site, page: Page, options: PressOptions): Promise<BuiltPage> {
  const { view, rendered } = await viewOf(site, page, { ...options, reader: options.theme.reader });
  return {
    path: page.path,
    html: await options.theme.render(view),
    title: page.title,
    language: page.language,
    docsVersion: page.docsVersion,
    markdown: rendered.markdown,
    searchable: page.visibility.search,
    boost: page.boost,
    inSitemap: page.visibility.sitemap,
    inLlms: page.visibility.llms,
    problems: rendered.problems,
  };
}

function pageKey(common: string, site: Site, page: Page, dependencies: string[]): string {
  const { source, ...own } = page;
  const place = site.places.get(page.place);
  return digest([common, place ? placeDigest(place) : '', JSON.stringify(own), source.file, source.digest, ...dependencies]);
}

function digest(parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** Line of the file in which an address stands as the author wrote it. */
function lineOf(page: Page, text: string): number | undefined {
  const at = page.source.body.indexOf(text);
  if (at < 0) return undefined;
  return page.source.bodyLine + page.source.body.slice(0, at).split('\n').length;
}
