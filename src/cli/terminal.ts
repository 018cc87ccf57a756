// Colors and symbols in a terminal. Other programs get plain text.
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colors text where the output is a terminal that shows colors. Node follows NO_COLOR, FORCE_COLOR and TERM=dumb. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}

const symbols = { success: ['✓', 'green'], warning: ['▲', 'yellow'], failure: ['✗', 'red'] } as const;

/** A symbol and a space before a line in a terminal, nothing elsewhere. */
export function symbol(kind: keyof typeof symbols, stream: NodeJS.WriteStream = process.stdout): string {
  const [text, color] = symbols[kind];
  return stream.isTTY ? `${paint(color, text, stream)} ` : '';
}
