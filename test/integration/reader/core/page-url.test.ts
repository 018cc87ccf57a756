import { expect, test } from 'vitest';
import { filePath, pagePath } from '../../../../integration/reader/core/page-url.ts';

const files = { 'guides/c#': 'guides/c-23/index.html' };

test.each([
  ['', 'index.html'],
  ['guides/install', 'guides/install/index.html'],
  ['guides/c#', 'guides/c-23/index.html'],
  ['guides/100%', 'guides/100%25/index.html'],
  ['指南/安装', '%E6%8C%87%E5%8D%97/%E5%AE%89%E8%A3%85/index.html'],
  ['constructor', 'constructor/index.html'],
])('the page %j is in the file %s', (path, file) => {
  expect(filePath(path, { files })).toBe(file);
  expect(pagePath(file, { files })).toBe(path);
});

test.each(['guides/install/', 'guides/install', 'guides/install.html', 'guides/install/index.html'])(
  'finds the page at %s, however the host writes its address',
  (address) => {
    expect(pagePath(address)).toBe('guides/install');
  },
);

test.each([
  ['', 'index.html'],
  ['guides/install', 'guides/install.html'],
  ['guides', 'guides/index.html'],
])('the page %j is in the file %s where most pages end in .html', (path, file) => {
  const site = { ending: '.html', files: { guides: 'guides/index.html' } } as const;
  expect(filePath(path, site)).toBe(file);
  expect(pagePath(file, site)).toBe(path);
});
