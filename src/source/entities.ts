import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { decodeNumericCharacterReference } from 'micromark-util-decode-numeric-character-reference';

/** A text with the characters that its character references (`&amp;`, `&#38;`) stand for. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z\d]{2,31}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return decodeNamedCharacterReference(name) || whole;
      return decodeNumericCharacterReference(decimal ?? hex ?? '', decimal ? 10 : 16);
    },
  );
}
