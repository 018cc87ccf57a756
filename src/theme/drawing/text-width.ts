/** Advance widths of the theme's font in thousandths of the font size, by character; the build fills them in. */
declare const WIDTHS: Record<string, number>;
// The build writes them where the name is: in a loop, they would be made again for each character.
const widths = WIDTHS;

/** Width of a text in the theme's font at a size in pixels. */
export function textWidth(text: string, size: number, isBold: boolean): number {
  let width = 0;
  for (const character of text) width += widths[character] ?? widthElsewhere(character);
  return (width * size * (isBold ? 1.07 : 1)) / 1000;
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u;
const picture = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
const withoutWidth = /[\p{Mn}\p{Me}\p{Cf}\ufe0f]/u;

/** Of a character that another font shows. */
function widthElsewhere(character: string): number {
  if (withoutWidth.test(character)) return 0;
  if (picture.test(character)) return 1250;
  return wide.test(character) ? 1000 : 650;
}

/** Of the theme's font, in parts of the font size. */
export const ascent = 0.969;
export const descent = 0.241;
