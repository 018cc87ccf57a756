import { beforeAll, expect, test } from 'vitest';
import { ensureTheme } from '../../../src/setup/ensure-theme.ts';
import { type CardFonts, cardFonts } from '../../../src/social-cards/fonts.ts';
import { loadTheme } from '../../../src/theme/load.ts';

let fonts: CardFonts;
beforeAll(async () => {
  fonts = cardFonts(await loadTheme(await ensureTheme()));
});

test.each([
  ['Installation & <b>use</b>', 'Installation & <b>use</b>'],
  ['Größe, Đặt hàng, Ελληνικά, Привет', 'Größe, Đặt hàng, Ελληνικά, Привет'],
  ['🚀 Start\u202e  here\n', 'Start here'],
  ['Über', 'Über'],
  ['🚀', undefined],
  ['', undefined],
  [undefined, undefined],
  ['تثبيت', undefined],
  ['インストール', undefined],
  ['Install 日本語', undefined],
  ['स्थापना', undefined],
])('of %j, cards show %j', (text, shown) => {
  expect(fonts.writable(text, 100)).toBe(shown);
});

test('a text of 100 KB is cut before it is drawn', () => {
  expect(fonts.writable('word '.repeat(20_000), 200)).toHaveLength(199);
});

test.each(['ꟗ', 'ꭖ', '𝔸'])('the rare letter %s, which the fonts lack, is not drawn as an empty box', (letter) => {
  expect(fonts.writable(`Letter ${letter}`, 100)).toBeUndefined();
});

test('the fonts of a theme write Latin, Cyrillic and Greek, also of Vietnamese', () => {
  expect(fonts.faces).toHaveLength(7);
  for (const letter of 'aZéßđữŐЖіΩά') expect(fonts.writable(letter, 1), letter).toBe(letter);
});
