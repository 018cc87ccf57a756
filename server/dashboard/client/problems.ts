// The issues that an export found: a count, and a table by page.
import type { Problem } from '../../../integration/diagnostics.ts';
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { Client } from './client.ts';
import { announce, element, muted, textInput } from './element.ts';
import { count } from './format.ts';
import { field } from './form.ts';
import { bindFilter, longTable } from './list.ts';
import { emptyState, faultMessage } from './parts.ts';
import { select } from './source-fields.ts';

type Severity = Problem['severity'];

const severities: Severity[] = ['error', 'warning', 'note'];
const words: Record<Severity, string> = { error: 'error', warning: 'warning', note: 'info' };

/** "1 error, 25 warnings" in the color of the highest severity; false if there are none. Info messages don't count. */
export function problemsBadge({ problems }: JobObject): HTMLElement | false {
  if (!problems || problems.errors + problems.warnings === 0) return false;
  const { errors, warnings } = problems;
  const parts = [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')].filter(Boolean);
  return element('span', { class: `chip ${errors > 0 ? 'failed' : 'expired'}` }, element('span', parts.join(', ')));
}

/** The issues of a completed job, loaded when the reader opens them. */
export function problemsList(client: Client, path: string, job: JobObject, signal: AbortSignal): HTMLElement {
  const { errors, warnings, notes } = job.problems ?? { errors: 0, warnings: 0, notes: 0 };
  if (errors + warnings + notes === 0) return muted(job.problems ? 'No issues found.' : 'The number of issues is unknown.');
  const infos = notes > 0 && element('span.muted', ` ${notes} info`);
  const output = element('div');
  const details = element('details.problems', element('summary', 'Issues found ', problemsBadge(job), infos), output);
  let isRead = false;
  const read = async (): Promise<void> => {
    if (!details.open || isRead) return;
    isRead = true;
    try {
      output.replaceChildren(await readProblems(client, path, signal));
    } catch (error) {
      isRead = false;
      if (!signal.aborted) output.replaceChildren(faultMessage(error));
    }
  };
  details.addEventListener('toggle', () => void read());
  return details;
}

/** The issues in the report of a completed job, by page. */
export async function readProblems(client: Client, path: string, signal: AbortSignal): Promise<HTMLElement> {
  const report = await client.call<{ warnings?: Problem<string>[]; omitted?: { warnings?: number } }>('GET', `${path}/report`, {
    signal,
  });
  const left = report.omitted?.warnings ?? 0;
  return element(
    'div',
    problemsTable('Table of the issues', report.warnings ?? []),
    left > 0 && muted(`The report omits ${count(left, 'more issue')}.`),
  );
}

/** Sorts pages by their highest severity, and the issues of a page by severity, then by line. */
function byPage(problems: Problem<string>[]): Problem<string>[] {
  const rank = ({ severity }: Problem<string>) => severities.indexOf(severity);
  const pages = Map.groupBy(problems, ({ page }) => page);
  const sorted = [...pages.values()].map((of) => of.sort((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0)));
  return sorted.sort((a, b) => rank(a[0]!) - rank(b[0]!)).flat();
}

/** The issues in a table, by page: pages with errors first. */
export function problemsTable(label: string, problems: Problem<string>[]): HTMLElement {
  const heading = ({ page }: Problem<string>) =>
    element('tr', element('th', { scope: 'rowgroup', colspan: 3 }, element('code', page ?? 'The site')));
  const rowsOf = (problem: Problem<string>, before: Problem<string> | undefined) =>
    before && before.page === problem.page ? [row(problem)] : [heading(problem), row(problem)];
  const listOf = (shown: Problem<string>[]) =>
    longTable(label, ['Line', 'Severity', 'Issue'], shown, { rowsOf, more: 'Show more issues' });
  const sorted = byPage(problems);
  const list = element('div', listOf(sorted));
  const made = element('div.problems.group', sorted.length > many && filters(sorted, show), list);
  return made;

  function show(shown: Problem<string>[]): void {
    list.replaceChildren(
      shown.length > 0
        ? listOf(shown)
        : emptyState('No issue matches', 'Choose another kind, or another part of a file or message.'),
    );
    announce(count(shown.length, 'issue'));
  }
}

/** From this number of issues on, they can be filtered. */
const many = 20;

/** A choice of the kind, most frequent first, and a search in files and messages. */
function filters(problems: Problem<string>[], onChange: (shown: Problem<string>[]) => void): HTMLElement {
  const numbers = new Map<string, number>();
  for (const { kind } of problems) numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
  const kinds = [...numbers]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, number]) => [kind, `${kind} (${number.toLocaleString('en')})`]);
  const kind = select({ '': `All (${problems.length.toLocaleString('en')})`, ...Object.fromEntries(kinds) }, '');
  const search = textInput({ type: 'search', placeholder: 'guides/install' });
  const change = () => {
    const wanted = search.value.trim().toLowerCase();
    const isWanted = (problem: Problem<string>) =>
      (kind.value === '' || problem.kind === kind.value) &&
      `${problem.page ?? ''} ${problem.message}`.toLowerCase().includes(wanted);
    onChange(problems.filter(isWanted));
  };
  bindFilter(kind, 'issues', change);
  bindFilter(search, 'issue', change);
  if (kind.value + search.value !== '') queueMicrotask(change);
  return element('div.fields.filters', field('Kind', kind), field('File or message', search));
}

function row({ kind, severity, line, message, hint }: Problem<string>): HTMLElement {
  const colors: Record<Severity, string> = { error: 'failed', warning: 'expired', note: '' };
  return element(
    'tr',
    element('td', { 'data-label': 'Line' }, line),
    element('td', element('span', { class: `chip ${colors[severity]}` }, element('span', words[severity]))),
    element('td', message, ' ', hint, ' ', element('code.muted', kind)),
  );
}
