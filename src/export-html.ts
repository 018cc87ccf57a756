// A folder of finished HTML, made by any generator, becomes an export: what the command line runs for one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExportError } from '../integration/errors.ts';
import { exportFinished, type FinishedOptions } from '../integration/static-site/export-static-site.ts';
import type { ExportReport } from '../integration/export/export-site.ts';
import type { CarrelOptions } from '../integration/options.ts';
import { readOptions } from '../integration/astro/read-options.ts';
import { generator } from './version.ts';

export interface ExportHtmlOptions extends Pick<FinishedOptions, 'zip' | 'environment' | 'onProgress' | 'signal'> {
  /** The folder of HTML. */
  source: string;
  /** Folder to write; replaced whole. */
  out: string;
  siteUrl?: string;
  /** What root-absolute addresses in it begin with. @default told from its home page */
  base?: string;
  /** Those of the Astro integration. */
  options: Omit<CarrelOptions, 'out' | 'replace' | 'zip'>;
}

/** Exports a folder of HTML. Throws an ExportError when it cannot; the folder that was there before then stays as it was. */
export async function exportHtml({ source, siteUrl, base, options, ...place }: ExportHtmlOptions): Promise<ExportReport> {
  if (existsSync(join(source, 'carrel.json')) || existsSync(join(source, '_carrel')))
    throw new ExportError(
      'AlreadyExport',
      `"${source}" is an export already, or was made with the theme of Carrel.`,
      'Name the folder that the generator of the site wrote, or the docs folder that it was made of.',
    );
  const site = { root: source, site: siteUrl, base: base && `/${base.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/') };
  return exportFinished(site, { ...readOptions(options), ...place, sourceRoot: source, generator });
}
