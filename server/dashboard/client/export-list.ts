// All exports of a site in a table: which one is served, and what can be done with each that is stored.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { ExportLinkAnswer, SiteExportAnswer } from '../../jobs/routes/export-routes.ts';
import { comparePath } from './compare.ts';
import { announce, button, element, externalLink, replace } from './element.ts';
import { duration } from './duration.ts';
import { count, dateText, time } from './format.ts';
import { icon } from './icons.ts';
import { attempt, badge, chip, confirm, field, menu, notice, section, showOnce, table } from './parts.ts';
import { problemsBadge } from './problems.ts';
import { mayWrite, type Session } from './session.ts';
import { exportName, heldBack, pathOfExports, readExports } from './site-exports.ts';
import { select } from './source-fields.ts';
import { toast } from './toast.ts';

const pageLength = 10;

export async function exportList(session: Session, domain: string, signal: AbortSignal, onChoose: (job: JobObject) => void) {
  const { client } = session;
  const path = pathOfExports(domain);
  let jobs: JobObject[] = [];
  let stored: SiteExportAnswer[] = [];
  let cursor: string | undefined;
  const rows = element('tbody');
  const state = element('div');
  const output = element('div');
  const kind = select({ '': 'All exports', completed: 'Completed', failed: 'Failed' }, '');
  kind.addEventListener('change', () => void attempt(more, output, () => load()));
  const loadMore = () => void attempt(more, output, () => load(jobs, `&cursor=${encodeURIComponent(cursor ?? '')}`));
  const more = button('Show older exports', loadMore, { hidden: true });
  const none = element('p', { class: 'muted', hidden: true }, 'There are none.');
  const head = ['Started', 'Status', 'Commit', 'Version', 'Duration', 'Pages', 'Issues', ''];
  const list = table('Table of the exports', head, rows);
  const filter = field('Show', kind);
  filter.classList.add('filter');
  const whole = section('jobs', 'All exports', filter, state, list, none, output, more);
  await load();
  return { section: whole, load, update, newest: () => jobs[0], isServed: () => stored.some(({ active }) => active) };

  /** Shows the newest jobs, or those after `known`. */
  async function load(known: JobObject[] = [], query = ''): Promise<void> {
    const chosen = kind.value;
    const status = chosen === '' ? '' : `&status=${chosen}`;
    const of = `domain=${encodeURIComponent(domain)}&limit=${pageLength}${status}${query}`;
    const [page, exports] = await Promise.all([
      client.call<{ jobs: JobObject[]; cursor?: string }>('GET', `/v1/static-export/jobs?${of}`, { signal }),
      readExports(session, domain, signal),
    ]);
    // Others were chosen meanwhile.
    if (kind.value !== chosen) return load();
    jobs = [...known, ...page.jobs];
    cursor = page.cursor;
    stored = exports;
    show();
  }

  /** Updates a job in the list. */
  function update(job: JobObject): void {
    jobs = jobs.map((one) => (one.jobId === job.jobId ? job : one));
    show();
  }

  function show(): void {
    // An open menu belongs to a row.
    if (list.querySelector('.menu:popover-open')) return;
    more.hidden = cursor === undefined;
    whole.hidden = jobs.length === 0 && kind.value === '';
    list.hidden = jobs.length === 0;
    none.hidden = jobs.length > 0;
    replace(state, ...stateOfSite());
    replace(rows, ...jobs.map(row));
  }

  function stateOfSite(): HTMLElement[] {
    const held = heldBack(stored);
    if (!held) return [];
    const { active, reason } = held;
    if (active.pinned) return [notice(reason, mayWrite(session) && unpinButton(active, 'notice'))];
    return [notice(reason, mayWrite(session) && button('Pin it', () => pin(active), { 'data-focus': 'notice' }))];
  }

  function row(job: JobObject): HTMLElement {
    const one = stored.find(({ jobId }) => jobId === job.jobId);
    const onclick = () => {
      onChoose(job);
      document.querySelector<HTMLElement>('#job-title')!.scrollIntoView({ block: 'start' });
      announce(`Export ${job.jobId} is shown.`);
    };
    return element(
      'tr',
      { class: one?.active === true && 'served' },
      element('th', { scope: 'row' }, time(job.createdAt)),
      element('td', element('span', { class: 'chips' }, chip(job.status), ...badges(job, one))),
      element(
        'td',
        { 'data-label': 'Commit' },
        job.commit === null ? '' : element('code', { title: job.commit }, job.commit.slice(0, 8)),
      ),
      element('td', { 'data-label': 'Version' }, job.version === null ? '' : element('code', { class: 'version' }, job.version)),
      element('td', { 'data-label': 'Duration', class: 'number' }, duration(job)),
      element('td', { class: 'number' }, job.status !== 'failed' && count(job.pageCount, 'page')),
      element('td', problemsBadge(job) || (job.problems ? element('span', { class: 'muted' }, 'none') : '')),
      element(
        'td',
        { class: 'row-actions' },
        element(
          'div',
          button('Show', onclick, { 'data-focus': job.jobId, 'aria-label': `Show export ${job.jobId}` }),
          one && actions(one),
        ),
      ),
    );
  }

  function badges(job: JobObject, one: SiteExportAnswer | undefined): HTMLElement[] {
    if (one?.pinned) return [badge('Served'), badge('Pinned', icon('pin'))];
    if (one?.active) return [badge('Served')];
    if (job.expiredAt !== null) return [element('span', { class: 'hint' }, 'Files deleted')];
    return one?.partial === true ? [element('span', { class: 'hint' }, 'A part of the site')] : [];
  }

  function actions(one: SiteExportAnswer): HTMLElement | false {
    const active = stored.find((other) => other.active);
    const isOtherPinned = active?.pinned === true && !one.active;
    const isChoice = mayWrite(session) && !one.partial;
    const other = one.active ? stored.find((another) => another.createdAt < one.createdAt) : active;
    const link = (text: string, to: string) => element('a', { href: to, 'data-inside': true }, text);
    const items = [
      mayWrite(session) && !one.active && button('Preview…', () => void preview(one)),
      isChoice && !one.active && !isOtherPinned && button('Serve this one…', () => activate(one, active)),
      isChoice &&
        !one.pinned &&
        button(one.active ? 'Pin' : isOtherPinned ? 'Pin this one instead…' : 'Serve and pin…', () => pin(one)),
      isChoice && one.pinned && unpinButton(one),
      other &&
        link(
          one.active ? 'Compare with the one before' : 'Compare with the served one',
          comparePath(session, domain, [one, other]),
        ),
    ].filter((item) => item !== false && item !== undefined);
    return items.length > 0 && menu(`Actions for export ${one.jobId}`, items);
  }

  /** Shows a link that opens an export, whether or not it is served. */
  async function preview(one: SiteExportAnswer): Promise<void> {
    await attempt(more, output, async () => {
      const { url, expiresAt } = await client.call<ExportLinkAnswer>('POST', `${path}/${one.jobId}/link`);
      const text = `Anyone with this link can open ${exportName(one)} until ${dateText(expiresAt)}. Readers of ${domain} do not see it.`;
      const open = externalLink(url, 'Open the preview ', { class: 'button' });
      open.append(icon('external'));
      showOnce('Preview', url, { label: 'Link', text, action: open });
    });
  }

  function activate(one: SiteExportAnswer, active: SiteExportAnswer | undefined): void {
    const text = `Readers of ${domain} see ${exportName(one)}${active ? ` instead of ${exportName(active)}` : ''} within a second. The next export of the whole site replaces it, unless you pin it.`;
    confirm(
      'Serve this export?',
      text,
      'Serve this one',
      async () => {
        await client.call('POST', `${path}/${one.jobId}/activate`);
        toast(`${domain} serves ${exportName(one)}.`);
        await load();
      },
      { look: 'primary' },
    );
  }

  function pin(one: SiteExportAnswer): void {
    const text = `Readers of ${domain} see ${exportName(one)} until you unpin it. Newer exports are stored, but not served.`;
    confirm(
      'Pin this export?',
      text,
      'Pin the export',
      async () => {
        await client.call('PUT', `${path}/${one.jobId}/pin`);
        toast(`Pinned ${exportName(one)}.`);
        await load();
      },
      { look: 'primary' },
    );
  }

  function unpinButton(one: SiteExportAnswer, focus?: string): HTMLButtonElement {
    const unpin = async () => {
      await client.call('DELETE', `${path}/${one.jobId}/pin`);
      toast(`Unpinned ${exportName(one)}. The next export replaces it.`);
      await load();
    };
    const made = button('Unpin', () => void attempt(made, output, unpin), { 'data-focus': focus });
    return made;
  }
}
