import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import type { SearchIndex } from '../../integration/search/index.ts';
import { docsOf } from '../../server/active-exports/site-docs.ts';
import { parseManifest } from '../../server/storage/read-manifest.ts';
import { openSite } from '../../server/active-exports/open-site.ts';
import { UsageError } from './usage.ts';

const text = z.string().min(1, { error: 'must not be empty' }).optional();

/** Options of commands that read the docs of an export. */
export const docsOptions = {
  site: text.meta({ takes: 'FOLDER', description: 'Export to ask (default: site)' }),
  bundle: text.meta({ takes: 'ZIP', description: 'Zip of an export to ask, instead of a folder' }),
  language: text.meta({ takes: 'CODE', description: 'Language to ask in (default: that of the site)' }),
  'docs-version': text.meta({ takes: 'NAME', description: 'Version of the docs to ask (default: that of the site)' }),
};

type DocsOptions = { [Name in keyof typeof docsOptions]?: string | undefined };

/** The docs of an export, opened for questions. */
export interface Docs {
  source: string;
  /** The index of a language and a version; throws a UsageError that names those there are. */
  index(wanted: {
    language?: string | undefined;
    docsVersion?: string | undefined;
  }): Promise<{ index: SearchIndex; language: string }>;
  /** Where a section `path#anchor` can be read: a file address, or for a zip the name of the file in it. */
  address(id: string): string;
}

/** Opens what the options name. Throws `UsageError` and what `openSite` throws. */
export async function openDocs({ site, bundle }: DocsOptions): Promise<Docs> {
  if (site !== undefined && bundle !== undefined)
    throw new UsageError('Both --site and --bundle are given.', 'Name the folder, or the zip of it.');
  const source = site ?? bundle ?? 'site';
  const opened = await openSite(resolve(source));
  const file = await opened.file('carrel.json');
  if (!file)
    throw new ExportError(
      'NotASite',
      `"${source}" has no carrel.json, so it has no index to ask.`,
      'Name the folder or the zip that "carrel export" wrote.',
    );
  const manifest = parseManifest(await new Response(await file.read(0, file.size - 1)).text(), `"${source}"`);
  const docs = docsOf(opened, manifest);
  const isFolder = (await stat(resolve(source))).isDirectory();
  const files = new Map(manifest.pages.map((page) => [page.path, page.file]));
  return {
    source,
    async index({ language, docsVersion }) {
      const found = await docs.index({ ...(language && { language }), ...(docsVersion && { version: docsVersion }) });
      if (found) return found;
      const wanted = [language, docsVersion].filter(Boolean).join(', ');
      const known = docs.kinds.map((kind) => [kind.language, kind.docsVersion].filter(Boolean).join(', '));
      throw new UsageError(
        `"${source}" has no index${wanted && ` of ${wanted}`}.`,
        known.length > 0 ? `There are: ${known.join('; ')}.` : 'Export it with pages that search may find.',
      );
    },
    address(id) {
      const [path = '', anchor] = id.split(/#(.*)/s);
      const name = files.get(path) ?? 'index.html';
      const hash = anchor ? `#${encodeURI(anchor)}` : '';
      return isFolder ? `${pathToFileURL(join(resolve(source), name))}${hash}` : `${name}${hash}`;
    },
  };
}
