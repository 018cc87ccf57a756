// All organizations of the server, for operators: add, rename, change the plan, make the first key, remove.
import type { KeyAnswer } from '../../organizations/key-schemas.ts';
import type { OrganizationAnswer } from '../../organizations/organization-routes.ts';
import { button, element, replace, muted, textInput } from './element.ts';
import { field, formDialog } from './form.ts';
import { time } from './format.ts';
import { showSecret } from './keys.ts';
import { bindFilter, pagedList, pageOf } from './list.ts';
import { menu, section, table, tableRow } from './parts.ts';
import type { Session } from './session.ts';
import { select } from './source-fields.ts';
import { toast } from './toast.ts';

const plans = { enterprise: 'enterprise: with exports', standard: 'standard: without exports' };

export async function organizationsTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const { client, account } = session;
  const head = ['Name', 'ID', 'Plan', 'Created', ''];
  const rows = element('tbody');
  const search = textInput({ type: 'search' });
  const list = pagedList<OrganizationAnswer>({
    ...{ name: 'organizations', more: 'Show more organizations', pageLength: 50 },
    async read(cursor, limit) {
      const { organizations } = await client.call<{ organizations: OrganizationAnswer[] }>('GET', '/v1/organizations', {
        signal,
      });
      const wanted = search.value.trim().toLowerCase();
      const found = organizations.filter(({ organizationId, name }) =>
        `${organizationId} ${name}`.toLowerCase().includes(wanted),
      );
      return pageOf(found, cursor, limit);
    },
    show: (found) => replace(rows, ...found.map(row)),
  });
  bindFilter(search, 'search', list.reload);
  await list.load();
  const add = button('Add an organization', () => addOrganization(session, list.load), { class: 'primary' });
  const about = 'Each has its own sites, keys, webhooks and exports, and sees nothing of the others.';
  body.replaceChildren(
    section(
      'organizations',
      'Organizations',
      add,
      muted(about),
      element('div.fields.filters', field('Find an organization', search)),
      table('Table of the organizations', head, rows),
      list.element,
    ),
  );

  function row(organization: OrganizationAnswer): HTMLElement {
    const { organizationId, name, plan, createdAt } = organization;
    const isOwn = organizationId === account.organization.organizationId;
    const actions = [
      button('Change…', () => change(session, organization, list.load)),
      button('Create a key…', () => createFirstKey(session, organization)),
      !isOwn && button('Remove…', () => remove(session, organization, list.load), { class: 'danger-text' }),
    ].filter((action) => action !== false);
    return tableRow(head, name, element('code', organizationId), plan, time(createdAt), menu(`Actions for ${name}`, actions));
  }
}

const text = (value = '') => textInput({ required: true, maxlength: 100, value });
const pathOf = ({ organizationId }: OrganizationAnswer) => `/v1/organizations/${encodeURIComponent(organizationId)}`;

function addOrganization({ client }: Session, onDone: () => Promise<void>): void {
  const [id, name, plan] = [text(), text(), select(plans, 'enterprise')];
  const fields = [
    field('Name', name, undefined, 'name'),
    field('ID', id, 'Lower-case letters, digits and dashes; it cannot be changed.', 'organizationId'),
    field('Plan', plan, undefined, 'plan'),
  ];
  formDialog('Add an organization', fields, {
    go: 'Add',
    work: () =>
      client.call<OrganizationAnswer>('POST', '/v1/organizations', {
        body: { organizationId: id.value.trim(), name: name.value.trim(), plan: plan.value },
      }),
    onDone(made) {
      toast(`Added ${made.name}. Its members need a key.`);
      return onDone();
    },
  });
}

function change({ client }: Session, organization: OrganizationAnswer, onDone: () => Promise<void>): void {
  const [name, plan] = [text(organization.name), select(plans, organization.plan)];
  formDialog(`Change “${organization.name}”`, [field('Name', name, undefined, 'name'), field('Plan', plan, undefined, 'plan')], {
    go: 'Save',
    work: () =>
      client.call<OrganizationAnswer>('PATCH', pathOf(organization), { body: { name: name.value.trim(), plan: plan.value } }),
    onDone() {
      toast('Saved.');
      return onDone();
    },
  });
}

/** A key with which the organization can make others itself. */
function createFirstKey({ client }: Session, { organizationId, name: of }: OrganizationAnswer): void {
  const name = text(`Admin of ${of}`.slice(0, 100));
  formDialog(`Create a key for “${of}”`, [field('Name', name, 'An admin key with read and write, for 90 days.', 'name')], {
    go: 'Create',
    work() {
      const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString();
      const body = { kind: 'admin', name: name.value.trim(), organization: organizationId, expiresAt };
      return client.call<KeyAnswer & { secret: string }>('POST', '/v1/keys', { body });
    },
    onDone({ secret }) {
      showSecret(`The key “${name.value}”`, secret, "Copy the key now. The server stores only a hash and can't show it again.");
      return Promise.resolve();
    },
  });
}

/** Asks for the ID, since everything that belongs to it is gone. */
function remove({ client }: Session, organization: OrganizationAnswer, onDone: () => Promise<void>): void {
  const { organizationId, name } = organization;
  const typed = text();
  typed.pattern = organizationId;
  const about = `Its sites are no longer served. Its exports, keys, webhooks and conversations are deleted, and its running exports are canceled. This can't be undone.`;
  const fields = [element('p', about), field('Type the ID of the organization to confirm', typed, organizationId)];
  formDialog(`Remove “${name}”?`, fields, {
    go: 'Remove the organization',
    look: 'danger',
    work: () => client.call('DELETE', pathOf(organization)),
    onDone() {
      toast(`Removed ${name}.`);
      return onDone();
    },
  });
}
