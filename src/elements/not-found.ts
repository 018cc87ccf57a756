// The script of our theme's 404 page: that of all pages, and the pages that the address may have meant.
import './reader.ts';
import { loadSite, pageUrl, pageVariant, siteRoot } from '../../integration/reader/core/site.ts';
import { searchIsOff } from '../../integration/reader/open-search.ts';
import { searcher } from '../../integration/reader/search/searcher.ts';
import { decode } from '../../integration/reader/shared/decode.ts';
import { element, textOf } from '../../integration/reader/shared/elements.ts';

const mostPages = 4;

/** The pages that contain words of a missing address, by path: those of its last part first, which says most. */
async function closestPages(missing: string): Promise<Map<string, { title: string; url: string }>> {
  const site = await loadSite();
  const { language, docsVersion } = pageVariant();
  const index = searcher(site, language, docsVersion);
  const find = (query: string) => index.search(query, 'own', { limit: mostPages * 4 });
  const pages = new Map<string, { title: string; url: string }>();
  for (const part of new Set([missing.replace(/.*\//s, ''), missing])) {
    const words = part.toLowerCase().match(/[\p{L}\p{N}]+/gu);
    if (!words) continue;
    const results = await find(words.join(' '));
    const [other] = results.length > 0 ? [] : await index.nearest(words.join(' '));
    // Beginnings of words, since endings differ.
    const begins = words.map((word) => word.slice(0, Math.max(3, word.length - 2)));
    const alike = (page: string) => begins.filter((begin) => page.toLowerCase().includes(begin)).length;
    const found = other === undefined ? results : await find(other);
    for (const { page, title } of found.toSorted((a, b) => alike(b.page) - alike(a.page)))
      if (pages.size < mostPages) pages.set(page, { title, url: pageUrl(site, page) });
  }
  return pages;
}

/** The missing address; from disk, the page is opened by its own. */
function missingPath(root: string): string {
  const address = location.href.replace(/[?#].*/s, '');
  const path = address.startsWith(root) ? decode(address.slice(root.length)) : '';
  return path.replace(/(?:(?:^|\/)(?:index|404))?(?:\.html?|\.mdx?)?\/?$/, '');
}

async function showClosest(list: HTMLElement): Promise<void> {
  const missing = missingPath(siteRoot());
  // Without the index, the page is as it was.
  const found = missing === '' ? undefined : await closestPages(missing).catch(() => undefined);
  const first = document.querySelectorAll<HTMLAnchorElement>('.c-navigation a[href]:not(.c-anchors a)');
  const links =
    missing === '' ? [...first].map((link) => ({ title: textOf(link), url: link.href })) : [...(found?.values() ?? [])];
  for (const { title, url } of links.slice(0, mostPages))
    list.querySelector('ul')?.append(element('li', {}, element('a', { href: url, style: 'color:inherit' }, title)));
  list.hidden = links.length === 0;
}

// Its address, and not that of the site's root, is what these links begin with.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) link.href = location.pathname + link.hash;
const list = document.getElementById('closest');
if (!searchIsOff()) {
  for (const button of document.querySelectorAll<HTMLElement>('[data-carrel-search]')) button.hidden = false;
  if (list) void showClosest(list);
}
