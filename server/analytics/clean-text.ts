import { withoutSecretText } from '../platform/log.ts';

// Readers paste keys and addresses into search fields. No word of a docs site is that long and has digits among its letters.
const keyLike = /\b(?=[\w+/-]{0,200}\d)(?=[\w+/-]{0,200}[A-Za-z])[\w+/-]{32,}={0,2}/g;
const emailLike = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;

/** A text of a reader as it may be stored: one line of at most `most` characters, without control characters and what could be a secret. */
export function cleanText(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    // Control characters, those that change the direction of the text around them, and halves of characters.
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const shown = withoutSecretText(line).replace(keyLike, '[hidden]').replace(emailLike, '[hidden]');
  // Not half a character at the end.
  return shown.slice(0, most).replace(/\p{Cs}$/u, '');
}
