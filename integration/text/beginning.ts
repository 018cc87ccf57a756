/** The beginning of a text: at most `length` UTF-16 units, and no half of a character. */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '');
}
