import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver/node';
import { problemText, type Problem } from '../../integration/diagnostics.ts';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

export function diagnosticsOf(problems: readonly Problem<string>[], text: string): Diagnostic[] {
  const lines = text.split(/\r?\n/);
  const all = problems.map((problem): Diagnostic => {
    const { kind, severity, line = 1, column } = problem;
    const written = lines[line - 1] ?? '';
    const character = Math.min(column === undefined ? written.search(/\S|$/) : column - 1, written.length);
    // A text in quotes, a word or a tag; without a column, the whole line.
    const part = column === undefined ? /.*/ : /^"[^"]*"|^<?\/?[^\s"'<>()[\]{}]*/;
    const length = part.exec(written.slice(character))?.[0].length || 1;
    const end = { line: line - 1, character: character + length };
    return {
      range: { start: { line: line - 1, character }, end },
      severity: severities[severity],
      code: kind,
      source: 'carrel',
      message: problemText(problem),
    };
  });
  // Several pages report what is in a snippet.
  return [...new Map(all.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
