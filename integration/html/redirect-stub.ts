import { safeUrl } from '../urls/safe-url.ts';
import { escapeHtml } from '../text/escape.ts';
import { relativeUrl } from '../urls/relative-url.ts';
import type { Target } from '../urls/site-paths.ts';

/** A page that only redirects, without a script, from any host and from disk. `file` is its own encoded path. */
export function redirectStub(file: string, target: Target, language: string): string {
  const url = target.kind === 'elsewhere' ? target.file : relativeUrl(file, target.file);
  const href = escapeHtml(url + target.query + target.hash);
  return (
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><title>${href}</title>` +
    // Without an icon, the browser requests one from the host's root.
    `<meta name="robots" content="noindex"><link rel="icon" href="data:,"><link rel="canonical" href="${href}">` +
    `<meta http-equiv="refresh" content="0; url=${href}"></head><body><a href="${href}">${href}</a></body></html>\n`
  );
}

/**
 * Why a redirect must not have this destination, or undefined. Two slashes begin a host without a scheme, which a browser looks up in the
 * local network when the page is opened from disk. Browsers treat a backslash as a slash and skip control characters.
 */
export function destinationFault(to: string): string | undefined {
  const bare = to.replace(/[\u0000-\u0020]/g, '');
  if (/^[\\/]{2}/.test(bare)) return 'goes to another host, since a host follows "//": write "https://" or a single slash';
  return safeUrl(to) === undefined ? 'does not go to a page or site' : undefined;
}
