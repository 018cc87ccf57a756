// Exports a folder of static HTML from any generator; the command line calls it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import type { CheckReport } from '../../integration/export/check-site.ts';
import { checkStaticSite, exportStaticSite } from '../../integration/static-site/export-static-site.ts';
import type { BuiltSite, BuiltSiteOptions } from '../../integration/static-site/static-site.ts';
import type { ExportReport } from '../../integration/export/export-site.ts';
import type { Embeddings } from '../../integration/export/vectors.ts';
import type { PackagesByFile } from '../../integration/reader-build/npm-packages.ts';
import type { CarrelOptions } from '../../integration/options.ts';
import { readOptions } from '../../integration/astro/read-options.ts';
import { defaultCacheFolder } from '../cache/folder.ts';
import { openStore } from '../cache/store.ts';
import type { BillContents } from './export-docs.ts';
import { generator } from '../version.ts';

export interface ExportHtmlOptions extends Pick<
  BuiltSiteOptions,
  'zip' | 'environment' | 'onProgress' | 'signal' | 'attest' | 'only'
> {
  /** The folder of static HTML. */
  source: string;
  /** Folder to write; replaced entirely. */
  out: string;
  siteUrl?: string;
  /** Makes a vector of each section. */
  embeddings?: Omit<Embeddings, 'cache'>;
  billOf?: (contents: BillContents) => string;
  /** Milliseconds since 1970, for the age of cached vectors. */
  now: number;
  /** Base path of its root-relative URLs. @default guessed from the home page */
  base?: string;
  /** The options of the Astro integration. */
  options: Omit<CarrelOptions, 'out' | 'replace' | 'zip'>;
}

/** Exports a folder of HTML. Throws an ExportError on failure and leaves an existing export folder unchanged. */
export async function exportHtml({
  source,
  siteUrl,
  base,
  options,
  embeddings,
  now,
  billOf,
  ...target
}: ExportHtmlOptions): Promise<ExportReport> {
  const site = siteOf({ source, siteUrl, base });
  const cache = embeddings && openStore(defaultCacheFolder(target.environment ?? {}), { now });
  try {
    return await exportStaticSite(site, {
      ...readOptions(options),
      ...target,
      embeddings: embeddings && { ...embeddings, cache },
      billOf: billOf && (async (contents) => billOf({ ...contents, packages: await packagesAdded() })),
      sourceRoot: source,
      generator,
    });
  } finally {
    cache?.close();
  }
}

/** Finds what `exportHtml` would report, without writing a file. */
export async function checkHtml({
  source,
  siteUrl,
  base,
  options,
  ...target
}: Pick<ExportHtmlOptions, 'source' | 'siteUrl' | 'base' | 'options' | 'environment' | 'signal'>): Promise<CheckReport> {
  const site = siteOf({ source, siteUrl, base });
  // All files of the folder are checked: none is part of an earlier export.
  const out = join(source, '_carrel');
  return await checkStaticSite(site, { ...readOptions(options), ...target, out, sourceRoot: source, generator });
}

/** The packages in what Carrel adds to a built site. */
async function packagesAdded(): Promise<PackagesByFile> {
  const { builtSitePackages } = await import('../../integration/reader-build/built-site-scripts.ts');
  return await builtSitePackages();
}

function siteOf({ source, siteUrl, base }: Pick<ExportHtmlOptions, 'source' | 'siteUrl' | 'base'>): BuiltSite {
  if (existsSync(join(source, 'carrel.json')) || existsSync(join(source, '_carrel')))
    throw new ExportError(
      'AlreadyExport',
      `"${source}" is an export already, or was made with the theme of Carrel.`,
      'Specify the folder that the site generator wrote, or the docs folder that the site was built from.',
    );
  return { root: source, site: siteUrl, base: base && `/${base.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/') };
}
