import { tagClass } from '../../text/tag-class.ts';
import type { Excerpt } from '../../search/excerpt.ts';
import { groupByPage } from '../../search/index.ts';
import { shownPerPage } from '../../search/index-options.ts';
import { element } from '../shared/elements.ts';
import { resultUrl } from '../shared/events.ts';
import type { Found } from './searcher.ts';

export interface ResultListOptions {
  /** URL of a page's file. */
  pageUrl: (page: string) => string;
  /** Whether results name the language or docs version they come from. */
  variantOf?: (result: Found) => string | undefined;
  /** The text of the option that shows the other results of a page. */
  moreText: (count: number) => string;
  /** Called when these options have been added. */
  added: (options: HTMLElement[]) => void;
}

/** Results as groups of options, one group a page, pages in the order of their best section; the first two of each page. */
export function resultList(results: Found[], options: ResultListOptions): HTMLElement[] {
  const groups = groupByPage(results);
  const nameOf = ({ title, results: [first] }: (typeof groups)[number]) =>
    [title, first?.tag, first?.trail, first && options.variantOf?.(first)].join('\n');
  const names = groups.map(nameOf);
  return groups.map((page, group) => {
    const label = `group-${group}`;
    const shown = page.results.slice(0, shownPerPage);
    // Where the option itself shows the page's title, the line above it is hidden.
    const [first] = shown;
    const alone = shown.length === 1 && first?.headings.length === 0;
    const version = first && options.variantOf?.(first);
    const isOneOfSeveral = names.indexOf(names[group]!) !== names.lastIndexOf(names[group]!);
    const details = [...(version ? [version] : []), ...(isOneOfSeveral ? [page.page || '/'] : [])];
    return element(
      'div',
      { role: 'group', 'aria-labelledby': label, class: 'group' },
      element(
        'div',
        { id: label, class: alone && details.length === 0 ? 'hidden' : 'page' },
        page.title,
        ...tagOf(first),
        ...trailOf(first),
        ...details.map((text) => element('span', { class: 'version' }, text)),
      ),
      ...shown.map((result) => option(result, group, options, alone)),
      ...(first && first.matches > shownPerPage && shown.length === shownPerPage ? [moreOption(first, group, options)] : []),
    );
  });
}

/** Adds to a list what the groups of a longer list of the same results have more. */
export function extend(list: HTMLElement, groups: HTMLElement[]): void {
  for (const [at, group] of groups.entries()) {
    const shown = list.children[at];
    if (!shown) {
      list.append(group);
      continue;
    }
    shown.firstElementChild!.replaceWith(group.firstElementChild!.cloneNode(true));
    const known = new Set([...shown.children].map(({ id }) => id));
    shown.append(...[...group.children].filter(({ id }) => !known.has(id)));
  }
}

/** With what the line above it shows where that is hidden. */
function option(result: Found, group: number, { pageUrl }: ResultListOptions, alone = false): HTMLElement {
  const path = result.headings.length > 0 ? result.headings : [result.title];
  const excerpt = element('span', { class: 'excerpt' });
  const link = element(
    'a',
    {
      role: 'option',
      id: `result-${group}-${result.section}`,
      href: resultUrl(result, pageUrl(result.page)),
      tabindex: '-1',
      'aria-selected': 'false',
      'data-page': result.page,
    },
    element('span', { class: 'section' }, path.join(' › '), ...(alone ? [...tagOf(result), ...trailOf(result)] : [])),
    excerpt,
  );
  // An excerpt needs the page's text, which is loaded only for results that scroll into view.
  const showExcerpt = async () => {
    const words = await result.excerpt().catch(() => undefined);
    if (words === undefined || words.text === '') excerpt.remove();
    else excerpt.replaceChildren(...marked(words));
  };
  whenSeen(link, () => void showExcerpt());
  return link;
}

/** Shows the other results of a page in its own place. */
function moreOption(result: Found, group: number, options: ResultListOptions): HTMLElement {
  const more = element(
    'div',
    { role: 'option', id: `more-${group}`, class: 'more', 'aria-selected': 'false' },
    options.moreText(result.matches - shownPerPage),
  );
  more.addEventListener('click', () => {
    void result.ofPage().then((all) => {
      const shown = new Set([...(more.parentElement?.children ?? [])].map(({ id }) => id));
      const added = all.map((found) => option(found, group, options)).filter(({ id }) => !shown.has(id));
      more.replaceWith(...added);
      options.added(added);
    });
  });
  return more;
}

function tagOf(result: Found | undefined): HTMLElement[] {
  return result?.tag ? [element('span', { class: tagClass(result.tag) }, result.tag)] : [];
}

function trailOf(result: Found | undefined): HTMLElement[] {
  return result?.trail ? [element('span', { class: 'trail' }, result.trail)] : [];
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
