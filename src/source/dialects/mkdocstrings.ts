// Blocks of mkdocstrings, `::: package.module` with indented options: a reference that is made from source code, which an export does not have.
import { type Line, surroundingsOf } from './lines.ts';

export const hasMkdocstrings = /^::: +[A-Za-z_]\w*(?:\.\w+)/m;

const block = /^::: +([A-Za-z_]\w*(?:\.\w+)+)[ \t]*$/;

/** Shows the name, and reports it. */
export function translateMkdocstrings(lines: Line[], unknown: (name: string, line: number) => void): Line[] {
  const around = surroundingsOf(lines);
  const translated: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const name = around[i]?.isCode ? undefined : block.exec(line.text)?.[1];
    if (name === undefined) {
      translated.push(line);
      continue;
    }
    unknown(name, line.number);
    translated.push({ ...line, text: `\`${name}\`` });
    while (/^[ \t]+\S/.test(lines[i + 1]?.text ?? '')) i++;
  }
  return translated;
}
