import { relativeUrl } from './relative-url.ts';
import type { Target } from './targets.ts';

/** A page that only leads on, without a script, from any host and from disk. `file` is its own encoded path. */
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

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
