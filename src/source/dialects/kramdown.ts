// Tables of kramdown, which need no row of titles: a first row that is followed by another one. GitHub's Markdown takes them for text.
import { changeProse, type Line } from './lines.ts';

export const hasTablesWithoutTitles = /(?:^[ \t]*\n|(?<![^]))[ \t]*\|.*\|[ \t]*\n[ \t]*\|(?![ \t|:-]+$).*\|[ \t]*$/m;

const row = /^([ \t]*)\|(?![ \t|:-]+$).*\|[ \t]*$/;

/** Puts a row of empty titles above them. */
export function translateTables(lines: Line[]): Line[] {
  return changeProse(lines, (line, i) => {
    const [, indent] = row.exec(line.text) ?? [];
    const isFirst = indent !== undefined && (lines[i - 1]?.text ?? '').trim() === '';
    if (!isFirst || !row.test(lines[i + 1]?.text ?? '')) return [line];
    const columns = (line.text.match(/(?<!\\)\|/g)?.length ?? 0) - 1;
    const added = [' |', ' --- |'].map((cell) => ({ text: `${indent}|${cell.repeat(columns)}`, number: line.number }));
    return [...added, line];
  });
}
