// The audit log: who changed what, when and from where. The URL has the filter.
import type { AuditEntryAnswer } from '../../organizations/audit-routes.ts';
import type { KeyAnswer } from '../../organizations/key-schemas.ts';
import type { MembersAnswer } from '../../members/member-routes.ts';
import { element, replace, muted } from './element.ts';
import { time } from './format.ts';
import { field } from './form.ts';
import { bindFilter, pagedList } from './list.ts';
import { emptyState, section, table } from './parts.ts';
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
  'member.identify': 'Was identified by the provider',
  'member.invite': 'Invited a member',
  'member.link': 'Created a sign-in link for a member',
  'member.remove': 'Removed a member',
  'member.update': 'Changed a member',
  'oidc.update': "Required the company's accounts, or no longer",
  'organization.create': 'Created an organization',
  'organization.delete': 'Removed an organization',
  'organization.update': 'Changed an organization',
  'passkey.add': 'Added a passkey',
  'passkey.remove': 'Removed a passkey',
  'preview.delete': 'Removed a preview of a branch',
  'secret.replace': 'Replaced the secret of the server',
  'session-link.create': 'Created a sign-in link',
  'session.create': 'Signed in',
  'session.end': 'Ended a session',
  'site.change': 'Changed settings of a site',
  'site.delete': 'Removed a site',
  'site.prove': 'Proved a domain',
  'site.put': 'Added or replaced a site',
  'site.view': 'Looked at a site as an audience',
  'webhook.create': 'Added a webhook',
  'webhook.delete': 'Removed a webhook',
  'webhook.send': 'Sent a test or a message of a webhook again',
};
const pageLength = 50;

export async function auditTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const [{ keys }, { members }] = await Promise.all([
    client.call<{ keys: KeyAnswer[] }>('GET', '/v1/keys', { signal }),
    client.call<MembersAnswer>('GET', '/v1/members', { signal }),
  ]);
  const byName = Object.entries(events).sort(([, a], [, b]) => a.localeCompare(b));
  const event = select({ '': 'Everything', ...Object.fromEntries(byName) }, '');
  const keyNames = [
    ...members.map(({ memberId, name, email }) => [memberId, `${name} (${email})`]),
    ...keys.map(({ keyId, name, hint }) => [keyId, `${name} (…${hint})`]),
  ];
  const key = select({ '': 'Everyone', ...Object.fromEntries(keyNames) }, '');
  const rows = element('tbody');
  const list = table('Table of the entries', ['When', 'Who', 'What', 'From'], rows);
  const none = element('div');
  const entries = pagedList<AuditEntryAnswer>({ name: 'audit', more: 'Show older entries', pageLength, read, show });
  bindFilter(event, 'event', entries.reload);
  bindFilter(key, 'key', entries.reload);
  await entries.load();
  body.replaceChildren(
    section(
      'audit',
      'Audit log',
      undefined,
      muted(
        'Every change in this organization: by a key, in the dashboard or by a push of a git service. Entries cannot be changed.',
      ),
      element('div.fields.filters', field('Who', key), field('What', event)),
      list,
      none,
      entries.element,
    ),
  );

  async function read(cursor: string | undefined, limit: number) {
    const query = new URLSearchParams({
      ...(event.value !== '' && { event: event.value }),
      ...(key.value !== '' && { key: key.value }),
      ...(cursor !== undefined && { cursor }),
      limit: String(limit),
    });
    const path = `/v1/audit?${query.toString()}`;
    const { entries, ...page } = await client.call<{ entries: AuditEntryAnswer[]; cursor?: string }>('GET', path, { signal });
    return { items: entries, ...page };
  }

  function show(found: AuditEntryAnswer[]): void {
    replace(rows, ...found.map(row));
    list.hidden = found.length === 0;
    none.replaceChildren(list.hidden ? nothing(event.value + key.value !== '') : '');
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
      element('th', { scope: 'row' }, name, ' ', element('span.hint', by)),
      element('td', events[event] ?? event, ' ', element('code.muted', known?.name ?? target)),
      element('td', { 'data-label': 'From' }, element('code', { title: `Request ${requestId}` }, address)),
    );
  }
}
