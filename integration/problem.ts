/** Anything worth telling about a site, from any step. `kind` is permanent: reports and scripts may match on it. */
export interface Problem {
  kind: string;
  severity: 'error' | 'warning' | 'note';
  /** File of the docs folder (or page path) the problem is in. */
  page?: string;
  /** 1-based line in that file. */
  line?: number;
  message: string;
  /** What to do next. */
  hint?: string;
}

/**
 * A problem as one line of a log: where, what, what to do, and the kind, by which the manual has it. An address of thousands of characters
 * is cut in its middle.
 */
export function problemLine({ kind, page, line, message, hint }: Problem): string {
  const words = cut(message);
  const sentence = hint === undefined || /[.!?…:]$/.test(words) ? words : `${words}.`;
  return [page && `${page}${line ? `:${line}` : ''}`, sentence, hint, `(${kind})`].filter(Boolean).join(' ');
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest / 2)}…${text.slice(-longest / 2)}`;
}

const longest = 1000;

/** The lines of all problems; of many of one kind the first few, and how many more there are, since a page of pictures may have hundreds. */
export function problemLines(problems: Problem[], most = 10): string[] {
  const kinds = new Map<string, Problem[]>();
  for (const problem of problems) {
    const same = kinds.get(problem.kind);
    if (same) same.push(problem);
    else kinds.set(problem.kind, [problem]);
  }
  return [...kinds].flatMap(([kind, all]) => {
    const lines = all.slice(0, most).map(problemLine);
    const more = all.length - lines.length;
    return more > 0 ? [...lines, `… and ${more.toLocaleString('en')} more of this kind (${kind}).`] : lines;
  });
}
