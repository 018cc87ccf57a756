import type { Excerpt } from '../../search/excerpt.ts';
import { groupByPage } from '../../search/index.ts';
import { element } from '../shared/element.ts';
import { resultUrl } from '../core/result-url.ts';
import type { Found } from './searcher.ts';

export interface ResultListOptions {
  /** Address of a page's file. */
  address: (page: string) => string;
  /** Whether results name the docs version they come from. */
  showVersions: boolean;
  /** How many results stand above these. */
  above: number;
}

/** Results as groups of options, one group a page, pages in the order of their best section. */
export function resultList(results: Found[], { address, showVersions, above }: ResultListOptions): HTMLElement[] {
  return groupByPage(results).map((page, place) => {
    const group = above + place;
    const label = `group-${group}`;
    // An option that says the page's title needs no line above it that says it again.
    const alone = page.results.length === 1 && page.results[0]!.headings.length === 0;
    const version = showVersions ? page.results[0]!.docsVersion : undefined;
    return element(
      'div',
      { role: 'group', 'aria-labelledby': label, class: 'group' },
      element(
        'div',
        { id: label, class: alone && !version ? 'hidden' : 'page' },
        page.title,
        ...(version ? [element('span', { class: 'version' }, version)] : []),
      ),
      ...page.results.map((result, place) => option(result, `result-${group}-${place}`, address(result.page))),
    );
  });
}

function option(result: Found, id: string, address: string): HTMLElement {
  const path = result.headings.length > 0 ? result.headings : [result.title];
  const excerpt = element('span', { class: 'excerpt' });
  const link = element(
    'a',
    { role: 'option', id, href: resultUrl(result, address), tabindex: '-1', 'aria-selected': 'false' },
    element('span', { class: 'section' }, path.join(' › ')),
    excerpt,
  );
  // An excerpt needs the page's text: it is loaded for results that the reader gets to see.
  whenSeen(link, async () => {
    const words = await result.excerpt().catch(() => undefined);
    // A heading right before another one has no text of its own.
    if (words === undefined || words.text === '') excerpt.remove();
    else excerpt.replaceChildren(...marked(words));
  });
  return link;
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

/** Calls back once, when the reader gets to see the element. */
export function whenSeen(seen: Element, then: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    then();
  });
  observer.observe(seen);
}
