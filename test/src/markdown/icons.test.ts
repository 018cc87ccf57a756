import { expect, test } from 'vitest';
import { iconOfElement, iconSvg, similarIcons } from '../../../src/markdown/icons.ts';

test.each([
  ['rocket', 'fontawesome'],
  ['fa-solid fa-rocket', 'fontawesome'],
  ['github', 'fontawesome'],
  ['FaGithub', 'fontawesome'],
  ['Code2', 'fontawesome'],
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

test.each([
  ['balance-scale', 'scale-balanced'],
  ['tasks', 'list-check'],
  ['magic', 'wand-magic'],
  ['fas fa-external-link-alt', 'up-right-from-square'],
  ['file-text', 'file-lines'],
  ['twitter-square', 'square-twitter'],
])('%s of an earlier Font Awesome is shown as %s', (name, present) => {
  expect(iconSvg(name, 'fontawesome')).toBe(iconSvg(present, 'fontawesome'));
});

test('an icon is not mistaken for a word that begins with another letter', () => {
  expect(similarIcons('ballots', 'fontawesome')).not.toContain('pallet');
  expect(similarIcons('rokcet', 'fontawesome')).toContain('rocket');
});

test('a paid icon of Font Awesome is shown as the free one that its name begins with', () => {
  expect(iconSvg('wrench-simple', 'fontawesome')).toBe(iconSvg('wrench', 'fontawesome'));
  expect(iconSvg('wrench-simple', 'lucide')).toBeUndefined();
});

test.each([
  ['Rocket', 'rocket', 'lucide'],
  ['HomeIcon', 'home', 'lucide'],
  ['LucideHome', 'home', 'lucide'],
  ['LuMessagesSquare', 'messages-square', 'lucide'],
  ['Code2', 'code-2', 'lucide'],
  ['Grid3x3', 'grid-3x3', 'lucide'],
  ['ArrowDownAZ', 'arrow-down-a-z', 'lucide'],
  ['AArrowDown', 'a-arrow-down', 'lucide'],
  ['FaHouse', 'house', 'fontawesome'],
  ['Fa6Github', 'github', 'fontawesome'],
] as const)('<%s /> is the icon %s', (element, name, library) => {
  expect(iconOfElement(element)).toBe(iconSvg(name, library));
  expect(iconOfElement(element)).toContain('<svg');
});

test.each(['Tidewater', 'NextjsIcon', 'Icon', 'H3Icon', 'constructor', 'Fa', 'rocket', ''])('<%s /> is no icon', (element) => {
  expect(iconOfElement(element)).toBeUndefined();
});
