// Members of an organization: invite, list, change, remove. Nobody gives a role, or signs someone in, with more rights than their own.
import { z } from '@hono/zod-openapi';
import type { Queryable } from '../database/database.ts';
import { jsonAnswer, jsonBody, namedObject, namedStrictObject } from '../http/error-answers.ts';
import { domainSchema, emailSchema, nameSchema, organizationIdSchema, someGroupsSchema } from '../http/field-schemas.ts';
import type { Key } from '../http/key.ts';
import type { SendMail } from '../platform/mail.ts';
import { invitationMail } from './member-mail.ts';
import type { SessionLink } from '../organizations/session-links.ts';
import { adminRoutesOf, organizationRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { namedOrganization, organizationQuery } from '../organizations/authenticate.ts';
import { countRequest, type Limits } from '../organizations/limits.ts';
import type { Member, Members } from './members.ts';
import { roleNames, roleOf } from './roles.ts';
import { linkAnswer, linkSchema, oidcRequiredError } from './session-routes.ts';

interface MemberRouteParts extends AdminRouteParts {
  members: Members;
  sendMail: SendMail | undefined;
  limits: Pick<Limits, 'count'>;
}

/** Of an organization. */
const invitationsPerHour = 1000;

const roleSchema = z.enum(roleNames, { error: `must be one of ${roleNames.join(', ')}` }).openapi({
  description:
    '`viewer` reads all of the organization, and changes sites that they are an editor of; `editor` also exports and changes sites, keys and webhooks; `owner` also manages members; `operator` also all that concerns the machine of the server.',
});

export const memberSchema = namedObject('Member', {
  memberId: z.string().openapi({ example: 'mem_0123456789abcdef' }),
  email: z.string().openapi({ example: 'ada@example.com' }),
  name: z.string().openapi({ example: 'Ada' }),
  role: roleSchema,
  groups: z.array(z.string()).openapi({ example: ['partner'] }),
  editorOf: z.array(z.string()).openapi({ example: ['docs.example.com'] }),
  status: z.enum(['invited', 'active']).openapi({ description: '`invited` until the first sign-in.' }),
  invitedBy: z.string().nullable().openapi({ description: 'Name of the member or the key that sent the invitation.' }),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().openapi({ description: 'Accurate to the minute.' }),
});

export type MemberAnswer = z.infer<typeof memberSchema>;

const membersSchema = namedObject('Members', {
  members: z.array(memberSchema),
  cursor: z.string().optional().openapi({ description: 'For the next page; absent on the last one.' }),
});

export type MembersAnswer = z.infer<typeof membersSchema>;

const invitedSchema = namedObject('InvitedMember', {
  member: memberSchema,
  mailed: z.boolean().openapi({ description: 'Whether the invitation was sent by mail.' }),
  link: z.union([linkSchema, z.null()]).openapi({
    description: 'To send to them; null if it was mailed, or if members sign in through the OpenID Connect provider alone.',
  }),
});

export type InvitedMemberAnswer = z.infer<typeof invitedSchema>;

const memberGroupsSchema = someGroupsSchema.openapi({
  description: 'On private sites for members, they see the pages for these groups as well.',
  example: ['partner'],
});

const editorOfSchema = z
  .array(domainSchema)
  .max(1000, { error: 'must name at most 1000 sites' })
  .transform((domains) => [...new Set(domains)])
  .openapi({
    description: 'Sites that they export and change as an editor does, without removing them, whatever their role.',
    example: ['docs.example.com'],
  });

const newMemberSchema = namedStrictObject('NewMember', {
  email: emailSchema,
  name: nameSchema.optional().openapi({ description: 'By default what precedes the @ of the email address.', example: 'Ada' }),
  role: roleSchema.default('viewer'),
  groups: memberGroupsSchema.default([]),
  editorOf: editorOfSchema.default([]),
  organization: organizationIdSchema.optional().openapi({ description: 'Another one requires the scope `operator`.' }),
});

const changeSchema = z
  .strictObject({
    name: nameSchema.optional(),
    role: roleSchema.optional(),
    groups: memberGroupsSchema.optional(),
    editorOf: editorOfSchema.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'must contain name, role, groups or editorOf',
  })
  .openapi('MemberChange');

const route = organizationRoutesOf<MemberRouteParts>('Members');
// Its body names the organization.
const bodyRoute = adminRoutesOf<MemberRouteParts>('Members');

const params = z.object({ memberId: z.string().openapi({ example: 'mem_0123456789abcdef' }) });

const inviteMember = bodyRoute('post /v1/members', {
  summary: 'Invite a member',
  description:
    'Adds a person to the organization. A link signs them in, once, within 7 days. It is mailed to them if the server has a mail server that takes the mail; otherwise only this response contains it, so send it to them. They then add a passkey to sign in again.',
  scope: 'owner',
  audit: 'member.invite',
  body: jsonBody(newMemberSchema),
  answers: { 201: jsonAnswer('The member, and the link of their invitation.', invitedSchema) },
  errors: [404, 409, 429],
  async handle({
    parts,
    context,
    key,
    body: { email, name = email.split('@')[0]!.slice(0, 100), role, groups, editorOf, organization: named },
  }) {
    const { members, limits } = parts;
    const organization = await namedOrganization(parts, key, named);
    await countRequest(context, limits, [
      { name: 'organization', subject: `invitations ${organization}`, most: invitationsPerHour, seconds: 3600 },
    ]);
    const wanted = { organization, email, name, role, groups, editorOf };
    const isLinkless = await members.requiresOidc(organization);
    const { member, link } = await members.invite(key, wanted, isLinkless ? async () => undefined : linkMaker(parts, key));
    context.set('organization', organization);
    context.set('target', email);
    context.header('cache-control', 'no-store');
    const mailed = await isMailed(parts, key, member, link);
    return { member: memberAnswer(member), mailed, link: link && !mailed ? linkAnswer(link) : null };
  },
});

const mostListed = 100;

const listMembers = route('get /v1/members', {
  summary: 'List members',
  description: 'The members of the organization, sorted by email address.',
  scope: 'read',
  query: organizationQuery.extend({
    text: z.string().max(254).optional().openapi({ description: 'Only those whose name or email address contains it.' }),
    limit: z.coerce.number().int().min(1).max(mostListed).default(mostListed),
    cursor: z.string().optional().openapi({ description: 'From the page before.' }),
  }),
  answers: { 200: jsonAnswer('A page of the members.', membersSchema) },
  async handle({ parts: { members }, organization, query: { text, limit, cursor } }) {
    const found = await members.list({ organization, text, limit, cursor });
    return { ...found, members: found.members.map(memberAnswer) };
  },
});

const updateMember = route('patch /v1/members/{memberId}', {
  summary: 'Change the role, the sites, the groups or the name of a member',
  description:
    'Takes effect with the next request of the member, on private sites within a second, in every process of the server. Who becomes an operator is signed out, loses their passkeys, and needs a new link.',
  scope: 'owner',
  audit: 'member.update',
  params,
  body: jsonBody(changeSchema),
  answers: { 200: jsonAnswer('The member.', memberSchema) },
  errors: [409],
  async handle({ parts: { members }, context, key, organization, params: { memberId: id }, body }) {
    const member = await members.update(key, { organization, id }, body);
    context.set('target', member.email);
    return memberAnswer(member);
  },
});

const removeMember = route('delete /v1/members/{memberId}', {
  summary: 'Remove a member',
  description:
    'Ends their sessions, links and passkeys immediately, in every process of the server, and the links that they made for others. Keys that they created stay. An owner cannot remove the last other one who has signed in.',
  scope: 'owner',
  audit: 'member.remove',
  params,
  answers: { 204: { description: 'The member is removed.' } },
  errors: [409],
  async handle({ parts: { members }, context, key, organization, params: { memberId: id } }) {
    const { email } = await members.remove(key, { organization, id });
    context.set('target', email);
  },
});

const createMemberLink = route('post /v1/members/{memberId}/session-links', {
  summary: 'Create a sign-in link for a member',
  description:
    'For an invitation that has expired, or a lost passkey. The link signs the member in, once, within 7 days, and only as long as who created it may do so; links from before stop working. Not for yourself. Takes no body.',
  scope: 'owner',
  audit: 'member.link',
  params,
  answers: { 201: jsonAnswer('The link.', linkSchema) },
  errors: [413, 415],
  async handle({ parts, context, key, organization, params: { memberId: id } }) {
    if (await parts.members.requiresOidc(organization)) throw oidcRequiredError();
    const { member, link } = await parts.members.link(key, { organization, id }, linkMaker(parts, key));
    context.set('target', member.email);
    context.header('cache-control', 'no-store');
    return linkAnswer(link);
  },
});

export const memberRoutes = { inviteMember, listMembers, updateMember, removeMember, createMemberLink };

/** A mail that fails is no failed invitation: its link is in the response then. */
async function isMailed(parts: MemberRouteParts, key: Key, member: Member, link: SessionLink | undefined): Promise<boolean> {
  if (!parts.sendMail) return false;
  const organization = (await parts.organizations.get(member.organization))?.name ?? member.organization;
  try {
    await parts.sendMail(invitationMail({ member, by: key.name, organization, link, publicUrl: parts.publicUrl }));
    return true;
  } catch (err) {
    parts.log.warn({ err, member: member.id }, 'an invitation could not be mailed');
    return false;
  }
}

function linkMaker({ sessionLinks, publicUrl }: MemberRouteParts, by: Key) {
  return (member: Member, within: Queryable) => sessionLinks.create(member, publicUrl, { by, within });
}

export function memberAnswer(member: Member) {
  const { id, email, name, groups, editorOf, createdBy, createdAt, lastUsedAt } = member;
  const status: MemberAnswer['status'] = lastUsedAt === null ? 'invited' : 'active';
  return {
    memberId: id,
    email,
    name,
    role: roleOf(member),
    ...{ groups, editorOf },
    status,
    invitedBy: createdBy,
    createdAt,
    lastUsedAt,
  };
}
