import { ExportError } from '../errors.ts';
import { exportSite, type ExportReport } from '../export/export-site.ts';
import { themeRules } from '../export/theme-rules.ts';
import type { FinishedOptions, FinishedSite } from '../static-site/export-static-site.ts';
import { readFolder } from './read-own-folder.ts';

/** Exports a finished build of our own theme, whose pages say of themselves all that the export has to know. Throws `ExportError`. */
export async function exportOwn(site: FinishedSite, options: FinishedOptions): Promise<ExportReport> {
  const { order = [], redirects = [] } = site;
  const stubs = new Set(redirects.map(({ from }) => from));
  const paths = order.filter((path) => path !== '404' && !stubs.has(path));
  const folder = readFolder(site.root, paths, { defaultLanguage: options.language ?? 'en' });
  const first = await folder.pages.find(({ path }) => path === (paths.includes('') ? '' : paths[0]))?.build();
  if (!first) throw new ExportError('NoPages', 'The build has no page.', 'Add a page, then build again.');
  return exportSite(
    {
      name: options.name ?? first.siteName ?? first.title,
      description: first.siteDescription,
      pages: folder.pages,
      assets: folder.assets,
      redirects,
      home: first.path,
      defaultLanguage: first.language,
      defaultDocsVersion: first.docsVersion,
      notFound: folder.notFound === undefined ? undefined : { html: folder.notFound },
      problems: [],
      rules: themeRules({ siteUrl: site.site }),
    },
    { ...options, siteUrl: site.site },
  );
}
