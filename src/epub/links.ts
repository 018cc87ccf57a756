// Links of chapters: what they open is known once all chapters are.
import { publicUrl } from '../../integration/export/export-page.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { decode, splitUrl } from '../../integration/urls/parts.ts';

interface LinkedChapter {
  href: string;
  /** IDs by the anchors of the page. */
  anchors: ReadonlyMap<string, string>;
}

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

export function createLinks(siteUrl: string | undefined) {
  const chapters = new Map<string, LinkedChapter>();
  const site = siteUrl?.replace(/\/*$/, '/');

  /** `url` is that of a file of the export, from its root; `from` the chapter with the link. */
  const target = (url: string, from: string): string | undefined => {
    const { path, query, hash } = splitUrl(url);
    const chapter = chapters.get(decode(path).slice(1));
    if (!chapter) return site && external(site + publicUrl(path.slice(1)) + query + hash);
    const id = chapter.anchors.get(decode(hash.slice(1)));
    if (id !== undefined) return `${chapter.href}#${id}`;
    return chapter.href === from ? undefined : chapter.href;
  };

  return {
    /** `file` is that of the page in the export. */
    add: (file: string, chapter: LinkedChapter): void => void chapters.set(file, chapter),
    external,
    /** Stands for the URL of a file of the export. */
    pending: (url: string): string => `export:${url}`,
    /** The text of a chapter with all links. What neither the book nor a public site has is text. */
    resolved: (xhtml: string, from: string): string =>
      xhtml.replace(/ href="export:([^"]*)"/g, (_, url: string) => {
        const href = target(url.replaceAll('&amp;', '&'), from);
        return href === undefined ? '' : ` href="${escapeHtml(href)}"`;
      }),
  };
}

/** A valid URL that opens in a browser or mail program; undefined for others. */
function external(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { href, protocol, pathname, search, hash } = new URL(url);
  if (!schemes.has(protocol)) return undefined;
  const rest = pathname + search + hash;
  const valid = rest.replace(/[{}|\\^`[\]"<> ]|(?<=#.*)#/g, encodeURIComponent).replace(/%(?![\da-f]{2})/gi, '%25');
  return href.slice(0, href.length - rest.length) + valid;
}
