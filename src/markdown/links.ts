import { encodePath } from '../../integration/urls/relative-url.ts';
import type { RendererOptions } from './context.ts';
import { resolvePath } from './snippet-library.ts';

type Pages = Pick<RendererOptions, 'pagePaths' | 'pageFiles' | 'folderPages'>;

/** Root-absolute form of an address written in `file`; addresses elsewhere and `#…` stay as they are. */
export function resolveAddress(href: string, file: string, pages: Pages): string {
  if (href === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(href)) return href;
  const [, path, rest] = /^([^?#]*)(.*)$/s.exec(href)!;
  if (!path) return href;
  const decoded = decode(path!);
  const relative = resolvePath(/^[@~]\//.test(decoded) ? decoded.slice(1) : decoded, file);
  // A path that climbs out of the folder stops at its root, as it does in a browser.
  const absolute = relative ?? decoded.replace(/^(?:\.\.?\/)+/, '');
  const target = pageOf(absolute, decoded, file, pages);
  return `/${target === decode(path!.replace(/^\//, '')) ? path!.replace(/^\//, '').replaceAll(' ', '%20') : encodePath(target)}${rest}`;
}

/** Path of the page that `path` names, with or without extension, slash or `index`; a file's path stays. */
function pageOf(path: string, written: string, file: string, { pagePaths, pageFiles, folderPages }: Pages): string {
  const named = pageFiles?.get(path);
  if (named !== undefined) return named;
  const bare = path.replace(/\.mdx?$/i, '').replace(/\/$/, '');
  const candidates = [bare, bare.replace(/(?:^|\/)(?:index|readme)$/i, ''), path.replace(/\.html$/i, '')];
  if (!written.startsWith('/')) {
    // Some sites write links from the page's address (`/guides/x/` + `../y`), others from the root without a slash.
    const fromAddress = resolvePath(written.replace(/\.mdx?$/i, ''), `${file.replace(/\.mdx?$/i, '')}/`);
    if (fromAddress !== undefined) candidates.push(fromAddress);
    if (!written.startsWith('.')) candidates.push(written.replace(/\.mdx?$/i, '').replace(/\/$/, ''));
  }
  const known = candidates.find((candidate) => pagePaths?.has(candidate));
  if (known !== undefined) return known;
  for (const candidate of candidates) {
    const first = folderPages?.get(candidate);
    if (first !== undefined) return first;
  }
  return candidates[1]! === '' ? '' : /\.mdx?$/i.test(path) ? candidates[1]! : bare;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Root-absolute form of an `xref:` link to a page of the site, by the id in the page's frontmatter. */
export function pageById(href: string, pageIds: RendererOptions['pageIds']): string | undefined {
  if (!/^xref:/i.test(href)) return undefined;
  const [, id, rest] = /^([^?#]*)(.*)$/s.exec(href.slice(5))!;
  const path = pageIds?.get(decode(id!));
  return path === undefined ? undefined : `/${encodePath(path)}${rest}`;
}
