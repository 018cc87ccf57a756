import { decode } from '../../integration/urls/parts.ts';
import { encodePath } from '../../integration/urls/relative-url.ts';
import type { RendererOptions } from './context.ts';
import { resolvePath } from './snippet-uses.ts';

export type Pages = Pick<RendererOptions, 'pagePaths' | 'pageFiles' | 'folderPages' | 'pageIds'>;

/** What a term of the glossary is called among what the URLs of a page refer to; no URL begins so. */
export const termTarget = 'carrel-term:';

/** Whether other pages of the site can change what a URL refers to. */
export function dependsOnPages(url: string): boolean {
  return /^xref:/i.test(url) || !/^(?:$|#|\/\/|[a-z][a-z\d+.-]*:)/i.test(url);
}

/** What a URL written in `file` refers to: `resolveUrl` of it or of the page that it names by id. */
export function linkTarget(url: string, file: string, pages: Pages): string {
  return resolveUrl(urlOfPageId(url, pages.pageIds) ?? url, file, pages);
}

/** Root-absolute form of a URL written in `file`; URLs with a scheme or host and `#…` stay unchanged. */
export function resolveUrl(written: string, file: string, pages: Pages): string {
  if (written === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(written)) return written;
  // Kramdown and Python-Markdown call a footnote `fn:1`.
  const href = written.replace(/#(fn|fnref):(?=[^#]+$)/, '#$1-');
  if (href.startsWith('#')) return href;
  const [, path, rest] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  if (!path) return href;
  const decoded = decode(path);
  const relative = resolvePath(/^[@~]\//.test(decoded) ? decoded.slice(1) : decoded, file);
  // A path that leaves the folder stops at its root, as in a browser.
  const absolute = relative ?? decoded.replace(/^(?:\.\.?\/)+/, '');
  const target = pageOf(absolute, decoded, file, pages);
  const unrooted = path.replace(/^\//, '');
  return `/${target === decode(unrooted) ? unrooted.replaceAll(' ', '%20') : encodePath(target)}${rest}`;
}

/** Path of the page that `path` links to, with or without extension, slash or `index`. Any other path stays unchanged. */
function pageOf(path: string, written: string, file: string, { pagePaths, pageFiles, folderPages }: Pages): string {
  const named = pageFiles?.get(path);
  if (named !== undefined) return named;
  const bare = path.replace(/\.mdx?$/i, '').replace(/\/$/, '');
  const withoutIndex = bare.replace(/(?:^|\/)(?:_?index|readme)$/i, '');
  const candidates = [bare, withoutIndex, path.replace(/\.html$/i, '')];
  if (!written.startsWith('/')) {
    // Some sites write links relative to the page's URL (`/guides/x/` + `../y`), others to the root without a slash.
    const own = pageFiles?.get(file);
    for (const base of new Set([`${file.replace(/\.mdx?$/i, '')}/`, ...(own === undefined ? [] : [`${own}/`, own])])) {
      const fromUrl = resolvePath(written.replace(/\.mdx?$/i, ''), base);
      if (fromUrl !== undefined) candidates.push(fromUrl);
    }
    if (!written.startsWith('.')) candidates.push(written.replace(/\.mdx?$/i, '').replace(/\/$/, ''));
  }
  const known = candidates.find((candidate) => pagePaths?.has(candidate));
  if (known !== undefined) return known;
  for (const candidate of candidates) {
    const first = folderPages?.get(candidate);
    if (first !== undefined) return first;
  }
  return withoutIndex === '' || /\.mdx?$/i.test(path) ? withoutIndex : bare;
}

/** Root-absolute URL of an `xref:` link, which names the id in a page's frontmatter. */
export function urlOfPageId(href: string, pageIds: RendererOptions['pageIds']): string | undefined {
  if (!/^xref:/i.test(href)) return undefined;
  const [, id = '', rest] = /^([^?#]*)(.*)$/s.exec(href.slice(5)) ?? [];
  const path = pageIds?.get(decode(id));
  return path === undefined ? undefined : `/${encodePath(path)}${rest}`;
}
