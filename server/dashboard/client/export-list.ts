// All exports of a site in a table: which one is served, and what can be done with each that is stored.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { ExportLinkAnswer, SiteExportAnswer } from '../../jobs/routes/export-routes.ts';
import { comparePath } from './compare.ts';
import { announce, button, element, externalLink, muted, replace, textInput } from './element.ts';
import { duration } from './duration.ts';
import { count, dateText, time } from './format.ts';
import { icon } from './icons.ts';
import { bindFilter, pagedList } from './list.ts';
import { field } from './form.ts';
import { attempt, badge, chip, confirm, menu, notice, section, showOnce, table } from './parts.ts';
import { problemsBadge } from './problems.ts';
import { mayWrite, type Session } from './session.ts';
import { exportName, heldBack, pathOfExports, readExports } from './site-exports.ts';
import { select } from './source-fields.ts';
import { toast } from './toast.ts';

const pageLength = 20;
const states = { queued: 'Queued', running: 'Running', completed: 'Completed', failed: 'Failed', canceled: 'Canceled' };

export async function exportList(session: Session, domain: string, signal: AbortSignal, onChoose: (job: JobObject) => void) {
  const { client } = session;
  const path = pathOfExports(domain);
  let stored: SiteExportAnswer[] = [];
  const rows = element('tbody');
  const state = element('div');
  const output = element('div');
  const kind = select({ '': 'All exports', ...states }, '');
  const search = textInput({ type: 'search', placeholder: 'Version or commit' });
  const list = pagedList<JobObject>({ name: 'exports', more: 'Show older exports', pageLength, read, show });
  bindFilter(kind, 'status', list.reload);
  bindFilter(search, 'search', list.reload);
  const none = element('p.muted', { hidden: true }, 'There are none.');
  const head = ['Started', 'Status', 'Commit', 'Version', 'Duration', 'Pages', 'Issues', ''];
  const shown = table('Table of the exports', head, rows);
  const filters = element('div.fields.filters', field('Show', kind), field('Find an export', search));
  const whole = section('jobs', 'All exports', undefined, state, filters, shown, none, output, list.element);
  await list.load();
  return {
    section: whole,
    load: list.load,
    update: (job: JobObject) => list.update((one) => (one.jobId === job.jobId ? job : one)),
    isServed: () => stored.some(({ active }) => active),
  };

  async function read(cursor: string | undefined, limit: number) {
    const query = new URLSearchParams({
      ...{ domain, limit: String(limit) },
      ...(kind.value !== '' && { status: kind.value }),
      ...(search.value.trim() !== '' && { search: search.value.trim() }),
      ...(cursor !== undefined && { cursor }),
    });
    const [{ jobs, ...page }, exports] = await Promise.all([
      client.call<{ jobs: JobObject[]; cursor?: string }>('GET', `/v1/static-export/jobs?${query.toString()}`, { signal }),
      readExports(session, domain, signal),
    ]);
    stored = exports;
    return { items: jobs, ...page };
  }

  function show(jobs: JobObject[]): void {
    // An open menu belongs to a row.
    if (shown.querySelector('.menu:popover-open')) return;
    whole.hidden = jobs.length === 0 && kind.value + search.value === '';
    shown.hidden = jobs.length === 0;
    none.hidden = jobs.length > 0;
    replace(state, ...stateOfSite());
    replace(rows, ...jobs.map(row));
  }

  function stateOfSite(): HTMLElement[] {
    const held = heldBack(stored);
    if (!held) return [];
    const { active, reason } = held;
    if (active.pinned) return [notice(reason, mayWrite(session, domain) && unpinButton(active, 'notice'))];
    return [notice(reason, mayWrite(session, domain) && button('Pin it', () => pin(active), { 'data-focus': 'notice' }))];
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
      element('th', { scope: 'row' }, time(job.createdAt), job.startedBy !== null && muted(`by ${job.startedBy}`)),
      element('td', element('span.chips', chip(job.status), ...badges(job, one))),
      element(
        'td',
        { 'data-label': 'Commit' },
        job.commit === null ? '' : element('code', { title: job.commit }, job.commit.slice(0, 8)),
      ),
      element('td', { 'data-label': 'Version' }, job.version === null ? '' : element('code.version', job.version)),
      element('td.number', { 'data-label': 'Duration' }, duration(job)),
      element('td.number', job.status !== 'failed' && count(job.pageCount, 'page')),
      element('td', problemsBadge(job) || (job.problems ? element('span.muted', 'none') : '')),
      element(
        'td.row-actions',
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
    if (job.expiredAt !== null) return [element('span.hint', 'Files deleted')];
    if (one?.partial !== true) return [];
    return [element('span.hint', job.groups === null ? 'A part of the site' : `For ${job.groups.join(', ')}`)];
  }

  function actions(one: SiteExportAnswer): HTMLElement | false {
    const active = stored.find((other) => other.active);
    const isOtherPinned = active?.pinned === true && !one.active;
    const isChoice = mayWrite(session, domain) && !one.partial;
    const other = one.active ? stored.find((another) => another.createdAt < one.createdAt) : active;
    const link = (text: string, to: string) => element('a', { href: to, 'data-inside': true }, text);
    const items = [
      mayWrite(session, domain) && !one.active && previewButton(one),
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

  function previewButton(one: SiteExportAnswer): HTMLButtonElement {
    const made = button('Preview…', () => void preview(one, made));
    return made;
  }

  /** Shows a link that opens an export, whether or not it is served. */
  async function preview(one: SiteExportAnswer, from: HTMLButtonElement): Promise<void> {
    await attempt(from, output, async () => {
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
        await list.load();
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
        await list.load();
      },
      { look: 'primary' },
    );
  }

  function unpinButton(one: SiteExportAnswer, focus?: string): HTMLButtonElement {
    const unpin = async () => {
      await client.call('DELETE', `${path}/${one.jobId}/pin`);
      toast(`Unpinned ${exportName(one)}. The next export replaces it.`);
      await list.load();
    };
    const made = button('Unpin', () => void attempt(made, output, unpin), { 'data-focus': focus });
    return made;
  }
}
