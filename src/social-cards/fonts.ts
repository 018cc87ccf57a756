// The fonts of the theme, for cards: which letters they have.
import type { FontDetails } from '@takumi-rs/core';
import type { Theme } from '../theme/load.ts';

export interface CardFonts {
  /** Changes whenever a font changes. */
  digest: string;
  faces: FontDetails[];
  /**
   * A text of at most so many characters without emoji and other signs that the fonts lack; undefined if they lack a letter of it, or
   * if nothing is left.
   */
  writable(text: string | undefined, most: number): string | undefined;
}

export function cardFonts({ assets, textFonts }: Pick<Theme, 'assets' | 'textFonts'>): CardFonts {
  const faces = textFonts.map(({ file, ranges }) => {
    const { contents } = assets.find((asset) => asset.path === file)!;
    return { name: 'Inter', data: contents, unicodeRange: ranges };
  });
  const ranges = textFonts.flatMap((font) => font.ranges);
  const has = (character: string) => {
    const point = character.codePointAt(0)!;
    return ranges.some(([first, last]) => point >= first && point <= last);
  };
  return {
    digest: textFonts.map(({ file }) => file).join(),
    faces,
    writable(text, most) {
      // A character has at most two code units.
      const characters = Array.from((text ?? '').slice(0, most * 2).normalize('NFC')).slice(0, most);
      if (characters.some((character) => /[\p{L}\p{N}]/u.test(character) && !has(character))) return undefined;
      const left = characters.filter(
        (character) => (has(character) && !/[\p{Cc}\p{Cf}]/u.test(character)) || /\s/.test(character),
      );
      return left.join('').replace(/\s+/g, ' ').trim() || undefined;
    },
  };
}
