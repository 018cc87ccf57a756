/** A range of a text and its replacement. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The part of a text between two positions, edited. Of nested edits the outermost wins. */
export function applyEdits(text: string, edits: Edit[], from = 0, to = text.length): string {
  let output = '';
  let at = from;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < at || edit.end > to) continue;
    output += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return output + text.slice(at, to);
}

/** 1-based. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Line and column of a position, both 1-based. */
export function lineAndColumn(text: string, position: number): { line: number; column: number } {
  return { line: lineAt(text, position), column: position - (position === 0 ? -1 : text.lastIndexOf('\n', position - 1)) };
}
