// The stylesheet and fonts of formulas, which are part of an export with formulas.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ExportAsset } from '../../integration/export/export-site.ts';

const folder = '_carrel/formulas';

/** Root-relative URL of the stylesheet. */
export const formulaSheet = `/${folder}/katex.css`;

/** Whether the content of a page has formulas. */
export function hasFormulas(html: string): boolean {
  return html.includes('<span class="katex');
}

const ownRules = `
.katex{direction:ltr}
.c-formula-block{margin-block:1.25em;overflow:auto hidden}
.c-formula-block .katex-display{margin:.25em 0}
`;

/** Browsers load only the fonts that a page shows. */
export function formulaAssets(): ExportAsset[] {
  const sheet = createRequire(import.meta.url).resolve('katex/dist/katex.min.css');
  const fonts: string[] = [];
  const css = readFileSync(sheet, 'utf8').replace(/src:url\((fonts\/[\w-]+\.woff2)\)[^}]*/g, (_, font: string) => {
    fonts.push(font);
    return `font-display:block;src:url(${font}) format("woff2")`;
  });
  return [
    { path: formulaSheet.slice(1), contents: css + ownRules, neededFor: formulaSheet },
    ...fonts.map((font) => ({ path: `${folder}/${font}`, file: join(dirname(sheet), font), neededFor: formulaSheet })),
  ];
}
