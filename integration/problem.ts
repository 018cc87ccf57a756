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

/** A problem as one line of a log: where, what, what to do. */
export function problemLine({ page, line, message, hint }: Problem): string {
  return [page && `${page}${line ? `:${line}` : ''}`, message, hint].filter(Boolean).join(' ');
}

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
