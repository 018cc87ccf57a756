import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ExportError } from '../errors.ts';
import { exportSite, type ExportReport } from '../export/export-site.ts';
import { themeRules } from '../export/theme-rules.ts';
import { markdownOfHtml } from '../page/markdown-of-html.ts';
import type { BuiltPage, PageSource } from '../page/page-types.ts';
import { missingPage, pageOf, readHead, type PageHead } from '../page/read-page.ts';
import type { NavigationData } from '../reader/core/site-data.ts';
import type { BuiltSiteOptions, BuiltSite } from '../static-site/static-site.ts';
import { listFolder, navigationsFile } from './own-files.ts';

/**
 * Exports a build of our own theme, whose pages state everything that the export needs. A Markdown file beside a page
 * (`guides/install.md`) is its Markdown version. Throws `ExportError`.
 */
export async function exportOwn(
  { root, order = [], redirects = [], site: siteUrl }: BuiltSite,
  options: BuiltSiteOptions,
): Promise<ExportReport> {
  const files = filesBelow(root);
  const stubs = new Set(redirects.map(({ from }) => from));
  const paths = order.filter((path) => path !== '404' && !stubs.has(path));
  const pages = paths.flatMap((path) => {
    const name = path || 'index';
    const file = (path === '' ? ['index.html'] : [`${path}/index.html`, `${path}.html`]).find((name) => files.has(name));
    return file === undefined ? [] : [{ path, file, markdown: files.has(`${name}.md`) ? `${name}.md` : undefined }];
  });
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const readPage = ({ path, file, markdown }: (typeof pages)[number]) =>
    ownPage(path, read(file), markdown === undefined ? undefined : read(markdown), options.language ?? 'en');

  const homePath = paths.includes('') ? '' : paths[0];
  const homePage = pages.find(({ path }) => path === homePath);
  if (!homePage) throw new ExportError('NoPages', 'The build does not have a page.', 'Add a page, then build again.');
  const { page: home, head } = readPage(homePage);
  const sourceOf = (page: (typeof pages)[number]): PageSource => ({
    path: page.path,
    file: page.file,
    build: async () => readPage(page).page,
  });
  const navigations: [key: string, NavigationData][] = files.has(navigationsFile) ? JSON.parse(read(navigationsFile)) : [];
  const written = new Set([navigationsFile, ...pages.flatMap(({ file, markdown = file }) => [file, markdown])]);
  return exportSite(
    {
      name: options.name ?? head.metas.get('og:site_name') ?? home.title,
      description: head.metas.get('carrel:site-description'),
      pages: pages.filter(({ path }) => !isList(path)).map(sourceOf),
      listPages: pages.filter(({ path }) => isList(path)).map(sourceOf),
      navigations: new Map(navigations),
      assets: [...files]
        .filter((path) => !written.has(path) && !path.endsWith('.html'))
        .map((path) => ({ path, file: join(root, path) })),
      redirects,
      home: home.path,
      defaultLanguage: home.language,
      defaultDocsVersion: home.docsVersion,
      notFound: files.has('404.html') ? missingPage(read('404.html'), siteUrl) : undefined,
      problems: [],
      rules: themeRules({ siteUrl }),
    },
    { ...options, siteUrl },
  );
}

/**
 * A built page as input of the export. It states what HTML has no element for in `<meta>` elements: `carrel:title` (without the site's name),
 * `carrel:site-description`, `carrel:docs-version`, `carrel:tag`, `carrel:trail`, `carrel:area`, `carrel:boost`, and `carrel:searchable`, `carrel:sitemap`, `carrel:llms` with the
 * content `false`.
 */
function ownPage(
  path: string,
  html: string,
  markdown: string | undefined,
  defaultLanguage: string,
): { page: BuiltPage; head: PageHead } {
  const head = readHead(html);
  const language = head.language ?? defaultLanguage;
  const docsVersion = head.metas.get('carrel:docs-version');
  if (!isList(path)) markdown ??= markdownOfHtml(html);
  const copies = /<carrel-page-menu\b[^>]*\sdata-carrel-copies\b/.test(html) && { copiesMarkdown: true };
  return { head, page: { ...pageOf(path, html, head), language, docsVersion, markdown, ...copies } };
}

function isList(path: string): boolean {
  return path.startsWith(listFolder);
}

function filesBelow(root: string): Set<string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(entries.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')).sort());
}
