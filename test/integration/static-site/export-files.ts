import { join } from 'node:path';
import type { ExportReport } from '../../../integration/export/export-site.ts';
import { manifestSchema } from '../../../integration/manifest.ts';
import { exportStaticSite } from '../../../integration/static-site/export-static-site.ts';
import type { BuiltSite } from '../../../integration/static-site/static-site.ts';
import { optionsSchema, type CarrelOptions } from '../../../integration/options.ts';
import { filesOf, temporaryFolder } from '../export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

/** Writes a site as a generator might leave it. */
export function siteOf(files: Record<string, string | Uint8Array>): string {
  return writeFiles(join(temporaryFolder(), 'dist'), files);
}

/** The export of such a site. */
export async function exported(
  files: Record<string, string | Uint8Array>,
  options: CarrelOptions = {},
  site: Partial<BuiltSite> = {},
) {
  const root = site.root ?? siteOf(files);
  const out = join(root, '..', 'offline');
  const report: ExportReport = await exportStaticSite(
    { root, ...site },
    { ...optionsSchema.parse({ search: 'off', ...options }), out, zip: undefined, generator: 'test/1', environment: {} },
  );
  const written = filesOf(out);
  const manifest = manifestSchema.parse(JSON.parse(written['carrel.json']!));
  const problems = report.warnings.map(({ kind, page }) => (page === undefined ? kind : `${kind} ${page}`));
  return { root, out, report, files: written, manifest, problems, sections: sectionsOf(written) };
}

/** A page with a content part. */
export function page(content: string, { title = 'Page', head = '', around = '' } = {}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${around}<main>${content}</main></body></html>`;
}

/** Text of all that search can find, by page. */
function sectionsOf(files: Record<string, string>): string {
  return Object.keys(files)
    .filter((file) => /^_carrel\/search\/.*\/x\//.test(file))
    .map((file) => files[file])
    .join('\n');
}
