// Files that only some pages need: the stylesheet and fonts of formulas, the scripts of diagrams, the rules of utility classes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ExportAsset } from '../../integration/export/export-site.ts';
import type { CollectedAsset } from '../../integration/page/asset.ts';
import type { RenderedMarkdown } from '../markdown/render.ts';

const folder = '_carrel/formulas';
const formulaSheet = `/${folder}/katex.css`;

const utilitySheetUrl = '/_carrel/utilities.css';

type Content = Pick<RenderedMarkdown, 'html' | 'utilities' | 'islands'>;

/** What the content of a page needs further files for; each of its utility classes as `.name`. */
export function extrasOf({ html, utilities, islands }: Content): string[] {
  return [
    ...(html.includes('<span class="katex') ? ['formulas'] : []),
    ...(html.includes('c-diagram-source') ? ['diagrams'] : []),
    ...(islands.length > 0 ? ['islands', ...islands.map((id) => `island ${id}`)] : []),
    ...(utilities.length > 0 ? ['utilities', ...utilities.map((name) => `.${name}`)] : []),
  ];
}

/** Root-relative URLs of the stylesheets that the content of a page needs. */
export function extraStyles(content: Content): string[] {
  const extras = extrasOf(content);
  return [...(extras.includes('formulas') ? [formulaSheet] : []), ...(extras.includes('utilities') ? [utilitySheetUrl] : [])];
}

/** Root-relative URL of the script of components with that id. */
export function islandScript(id: string): string {
  return `/_carrel/islands/${id}.js`;
}

/** Root-relative URLs of the scripts that the content of a page needs, in their order. */
export function extraScripts(
  { html, islands }: Content,
  { tabsScript, islandsScript }: Record<'tabsScript' | 'islandsScript', string>,
): string[] {
  return [
    ...(/<carrel-(?:tabs|code-group|view)\b/.test(html) ? [tabsScript] : []),
    ...(islands.length > 0 ? [islandsScript, ...islands.map(islandScript)] : []),
  ];
}

/** One stylesheet for all pages: it changes only when a class comes to the site or leaves it. */
export const utilityAsset: CollectedAsset = {
  path: utilitySheetUrl.slice(1),
  neededFor: 'utilities',
  async contents(extras) {
    const { utilitySheet } = await import('../markdown/utility-classes.ts');
    return utilitySheet([...extras].flatMap((name) => (name.startsWith('.') ? [name.slice(1)] : [])).sort());
  },
};

/** What a script of the reader is needed for, if only some pages load it. */
export function extraOfScript(path: string): 'diagrams' | 'islands' | undefined {
  if (/^islands\.\w+\.js$/.test(path)) return 'islands';
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
    { path: formulaSheet.slice(1), contents: css + ownRules, neededFor: 'formulas', origin: sheet },
    ...fonts.map((font) => ({
      path: `${folder}/${font}`,
      file: join(dirname(sheet), font),
      neededFor: 'formulas',
      origin: sheet,
    })),
  ];
}
