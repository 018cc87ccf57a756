import { fileRequests } from '../egress/file-requests.ts';
import { lineAt } from '../export/edit.ts';
import { detached } from '../export/targets.ts';
import type { Problem } from '../problem.ts';
import type { ScriptElement } from './read-scripts.ts';

/** What scripts that stay in pages ask their own site for. One that stands on many pages is told of the first. */
export function inlineRequests() {
  const scripts = new Map<string, { page: string; line: number }>();
  return {
    note({ kind, src, text }: ScriptElement, html: string, page: string): void {
      if (kind !== 'classic' || src) return;
      const code = html.slice(text.start, text.end);
      if (!mayAsk.test(code) || scripts.has(code)) return;
      scripts.set(detached(code), { page, line: lineAt(html, text.start) });
    },
    async problems(): Promise<Problem[]> {
      const found: Problem[] = [];
      for (const [code, { page, line }] of scripts)
        for (const problem of await fileRequests(page, code, false)) found.push({ ...problem, line: line + problem.line! - 1 });
      return found;
    },
  };
}

const mayAsk = /\bnew\s+(?:[\w.]+\.)?(?:Shared)?Worker\b|\b(?:fetch|open)\s*\(/;
