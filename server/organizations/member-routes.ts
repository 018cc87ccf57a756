// Members of an organization: invite, list, change, remove. Nobody gives a role, or signs someone in, with more rights than their own.
import { z } from '@hono/zod-openapi';
import type { Api } from '../http/api.ts';
import { jsonAnswer, jsonBody } from '../http/error-answers.ts';
import { nameSchema, organizationIdSchema } from '../http/field-schemas.ts';
import type { Key } from '../http/key.ts';
import { addRoutes } from '../http/route.ts';
import { adminRoutesOf, type AdminRouteParts } from './admin-route.ts';
import { checkScope, namedOrganization, organizationQuery } from './authenticate.ts';
import { isMember, roleNames, roleOf, roles, type Member, type Members } from './members.ts';
import { linkAnswer, linkSchema } from './session-routes.ts';

interface MemberRouteParts extends AdminRouteParts {
  members: Members;
}

const roleSchema = z.enum(roleNames, { error: `must be one of ${roleNames.join(', ')}` }).openapi({
  description:
    '`viewer` reads all of the organization; `editor` also exports and changes sites, keys and webhooks; `owner` also manages members; `operator` also all that concerns the machine of the server.',
});

const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, { error: 'must have at most 254 characters' })
  .pipe(z.email({ error: 'must be an email address, such as ada@example.com' }))
  .openapi({ example: 'ada@example.com' });

export const memberSchema = z
  .object({
    memberId: z.string().openapi({ example: 'mem_0123456789abcdef' }),
    email: z.string().openapi({ example: 'ada@example.com' }),
    name: z.string().openapi({ example: 'Ada' }),
    role: roleSchema,
    status: z.enum(['invited', 'active']).openapi({ description: '`invited` until the first sign-in.' }),
    invitedBy: z.string().nullable().openapi({ description: 'Name of the member or the key that sent the invitation.' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().openapi({ description: 'Accurate to the minute.' }),
  })
  .openapi('Member');

export type MemberAnswer = z.infer<typeof memberSchema>;

const membersSchema = z
  .object({
    members: z.array(memberSchema),
    cursor: z.string().optional().openapi({ description: 'For the next page; absent on the last one.' }),
  })
  .openapi('Members');

export type MembersAnswer = z.infer<typeof membersSchema>;

const invitedSchema = z.object({ member: memberSchema, link: linkSchema }).openapi('InvitedMember');

export type InvitedMemberAnswer = z.infer<typeof invitedSchema>;

const newMemberSchema = z
  .strictObject({
    email: emailSchema,
    name: nameSchema.optional().openapi({ description: 'By default what precedes the @ of the email address.', example: 'Ada' }),
    role: roleSchema.default('viewer'),
    organization: organizationIdSchema.optional().openapi({ description: 'Another one requires the scope `operator`.' }),
  })
  .openapi('NewMember');

const changeSchema = z
  .strictObject({ name: nameSchema.optional(), role: roleSchema.optional() })
  .refine((change) => change.name !== undefined || change.role !== undefined, { error: 'must contain name or role' })
  .openapi('MemberChange');

const route = adminRoutesOf<MemberRouteParts>('Members');

export function addMemberRoutes(api: Api, parts: MemberRouteParts): void {
  addRoutes(api, parts, [inviteMember, listMembers, updateMember, removeMember, createMemberLink]);
}

const params = z.object({ memberId: z.string().openapi({ example: 'mem_0123456789abcdef' }) });

const inviteMember = route('post /v1/members', {
  operationId: 'inviteMember',
  summary: 'Invite a member',
  description:
    'Adds a person to the organization. The link of the response signs them in, once, within 7 days; only this response contains it, so send it to them. They then add a passkey to sign in again.',
  scope: 'owner',
  audit: 'member.invite',
  body: jsonBody(newMemberSchema),
  answers: { 201: jsonAnswer('The member, and the link of their invitation.', invitedSchema) },
  errors: [404, 409],
  async handle({ parts, context, key, body: { email, name = email.split('@')[0]!.slice(0, 100), role, organization: named } }) {
    const { members, sessionLinks, publicUrl } = parts;
    const organization = await namedOrganization(parts, key, named);
    checkScope(key, roles[role]);
    const { member, link } = await members.invite(
      { organization, email, name, role, createdBy: key.id },
      (invited, transaction) => sessionLinks.create(invited, publicUrl, transaction),
    );
    context.set('organization', organization);
    context.set('target', email);
    context.header('cache-control', 'no-store');
    return { member: memberAnswer(member), link: linkAnswer(link) };
  },
});

const mostListed = 100;

const listMembers = route('get /v1/members', {
  operationId: 'listMembers',
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
  operationId: 'updateMember',
  summary: 'Change the role or the name of a member',
  description: 'Takes effect with the next request of the member, in every process of the server.',
  scope: 'owner',
  audit: 'member.update',
  params,
  query: organizationQuery,
  body: jsonBody(changeSchema),
  answers: { 200: jsonAnswer('The member.', memberSchema) },
  errors: [409],
  async handle({ parts: { members }, key, organization, params: { memberId }, body }) {
    await checkRights(members, key, organization, memberId);
    if (body.role) checkScope(key, roles[body.role]);
    return memberAnswer(await members.update(organization, memberId, { ...body, keepsOwner: isMember(key) }));
  },
});

const removeMember = route('delete /v1/members/{memberId}', {
  operationId: 'removeMember',
  summary: 'Remove a member',
  description:
    'Ends their sessions, links and passkeys immediately, in every process of the server. Keys that they created stay. The only owner cannot remove themselves.',
  scope: 'owner',
  audit: 'member.remove',
  params,
  query: organizationQuery,
  answers: { 204: { description: 'The member is removed.' } },
  errors: [409],
  async handle({ parts: { members }, context, key, organization, params: { memberId } }) {
    const { email } = await checkRights(members, key, organization, memberId);
    await members.remove(organization, memberId, { keepsOwner: isMember(key) });
    context.set('target', email);
  },
});

const createMemberLink = route('post /v1/members/{memberId}/session-links', {
  operationId: 'createMemberLink',
  summary: 'Create a sign-in link for a member',
  description:
    'For an invitation that has expired, or a lost passkey. The link signs the member in, once, within 7 days; links from before stop working. Takes no body.',
  scope: 'owner',
  audit: 'member.link',
  params,
  query: organizationQuery,
  answers: { 201: jsonAnswer('The link.', linkSchema) },
  errors: [413, 415],
  async handle({ parts: { members, sessionLinks, publicUrl }, context, key, organization, params: { memberId } }) {
    const member = await checkRights(members, key, organization, memberId);
    context.header('cache-control', 'no-store');
    return linkAnswer(await sessionLinks.create(member, publicUrl));
  },
});

/** Throws `ApiError` 403 `ScopeMissing` for a member with more rights than one's own. */
async function checkRights(members: Members, key: Key, organization: string, id: string): Promise<Member> {
  const member = await members.get(organization, id);
  checkScope(key, roles[roleOf(member)]);
  return member;
}

export function memberAnswer(member: Member) {
  const { id, email, name, createdBy, createdAt, lastUsedAt } = member;
  const status: MemberAnswer['status'] = lastUsedAt === null ? 'invited' : 'active';
  return { memberId: id, email, name, role: roleOf(member), status, invitedBy: createdBy, createdAt, lastUsedAt };
}
