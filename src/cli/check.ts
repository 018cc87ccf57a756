import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { countProblems, firstProblems } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import type { CheckReport } from '../../integration/export/check-site.ts';
import { count } from '../../integration/text/amounts.ts';
import { problemOfError, withCheckSeverity } from '../export/check-problems.ts';
import { isBuiltSite } from '../export/is-built-site.ts';
import { withFrame } from '../source/code-frame.ts';
import { githubText, jsonText, sarifText, type CheckedFolder } from './problem-formats.ts';
import { problemCounts, problemList } from './problem-list.ts';
import { symbol } from './terminal.ts';
import { cacheOption, flag, groupsOption, includeRootOption, option, text, defineCommand, type OptionsOf } from './usage.ts';

const formats = ['human', 'json', 'github', 'sarif'] as const;

const options = {
  strict: flag('Exit with code 3 when there are warnings'),
  format: option(
    z.enum(formats, { error: `must be one of ${formats.join(', ')}` }).default('human'),
    'NAME',
    'human (default), json, github (annotations of a workflow) or sarif',
  ),
  all: flag('Print all issues, not only the first 50'),
  groups: groupsOption,
  'include-root': includeRootOption,
  base: option(text.optional(), 'PATH', 'Path that the site is published at, such as /docs/'),
  cache: cacheOption,
};

/** `carrel check`: its options and how it is used. */
export const command = defineCommand({
  usage: 'check DIR',
  summary: 'Find broken links and other mistakes in a docs folder or a folder of built HTML. Nothing is written.',
  options,
  examples: [
    ['check ./docs', 'Print the first 50 issues'],
    ['check ./docs --strict', 'Fail on warnings, too'],
    ['check ./docs --format github', 'Annotate the lines of a pull request in a workflow of GitHub'],
  ],
  async run({ options: given, words: [folder = ''] }) {
    const source = resolve(folder);
    const started = performance.now();
    const report = await checkFolder(source, given).catch((error: unknown) => {
      // Another program reads what is printed: an error with a position is an issue like any other.
      if (given.format !== 'human' && error instanceof ExportError) return { pages: 0, problems: [problemOfError(error)] };
      throw withFrame(error, source);
    });
    const problems = firstProblems(report.problems.map(withCheckSeverity), Infinity).first;
    const checked = { ...report, problems };
    if (given.format === 'human')
      console.log(humanText(checked, { ...given, source, seconds: (performance.now() - started) / 1000 }));
    else console.log(texts[given.format](checked, { root: realPathOf(source), workingFolder: realPathOf(process.cwd()) }));
    const { errors, warnings } = countProblems(problems);
    return errors > 0 ? 1 : given.strict && warnings > 0 ? 3 : 0;
  },
});

const texts: Record<Exclude<(typeof formats)[number], 'human'>, (report: CheckReport, folder: CheckedFolder) => string> = {
  json: (report) => jsonText(report),
  github: ({ problems }, folder) => githubText(problems, folder),
  sarif: ({ problems }, folder) => sarifText(problems, folder),
};

async function checkFolder(
  source: string,
  { base, cache, groups, 'include-root': includeRoots }: OptionsOf<typeof options>,
): Promise<CheckReport> {
  const shared = { source, base, environment: process.env };
  // Collecting as early as carrel.ts sets it takes a fifth of the time of a check, whose pages are not kept (Node 24.21).
  setFlagsFromString('--heap-growing-percent=0');
  // Each loads many modules that the other does not need.
  if (isBuiltSite(source)) {
    const { checkHtml } = await import('../export/export-html.ts');
    return checkHtml({ ...shared, options: {} });
  }
  const { checkDocs } = await import('../export/export-docs.ts');
  return checkDocs({
    ...shared,
    includeRoots,
    groups,
    deployment: 'client-hosted',
    vendor: false,
    now: Date.now(),
    cache,
  });
}

interface HumanOptions {
  source: string;
  all: boolean;
  seconds: number;
}

function humanText({ pages, problems }: CheckReport, { source, all, seconds }: HumanOptions): string {
  const list = problemList(problems, { rest: '--all prints all of them.', most: all ? Infinity : undefined, root: source });
  const { errors, warnings } = countProblems(problems);
  const sign = symbol(errors > 0 ? 'failure' : warnings > 0 ? 'warning' : 'success');
  const result = `${sign}Checked ${count(pages, 'page')} in ${seconds.toFixed(1)} s`;
  return problems.length === 0
    ? `${result}: no issues found.`
    : [...list, '', `${result}: ${problemCounts(problems)}`].join('\n');
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
