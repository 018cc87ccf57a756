import { escapeHtml } from '../text/escape-html.ts';

/**
 * A plain 404 page, for sites that bring none. A host shows it at any depth, so it refers to no file; its way home is the
 * site's address, or the host's root where none is known.
 */
export function notFoundPage(name: string, language: string, siteUrl: string | undefined): string {
  const title = escapeHtml(name);
  return (
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>404 - ${title}</title></head>` +
    `<body style="color-scheme:light dark;margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;font:1rem/1.6 system-ui,sans-serif">` +
    `<main><h1>404</h1><p><a href="${escapeHtml(siteUrl ?? '/')}">${title}</a></p></main></body></html>\n`
  );
}
