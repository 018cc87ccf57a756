import { tagClass } from '../../text/tag-class.ts';
import type { Excerpt } from '../../search/excerpt.ts';
import { groupByPage } from '../../search/index.ts';
import { element } from '../shared/elements.ts';
import { resultUrl } from '../shared/events.ts';
import type { Found } from './searcher.ts';

export interface ResultListOptions {
  /** URL of a page's file. */
  pageUrl: (page: string) => string;
  /** Whether results name the docs version they come from. */
  showVersions: boolean;
  /** How many results are shown above these. */
  above: number;
}

/** Results as groups of options, one group a page, pages in the order of their best section. */
export function resultList(results: Found[], { pageUrl, showVersions, above }: ResultListOptions): HTMLElement[] {
  return groupByPage(results).map((page, index) => {
    const group = above + index;
    const label = `group-${group}`;
    // Where the option itself shows the page's title, the line above it is hidden.
    const [first] = page.results;
    const alone = page.results.length === 1 && first?.headings.length === 0;
    const version = showVersions ? first?.docsVersion : undefined;
    return element(
      'div',
      { role: 'group', 'aria-labelledby': label, class: 'group' },
      element(
        'div',
        { id: label, class: alone && !version ? 'hidden' : 'page' },
        page.title,
        ...tagOf(first),
        ...(version ? [element('span', { class: 'version' }, version)] : []),
      ),
      ...page.results.map((result, index) => option(result, `result-${group}-${index}`, pageUrl(result.page), alone)),
    );
  });
}

/** With the page's tag where no line above it shows it. */
function option(result: Found, id: string, url: string, alone: boolean): HTMLElement {
  const path = result.headings.length > 0 ? result.headings : [result.title];
  const excerpt = element('span', { class: 'excerpt' });
  const link = element(
    'a',
    { role: 'option', id, href: resultUrl(result, url), tabindex: '-1', 'aria-selected': 'false', 'data-page': result.page },
    element('span', { class: 'section' }, path.join(' › '), ...(alone ? tagOf(result) : [])),
    excerpt,
  );
  // An excerpt needs the page's text, which is loaded only for results that scroll into view.
  const showExcerpt = async () => {
    const words = await result.excerpt().catch(() => undefined);
    // A section whose heading is followed by another heading has no text of its own.
    if (words === undefined || words.text === '') excerpt.remove();
    else excerpt.replaceChildren(...marked(words));
  };
  whenSeen(link, () => void showExcerpt());
  return link;
}

function tagOf(result: Found | undefined): HTMLElement[] {
  return result?.tag ? [element('span', { class: tagClass(result.tag) }, result.tag)] : [];
}

function marked({ text, marks }: Excerpt): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(text.slice(at, start), element('mark', {}, text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Calls back once, when the element scrolls into view. */
export function whenSeen(seen: Element, then: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    then();
  });
  observer.observe(seen);
}
