import { expect, test } from 'vitest';
import { iconSvg } from '../../../src/markdown/icons.ts';

test.each([
  ['rocket', 'fontawesome'],
  ['fa-solid fa-rocket', 'fontawesome'],
  ['github', 'fontawesome'],
  ['home', 'fontawesome'],
  ['book-open', 'lucide'],
  ['brand-github', 'tabler'],
  ['a-arrow-down', 'fontawesome'],
  ['material-close', 'fontawesome'],
  ['octicons-bookmark-outline-24', 'lucide'],
  ['fontawesome-brands-github', 'fontawesome'],
  ['material/magnify', 'tabler'],
  // Of another set, under another name.
  ['openai', 'fontawesome'],
  // Font Awesome 5.
  ['hand-paper', 'fontawesome'],
  // Paid, with a free icon of similar meaning or name.
  ['wave-pulse', 'fontawesome'],
  ['cart-flatbed-boxes', 'fontawesome'],
] as const)('%s is found for %s', (name, library) => {
  expect(iconSvg(name, library)).toMatch(/^<svg class="c-icon" width="16".* aria-hidden="true">.*<\/svg>$/s);
});

test.each(['no-such-icon', 'material-nosuchicon', '', '__proto__', 'constructor'])('%j is not an icon', (name) => {
  expect(iconSvg(name, 'fontawesome')).toBeUndefined();
});

test('a paid icon of Font Awesome is shown as the free one that its name begins with', () => {
  expect(iconSvg('wrench-simple', 'fontawesome')).toBe(iconSvg('wrench', 'fontawesome'));
  expect(iconSvg('wrench-simple', 'lucide')).toBeUndefined();
});
