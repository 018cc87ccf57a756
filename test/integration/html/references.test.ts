import { describe, expect, test } from 'vitest';
import { refreshUrl, srcsetUrls } from '../../../integration/html/references.ts';

describe('the URLs of a srcset', () => {
  test.each([
    ['/a.png', ['/a.png']],
    ['/a.png 1x, /b.png 2x', ['/a.png', '/b.png']],
    ['/a.png, /b.png 2x', ['/a.png', '/b.png']],
    ['/a,b.png 1x', ['/a,b.png']],
    ['  /a.png   100w ,/b.png 200w  ', ['/a.png', '/b.png']],
    ['data:image/png;base64,AA== 1x, /b.png 2x', ['data:image/png;base64,AA==', '/b.png']],
    ['/a.png calc(1x, 2x), /b.png', ['/a.png', '/b.png']],
    [',,', []],
    ['', []],
  ])('%j', (value, urls) => {
    const found = srcsetUrls(value);
    expect(found.map(({ url }) => url)).toEqual(urls);
    expect(found.map(({ start, end }) => value.slice(start, end))).toEqual(urls);
  });
});

test.each([
  ['0; url=/x', '/x'],
  ["5;URL='/x y'", '/x y'],
  ['0,url=/x ', '/x'],
  ['5', undefined],
])('the URL of the refresh %j', (content, url) => {
  expect(refreshUrl(content)?.url).toBe(url);
});
