// Members: people of the organization, their roles, invitations and links.
import type { InvitedMemberAnswer, MemberAnswer, MembersAnswer } from '../../members/member-routes.ts';
import type { SessionLinkAnswer } from '../../members/session-routes.ts';
import { button, element, muted, replace, textInput } from './element.ts';
import { field, formDialog, itemsOf } from './form.ts';
import { time } from './format.ts';
import { bindFilter, pagedList } from './list.ts';
import { oidcSection, showOidcTest } from './oidc.ts';
import { badge, chip, confirm, emptyState, menu, section, showOnce, table, tableRow } from './parts.ts';
import { isOperator, mayManageMembers, type Session } from './session.ts';
import { select } from './source-fields.ts';
import { toast } from './toast.ts';

type Role = MemberAnswer['role'];

const roles: Record<Role, string> = {
  viewer: 'Viewer: sees everything',
  editor: 'Editor: also exports, and changes sites and keys',
  owner: 'Owner: also manages members',
  operator: 'Operator: also the machine and all organizations',
};

export async function membersTab(session: Session, body: Element, signal: AbortSignal): Promise<void> {
  const isOwner = mayManageMembers(session);
  const { client } = session;
  const head = ['Name', 'Role', 'Editor of', 'Groups', 'Status', 'Last used', ''];
  const rows = element('tbody');
  const search = textInput({ type: 'search' });
  const nobody = emptyState('No members yet', 'Until you invite people, everyone signs in with a key.');
  const listed = element(
    'div.group',
    element('div.fields.filters', field('Find a member', search)),
    table('Table of the members', head, rows),
  );
  const list = pagedList<MemberAnswer>({
    ...{ name: 'members', more: 'Show more members', pageLength: 50 },
    async read(cursor, limit) {
      const query = new URLSearchParams({ limit: String(limit), text: search.value.trim(), ...(cursor && { cursor }) });
      const { members, cursor: next } = await client.call<MembersAnswer>('GET', `/v1/members?${query}`, { signal });
      return { items: members, cursor: next };
    },
    show(members) {
      replace(rows, ...members.map(row));
      nobody.hidden = members.length > 0 || search.value !== '';
      listed.hidden = !nobody.hidden;
    },
  });
  bindFilter(search, 'search', list.reload);
  await list.load();
  const add = button('Invite a member', () => invite(session, list.load), { class: 'primary' });
  const about = muted('People who sign in as themselves: with a link once, then with a passkey.');
  body.replaceChildren(
    section('members', 'Members', isOwner ? add : undefined, about, nobody, listed, list.element),
    ...(isOwner && session.account.oidc ? [oidcSection(session)] : []),
  );
  if (isOwner) await showOidcTest(session);

  function row(member: MemberAnswer): HTMLElement {
    const { memberId, name, email, role, editorOf, groups, status, lastUsedAt } = member;
    const isSelf = memberId === session.account.member?.memberId;
    const actions = [
      button('Change…', () => change(session, member, list.load)),
      ...(isSelf || session.account.oidc?.required ? [] : [button('Create a sign-in link…', () => createLink(session, member))]),
      button('Remove…', () => remove(session, member, list.load), { class: 'danger-text' }),
    ];
    return tableRow(
      head,
      [element('span.chips', name, isSelf && badge('You')), muted(email)],
      role,
      editorOf.join(', ') || (role === 'viewer' ? 'none' : 'all'),
      groups.join(', ') || 'none',
      chip(status),
      lastUsedAt ? time(lastUsedAt) : 'never',
      isOwner && (role !== 'operator' || isOperator(session)) && menu(`Actions for ${email}`, actions),
    );
  }
}

function roleSelect(session: Session, role: Role): HTMLSelectElement {
  const { operator, ...others } = roles;
  return select(isOperator(session) ? { ...others, operator } : others, role);
}

const groupsHint = 'Separated by commas. On private sites, they also see the pages for these groups.';
const groupsInput = (value: string[] = []) => textInput({ value: value.join(', '), placeholder: 'partner, beta' });
const sitesHint = 'Separated by commas. They export and change these sites as an editor does, whatever their role.';
const sitesInput = (value: string[] = []) => textInput({ value: value.join(', '), placeholder: 'docs.example.com' });
const nameInput = (value = '') => textInput({ maxlength: 100, value });
const pathOf = ({ memberId }: MemberAnswer) => `/v1/members/${memberId}`;

function invite(session: Session, onDone: () => Promise<void>): void {
  const email = textInput({ type: 'email', required: true, maxlength: 254, autofocus: true });
  const [name, role, sites, groups] = [nameInput(), roleSelect(session, 'editor'), sitesInput(), groupsInput()];
  const fields = [
    field('Email address', email, undefined, 'email'),
    field('Name', name, 'Empty: what precedes the @.', 'name'),
    field('Role', role, undefined, 'role'),
    field('Editor of sites', sites, sitesHint, 'editorOf'),
    field('Groups', groups, groupsHint, 'groups'),
  ];
  formDialog('Invite a member', fields, {
    go: 'Invite',
    work() {
      const given = name.value.trim();
      const body = {
        email: email.value.trim(),
        role: role.value,
        editorOf: itemsOf(sites.value, ','),
        groups: itemsOf(groups.value, ','),
        ...(given !== '' && { name: given }),
      };
      return session.client.call<InvitedMemberAnswer>('POST', '/v1/members', { body });
    },
    onDone({ member, mailed, link }) {
      if (link) showLink(`Invitation for ${member.email}`, link);
      else
        toast(
          mailed
            ? `Mailed the invitation to ${member.email}.`
            : `Added ${member.email}, who signs in with the company's account.`,
        );
      return onDone();
    },
  });
}

function showLink(title: string, { url, expiresAt }: SessionLinkAnswer): void {
  const text = element(
    'span',
    'Send this link to them alone: the first person who opens it is signed in as this member. It works once, until ',
    time(expiresAt),
    '.',
  );
  showOnce(title, url, { label: 'Link', text });
}

function change(session: Session, member: MemberAnswer, onDone: () => Promise<void>): void {
  const [name, role] = [nameInput(member.name), roleSelect(session, member.role)];
  const [sites, groups] = [sitesInput(member.editorOf), groupsInput(member.groups)];
  name.required = true;
  const fields = [
    field('Name', name, undefined, 'name'),
    field('Role', role, undefined, 'role'),
    field('Editor of sites', sites, sitesHint, 'editorOf'),
    field('Groups', groups, groupsHint, 'groups'),
  ];
  formDialog(`Change ${member.email}`, fields, {
    go: 'Save',
    work: () => {
      const body = {
        name: name.value.trim(),
        editorOf: itemsOf(sites.value, ','),
        groups: itemsOf(groups.value, ','),
        ...(role.value !== member.role && { role: role.value }),
      };
      return session.client.call('PATCH', pathOf(member), { body });
    },
    onDone() {
      const isRaised = role.value === 'operator' && member.role !== 'operator';
      toast(isRaised ? `Saved. ${member.email} is signed out: create a sign-in link for them.` : 'Saved.');
      return onDone();
    },
  });
}

function createLink({ client }: Session, member: MemberAnswer): void {
  const text =
    'For an invitation that has expired, or a lost passkey. Links from before stop working, and so does this one if you lose your role.';
  const work = async (): Promise<void> => {
    const link = await client.call<SessionLinkAnswer>('POST', `${pathOf(member)}/session-links`);
    showLink(`Sign-in link for ${member.email}`, link);
  };
  confirm(`Create a link for ${member.email}?`, text, 'Create the link', work, { look: 'primary' });
}

function remove(session: Session, member: MemberAnswer, onDone: () => Promise<void>): void {
  const { email, memberId } = member;
  const own = memberId === session.account.member?.memberId ? ' This is you: you are signed out.' : '';
  const text = `Their sessions and passkeys end immediately. Keys that they created stay: look at them in Keys.${own}`;
  confirm(`Remove ${email}?`, text, 'Remove the member', async () => {
    await session.client.call('DELETE', pathOf(member));
    toast(`Removed ${email}.`);
    await onDone();
  });
}
