// An estimate of a text's tokens: no tokenizer is right for all models.

/** Characters of scripts without spaces take most of a token each. */
const dense = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;

const charactersPerToken = 4;
const densePerToken = 1.5;

/** A guess at the number of tokens, on the high side for prose. */
export function tokensIn(text: string): number {
  const many = text.match(dense)?.length ?? 0;
  return Math.ceil(many / densePerToken + (text.length - many) / charactersPerToken);
}

/** The beginning of a text that takes so many tokens at most, with an ellipsis where it was cut. */
export function firstTokens(text: string, most: number): string {
  if (tokensIn(text) <= most) return text;
  let [from, to] = [0, Math.min(text.length, most * charactersPerToken)];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (tokensIn(text.slice(0, middle)) < most) from = middle;
    else to = middle - 1;
  }
  // A cut must not separate the halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[from - 1] ?? '') ? from - 1 : from;
  return `${text.slice(0, end)}…`;
}
