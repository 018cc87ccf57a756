// The problems of an export or a check as text: one a line, those of a file together.
import { countProblems, cut, firstProblems, type Problem } from '../../integration/diagnostics.ts';
import { count } from '../../integration/text/amounts.ts';
import { shown } from '../../integration/text/escape.ts';
import { frameIn } from '../source/code-frame.ts';
import { paint } from './terminal.ts';

export interface ProblemListOptions {
  /** Where to find the problems that are not printed. */
  rest: string;
  /** So many problems are printed. @default 50 */
  most?: number | undefined;
  /** The folder of the files, whose lines are shown with each error. */
  root?: string | undefined;
}

/** The lines of the list; none without problems. */
export function problemList(problems: Problem<string>[], { rest, most, root }: ProblemListOptions): string[] {
  const { first, others } = firstProblems(problems, most);
  const lines = first.flatMap((problem, index) => {
    const text = `  ${problemText(problem)}`;
    const next = first[index + 1];
    const isLast = next === undefined || next.severity !== 'error' || !isOnSameLine(problem, next);
    if (problem.severity !== 'error' || root === undefined || !isLast) return [text];
    const frame = frameIn(
      root,
      first.filter((other) => other.severity === 'error' && isOnSameLine(problem, other)),
    );
    return frame === undefined ? [text] : [text, '', ...frame.split('\n').map((line) => paint('dim', `    ${line}`)), ''];
  });
  if (lines.at(-1) === '') lines.pop();
  return others ? [...lines, '', `  ${others}: ${rest}`] : lines;
}

function isOnSameLine(one: Problem<string>, other: Problem<string>): boolean {
  return one.page === other.page && one.line === other.line;
}

/** `1 error, 2 warnings, 3 info` */
export function problemCounts(problems: Problem<string>[]): string {
  const { errors, warnings, notes } = countProblems(problems);
  return [
    errors > 0 && paint('red', count(errors, 'error')),
    warnings > 0 && paint('yellow', count(warnings, 'warning')),
    notes > 0 && `${notes.toLocaleString('en')} info`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** `warning  docs.json:4:3  config-unknown-key  "color" is not a known key of docs.json. Did you mean "colors"?` */
function problemText({ kind, severity, page, line, column, message, hint }: Problem<string>): string {
  const location = [page, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  const sentence = hint === undefined || /[.!?…:]$/.test(message) ? message : `${message}.`;
  const words = [sentence, hint].filter(Boolean).join(' ').replace(/\s+/g, ' ');
  return [
    paint(colors[severity], severityWords[severity].padEnd(7)),
    ...(location === '' ? [] : [paint('dim', shown(location))]),
    kind,
    shown(cut(words, 1200)),
  ].join('  ');
}

const severityWords: Record<Problem['severity'], string> = { error: 'error', warning: 'warning', note: 'info' };
const colors = { error: 'red', warning: 'yellow', note: 'cyan' } as const;
