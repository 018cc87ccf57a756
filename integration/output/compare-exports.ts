// What differs between two exports of a site: pages by their manifests, warnings by their reports.
import type { Manifest } from '../manifest.ts';
import { markdownFile } from '../urls/safe-names.ts';

export interface ComparedPage {
  path: string;
  title: string;
}

export interface PageChanges {
  added: ComparedPage[];
  changed: ComparedPage[];
  removed: ComparedPage[];
}

type Pages = Pick<Manifest, 'pages' | 'files'>;

export function comparePages(before: Pages, after: Pages): PageChanges {
  const [old, current] = [digestsOf(before), digestsOf(after)];
  const shown = ({ pages }: Pages, passes: (path: string) => boolean): ComparedPage[] =>
    pages.filter(({ path }) => passes(path)).map(({ path, title }) => ({ path, title }));
  return {
    added: shown(after, (path) => !old.has(path)),
    changed: shown(after, (path) => old.has(path) && old.get(path) !== current.get(path)),
    removed: shown(before, (path) => !current.has(path)),
  };
}

/** The digest of each page's Markdown version: its HTML also changes with the navigation around it. */
function digestsOf({ pages, files }: Pages): Map<string, string | undefined> {
  return new Map(pages.map(({ path, file, title }) => [path, `${title}\n${(files[markdownFile(file)] ?? files[file])?.sha256}`]));
}

interface ComparedProblem {
  kind: string;
  page?: string;
  message: string;
}

/** Problems of one report without a match in the other. Lines are not compared, since text above moves them. */
export function compareProblems<Problem extends ComparedProblem>(before: Problem[], after: Problem[]) {
  return { added: without(after, before), removed: without(before, after) };
}

function without<Problem extends ComparedProblem>(problems: Problem[], others: Problem[]): Problem[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(nameOf(other), (counts.get(nameOf(other)) ?? 0) + 1);
  return problems.filter((problem) => {
    const left = counts.get(nameOf(problem)) ?? 0;
    counts.set(nameOf(problem), left - 1);
    return left <= 0;
  });
}

function nameOf({ kind, page, message }: ComparedProblem): string {
  return JSON.stringify([kind, page, message]);
}
