import { describe, expect, test } from 'vitest';
import { cssUrls, styleLoads } from '../../../integration/html/css.ts';

describe('the URLs of a style', () => {
  test.each([
    ['a{b:url(/x.png)}', ['/x.png']],
    ['a{b:url( "/x y.png" )}', ['/x y.png']],
    ["a{b:URL('/x.png')}", ['/x.png']],
    ['@import "/a.css"; @import url(/b.css) screen; @import url("/c.css");', ['/a.css', '/b.css', '/c.css']],
    ['/* url(/x) */ a{content:"url(/y)"} b{c:url(/z)}', ['/z']],
    ['a{b:url(#id) url(data:image/svg+xml,<svg>)}', ['#id', 'data:image/svg+xml,<svg>']],
    ['a{b:url(/x\\).png)}', ['/x).png']],
    ['a{b:url(/x\\29 .png)}', ['/x).png']],
    ["a{b:url(data:image/svg+xml,<svg xmlns='x'>) url(/y)}", ['/y']],
    ['a{b:image-set("/x.png" type("image/png"), url(/y.png) 2x)}', ['/x.png', '/y.png']],
    ['a{b:"no end\n; c:url(/x)}', ['/x']],
    ['@import"/a.css";a{b:u\\72l(/x)}', ['/a.css', '/x']],
    ['a{b:url(/x', []],
    ['/* open', []],
    ['a{b:"open', []],
  ])('%j', (css, urls) => {
    expect(cssUrls(css).map(({ url }) => url)).toEqual(urls);
  });
});

test('the range of a URL is what is inside its quotes or parentheses', () => {
  const css = '@import "/a.css"; b{c:url( /x.png ) url("/y z.png")} /* 木 */ d{e:url(\'/😀.png\')}';
  const found = cssUrls(css);
  expect(found.map(({ start, end }) => css.slice(start, end))).toEqual(['/a.css', '/x.png', '/y z.png', '/😀.png']);
  expect(found.map(({ isImport }) => isImport)).toEqual([true, false, false, false]);
});

test.each([
  ['@charset "utf-8"; @layer a, b; @import "/a"; @import url(/b) layer(c); a{} @import "/c"; @import url(/d);', ['/c', '/d']],
  ['@layer a {} @import "/a";', ['/a']],
  ['@namespace url(/n); @import "/a";', ['/a']],
])('an @import after other rules is late: %s', (css, late) => {
  expect(cssUrls(css).flatMap(({ url, isLate }) => (isLate ? [url] : []))).toEqual(late);
  expect(styleLoads(css.replaceAll('/', 'https://example.com/')).map(({ kind }) => kind)).toEqual(
    cssUrls(css).flatMap(({ isLate, isNamespace }) => (isLate || isNamespace ? [] : ['stylesheet'])),
  );
});

test('fonts are distinguished from namespace names', () => {
  const css = '@namespace url(/n);@media print{@font-face{src:url(/f)}}a{b:url(/x)}';
  expect(cssUrls(css).map(({ url, isFont, isNamespace }) => [url, isFont, isNamespace])).toEqual([
    ['/n', false, true],
    ['/f', true, false],
    ['/x', false, false],
  ]);
});
