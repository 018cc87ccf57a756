// The audit log: who changed what, when and from where. The URL has the filter.
import type { AuditEntryAnswer } from '../../organizations/audit-routes.ts';
import type { KeyAnswer } from '../../organizations/key-schemas.ts';
import { button, element, replace } from './element.ts';
import { time } from './format.ts';
import { attempt, emptyState, field, section, table } from './parts.ts';
import type { Session } from './session.ts';
import { select } from './source-fields.ts';

/** What happened, in words. */
const events: Record<AuditEntryAnswer['event'], string> = {
  'backup.read': 'Downloaded a backup',
  'bundle.link': 'Created a download link',
  'export.activate': 'Served another export',
  'export.link': 'Created a link to an export',
  'export.pin': 'Pinned an export',
  'export.unpin': 'Unpinned an export',
  'hook.delete': 'Removed a push hook',
  'hook.put': 'Added a push hook',
  'job.cancel': 'Canceled an export',
  'job.start': 'Started an export',
  'key.create': 'Created a key',
  'key.revoke': 'Revoked a key',
  'organization.create': 'Created an organization',
  'organization.delete': 'Removed an organization',
  'organization.update': 'Changed an organization',
  'preview.delete': 'Removed a preview of a branch',
  'session-link.create': 'Created a sign-in link',
  'session.create': 'Signed in',
  'session.end': 'Ended a session',
  'site.change': 'Changed settings of a site',
  'site.delete': 'Removed a site',
  'site.put': 'Added or replaced a site',
  'webhook.create': 'Added a webhook',
  'webhook.delete': 'Removed a webhook',
  'webhook.send': 'Sent a test or a message of a webhook again',
};
const pageLength = 50;

export async function auditTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const { keys } = await client.call<{ keys: KeyAnswer[] }>('GET', '/v1/keys', { signal });
  const asked = new URLSearchParams(location.search);
  const byName = Object.entries(events).sort(([, a], [, b]) => a.localeCompare(b));
  const event = select({ '': 'Everything', ...Object.fromEntries(byName) }, asked.get('event') ?? '');
  const keyNames = keys.map(({ keyId, name, hint }) => [keyId, `${name} (…${hint})`]);
  const key = select({ '': 'Everyone', ...Object.fromEntries(keyNames) }, asked.get('key') ?? '');
  const rows = element('tbody');
  const output = element('div');
  const list = table('Table of the entries', ['When', 'Who', 'What', 'From'], rows);
  const none = element('div');
  let cursor: string | undefined;
  const more = button('Show older entries', () => void attempt(more, output, () => load(cursor)), { hidden: true });
  for (const filter of [event, key]) filter.addEventListener('change', () => void attempt(more, output, () => load()));
  await load();
  body.replaceChildren(
    section(
      'audit',
      'Audit log',
      undefined,
      element(
        'p',
        { class: 'muted' },
        'Every change in this organization: by a key, in the dashboard or by a push of a git service. Entries cannot be changed.',
      ),
      element('div', { class: 'fields filters' }, field('Who', key), field('What', event)),
      list,
      none,
      output,
      more,
    ),
  );

  /** Shows the newest entries, or those after a page. */
  async function load(after?: string): Promise<void> {
    const filter = new URLSearchParams({
      ...(event.value !== '' && { event: event.value }),
      ...(key.value !== '' && { key: key.value }),
    });
    history.replaceState(
      history.state,
      '',
      `${session.path(undefined, 'audit')}${filter.size > 0 ? `&${filter.toString()}` : ''}`,
    );
    const query = new URLSearchParams([
      ...filter,
      ['limit', String(pageLength)],
      ...(after === undefined ? [] : [['cursor', after]]),
    ]);
    const page = await client.call<{ entries: AuditEntryAnswer[]; cursor?: string }>('GET', `/v1/audit?${query.toString()}`, {
      signal,
    });
    const made = page.entries.map(row);
    if (after === undefined) replace(rows, ...made);
    else rows.append(...made);
    cursor = page.cursor;
    more.hidden = cursor === undefined;
    list.hidden = rows.childElementCount === 0;
    none.replaceChildren(list.hidden ? nothing(filter.size > 0) : '');
  }

  function nothing(isFiltered: boolean): HTMLElement {
    return isFiltered
      ? emptyState('No entries match', 'Choose another key, or everything that happened.')
      : emptyState('No entries yet', 'Changes in this organization are listed here.');
  }

  function row({ at, event, target, keyId, name, sessionId, address, requestId }: AuditEntryAnswer): HTMLElement {
    const isDashboard = sessionId !== null || event === 'session.create';
    const by = keyId === null ? 'push' : isDashboard ? 'dashboard' : 'API';
    const known = keys.find((one) => one.keyId === target);
    return element(
      'tr',
      element('td', time(at)),
      element('th', { scope: 'row' }, name, ' ', element('span', { class: 'hint' }, by)),
      element('td', events[event] ?? event, ' ', element('code', { class: 'muted' }, known?.name ?? target)),
      element('td', { 'data-label': 'From' }, element('code', { title: `Request ${requestId}` }, address)),
    );
  }
}
