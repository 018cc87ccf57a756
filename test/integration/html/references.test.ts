import { describe, expect, test } from 'vitest';
import { refreshAddress, srcsetAddresses } from '../../../integration/html/references.ts';

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
  ])('%j', (value, addresses) => {
    const found = srcsetAddresses(value);
    expect(found.map(({ address }) => address)).toEqual(addresses);
    expect(found.map(({ start, end }) => value.slice(start, end))).toEqual(addresses);
  });
});

test.each([
  ['0; url=/x', '/x'],
  ["5;URL='/x y'", '/x y'],
  ['0,url=/x ', '/x'],
  ['5', undefined],
])('the URL of the refresh %j', (content, address) => {
  expect(refreshAddress(content)?.address).toBe(address);
});
