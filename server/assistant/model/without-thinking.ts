export interface ThinkingFilter {
  /** The part of the text so far that is known not to be thinking, without what was returned before. */
  push(text: string): string;
  /** The text that was held back, since it could have become a tag. */
  end(): string;
}

/**
 * Removes what is between `<tag>` and `</tag>`, however the text is cut; `startsThinking` when the model writes only the closing tag.
 * The SDK's own middleware puts one more stream around each answer, and thousands of answers may be open at once.
 */
export function withoutThinking(tag: string, startsThinking: boolean): ThinkingFilter {
  let isThinking = startsThinking;
  let held = '';

  return {
    push(text) {
      held += text;
      let said = '';
      for (;;) {
        const mark = isThinking ? `</${tag}>` : `<${tag}>`;
        const at = held.indexOf(mark);
        const end = at === -1 ? held.length - begun(held, mark) : at;
        if (!isThinking) said += held.slice(0, end);
        held = held.slice(at === -1 ? end : at + mark.length);
        if (at === -1) return said;
        isThinking = !isThinking;
      }
    },
    end: () => (isThinking ? '' : held),
  };
}

/** How many characters at the end of a text could be the beginning of a mark. */
function begun(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
