import { expect, test } from 'vitest';
import { appPages } from '../../../integration/static-site/app-pages.ts';

const site = { origin: 'https://ferry.example.com', base: '/docs/' };

test('most pages follow a rule; others, and names with an extension, are listed', () => {
  const pages = [
    { path: '', file: 'index.html' },
    { path: 'a', file: 'a/index.html' },
    { path: 'a/v1.2', file: 'a/v1.2/index.html' },
    { path: 'a/node.js', file: 'a/node.js/index.html' },
    { path: 'old', file: 'old.html' },
  ];
  expect(appPages(pages, site)).toEqual({
    ...site,
    form: 'folder',
    others: { 'a/node.js': 'a/node.js/index.html', old: 'old.html' },
  });
  const files = [
    { path: '', file: 'index.html' },
    { path: 'a', file: 'a/index.html' },
    { path: 'a/v1.2', file: 'a/v1.2.html' },
    { path: 'a/b', file: 'a/b.html' },
    { path: 'a/node.js', file: 'a/node.js.html' },
  ];
  expect(appPages(files, site)).toEqual({ ...site, form: 'file', others: { a: 'a/index.html', 'a/node.js': 'a/node.js.html' } });
});
