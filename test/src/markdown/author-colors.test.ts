import { expect, test } from 'vitest';
import { authorColors } from '../../../src/markdown/author-colors.ts';

test.each([
  ['bg-black text-white', '--author-fill:#000;--author-ink:#fff'],
  ['bg-[#7c3aed] px-4 text-white', '--author-fill:#7c3aed;--author-ink:#fff'],
  ['bg-[rgb(1,2,3)]', '--author-fill:rgb(1,2,3)'],
  [
    'bg-primary text-white dark:bg-white dark:text-black',
    '--author-fill:var(--fill);--author-fill-dark:#fff;--author-ink:#fff;--author-ink-dark:#000',
  ],
  ['bg-black hover:bg-[#333]', '--author-fill:#000;--author-fill-hover:#333;--author-ink:#fff'],
  ['bg-black/80', '--author-fill:color-mix(in oklab,#000 80%,transparent);--author-ink:#fff'],
  // Words on a light colour are dark, where their own colour is not said.
  ['bg-yellow-400', '--author-fill:oklch(0.82 0.120 85);--author-ink:#000'],
  ['bg-blue-600', '--author-fill:oklch(0.56 0.220 261);--author-ink:#fff'],
  [
    'bg-gradient-to-br from-black via-[#123456] to-white text-white',
    '--author-image:linear-gradient(to bottom right,#000,#123456,#fff);--author-ink:#fff',
  ],
])('%s', (classes, style) => {
  expect(authorColors(classes)).toBe(style);
});

test.each([
  ['', 'nothing'],
  ['text-white', 'words alone, which are on the theme’s ground'],
  ['bg-white text-black', 'the theme’s own ground'],
  ['bg-gray-50 border', 'a tint'],
  ['bg-black/10', 'a tint'],
  ['hover:bg-black dark:bg-black', 'no colour at rest'],
  ['bg-gradient-to-r from-black to-white bg-clip-text', 'letters filled with a gradient'],
  ['bg-[url(https://example.com)]', 'not a colour'],
  ['bg-[#12345]', 'not a colour'],
  ['bg-[red;position:fixed]', 'not a colour'],
  ['bg-constructor-600 bg-blue-650', 'not a colour'],
])('%j is %s', (classes) => {
  expect(authorColors(classes)).toBeUndefined();
});
