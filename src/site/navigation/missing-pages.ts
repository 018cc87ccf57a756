import { posix } from 'node:path';
import { createProblem, didYouMean, type Position, type Problem } from '../../../integration/diagnostics.ts';
import { nearest } from '../../../integration/text/nearest.ts';
import { normalPath } from '../page-paths.ts';
import type { UnresolvedEntry, Walked } from './walk-navigation.ts';

const shownPages = 20;

/** One warning for each part of the navigation and reason. The report has the full list. */
export function unresolvedEntryProblems(
  pages: readonly UnresolvedEntry[],
  { configFile, at: positionOf }: Pick<NavigationSource, 'configFile' | 'at'>,
): Problem[] {
  const parts = Map.groupBy(pages, ({ at, reason }) => `${at}\n${reason}`);
  return [...parts.values()].map((its): Problem => {
    const { at, reason } = its[0]!;
    const names = its.slice(0, shownPages).map(({ entry }) => (entry.startsWith('"') ? entry : `"${entry}"`));
    const more = its.length > shownPages ? ` and ${its.length - shownPages} more` : '';
    return createProblem({
      kind: 'specification-page-missing',
      page: configFile,
      ...(positionOf?.(its[0]!.entry) ?? positionOf?.(at.split(' › ').at(-1)!)),
      message: `No page for ${names.join(', ')}${more} (in ${at}): ${reason}.`,
      hint: 'Correct the entry, or add the specification to the docs folder. The report lists all missing entries under "navigation.missing".',
    });
  });
}

/**
 * The problems of a source, in which a specification that could not be read says how many entries and pages need it. `isCounted` tells whether a
 * reason for which one of them has no page is such a specification: it needs no message of its own.
 */
export function unreadSpecifications(problems: readonly Problem[]) {
  const counts = new Map(problems.flatMap(({ kind, page }) => (kind === 'specification-not-read' && page ? [[page, 0]] : [])));
  return {
    isCounted(reason: string | undefined): boolean {
      const name = reason && [...counts.keys()].find((one) => reason.startsWith(`${one} could not be read`));
      if (name) counts.set(name, counts.get(name)! + 1);
      return Boolean(name);
    },
    problems: (): Problem[] =>
      problems.map((problem) => {
        const count = problem.kind === 'specification-not-read' ? counts.get(problem.page ?? '') : 0;
        if (!count) return problem;
        const entries = count === 1 ? 'One entry or page needs' : `${count} entries and pages need`;
        return { ...problem, message: `${problem.message} ${entries} it.` };
      }),
  };
}

/** So many entries of a context are reported one by one. */
const mostEntries = 20;

/** A warning for each entry without a page, up to a limit for each context. The report has the full list. */
export function missingEntries(missing: readonly MissingEntry[], { configFile, paths, at }: NavigationSource): Problem[] {
  const contexts = Map.groupBy(missing, ({ context }) => context);
  return [...contexts].flatMap(([context, all]): Problem[] => {
    const where = context.key === 'site' ? 'The navigation' : `The navigation of ${context.key}`;
    const shared = { kind: 'navigation-entry-without-file', severity: 'warning', page: configFile } as const;
    const problems = all.slice(0, mostEntries).map(({ entry }): Problem => {
      const wanted = normalPath(entry);
      const name = posix.basename(wanted).toLowerCase();
      const differsByCase = paths.find((path) => path.toLowerCase() === wanted.toLowerCase());
      const similar =
        differsByCase === undefined
          ? nearest(wanted, paths, (path) => (posix.basename(path) === name ? 1 : undefined))
          : [differsByCase];
      return {
        ...shared,
        ...at?.(entry),
        message: `${where} contains a page that does not exist: "${entry}"${differsByCase === undefined ? '' : ' (letter case counts)'}.`,
        ...didYouMean(similar, `Add the page or remove the entry from ${configFile}.`),
      };
    });
    const others = all.length - problems.length;
    if (others <= 0) return problems;
    const message = `${where} contains ${others} more ${others === 1 ? 'page that does' : 'pages that do'} not exist.`;
    return [...problems, { ...shared, message, hint: 'The report lists all of them under "navigation.missing".' }];
  });
}

/** A warning for each entry with neither pages nor a URL. */
export function emptyEntries(empty: Walked['empty'], { configFile, at }: Pick<NavigationSource, 'configFile' | 'at'>): Problem[] {
  // Entries beside versions are in each of them.
  return [...new Set(empty.map(({ entry }) => entry))].map((entry) =>
    createProblem({
      kind: 'navigation-entry-without-file',
      page: configFile,
      ...at?.(/"(.*)"$/.exec(entry)?.[1] ?? ''),
      message: `The ${entry} has neither pages nor "href", so it is not shown.`,
      hint: `Add pages or "href", or remove the entry from ${configFile}.`,
    }),
  );
}

type MissingEntry = Pick<Walked['missing'][number], 'entry' | 'context'>;

/** What entries are compared with, and where they are. */
export interface NavigationSource {
  configFile: string;
  /** Paths of all pages. */
  paths: string[];
  /** Position of an entry in the configuration. */
  at: ((entry: string) => Position | undefined) | undefined;
}
