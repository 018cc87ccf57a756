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
