/** The beginning of a text: at most `length` UTF-16 units, and no half of a character. */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '');
}

/** A text of at most `longest` UTF-16 units: with an ellipsis where a longer one was cut. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${beginning(text, longest - 1)}…` : text;
}
