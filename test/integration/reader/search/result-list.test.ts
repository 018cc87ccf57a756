// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { extend, resultList, type ResultListOptions } from '../../../../integration/reader/search/result-list.ts';
import type { Found } from '../../../../integration/reader/search/searcher.ts';

const options: ResultListOptions = { pageUrl: (page) => `/${page}`, moreText: String, added: () => undefined };

function found(section: number, page: string, title: string, tag?: string): Found {
  const index = { language: 'en', folder: '' };
  const result = { id: page, page, title, headings: [], score: 1, terms: [], section, matches: 1, index };
  return { ...result, ...(tag && { tag }), excerpt: async () => undefined, ofPage: async () => [] };
}

/** The words above the results of each page, and whether they are shown. */
function titles(groups: Iterable<Element>): string[] {
  return Array.from(groups, ({ firstElementChild: line }) => `${line!.className === 'page' ? '' : '-'}${line!.textContent}`);
}

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
    },
  );
  return () => vi.unstubAllGlobals();
});

test('pages with the same title show their paths, those with a tag of their own do not need it', () => {
  const results = [
    found(1, 'node/setup', 'Setup'),
    found(2, 'users', 'Users', 'GET'),
    found(3, 'go/setup', 'Setup'),
    found(4, 'new', 'Users', 'POST'),
  ];
  expect(titles(resultList(results, options))).toEqual(['Setupnode/setup', '-UsersGET', 'Setupgo/setup', '-UsersPOST']);
});

test('a page shows its path when a longer list has another page with its title', () => {
  const list = document.createElement('div');
  const results = [found(1, 'node/setup', 'Setup'), found(2, 'go/setup', 'Setup')];
  list.append(...resultList(results.slice(0, 1), options));
  expect(titles(list.children)).toEqual(['-Setup']);
  extend(list, resultList(results, options));
  expect(titles(list.children)).toEqual(['Setupnode/setup', 'Setupgo/setup']);
});
