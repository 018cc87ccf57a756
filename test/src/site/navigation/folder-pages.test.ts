import { expect, test } from 'vitest';
import { folderPages } from '../../../../src/site/navigation/folder-pages.ts';
import type { Page } from '../../../../src/site/model.ts';
import { redirectRules } from '../../../../src/site/redirects.ts';

const pages = ['', 'lamps/overview', 'lamps/oil/wick', 'lamps/oil/filling', 'rooms', 'rooms/attic', 'old/cellar'].map(
  (path) => ({ path }) as Page,
);

test('a folder without a page opens its first page, unless there is another redirect', () => {
  const { rules } = redirectRules([{ source: '/old', destination: '/rooms' }], 'docs.json');
  expect([...folderPages({ pages, redirectRules: rules })]).toEqual([
    ['lamps', 'lamps/overview'],
    ['lamps/oil', 'lamps/oil/wick'],
  ]);
});
