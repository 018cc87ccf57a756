// The script of our theme's 404 page, which loads once the folder of the site is known: search, and the pages that the address may have meant.
import { loadSite, pageUrl, pageVariant } from '../../integration/reader/core/site.ts';
import { installSearch, searchIsOff } from '../../integration/reader/open-search.ts';
import { searcher } from '../../integration/reader/search/searcher.ts';
import { decode } from '../../integration/reader/shared/decode.ts';
import { carrelFolder } from '../../integration/reader/shared/loader.ts';
import { renewSettings } from '../../integration/reader/shared/renew-settings.ts';

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

async function showClosest(list: HTMLElement): Promise<void> {
  const root = new URL('..', carrelFolder).href;
  const address = location.href.replace(/[?#].*/s, '');
  const missing = address.startsWith(root) ? decode(address.slice(root.length)) : '';
  // Without the index, the page is as it was.
  const pages = await closestPages(missing.replace(/(?:(?:^|\/)(?:index|404))?(?:\.html?|\.mdx?)?\/?$/, '')).catch(
    () => undefined,
  );
  for (const { title, url } of pages?.values() ?? []) {
    const link = document.createElement('a');
    link.href = url;
    link.textContent = title;
    link.style.color = 'inherit';
    const item = document.createElement('li');
    item.append(link);
    list.querySelector('ul')?.append(item);
    list.hidden = false;
  }
}

const list = document.getElementById('closest');
// Settings of the deployment may turn search off.
void renewSettings().then(() => {
  installSearch();
  if (searchIsOff()) return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-carrel-search]')) button.hidden = false;
  if (list) void showClosest(list);
});
