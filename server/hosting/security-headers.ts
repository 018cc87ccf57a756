import { createHash } from 'node:crypto';
import type { Deployment, Manifest } from '../../integration/manifest.ts';

/** What of a site its policy depends on. */
export type PolicySite = Pick<Manifest, 'deployment' | 'guest'>;

/** Headers that go with every answer. */
export function securityHeaders(site: PolicySite): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(site),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}

/** The policy of a page: the common one, and besides, by directive, the sources that this page alone needs. */
export function contentSecurityPolicy({ deployment, guest }: PolicySite, besides: PageSources = {}): string {
  const directives: Record<string, string[]> = {
    ...(guest ? guestSources(guest.allow) : ownSources),
    'img-src': ['data:', ...(guest ? ['blob:', ...guest.allow] : []), ...(deployment === 'air-gapped' ? [] : ['https:'])],
  };
  for (const [directive, sources] of Object.entries(besides))
    if (sources.length > 0) directives[directive] = [...(directives[directive] ?? []), ...sources];
  return Object.entries(directives)
    .map(([directive, sources]) => [directive, ...(directive === 'style-src-attr' ? [] : ["'self'"]), ...sources].join(' '))
    .join('; ');
}

/** What our theme needs and no more: own files, `style="…"` attributes of authors, and images from elsewhere except where nothing may be asked. */
const ownSources: Record<string, string[]> = { 'default-src': [], 'style-src-attr': ["'unsafe-inline'"] };

/**
 * What a site with a theme of its own needs: its pages run scripts and styles that stand in them, and its frameworks make more as they run.
 * All of that is its author's, who could as well put it into a file; the policy keeps other hosts out.
 */
function guestSources(allow: string[]): Record<string, string[]> {
  return {
    'default-src': allow,
    'script-src': ["'unsafe-inline'", "'unsafe-eval'", 'blob:', ...allow],
    'style-src': ["'unsafe-inline'", ...allow],
    'font-src': ['data:', ...allow],
    'media-src': ['data:', 'blob:', ...allow],
    'connect-src': ['data:', 'blob:', ...allow],
    'worker-src': ['blob:'],
    'frame-src': ['data:', 'blob:', ...allow],
  };
}

/** Of an SVG or another XML file that is opened by itself, as a page: it may be drawn, and run nothing. In a page's `<img>` it has no effect. */
export const imageSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/** Source expressions by CSP directive. */
export type PageSources = Partial<Record<'connect-src' | 'script-src' | 'style-src-elem' | 'frame-src' | 'media-src', string[]>>;

/** Other hosts whose films and frames a page shows. An air-gapped export has none, and none would be let in. */
export function embeddedSources(html: string, deployment: Deployment): PageSources {
  if (deployment === 'air-gapped') return {};
  return {
    'frame-src': originsOf(html, /<iframe\s[^>]*?\bsrc="(https:[^"]+)"/gi),
    'media-src': originsOf(html, /<(?:video|audio|source)\s[^>]*?\bsrc="(https:[^"]+)"/gi),
  };
}

/**
 * Hashes of the inline scripts and styles of a page.
 * Only for pages that Carrel alone writes, such as the 404 page, which must be readable at any depth and so links to no file.
 */
export function inlineSources(html: string): PageSources {
  return {
    'script-src': hashesOf(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi),
    'style-src-elem': hashesOf(html, /<style[^>]*>([\s\S]*?)<\/style>/gi),
  };
}

function originsOf(html: string, pattern: RegExp): string[] {
  const urls = [...html.matchAll(pattern)].map(([, url = '']) => url).filter((url) => URL.canParse(url));
  return [...new Set(urls.map((url) => new URL(url).origin))].sort();
}

function hashesOf(html: string, pattern: RegExp): string[] {
  const hashes = [...html.matchAll(pattern)].map(([, text = '']) => createHash('sha256').update(text).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}
