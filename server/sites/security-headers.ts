import { createHash } from 'node:crypto';
import type { Deployment } from '../../integration/bundle/manifest.ts';

/**
 * Headers that go with every answer. The policy is what our theme needs and no more: own files, `style="…"` attributes of authors,
 * and images from elsewhere except in an air-gapped deployment.
 */
export function securityHeaders(deployment: Deployment): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(deployment),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}

/** The policy of a page: the common one, and besides, by directive, the sources that this page alone needs. */
export function contentSecurityPolicy(deployment: Deployment, besides: PageSources = {}): string {
  const images = deployment === 'air-gapped' ? "img-src 'self' data:" : "img-src 'self' data: https:";
  const more = Object.entries(besides).flatMap(([directive, sources]) =>
    sources.length > 0 ? [`${directive} 'self' ${sources.join(' ')}`] : [],
  );
  return ["default-src 'self'", "style-src-attr 'unsafe-inline'", images, ...more].join('; ');
}

/** Of an SVG or another XML file that is opened by itself, as a page: it may be drawn, and run nothing. In a page's `<img>` it has no effect. */
export const pictureSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

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
  const addresses = [...html.matchAll(pattern)].map((match) => match[1]!).filter((address) => URL.canParse(address));
  return [...new Set(addresses.map((address) => new URL(address).origin))].sort();
}

function hashesOf(html: string, pattern: RegExp): string[] {
  const hashes = [...html.matchAll(pattern)].map((match) => createHash('sha256').update(match[1]!).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}
