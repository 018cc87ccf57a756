import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Problem } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import { shownName } from '../../integration/text/escape.ts';

/** Lines of context before and after the line of the problem. */
const around = 2;
const widest = 120;

/** The lines around a line, with a caret below each of the columns; undefined when the text is shorter. */
export function codeFrame(text: string, line: number, columns: number[]): string | undefined {
  const lines = text.split(/\r?\n/);
  if (line < 1 || line > lines.length) return undefined;
  const first = Math.max(1, line - around);
  const last = Math.min(lines.length, line + around);
  const width = String(last).length;
  // A long line is cut so that the position stays visible.
  const start = Math.max(0, Math.max(1, ...columns) - widest + 20);
  const cut = (written: string) => shownName(written.replaceAll('\t', ' ').slice(start, start + widest));
  return lines
    .slice(first - 1, last)
    .flatMap((written, index) => {
      const number = first + index;
      const isHere = number === line;
      const shown = `${isHere ? '>' : ' '} ${String(number).padStart(width)} | ${cut(written)}`.trimEnd();
      if (!isHere || columns.length === 0) return [shown];
      const carets = columns.map((column) => cut(written.slice(0, column - 1)).length);
      const marks = Array.from({ length: Math.max(...carets) + 1 }, (_, at) => (carets.includes(at) ? '^' : ' '));
      return [shown, `  ${' '.repeat(width)} | ${marks.join('')}`];
    })
    .join('\n');
}

/** The frame of problems in one line of a file of a folder; undefined when the file cannot be read. */
export function frameIn(root: string, problems: Pick<Problem, 'page' | 'line' | 'column'>[]): string | undefined {
  const [{ page, line } = {}] = problems;
  if (page === undefined || line === undefined) return undefined;
  try {
    const columns = problems.flatMap(({ column }) => column ?? []);
    return codeFrame(readFileSync(resolve(root, page), 'utf8'), line, columns);
  } catch {
    return undefined;
  }
}

/** The error with the lines around its position in its message. */
export function withFrame(error: unknown, root: string): unknown {
  if (!(error instanceof ExportError) || error.at === undefined) return error;
  const { message, hint, at } = error;
  const frame = frameIn(root, [{ ...at, page: at.file }]);
  return frame === undefined ? error : new ExportError(error.code, `${message}\n\n${frame}\n`, hint, { cause: error, at });
}
