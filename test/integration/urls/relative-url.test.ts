import { expect, test } from 'vitest';
import { encodePath, relativeUrl } from '../../../integration/urls/relative-url.ts';

test.each([
  ['index.html', 'index.html', 'index.html'],
  ['index.html', 'guides/a/index.html', 'guides/a/index.html'],
  ['guides/a/index.html', 'index.html', '../../index.html'],
  ['guides/a/index.html', 'guides/a/index.html', 'index.html'],
  ['guides/a/index.html', 'guides/a.md', '../a.md'],
  ['guides/a/index.html', 'guides/ab/index.html', '../ab/index.html'],
  ['guides/a/index.html', 'guides/index.html', '../index.html'],
  ['guides/a/index.html', 'images/x.png', '../../images/x.png'],
  ['a/b/c/index.html', 'a/b/d/e.html', '../d/e.html'],
  ['index.html', '', './'],
  ['a/index.html', '', '../'],
  ['a/index.html', 'a/', './'],
  ['a/index.html', 'a/b:c.html', './b:c.html'],
  ['a/index.html', 'a/b/c:d.html', 'b/c:d.html'],
])('from %s to %s is %s', (from, to, url) => {
  expect(relativeUrl(from, to)).toBe(url);
});

test.each([
  ['guides/a b.html', 'guides/a%20b.html'],
  ['c#?/100%', 'c%23%3F/100%25'],
  ['café/日本', 'caf%C3%A9/%E6%97%A5%E6%9C%AC'],
])('%s is written %s', (path, encoded) => {
  expect(encodePath(path)).toBe(encoded);
});
