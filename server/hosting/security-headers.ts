import { createHash } from 'node:crypto';
import type { Deployment, Manifest } from '../../integration/manifest.ts';

/** The part of a site that its policy depends on. */
export type PolicySite = Pick<Manifest, 'deployment' | 'guest'>;

/** Headers of every response. */
export function securityHeaders(site: PolicySite): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(site),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}

/** The policy of a page: the common one plus, by directive, the sources that only this page needs. */
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

/** What our theme needs and no more: its own files, `style="…"` attributes of authors, and external images unless air-gapped. */
const ownSources: Record<string, string[]> = { 'default-src': [], 'style-src-attr': ["'unsafe-inline'"] };

/**
 * What an existing site needs: its pages contain inline scripts and styles, and its frameworks create more at run time. All of them are its
 * author's, who could put them into files as well; the policy blocks external origins.
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

/** For an SVG or another XML file that is opened as a page: it is rendered, but runs nothing. It has no effect in a page's `<img>`. */
export const imageSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/** Source expressions by CSP directive. */
export type PageSources = Partial<Record<'connect-src' | 'script-src' | 'style-src-elem' | 'frame-src' | 'media-src', string[]>>;

/** External origins of the videos and frames of a page. An air-gapped export has none, and none would be allowed. */
export function embeddedSources(html: string, deployment: Deployment): PageSources {
  if (deployment === 'air-gapped') return {};
  return {
    'frame-src': originsOf(html, /<(?:iframe|carrel-frame)\s[^>]*?\bsrc="(https:[^"]+)"/gi),
    'media-src': originsOf(html, /<(?:video|audio|source)\s[^>]*?\bsrc="(https:[^"]+)"/gi),
  };
}

/**
 * Hashes of the inline scripts and styles of a page.
 * Only for pages that Carrel writes itself, such as the 404 page, which works at any depth because it does not link to files.
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
