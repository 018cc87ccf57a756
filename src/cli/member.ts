import { z } from 'zod';
import type { InvitedMemberAnswer, MemberAnswer, MembersAnswer } from '../../server/members/member-routes.ts';
import type { SessionLinkAnswer } from '../../server/members/session-routes.ts';
import { openApiClient } from './api-client.ts';
import { answerOptions, organizationOption, organizationQuery, print, printList, jsonExamples } from './subcommands.ts';
import { defineCommand, flag, list, option, text } from './usage.ts';

const role = z.enum(['viewer', 'editor', 'owner', 'operator'], { error: 'must be viewer, editor, owner or operator' });
const roleHelp =
  'viewer reads; editor also exports and changes sites and keys; owner also manages members; operator also the server';

const groupsOption = option(list.optional(), 'GROUPS', 'On private sites for members, they also see the pages for these groups');

const editorOption = option(list.optional(), 'SITES', 'Sites that they export and change as an editor does, whatever their role');

/** `carrel member …`: how they are used. */
export const subcommands = {
  invite: defineCommand({
    usage: 'member invite EMAIL',
    summary:
      'Add a person to the organization (requires the scope owner) and mail, or print, a link that signs them in within 7 days.',
    examples: [
      ['member invite ada@example.com --role editor', 'Someone who may export'],
      ['member invite ada@example.com --name "Ada L." --json', 'For a program'],
    ],
    options: {
      role: option(role.default('viewer'), 'ROLE', `${roleHelp} (default: viewer)`),
      name: option(text.optional(), 'NAME', 'Their name (default: what precedes the @)'),
      groups: groupsOption,
      'editor-of': editorOption,
      ...answerOptions,
    },
    async run({ words: [email], options: { json, 'editor-of': editorOf, ...wanted } }) {
      const body = { email, editorOf, ...wanted };
      const invited = await openApiClient(process.env).json<InvitedMemberAnswer>('POST', '/v1/members', { body });
      if (invited.link) printLink(invited.link, json && invited, `Send the link to ${invited.member.email}`);
      else if (invited.mailed) print(invited, json, `Mailed the invitation to ${invited.member.email}.`);
      else print(invited, json, `Added ${invited.member.email}, who signs in with the company's account.`);
    },
  }),
  list: defineCommand({
    usage: 'member list',
    summary: 'List the members of the organization with their roles.',
    examples: jsonExamples('member list', 'All members'),
    options: answerOptions,
    async run({ options: { organization, json } }) {
      const members = await allMembers(organization);
      printList(members, json, head, row);
    },
  }),
  set: defineCommand({
    usage: 'member set EMAIL',
    summary:
      'Change the role, the sites, the groups or the name of a member (requires the scope owner). It takes effect with their next request.',
    examples: [
      ['member set ada@example.com --role owner', 'Make someone an owner'],
      ['member set bo@example.com --editor-of docs.example.com', 'Let a viewer change one site'],
    ],
    options: {
      role: option(role.optional(), 'ROLE', roleHelp),
      name: option(text.optional(), 'NAME', 'Their name'),
      groups: groupsOption,
      'editor-of': editorOption,
      ...answerOptions,
    },
    async run({ words: [email], options: { organization, json, 'editor-of': editorOf, ...wanted } }) {
      const path = await pathOf(email!, organization);
      const body = { editorOf, ...wanted };
      const member = await openApiClient(process.env).json<MemberAnswer>('PATCH', path, { body });
      print(member, json, `${member.email} (${member.name}) has the role ${member.role}.`);
    },
  }),
  link: defineCommand({
    usage: 'member link EMAIL',
    summary: 'Print a new link that signs a member in within 7 days (requires the scope owner).',
    examples: [['member link ada@example.com', 'For a lost passkey, or an invitation that has expired']],
    options: answerOptions,
    async run({ words: [email], options: { organization, json } }) {
      const path = await pathOf(email!, organization, '/session-links');
      const link = await openApiClient(process.env).json<SessionLinkAnswer>('POST', path);
      printLink(link, json && link, `Send the link to ${email}`);
    },
  }),
  remove: defineCommand({
    usage: 'member remove EMAIL',
    summary: 'Remove a member (requires the scope owner). Their sessions and passkeys end immediately.',
    examples: [['member remove ada@example.com', 'Someone leaves']],
    options: { organization: organizationOption },
    async run({ words: [email], options: { organization } }) {
      await openApiClient(process.env).request('DELETE', await pathOf(email!, organization));
      console.log(`Removed ${email}. Keys that they created stay; \`carrel key list\` shows them.`);
    },
  }),
  'require-oidc': defineCommand({
    usage: 'member require-oidc',
    summary: "Let members sign in with the company's account alone; owners also with passkeys (requires the scope owner).",
    examples: [
      ['member require-oidc', 'After a first sign-in through the provider'],
      ['member require-oidc --off', 'Allow passkeys and links again'],
    ],
    options: {
      off: flag('Allow passkeys and links again'),
      ...answerOptions,
    },
    async run({ options: { off, organization, json } }) {
      const [path, body] = [`/v1/oidc/settings${organizationQuery(organization)}`, { required: !off }];
      const { required } = await openApiClient(process.env).json<{ required: boolean }>('PATCH', path, { body });
      print({ required }, json, `Members sign in with the company's account${required ? ' alone' : ', a passkey or a link'}.`);
    },
  }),
};

const head = ['EMAIL', 'ROLE', 'EDITOR OF', 'GROUPS', 'STATUS', 'LAST USED', 'NAME'];

function row({ email, role: own, editorOf, groups, status, lastUsedAt, name }: MemberAnswer): string[] {
  return [
    email,
    own,
    editorOf.join(',') || '-',
    groups.join(',') || '-',
    status,
    lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never',
    name,
  ];
}

/** All members, or those whose email address or name contains a text. */
async function allMembers(organization: string | undefined, text = ''): Promise<MemberAnswer[]> {
  const found: MemberAnswer[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ text, ...(cursor && { cursor }), ...(organization && { organization }) });
    const page = await openApiClient(process.env).json<MembersAnswer>('GET', `/v1/members?${query}`);
    found.push(...page.members);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return found;
}

/** The path of a member in the API, or of a part of it. */
async function pathOf(email: string, organization: string | undefined, part = ''): Promise<string> {
  const members = await allMembers(organization, email);
  const found = members.find((one) => one.email === email.toLowerCase());
  // The server says that there is none.
  return `/v1/members/${encodeURIComponent(found?.memberId ?? email)}${part}${organizationQuery(organization)}`;
}

/** The link alone on standard output, as a key that is created. */
function printLink({ url, expiresAt }: SessionLinkAnswer, response: object | false, what: string): void {
  console.log(response ? JSON.stringify(response, null, 2) : url);
  if (!response) console.error(`${what}. It works once, until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`);
}
