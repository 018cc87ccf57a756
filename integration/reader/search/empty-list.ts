// What the dialog shows without results: earlier searches and hints before a search, and other ways after one that finds nothing.
import type { Labels } from '../../texts/index.ts';
import type { SiteIndex } from '../core/site-data.ts';
import type { Elsewhere } from './searcher.ts';
import { element } from '../shared/elements.ts';

type Texts = Labels['search'] & Labels['dialogs'];

/** Options that search for a text. */
export function queryGroup(id: string, title: string, queries: string[]): HTMLElement[] {
  const options = queries.map((query, at) => option(`${id}-${at}`, { 'data-query': query }, query));
  return options.length === 0 ? [] : [group(id, title, options)];
}

/** What can be searched for. */
export function hints({ searchHint, searchHintNames }: Texts): HTMLElement[] {
  return [searchHint, searchHintNames].map((text) => element('p', {}, text));
}

/** The keys of the dialog, each with what it does. */
export const keysOf = ({ searchMove, searchOpen, close }: Texts): [key: string, text: string][] => [
  ['↑↓', searchMove],
  ['↵', searchOpen],
  ['Esc', close],
];

export interface NoResults {
  query: string;
  nearest: string[];
  elsewhere: Elsewhere[];
  /** Absent where the page does not offer Ask. */
  ask: (() => void) | undefined;
  /** Shows all results of an index. */
  searchIn: (index: SiteIndex) => void;
}

/** Other ways to what a search did not find. */
export function noResults({ query, nearest, elsewhere, ask, searchIn }: NoResults, labels: Texts): HTMLElement[] {
  const others = elsewhere.map(({ index, isWhole, count }, at) => {
    const results = labels.searchResults.replace('{count}', count === 100 ? '100+' : String(count));
    const choice = option(
      `elsewhere-${at}`,
      {},
      isWhole ? labels.searchAll : variantName(index),
      element('span', { class: 'version' }, results),
    );
    choice.addEventListener('click', () => searchIn(index));
    return choice;
  });
  const askOption = option('ask-instead', {}, `${labels.askTitle}: “${query}”`);
  askOption.addEventListener('click', () => ask?.());
  return [
    ...queryGroup('nearest', labels.searchDidYouMean, nearest),
    ...(others.length > 0 ? [group('elsewhere', labels.searchElsewhere, others)] : []),
    ...(ask ? [group('instead', labels.searchInstead, [askOption])] : []),
  ];
}

/** Language, in its own words, and docs version. */
export function variantName({ language, docsVersion }: SiteIndex): string {
  return [languageName(language), docsVersion].filter(Boolean).join(' · ');
}

function languageName(language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

function group(id: string, title: string, options: HTMLElement[]): HTMLElement {
  const label = element('div', { id, class: 'page' }, title);
  return element('div', { role: 'group', 'aria-labelledby': id, class: 'group' }, label, ...options);
}

function option(id: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  return element('div', { role: 'option', id, class: 'line', 'aria-selected': 'false', ...attributes }, ...children);
}
