// What a check says of a problem, where an export says something else.
import { factsOf, type Problem } from '../../integration/diagnostics.ts';
import type { ExportError } from '../../integration/errors.ts';

/** An export continues with what is broken, so it is a warning there; a check fails. */
export function withCheckSeverity(problem: Problem<string>): Problem<string> {
  return problem.severity === 'warning' && factsOf(problem.kind).failsCheck ? { ...problem, severity: 'error' } : problem;
}

/** Why a folder could not be read, where that is an issue like any other. */
export function problemOfError({ code, message, hint, at }: ExportError): Problem<string> {
  const position = at && { page: at.file, line: at.line, column: at.column };
  return { kind: code, severity: 'error', ...position, message, ...(hint !== undefined && { hint }) };
}
