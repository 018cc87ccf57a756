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

/** The policy, allowing besides the inline scripts and styles that one page carries, by their hashes. */
export function contentSecurityPolicy(deployment: Deployment, inline: InlineHashes = { scripts: [], styles: [] }): string {
  const images = deployment === 'air-gapped' ? "img-src 'self' data:" : "img-src 'self' data: https:";
  const directives = ["default-src 'self'", "style-src-attr 'unsafe-inline'", images];
  if (inline.scripts.length > 0) directives.push(["script-src 'self'", ...inline.scripts].join(' '));
  if (inline.styles.length > 0) directives.push(["style-src-elem 'self'", ...inline.styles].join(' '));
  return directives.join('; ');
}

export interface InlineHashes {
  scripts: string[];
  styles: string[];
}

/**
 * Hashes of the inline scripts and styles of a page, as CSP source expressions.
 * Only for pages that Carrel alone writes, such as the 404 page, which must be readable at any depth and so links to no file.
 */
export function inlineHashes(html: string): InlineHashes {
  return {
    scripts: hashesOf(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi),
    styles: hashesOf(html, /<style[^>]*>([\s\S]*?)<\/style>/gi),
  };
}

function hashesOf(html: string, pattern: RegExp): string[] {
  const hashes = [...html.matchAll(pattern)].map((match) => createHash('sha256').update(match[1]!).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}
