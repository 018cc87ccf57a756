// The URLs of links and images on a page: checked, and resolved to those of the site.
import { didYouMean } from '../../integration/diagnostics.ts';
import { safeUrl } from '../../integration/urls/safe-url.ts';
import { positionOfUrl, urlBase, type SourcePage } from '../source/source.ts';
import type { RenderContext, RendererOptions, Report } from './context.ts';
import { dependsOnPages, linkTarget, resolveUrl, urlOfPageId } from './links.ts';
import { unsafeLink } from './sanitize.ts';

/** A URL with a slash too few, or with one too many before a folder. */
const malformed = /^(?:https?:(?!\/\/)|\/\/[^/.:[]*(?:[/?#]|$))/i;

/** A reference to a schema or another part of a specification, such as `#/components/schemas/User`. */
const schemaReference = /^#\/(?:components\/\w+|definitions)\/([^/?#]+)$/;

interface PageUrls extends Pick<RenderContext, 'linkUrl' | 'imageUrl'> {
  /** What URLs of the page refer to, as far as other pages can change it. */
  targets: Map<string, string>;
}

/** `onChange` is called when a URL is not the one in the source. */
export function createPageUrls(page: SourcePage, options: RendererOptions, report: Report, onChange: () => void): PageUrls {
  const targets = new Map<string, string>();
  const base = urlBase(page);
  const resolve = (url: unknown, allow: { data?: boolean }): string | undefined => {
    if (typeof url !== 'string') return undefined;
    if (dependsOnPages(url)) targets.set(url, linkTarget(url, base, options));
    const safe = safeUrl(urlOfPageId(url, options.pageIds) ?? url, allow);
    if (safe === undefined) return undefined;
    const resolved = resolveUrl(safe, base, options);
    if (resolved !== url) onChange();
    return resolved;
  };
  return {
    targets,
    // A URL with the placeholder of a template is not one of an image.
    imageUrl: (source) =>
      typeof source === 'string' && /^[^?#]*\{\{.*\}\}/.test(source) ? undefined : resolve(source, { data: true }),
    linkUrl(href) {
      // A description can name a part of its specification, which is shown where the specification is.
      const schema = page.described && typeof href === 'string' ? schemaReference.exec(href)?.[1] : undefined;
      if (schema !== undefined) {
        onChange();
        const path = page.described?.links?.[`schema ${decodeURIComponent(schema)}`];
        return path === undefined ? undefined : resolve(`/${path}`, {});
      }
      const resolved = resolve(href, {});
      if (typeof href !== 'string') return resolved;
      if (malformed.test(href)) reportMalformed(href, page, report);
      if (resolved === undefined) {
        onChange();
        report(unsafeLink(href), href);
      }
      return resolved;
    },
  };
}

function reportMalformed(href: string, page: SourcePage, report: Report): void {
  const isHost = href.startsWith('//');
  const url = isHost ? href.replace(/\/{2,}/g, '/') : href.replace(/^(https?):\/*/i, '$1://');
  report(
    {
      kind: 'link-malformed',
      ...positionOfUrl(page, href),
      message: `The link "${href}" is broken: ${isHost ? 'browsers take what follows two slashes for a host' : 'two slashes must follow the colon'}.`,
      ...didYouMean([url]),
    },
    href,
  );
}
