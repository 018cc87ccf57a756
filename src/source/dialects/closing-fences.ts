// `:::note`, then a text with the closing fence at the end of its line: `Some text. :::`.
import { isCallout } from './blocks.ts';
import { changeProse, type Line } from './lines.ts';

export const hasClosingFence = /[^:\s][ \t]*:{3,}[ \t]*$/m;

const lastFence = /^(.*[^:\s])[ \t]*:{3,}[ \t]*$/;
const fence = /^([ \t>]*):{3,}[ \t]*(?:([A-Za-z{][\w-]*)(.*))?$/;

/** A fence at the end of a line in a container goes to a line of its own. */
export function translateClosingFences(lines: Line[]): Line[] {
  let open = 0;
  return changeProse(lines, (line) => {
    const { text, number } = line;
    const [isFence, indent = '', name, rest = ''] = fence.exec(text) ?? [];
    const written = (...texts: string[]) => texts.map((one) => ({ text: one, number }));
    if (name !== undefined) {
      const content = isCallout(name) ? lastFence.exec(rest)?.[1]?.trim() : undefined;
      if (content !== undefined) return written(`${indent}:::${name}`, `${indent}${content}`, `${indent}:::`);
      open++;
    } else if (isFence !== undefined) open--;
    else if (open > 0) {
      const content = text.includes(':::') ? lastFence.exec(text)?.[1] : undefined;
      if (content === undefined) return line;
      open--;
      return written(content, `${/^[ \t>]*/.exec(text)?.[0] ?? ''}:::`);
    }
    return line;
  });
}
