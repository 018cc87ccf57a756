import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExportError } from '../../integration/errors.ts';
import type { Manifest } from '../../integration/manifest.ts';
import { docsOf, type DocsIndex, type SiteDocs } from '../../server/active-exports/site-docs.ts';
import { parseManifest } from '../../server/storage/read-manifest.ts';
import { openSite, textOf } from '../../server/active-exports/open-site.ts';
import { option, text, UsageError } from './usage.ts';

/** Options of commands that read the docs of an export. */
export const docsOptions = {
  site: option(text.optional(), 'FOLDER', 'Folder of the export (default: site)'),
  bundle: option(text.optional(), 'ZIP', 'Zip of an export, instead of a folder'),
  language: option(text.optional(), 'CODE', "Language to search (default: the site's)"),
  'docs-version': option(text.optional(), 'NAME', "Version of the docs to search (default: the site's)"),
};

type DocsOptions = { [Name in keyof typeof docsOptions]?: string | undefined };

/** The docs of an export, opened for questions. */
export type ExportedDocs = Awaited<ReturnType<typeof openExportedDocs>>;

/** Opens the export in the options. Throws `UsageError` and the errors of `openSite`. */
export async function openExportedDocs({ site, bundle }: DocsOptions) {
  if (site !== undefined && bundle !== undefined)
    throw new UsageError('--site and --bundle are mutually exclusive.', 'Name either the folder or the zip.');
  const source = site ?? bundle ?? 'site';
  const { docs, manifest } = await openExport(source);
  const isFolder = (await stat(resolve(source))).isDirectory();
  const files = new Map(manifest.pages.map((page) => [page.path, page.file]));
  return {
    source,
    docs,
    /** The index of a language and a version. Throws a UsageError that lists the available ones. */
    async index({
      language,
      docsVersion,
    }: {
      language?: string | undefined;
      docsVersion?: string | undefined;
    }): Promise<DocsIndex> {
      const found = await docs.index({ ...(language && { language }), ...(docsVersion && { version: docsVersion }) });
      if (found) return found;
      const wanted = [language, docsVersion].filter(Boolean).join(', ');
      const known = docs.kinds.map((kind) => [kind.language, kind.docsVersion].filter(Boolean).join(', '));
      throw new UsageError(
        `"${source}" has no search index${wanted && ` for ${wanted}`}.`,
        known.length > 0 ? `Available: ${known.join('; ')}.` : 'Export it with searchable pages.',
      );
    },
    /** URL of the section `path#anchor`: a file URL, or for a zip the name of the file in it. */
    urlOf(id: string): string {
      const [path = '', anchor] = id.split(/#(.*)/s);
      const name = files.get(path) ?? 'index.html';
      const hash = anchor ? `#${encodeURI(anchor)}` : '';
      return isFolder ? `${pathToFileURL(join(resolve(source), name)).href}${hash}` : `${name}${hash}`;
    },
  };
}

/** The docs of an export folder or its zip. Throws the errors of `openSite`. */
export async function openExport(source: string): Promise<{ docs: SiteDocs; manifest: Manifest }> {
  const opened = await openSite(resolve(source));
  const file = await opened.file('carrel.json');
  if (!file)
    throw new ExportError(
      'NotASite',
      `"${source}" has no carrel.json, so it is not an export.`,
      'Specify a folder or a zip that "carrel export" wrote.',
    );
  const manifest = parseManifest(await textOf(file), `of "${source}"`);
  return { docs: docsOf(opened, manifest), manifest };
}
