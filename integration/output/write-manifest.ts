import { hash } from 'node:crypto';
import { manifestFormat, type Manifest } from '../manifest.ts';
import type { ExportedPage } from '../export/export-page.ts';
import type { ExportInput, Work } from '../export/work.ts';

/** Writes `carrel.json`, last of all: its version is that of all other files. */
export function writeManifest(
  { input, options, folder, names }: Work,
  exported: ExportedPage[],
  indexes: Manifest['indexes'],
): Manifest {
  const listed = [...folder.files].filter(([path]) => path !== 'carrel.config.js').sort(([a], [b]) => (a < b ? -1 : 1));
  const content = hash('sha256', listed.map(([path, { sha256 }]) => `${path}\n${sha256}\n`).join(''));
  const manifest: Manifest = {
    format: manifestFormat,
    site: input.name,
    version: options.label ?? content.slice(0, 12),
    deployment: options.deployment,
    generator: options.generator,
    entry: 'index.html',
    ...defaultVariant(input),
    indexes,
    pages: exported.map(({ source: { path }, page: { title, language, docsVersion } }) => ({
      path,
      file: names.page(path),
      title,
      language,
      ...(docsVersion === undefined ? {} : { docsVersion }),
    })),
    redirects: [...input.redirects].map(({ from, to }) => ({ from, to })).sort((a, b) => (a.from < b.from ? -1 : 1)),
    ...input.rules.manifest,
    files: Object.fromEntries(listed.map(([path, { sha256, size }]) => [path, { sha256, size }])),
  };
  folder.write('carrel.json', manifestText(manifest));
  return manifest;
}

/** Language and docs version that a reader gets who names neither. */
export function defaultVariant({
  defaultLanguage,
  defaultDocsVersion,
}: ExportInput): Pick<Manifest, 'defaultLanguage' | 'defaultDocsVersion'> {
  return { defaultLanguage, ...(defaultDocsVersion === undefined ? {} : { defaultDocsVersion }) };
}

// A line for each file: short to read, and to compare.
function manifestText({ files, ...rest }: Manifest): string {
  const lines = Object.entries(files).map(([path, file]) => `${JSON.stringify(path)}:${JSON.stringify(file)}`);
  return `${JSON.stringify(rest).slice(0, -1)},"files":{\n${lines.join(',\n')}\n}}\n`;
}
