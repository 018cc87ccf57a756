import { parseSync } from 'rolldown/utils';
import { scriptFault } from './script-fault.ts';
import { lineAt } from '../text/edit.ts';
import { readOnce, type ScriptTextReader } from './read-once.ts';

/** What a script that stands in a page imports. */
export interface InlineImports {
  /** Specifiers of its statements. */
  statements: string[];
  calls: ImportCall[];
  /** Why it does not parse, with its line. */
  error?: { message: string; line: number };
}

/** An `import(…)`: where it stands, and its argument. */
export interface ImportCall {
  start: number;
  argument: { start: number; end: number };
  /** Undefined where it is known only when the script runs. */
  specifier?: string;
}

export type InlineImportsReader = ScriptTextReader<InlineImports>;

export function inlineImportsReader(): InlineImportsReader {
  return readOnce(readImports);
}

function readImports(code: string, sourceType: 'module' | 'script'): InlineImports {
  const fault = scriptFault(code, sourceType);
  if (fault) return { statements: [], calls: [], error: fault };
  const { module, errors } = parseSync('inline.js', code, { lang: 'js', sourceType });
  const [error] = errors;
  if (error)
    return { statements: [], calls: [], error: { message: error.message, line: lineAt(code, error.labels[0]?.start ?? 0) } };
  const statements = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)];
  return {
    statements: statements.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    calls: module.dynamicImports.map(({ start, moduleRequest: { start: from, end } }) => {
      const literal = /^(["'`])([^"'`$\\]*)\1$/.exec(code.slice(from, end));
      return { start, argument: { start: from, end }, specifier: literal?.[2] };
    }),
  };
}
