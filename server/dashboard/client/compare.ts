// What differs between two stored exports of a site. The URL names both.
import type { ExportDifferenceAnswer, SiteExportAnswer } from '../../jobs/routes/export-routes.ts';
import { element, muted } from './element.ts';
import { count } from './format.ts';
import { icon } from './icons.ts';
import { field } from './form.ts';
import { longTable } from './list.ts';
import { chip, emptyState, faultMessage, section, skeleton } from './parts.ts';
import { problemsTable } from './problems.ts';
import { tabLink, type Session } from './session.ts';
import { exportName, pathOfExports, readExports } from './site-exports.ts';
import { select } from './source-fields.ts';

/** Path of the comparison of two exports: the older one comes first. */
export function comparePath(session: Session, domain: string, exports: SiteExportAnswer[]): string {
  const [before, after] = exports.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  return `${session.path(domain, 'exports')}&before=${before!.jobId}&after=${after!.jobId}`;
}

export async function compareView(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const stored = await readExports(session, domain, signal);
  const names = stored.map((one) => [one.jobId, `${exportName(one)}${one.active ? ' (served)' : ''}`]);
  const choice = (name: string) => {
    const chosen = new URLSearchParams(location.search).get(name) ?? '';
    // An export that is no longer stored: the answer says so.
    const options = {
      ...(stored.some(({ jobId }) => jobId === chosen) ? {} : { [chosen]: chosen }),
      ...Object.fromEntries(names),
    };
    const made = select(options, chosen);
    made.addEventListener('change', () => void show());
    return made;
  };
  const [before, after] = [choice('before'), choice('after')];
  const result = element('div.view.compared', { 'aria-live': 'polite' });
  const back = tabLink(session, domain, 'exports', 'All exports');
  const fields = element('div.comparison', field('Before', before), icon('arrow'), field('After', after));
  let latest = new AbortController();
  body.replaceChildren(section('compare', 'Compare exports', back, fields), result);
  await show();

  async function show(): Promise<void> {
    latest.abort();
    latest = new AbortController();
    const { signal: newer } = latest;
    const query = new URLSearchParams({ tab: 'exports', before: before.value, after: after.value });
    history.replaceState(history.state, '', `${location.pathname}?${query.toString()}`);
    result.replaceChildren(skeleton());
    const path = `${pathOfExports(domain)}/${before.value}/diff/${after.value}`;
    try {
      const difference = await session.client.call<ExportDifferenceAnswer>('GET', path, {
        signal: AbortSignal.any([signal, newer]),
      });
      result.replaceChildren(...differenceSections(difference));
    } catch (error) {
      if (!signal.aborted && !newer.aborted) result.replaceChildren(faultMessage(error));
    }
  }
}

type Page = ExportDifferenceAnswer['pages']['added'][number] & { change: keyof ExportDifferenceAnswer['pages'] };

function differenceSections({ pages, warnings }: ExportDifferenceAnswer): HTMLElement[] {
  const changes = (['added', 'changed', 'removed'] as const).flatMap((change) =>
    pages[change].map((page): Page => ({ ...page, change })),
  );
  const [added, gone] = [warnings?.added ?? [], warnings?.removed ?? []];
  if (changes.length + added.length + gone.length === 0 && warnings !== null)
    return [emptyState('Nothing differs', 'Both exports have the same pages and the same issues.')];
  return [
    section('pages', 'Pages', figures(pages), changes.length > 0 ? pagesTable(changes) : muted('All pages are the same.')),
    ...(warnings === null
      ? [section('new-issues', 'Issues', undefined, muted('The report of one of the two exports was deleted.'))]
      : [
          section(
            'new-issues',
            'New issues',
            figure(added.length),
            added.length > 0 ? problemsTable('Table of the new issues', added) : muted('There are none.'),
          ),
          section(
            'gone-issues',
            'Fixed issues',
            figure(gone.length),
            gone.length > 0 ? problemsTable('Table of the fixed issues', gone) : muted('There are none.'),
          ),
        ]),
  ];
}

function figure(number: number): HTMLElement {
  return element('span.muted', count(number, 'issue'));
}

function figures({ added, changed, removed }: ExportDifferenceAnswer['pages']): HTMLElement {
  const parts = [`${added.length} added`, `${changed.length} changed`, `${removed.length} removed`];
  return element('span.muted', parts.join(' · '));
}

const looks: Record<Page['change'], [look: string, name: string]> = {
  added: ['completed', 'Added'],
  changed: ['expired', 'Changed'],
  removed: ['failed', 'Removed'],
};

function pagesTable(pages: Page[]): HTMLElement {
  const rowsOf = ({ change, path, title }: Page) => [
    element(
      'tr',
      element('th', { scope: 'row' }, title),
      element('td', element('code', path === '' ? '/' : path)),
      element('td', chip(...looks[change])),
    ),
  ];
  return longTable('Table of the pages', ['Page', 'Path', 'Change'], pages, { rowsOf, more: 'Show more pages' });
}
