// Keys: list, create (shown once), revoke.
import { Fault } from './client.ts';
import { button, element, replace, type Child } from './element.ts';
import { time } from './format.ts';
import { field, formDialog } from './form.ts';
import { chip, section, showOnce, table, tableRow, removal } from './parts.ts';
import { isOperator, mayManageMembers, mayWrite, type Session } from './session.ts';
import type { KeyAnswer } from '../../organizations/key-schemas.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';

export async function keysTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const head = ['Name', 'Kind', 'Permissions', 'Created by', 'Expires', 'Last used', 'Status', ''];
  const rows = element('tbody');
  const load = async () => {
    const { keys } = await client.call<{ keys: KeyAnswer[] }>('GET', '/v1/keys', { signal });
    replace(rows, ...keys.map(row));
  };
  const [{ sites }] = await Promise.all([client.call<{ sites: SiteAnswer[] }>('GET', '/v1/sites', { signal }), load()]);
  const make = button('Create a key', () => createKey(session, sites, load), { class: 'primary' });
  body.replaceChildren(section('keys', 'Keys', mayWrite(session) ? make : undefined, table('Table of the keys', head, rows)));

  function row(key: KeyAnswer): HTMLElement {
    const own = key.keyId === session.account.key.keyId ? ' You are signed in with this key.' : '';
    const revoke = removal(session, load, {
      ...{
        button: 'Revoke',
        label: `Revoke ${key.name}`,
        focus: key.keyId,
        title: `Revoke “${key.name}”?`,
        yes: 'Revoke the key',
      },
      text: `The key …${key.hint} stops working immediately. This can't be undone.${own}`,
      path: `/v1/keys/${key.keyId}`,
      done: `Revoked the key ${key.name}.`,
    });
    return tableRow(
      head,
      [key.name, ' ', element('code.muted', `…${key.hint}`)],
      key.kind,
      key.kind === 'admin' ? key.scopes.join(', ') : `answer for ${key.domains.join(', ')}`,
      key.createdBy ?? '',
      key.expiresAt ? time(key.expiresAt) : 'never',
      key.lastUsedAt ? time(key.lastUsedAt) : 'never',
      element('td', chip(key.status)),
      key.status === 'active' && revoke,
    );
  }
}

const scopeHint =
  'read: see everything. write: also export, and change sites, keys and webhooks. owner: also manage members. operator: also all that concerns the machine of the server.';
const lifetimes: [days: number, name: string][] = [
  [7, '7 days'],
  [30, '30 days'],
  [60, '60 days'],
  [90, '90 days'],
  [0, 'Never'],
];

function createKey(session: Session, sites: SiteAnswer[], onCreated: () => Promise<void>): void {
  const name = element('input', { required: true, maxlength: 100, autocomplete: 'off', autofocus: true });
  const kind = element(
    'select',
    element('option', { value: 'admin' }, 'Admin: secret, for servers and CI'),
    element('option', { value: 'assistant' }, 'Assistant: public, for readers'),
  );
  const expiry = element(
    'select',
    ...lifetimes.map(([days, text]) => element('option', { value: days, selected: days === 90 }, text)),
  );
  const allowed = {
    ...{ read: 'read', write: 'write' },
    ...(mayManageMembers(session) && { owner: 'owner' }),
    ...(isOperator(session) && { operator: 'operator' }),
  };
  const scopes = choices('Permissions', 'scopes', allowed, ['read', 'write']);
  scopes.append(element('p.hint', scopeHint));
  const domains = choices(
    'Sites',
    'domains',
    Object.fromEntries(sites.map(({ domain }) => [domain, domain])),
    sites.length === 1 ? [sites[0]!.domain] : [],
  );
  const showKind = () => {
    scopes.hidden = kind.value !== 'admin';
    domains.hidden = kind.value !== 'assistant';
  };
  kind.addEventListener('change', showKind);
  showKind();
  const fields = [
    field('Name', name, 'What the key is for.', 'name'),
    field('Kind', kind, undefined, 'kind'),
    scopes,
    domains,
    field('Expires after', expiry, undefined, 'expiresAt'),
  ];
  formDialog('Create a key', fields, {
    go: 'Create',
    work() {
      const expiresAt = expiry.value === '0' ? null : new Date(Date.now() + Number(expiry.value) * 86_400_000).toISOString();
      const own = kind.value === 'admin' ? { scopes: chosen(scopes) } : { domains: chosen(domains) };
      if (Object.values(own)[0]!.length === 0) {
        const [path] = Object.keys(own) as [string];
        const error = `Choose at least one ${path === 'scopes' ? 'permission' : 'site'}.`;
        throw new Fault(0, { error, code: 'NothingChosen', fields: [{ path, message: 'is missing; choose at least one' }] });
      }
      const body = { kind: kind.value, name: name.value, expiresAt, ...own };
      return session.client.call<{ secret: string }>('POST', '/v1/keys', { body });
    },
    onDone({ secret }) {
      showSecret(`The key “${name.value}”`, secret, "Copy the key now. The server stores only a hash and can't show it again.");
      return onCreated();
    },
  });
}

/** Shows a secret once. Closing the dialog removes it from the page. */
export function showSecret(title: string, secret: string, text: Child): void {
  showOnce(title, secret, { label: 'Secret', text });
}

/** Checkboxes with their texts by value. */
export function choices(legend: string, name: string, texts: Record<string, string>, checked: string[]): HTMLFieldSetElement {
  const boxes = Object.entries(texts).map(([value, text]) =>
    element('label', element('input', { type: 'checkbox', value, checked: checked.includes(value) }), ` ${text}`),
  );
  return element('fieldset', { name }, element('legend', legend), ...boxes);
}

export function chosen(fieldset: HTMLElement): string[] {
  return [...fieldset.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value);
}
