import kinds from './problem-kinds.json' with { type: 'json' };
import { shown } from './text/escape.ts';

type Kinds = typeof kinds;

/** The name of a kind of problem: a key of problem-kinds.json, of which the manual's page is made. It is permanent: scripts match on it. */
export type ProblemKind = { [Section in keyof Kinds]: keyof Kinds[Section] }[keyof Kinds];

/** A problem with a site, from any step. `Kind` is `string` where it was read: another version may have other kinds. */
export interface Problem<Kind extends string = ProblemKind> {
  kind: Kind;
  severity: 'error' | 'warning' | 'note';
  /** File of the docs folder (or page path) the problem is in. */
  page?: string;
  /** 1-based line in that file. */
  line?: number;
  /** 1-based column in that line. */
  column?: number;
  message: string;
  /** What to do next. */
  hint?: string;
  /** The name that was probably meant; `hint` offers it, too. */
  suggestion?: string;
}

/** What problem-kinds.json says about a kind besides its meaning and remedy. */
interface KindFacts {
  /** Of problems that do not say their own. @default 'warning' */
  severity?: Problem['severity'];
  /** Advice on good docs: `carrel check` reports it, and an export, which it does not change, does not. */
  isAdvice?: true;
  /** An export goes on with less than its author meant: `carrel check` counts the warning as an error. */
  failsCheck?: true;
  /** The preview shows it over the page that has it, or over every page of the site. */
  shownBy?: 'page' | 'site';
}

const facts: Record<string, KindFacts> = Object.assign({}, ...Object.values(kinds));

/** What is known about a kind; nothing about one of another version. */
export function factsOf(kind: string): KindFacts {
  return facts[kind] ?? {};
}

/** A problem that has the severity of its kind, unless it says its own. */
export type NewProblem = Omit<Problem, 'severity'> & Partial<Problem>;

export function createProblem({ kind, severity = factsOf(kind).severity ?? 'warning', ...about }: NewProblem): Problem {
  return { kind, severity, ...about };
}

/** Where a problem is in its file. */
export type Position = Required<Pick<Problem, 'line' | 'column'>>;

/** The hint that offers the names that were probably meant, most likely first; `otherwise` is the hint without any. */
export function didYouMean(names: string[], otherwise?: string): Pick<Problem, 'hint' | 'suggestion'> {
  const [suggestion, ...others] = names;
  if (suggestion === undefined) return otherwise === undefined ? {} : { hint: otherwise };
  const quoted = names.map((name) => `"${name}"`);
  return {
    suggestion,
    hint: `Did you mean ${others.length > 0 ? `${quoted.slice(0, -1).join(', ')} or ` : ''}${quoted.at(-1)}?`,
  };
}

/** What a problem says, and what to do next. */
export function problemText({ message, hint }: Pick<Problem, 'message' | 'hint'>): string {
  const words = cut(message);
  return hint === undefined ? words : `${words}${/[.!?…:]$/.test(words) ? '' : '.'} ${hint}`;
}

/**
 * A problem as one line of a log: location, message, hint, and the kind, which the manual lists. Long texts are cut in the middle,
 * and control characters are removed: names and URLs come from authors.
 */
export function problemLine({ kind, page, line, column, message, hint }: Problem<string>): string {
  const location = page && [cut(page), ...(line ? [line, ...(column ? [column] : [])] : [])].join(':');
  return shown([location, problemText({ message, hint }), `(${kind})`].filter(Boolean).join(' ').replace(/\s+/g, ' '));
}

/**
 * The problems without copies: a page in several languages or versions has the same problem in files of the same name. The first one
 * stays, and says in how many more files it is and where. So does a note without a line, whatever the names of its files. What several
 * pages report at one place, as that of a snippet, is there once.
 */
export function withoutCopies<One extends Problem<string>>(problems: One[]): One[] {
  const groups = new Map<string | number, One[]>();
  const places = new Set<string>();
  for (const [index, problem] of problems.entries()) {
    const { kind, severity, page, line, column, message, hint } = problem;
    const place = [kind, page, line, column, message].join('\n');
    if (line !== undefined && places.has(place)) continue;
    places.add(place);
    const file = page?.slice(page.lastIndexOf('/') + 1);
    const isOnPages = severity === 'note' && line === undefined;
    const key = file === undefined ? index : [kind, severity, isOnPages ? '' : file, message, hint].join('\n');
    const group = groups.get(key);
    if (group) group.push(problem);
    else groups.set(key, [problem]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const others = [...new Map(group.map((problem) => [problem.page, problem])).values()].slice(1);
    if (!first || others.length === 0) return group;
    const places = others.slice(0, 3).map(({ page, line }) => (line ? `${page}:${line}` : page));
    const rest = others.length > places.length ? ` and ${others.length - places.length} more` : '';
    const files = others.length === 1 ? 'one more file' : `${others.length} more files`;
    const message = `${first.message} The same is in ${files}: ${places.join(', ')}${rest}.`;
    return [{ ...first, message }, ...group.slice(1).filter(({ page }) => page === first.page)];
  });
}

/** Texts of authors can have any length: a long one is cut in the middle. */
export function cut(text: string, longest = 1000): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest / 2)}…${text.slice(-longest / 2)}`.replace(/\p{Surrogate}/gu, '');
}

export const severities = ['error', 'warning', 'note'] as const;

/** The number of problems of each severity. */
export interface ProblemCounts {
  errors: number;
  warnings: number;
  notes: number;
}

export function countProblems(problems: Pick<Problem, 'severity'>[]): ProblemCounts {
  const count = (wanted: Problem['severity']) => problems.filter(({ severity }) => severity === wanted).length;
  return { errors: count('error'), warnings: count('warning'), notes: count('note') };
}

/** Where the wrong folder was named, all else follows from that. */
const rankOf = ({ kind, severity }: Problem<string>) => (kind === 'config-in-subfolder' ? -1 : severities.indexOf(severity));

/**
 * The problems that fit into a log, and a line that counts the others by kind: '… and 3 more (2 link-without-target, 1 page-missing)'.
 * A wrong folder comes first, then errors before warnings before notes, so that the limit never hides an error behind another problem; within a severity, problems are
 * grouped by file, in the order of its lines.
 */
export function firstProblems<One extends Problem<string>>(problems: One[], most = 50): { first: One[]; others?: string } {
  const files = new Map([...new Set(problems.map(({ page }) => page))].map((page, index) => [page, index]));
  const sorted = problems.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      files.get(a.page)! - files.get(b.page)! ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
  const others = sorted.slice(most);
  if (others.length === 0) return { first: sorted };
  return {
    first: sorted.slice(0, most),
    others: `… and ${others.length.toLocaleString('en')} more (${kindCounts(others)})`,
  };
}

function kindCounts(problems: Problem<string>[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of problems) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`)
    .join(', ');
}
