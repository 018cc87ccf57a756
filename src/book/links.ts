// Links of chapters: what they open is known once all chapters are.
import { publicUrl } from '../../integration/export/export-page.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { decode, splitUrl } from '../../integration/urls/parts.ts';

/** A chapter, and its IDs by the anchors of the page. */
export type LinkedChapter = [href: string, anchors: ReadonlyMap<string, string>];

/** Stands for the URL of a file of the export, from its root. */
export const pendingLink = (url: string): string => `export:${url}`;

/**
 * The text of a chapter with all links. `chapters` are by the files of their pages. What neither the book nor a public site has is text.
 */
export function linked(xhtml: string, from: string, chapters: ReadonlyMap<string, LinkedChapter>, siteUrl?: string): string {
  const target = (url: string): string | undefined => {
    const { path, query, hash } = splitUrl(url);
    const [href, anchors] = chapters.get(decode(path).slice(1)) ?? [];
    if (!href) return siteUrl && externalUrl(siteUrl.replace(/\/*$/, '/') + publicUrl(path.slice(1)) + query + hash);
    const id = anchors?.get(decode(hash.slice(1)));
    if (id !== undefined) return `${href}#${id}`;
    return href === from ? undefined : href;
  };
  return xhtml.replace(/ href="export:([^"]*)"/g, (_, url: string) => {
    const href = target(url.replaceAll('&amp;', '&'));
    return href === undefined ? '' : ` href="${escapeHtml(href)}"`;
  });
}

/** A valid URL that opens in a browser or mail program; undefined for others. */
export function externalUrl(url: string): string | undefined {
  const { href, protocol, pathname, search, hash } = URL.parse(url) ?? {};
  if (!/^(?:https?|mailto|tel):$/.test(protocol ?? '')) return undefined;
  const rest = `${pathname}${search}${hash}`;
  const valid = rest.replace(/[{}|\\^`[\]"<> ]|(?<=#.*)#/g, encodeURIComponent).replace(/%(?![\da-f]{2})/gi, '%25');
  return href!.slice(0, -rest.length || undefined) + valid;
}
