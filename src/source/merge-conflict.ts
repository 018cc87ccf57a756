// The lines that git leaves in a file whose versions it could not merge.
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { lineAt } from '../../integration/text/edit.ts';

const conflict = /^<{7} .*\n(?:(?!<{7} ).*\n)*?={7}\r?\n(?:(?!<{7} ).*\n)*?>{7} /gm;

/** Where the first conflict of a file begins; of a Markdown file, the first one that is not in a code block. */
export function conflictIn(text: string): number | undefined {
  if (!text.includes('<<<<<<< ') || !text.includes('>>>>>>> ')) return undefined;
  for (const { index } of text.matchAll(conflict)) {
    const fences = text.slice(0, index).match(/^[ \t>]*(?:```|~~~)/gm) ?? [];
    if (fences.length % 2 === 0) return index;
  }
  return undefined;
}

export function conflictProblem(page: string, text: string, at: number): Problem {
  return createProblem({
    kind: 'merge-conflict',
    page,
    line: lineAt(text, at),
    column: 1,
    message: `${page} ${unmerged}.`,
    hint: 'Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
  });
}

export const unmerged = 'has both versions of a conflict that git could not merge';
