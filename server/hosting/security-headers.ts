import { createHash } from 'node:crypto';
import { attribute, readHtml } from '../../integration/html/read-html.ts';
import type { Deployment, Manifest } from '../../integration/manifest.ts';
import { plainOrigin } from './with-settings.ts';

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

/** What a page embeds from elsewhere, by the directive that allows it. */
const embedding: Record<string, 'frame-src' | 'media-src'> = {
  iframe: 'frame-src',
  'carrel-frame': 'frame-src',
  video: 'media-src',
  audio: 'media-src',
  source: 'media-src',
};
const mayEmbed = new RegExp(`<(?:${Object.keys(embedding).join('|')})\\s`, 'i');

/** External origins of the videos and frames of a page. An air-gapped export has none, and none would be allowed. */
export function embeddedSources(html: string, deployment: Deployment): PageSources {
  if (deployment === 'air-gapped' || !mayEmbed.test(html)) return {};
  const origins = { 'frame-src': new Set<string>(), 'media-src': new Set<string>() };
  // A regular expression would look for the end of a tag again from each beginning that is only text in an attribute.
  readHtml(html, {
    open(tag) {
      const directive = embedding[tag.name];
      const url = (directive && attribute(tag, 'src')) ?? '';
      const origin = /^https:/i.test(url) ? plainOrigin(url) : undefined;
      if (directive && origin !== undefined) origins[directive].add(origin);
    },
    close() {},
    text() {},
  });
  return { 'frame-src': [...origins['frame-src']].sort(), 'media-src': [...origins['media-src']].sort() };
}

/**
 * Hashes of the inline scripts and styles of a page.
 * Only for pages that Carrel writes itself, such as the 404 page, whose script finds the root of the site.
 */
export function inlineSources(html: string): PageSources {
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  let inline: { name: 'script' | 'style'; start: number } | undefined;
  readHtml(html, {
    open(tag) {
      const { name, end } = tag;
      const isInline = name === 'style' || (name === 'script' && attribute(tag, 'src') === undefined);
      inline = isInline ? { name, start: end } : undefined;
    },
    close(name, start) {
      if (inline?.name === name) hashes[inline.name].add(sourceHash(html.slice(inline.start, start)));
      inline = undefined;
    },
    text() {},
  });
  return { 'script-src': [...hashes.script], 'style-src-elem': [...hashes.style] };
}

function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
