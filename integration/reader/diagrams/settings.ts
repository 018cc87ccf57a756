// What Mermaid may do, in the browser and during an export.

/** Settings for all diagrams. A diagram can set none of `secure`: they load files, set styles of the page or allow scripts. */
export const diagramSettings = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  secure: [
    'secure',
    'securityLevel',
    'startOnLoad',
    'maxTextSize',
    'maxEdges',
    'suppressErrorRendering',
    'dompurifyConfig',
    'htmlLabels',
    'flowchart.htmlLabels',
    'fontFamily',
    'altFontFamily',
    'theme',
    'themeCSS',
    'themeVariables',
  ],
  htmlLabels: false,
  // Long words are not broken before this width.
  flowchart: { htmlLabels: false, wrappingWidth: 200 },
  // HTML in a drawing is removed.
  sequence: { textPlacement: 'tspan' },
  journey: { textPlacement: 'tspan' },
  theme: 'base',
};

const emphasis = /<\/?(?:b|i|u|em|strong|small|big|sub|sup|span|font|code|center|p|div|img|a)(?:\s[^<>\n]*)?\/?>/gi;
const emptyLabel = new RegExp(`"(?:${emphasis.source})+"`, 'gi');

/**
 * The source without styles that name files, since Mermaid measures a drawing in the page itself, which would load them; and without
 * the HTML that labels use for emphasis, which would be shown as text.
 */
export function safeSource(source: string): string {
  return source
    .replace(/(^|;)\s*(?:style|classDef|linkStyle|rect|box)\b[^\n;]*/gim, (statement, before: string) =>
      loadsFile(statement) ? before : statement,
    )
    .replace(emptyLabel, '" "')
    .replace(emphasis, '');
}

/** Whether a style or attribute names a file: all but `url(#…)`. A backslash can hide such a name. */
export function loadsFile(text: string): boolean {
  return /\b(?:url|src|image|image-set)\((?!\s*["']?#)|@import|\\/i.test(text);
}
