import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { conflictIn } from '../source/merge-conflict.ts';
import { lineInFile, type SourcePage } from '../source/source.ts';
import type { Report } from './context.ts';
import { notClosed } from './mdx-fault.ts';
import { markdownMistakes, openFence } from './mistakes.ts';
import type { Parsed } from './parse.ts';

type ReportedFile = Pick<SourcePage, 'file' | 'bodyLine' | 'lines'>;

/** Adds problems of a file, or of another one that they name, to `problems`. */
export function reporter(page: ReportedFile, problems: Problem[]): Report {
  const reported = new Set<string>();
  return (given, once) => {
    const problem = createProblem(given);
    const key = `${problem.kind} ${once}`;
    if (once !== undefined && reported.has(key)) return;
    reported.add(key);
    const { line, column, ...rest } = problem;
    if (problem.page !== undefined) problems.push(problem);
    else if (line === undefined) problems.push({ page: page.file, ...rest });
    else if (page.lines === undefined || line <= page.bodyLine)
      problems.push({ page: page.file, ...rest, line, ...(column !== undefined && { column }) });
    // Columns of a line that was translated are not those in the file.
    else problems.push({ page: page.file, ...rest, line: lineInFile(page, line - page.bodyLine) });
  };
}

/** Reports what is wrong with a parsed file: lines that are not valid MDX, and Markdown that is shown as something else. */
export function reportFaults(
  page: ReportedFile & Pick<SourcePage, 'body'>,
  { tree, source, invalid, faults = [] }: Parsed,
  report: Report,
): void {
  // What follows from an unfinished merge says nothing.
  if (conflictIn(page.body) !== undefined) return;
  const mistakes = markdownMistakes(tree, source);
  // All tags below an unclosed code block are code, also those that close others.
  const isOpen = mistakes.some(({ message }) => message === openFence);
  const others = (invalid ? [invalid] : faults).filter(({ message }) => !isOpen || !message.includes(notClosed));
  for (const { line = 1, ...fault } of [...others, ...mistakes]) report({ ...fault, line: line + page.bodyLine });
}
