// Files that only some pages need: the stylesheet and fonts of formulas, the scripts of diagrams.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ExportAsset } from '../../integration/export/export-site.ts';

const folder = '_carrel/formulas';
const formulaSheet = `/${folder}/katex.css`;

/** What the content of a page needs further files for. */
export function extrasOf(html: string): ('formulas' | 'diagrams')[] {
  return [
    ...(html.includes('<span class="katex') ? (['formulas'] as const) : []),
    ...(html.includes('c-diagram-source') ? (['diagrams'] as const) : []),
  ];
}

/** Root-relative URLs of the stylesheets that the content of a page needs. */
export function extraStyles(html: string): string[] {
  return extrasOf(html).includes('formulas') ? [formulaSheet] : [];
}

/** What a script of the reader is needed for, if only some pages load it. */
export function extraOfScript(path: string): 'diagrams' | undefined {
  return /^(?:diagrams|mermaid)\.\w+\.js$/.test(path) ? 'diagrams' : undefined;
}

const ownRules = `
/*! KaTeX: Copyright (c) Khan Academy and other contributors, MIT License */
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
    { path: formulaSheet.slice(1), contents: css + ownRules, neededFor: 'formulas' },
    ...fonts.map((font) => ({ path: `${folder}/${font}`, file: join(dirname(sheet), font), neededFor: 'formulas' })),
  ];
}
