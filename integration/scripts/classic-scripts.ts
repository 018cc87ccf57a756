// Classic scripts stay unchanged. What fails in them on file://, or everywhere, is reported for the first page that contains it.
import { hash } from 'node:crypto';
import { fileRequests } from './script-facts.ts';
import { readScript } from './read-script.ts';
import { tooDeep } from './script-fault.ts';
import { lineAt } from '../text/edit.ts';
import { detached } from '../text/detach.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import type { ScriptElement } from './script-elements.ts';

/** `textOf` returns the text of a file of the site. */
export function classicScripts(textOf: (path: string) => string) {
  const seen = new Set<string>();
  const files = new Set<string>();
  const asking = new Map<string, { page: string; line: number }>();
  const unread: Problem[] = [];

  return {
    /** Records a script of a page; `file` is the file of the site that it loads, if any. */
    note({ kind, src, text }: ScriptElement, html: string, page: string, file: string | undefined): void {
      if (kind !== 'classic') return;
      if (file !== undefined) files.add(file);
      if (src) return;
      const code = html.slice(text.start, text.end);
      const key = hash('sha1', code);
      if (seen.has(key)) return;
      seen.add(key);
      const line = lineAt(html, text.start);
      unread.push(...notParsedProblems(code, page, line));
      if (mayAsk.test(code)) asking.set(detached(code), { page, line });
    },
    async problems(): Promise<Problem[]> {
      const found = [...unread, ...[...files].sort().flatMap((file) => notParsedProblems(textOf(file), file, 1))];
      for (const [code, { page, line }] of asking) found.push(...(await fileRequests(page, code, false, line)));
      return found;
    },
  };
}

const mayAsk = /\bnew\s+(?:[\w.]+\.)?(?:Shared)?Worker\b|\b(?:fetch|open)\s*\(/;

/** `line` is the first line of the script. */
function notParsedProblems(code: string, page: string, line: number): Problem[] {
  if (!/\S/.test(code)) return [];
  const { error } = readScript(code, 'script');
  if (!error || error.message === tooDeep) return [];
  return [
    createProblem({
      kind: 'script-not-parsed',
      page,
      line: line + error.line - 1,
      message: `Browsers cannot parse this script: ${error.message}`,
      hint: 'Correct the script. Until then, browsers ignore it, on the site and in the export.',
    }),
  ];
}
