// The server's own analytics of a site in the past 30 days.
import type { PageFeedbackAnswer, SearchAnswer, ViewAnswer, VisitorsAnswer } from '../../analytics/report-routes.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { element, externalLink, muted } from './element.ts';
import { count } from './format.ts';
import { emptyState, section, table } from './parts.ts';
import { tabLink, type Session } from './session.ts';

interface Report {
  visitors: VisitorsAnswer[];
  views: ViewAnswer[];
  searches: SearchAnswer[];
  feedback: PageFeedbackAnswer[];
}

const mostRows = 10;

export async function analyticsTab(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const get = <Name extends keyof Report>(name: Name, query: string) =>
    session.client.call<Pick<Report, Name>>('GET', `/v1/analytics/${encodeURIComponent(domain)}/${name}?${query}`, { signal });
  const [{ address, features }, { visitors }, { views }, { searches }, { feedback }] = await Promise.all([
    session.client.call<SiteAnswer>('GET', `/v1/sites/${encodeURIComponent(domain)}`, { signal }),
    get('visitors', 'limit=31'),
    get('views', 'limit=10000'),
    get('searches', 'limit=10'),
    get('feedback', 'limit=10'),
  ]);
  const isVisited = visitors.some((day) => day.visitors + day.views > 0);
  if (!isVisited && views.length + searches.length + feedback.length === 0) {
    if (countsVisits(features)) {
      const text =
        'Views, searches and ratings of pages appear here within a minute. Crawlers, and browsers that ask not to be tracked, are not counted.';
      body.replaceChildren(emptyState('No visits yet', text, [], externalLink(address, 'Open site', { class: 'button' })));
      return;
    }
    body.replaceChildren(
      emptyState(
        'No data yet',
        'Views, searches and ratings of pages are counted by this server, without cookies and without a third party.',
        [
          ['Turn it on', 'Set Analytics to “Carrel” in the settings of the site.'],
          ['Open the site', 'Each page that is read is counted, at most once per reader and view.'],
          ['See what is missing', 'Searches without a result and broken paths are listed here.'],
        ],
        tabLink(session, domain, 'settings', 'Open the settings', { class: 'button' }),
      ),
    );
    return;
  }
  const pages = byPath(views.filter(({ found }) => found));
  const missing = byPath(views.filter(({ found }) => !found));
  const none = muted('None in the past 30 days.');
  body.replaceChildren(
    section('visitors', 'Visitors of the past 30 days', undefined, chart(visitors)),
    section('pages', 'Pages', undefined, listOf('Views by page', ['Page', 'Views'], pages)),
    section(
      'searches',
      'Searches',
      undefined,
      listOf(
        'Searches by query',
        ['Query', 'Searches', 'Without results', 'Opened a result', 'Opened most'],
        searches.map(({ query, hits, withoutResults, ctr, topClickedPage }) => [
          ...[query, hits, withoutResults, `${Math.round(ctr * 100)} %`, topClickedPage ?? '–'],
        ]),
      ),
    ),
    section(
      'missing',
      'Broken paths',
      undefined,
      missing.length > 0 ? listOf('Views by broken path', ['Path', 'Views'], missing) : none,
    ),
    section(
      'page-feedback',
      'Ratings of pages',
      undefined,
      listOf(
        'Ratings by page',
        ['Page', 'Helpful', 'Not helpful', 'Comments'],
        feedback.map(({ path, helpful, notHelpful, comments }) => [path, helpful, notHelpful, comments]),
      ),
    ),
  );
}

/** Whether this server counts visits, searches and questions of a site. */
export function countsVisits(features: SiteAnswer['features']): boolean {
  const mode = features?.analytics?.mode;
  return mode === 'own' || mode === 'both';
}

/** Paths with their views of all days, most first. */
function byPath(views: Report['views']): [path: string, views: number][] {
  const sums = new Map<string, number>();
  for (const { path, views: seen } of views) sums.set(path, (sums.get(path) ?? 0) + seen);
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, mostRows);
}

function listOf(label: string, head: string[], rows: (string | number)[][]): HTMLElement {
  if (rows.length === 0) return muted('None in the past 30 days.');
  const made = rows.map(([first, ...others]) =>
    element(
      'tr',
      element('th', { scope: 'row' }, first),
      ...others.map((value, index) => element('td.number', { 'data-label': head[index + 1] }, value)),
    ),
  );
  return table(label, head, element('tbody', ...made));
}

/** A bar for each day; a table has the numbers for screen readers. */
function chart(days: Report['visitors']): HTMLElement {
  const sorted = days.toSorted((a, b) => a.date.localeCompare(b.date));
  const most = Math.max(1, ...sorted.map(({ visitors }) => visitors));
  const sum = sorted.reduce((total, { views }) => total + views, 0);
  const bars = sorted.map(({ date, visitors, views }) => {
    const bar = element('div', { title: `${date}: ${count(visitors, 'visitor')}, ${count(views, 'view')}` });
    // The policy blocks style attributes, but not this.
    bar.style.blockSize = `${(visitors / most) * 100}%`;
    return bar;
  });
  const row = ({ date, visitors, views }: Report['visitors'][number]) =>
    element('tr', element('th', { scope: 'row' }, date), element('td', visitors), element('td', views));
  const numbers = table('Visitors by day', ['Day', 'Visitors', 'Views'], element('tbody', ...sorted.map(row)));
  return element(
    'div.card',
    element('p.figure', element('strong', sum.toLocaleString('en')), ` views · at most ${count(most, 'visitor')} a day`),
    element('div.chart', { 'aria-hidden': 'true' }, ...bars),
    element('details', element('summary', 'Numbers by day'), numbers),
  );
}
