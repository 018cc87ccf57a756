import { escapeHtml } from '../text/escape-html.ts';
import { relativeUrl } from '../urls/relative-url.ts';
import type { Target } from '../urls/resolver.ts';

/** A page that only redirects, without a script, from any host and from disk. `file` is its own encoded path. */
export function redirectStub(file: string, target: Target, language: string): string {
  const address = target.kind === 'elsewhere' ? target.file : relativeUrl(file, target.file);
  const href = escapeHtml(address + target.query + target.hash);
  return (
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><title>${href}</title>` +
    // A page without an icon makes the browser ask the host for one at its root.
    `<meta name="robots" content="noindex"><link rel="icon" href="data:,"><link rel="canonical" href="${href}">` +
    `<meta http-equiv="refresh" content="0; url=${href}"></head><body><a href="${href}">${href}</a></body></html>\n`
  );
}

/**
 * Why no redirect may have this destination, or undefined. What begins with two slashes is a host without a scheme: from disk the browser
 * looks for it in the local network. Browsers take a backslash for a slash, and skip control characters.
 */
export function destinationFault(to: string): string | undefined {
  // eslint-disable-next-line no-control-regex
  const bare = to.replace(/[\u0000-\u0020]/g, '');
  if (/^[\\/]{2}/.test(bare)) return 'has a host without "https:" as its destination';
  if (/^(?:javascript|vbscript|data|blob|file):/i.test(bare)) return 'leads to no page or site';
  return undefined;
}
