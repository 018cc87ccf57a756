// The look of a book: one small stylesheet with the light colors of the site.

/** The values that variables of the site's stylesheets have in light mode. Of several, the first counts. */
export function lightColors(sheets: string[]): (variable: string) => string {
  const values = new Map<string, string>();
  for (const [, name, value] of sheets.join(';').matchAll(/(--[\w-]+):([^;{}]+)/g))
    if (!values.has(name!)) values.set(name!, value!.replace(/^light-dark\(([^,]+),.*/, '$1').trim());
  const color = (variable: string, depth = 0): string => {
    const value = values.get(variable) ?? '';
    const other = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    if (other !== undefined && depth < 8) return color(other, depth + 1);
    return /^(?:#[\da-f]{3,8}|[a-z]+)$/i.test(value) ? value : 'currentColor';
  };
  return color;
}

/** The rules that color code, from the same stylesheets. */
function codeColors(sheets: string[]): string {
  const rule = /(?<=[}\s]|^)(?::is\()?((?:,?\.sk-[a-z]+)+)\)?\{color:light-dark\((#[\da-f]+),/g;
  const found = sheets.toReversed().flatMap((text) => [...text.matchAll(rule)]);
  return found.map(([, selectors, value]) => `${selectors} { color: ${value}; }`).join('\n');
}

/** `color` gives the light value of a variable. */
export function stylesheet(sheets: string[], color: (variable: string) => string): string {
  const border = `1px solid ${color('--border')}`;
  const strong = color('--border-strong');
  return `body { line-height: 1.5; word-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; page-break-after: avoid; }
h1 { font-size: 1.7em; }
h2 { font-size: 1.4em; margin-top: 1.6em; }
h3 { font-size: 1.2em; }
h4, h5, h6 { font-size: 1em; }
a { color: ${color('--accent')}; }
img, svg { max-width: 100% !important; height: auto; }
svg.c-icon { width: 1em; height: 1em; vertical-align: -0.125em; }
code, pre, kbd, samp { font-family: monospace, monospace; font-size: 0.9em; hyphens: none; -webkit-hyphens: none; }
pre { white-space: pre-wrap; padding: 0.6em 0.8em; text-align: start; color: ${color('--code-text')}; background: ${color('--code-ground')}; border: ${border}; }
pre code { font-size: 1em; }
figure, .c-callout, .c-tab, .c-view, .c-accordion, .c-expandable, .c-example { margin: 1em 0; }
figcaption, .c-code-title, .c-frame-hint, .c-remote-address { font-size: 0.9em; color: ${color('--muted')}; }
table { border-collapse: collapse; width: 100%; font-size: 0.9em; margin: 1em 0; }
th, td { border: 1px solid ${strong}; padding: 0.3em 0.5em; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
table.c-wide { font-size: 0.55em; }
table.c-wide th, table.c-wide td { padding: 0.15em; }
th { background: ${color('--surface')}; }
blockquote { margin: 1em 0; padding-inline-start: 1em; border-inline-start: 3px solid ${strong}; }
.c-page-description { font-size: 1.1em; color: ${color('--muted')}; }
.c-tag, .c-method, .c-badge, .c-field-pill { font-size: 0.8em; font-weight: bold; padding: 0 0.4em; border: 1px solid; }
.c-callout { padding: 0.6em 0.8em; border: 1px solid ${strong}; border-inline-start: 4px solid ${color('--blue')}; }
.c-callout-tip, .c-callout-check { border-inline-start-color: ${color('--green')}; }
.c-callout-warning { border-inline-start-color: ${color('--yellow')}; }
.c-callout-danger { border-inline-start-color: ${color('--red')}; }
.c-callout-icon { float: inline-start; margin-inline-end: 0.5em; }
.c-callout-body > :first-child { margin-top: 0; }
.c-callout-body > :last-child { margin-bottom: 0; }
.c-callout-title, .c-card-title, .c-tab-title, .c-view-title, .c-step-title, .c-accordion-summary, .c-expandable-summary, .c-update-label, .c-field-name, nav span, .sk-heading, .sk-bold { font-weight: bold; }
.c-tab, .c-view, .c-accordion, .c-expandable, .c-example { padding-inline-start: 0.8em; border-inline-start: 2px solid ${color('--border')}; }
.c-card, .c-field, .c-update { margin: 0.6em 0; page-break-inside: avoid; }
.c-card p, .c-field p { margin: 0.2em 0; }
.c-field { border-top: ${border}; padding-top: 0.4em; }
.c-field .c-field { margin-inline-start: 1em; }
.c-field-required { color: ${color('--red')}; }
.c-missing, .c-remote, .sk-italic, .sk-comment { font-style: italic; }
.c-tooltip-tip::before { content: ' ('; }
.c-tooltip-tip::after { content: ')'; }
.c-steps { padding-inline-start: 1.5em; }
.c-formula-block, .c-cover { margin: 0; text-align: center; }
.c-cover img { max-height: 95vh; }
nav ol { list-style: none; padding-inline-start: 1em; }
${codeColors(sheets)}
.sk-line { display: block; }
.sk-line-highlighted { background: ${color('--code-highlighted')}; }
.sk-line-inserted { background: ${color('--code-inserted')}; }
.sk-line-deleted { background: ${color('--code-deleted')}; }
.sk-line-inserted::before { content: '+'; }
.sk-line-deleted::before { content: '−'; }
`;
}
