export interface ThinkingFilter {
  /** What of the text so far is known to be no thinking, and was not given yet. */
  push(text: string): string;
  /** What was held back, which might have been the beginning of a tag. */
  end(): string;
}

/**
 * Leaves out what stands between `<tag>` and `</tag>`, however the text is cut; `startsThinking` where the model says only the latter.
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

/** How many characters at the end of a text may be the beginning of a mark. */
function begun(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
