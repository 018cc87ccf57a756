// Who reads a hosted site, in requests, as stored, and in responses.
import { isDeepStrictEqual } from 'node:util';
import { z } from '@hono/zod-openapi';
import { groupsSchema } from '../http/field-schemas.ts';
import { fieldsInvalid, type FieldFault } from '../platform/errors.ts';
import { hashOfPassword, isSamePassword, passwordSchema } from './site-password.ts';

/** Who may read a hosted site: everyone, those who know a password, the members of its organization, or those of some groups. */
const visibilities = ['public', 'password', 'members', 'groups'] as const;
type Visibility = (typeof visibilities)[number];

/** Readers who see the pages for these groups as well. */
export interface Audience {
  /** Sorted. */
  groups: string[];
  /** Hash of their password; absent where members read the site. */
  password?: string;
}

/** As stored: none of it for a public site. */
export interface SiteReaders {
  /** Hash of the password of those who see what everybody may see. */
  password?: string;
  /** All members of the organization, or those with one of these groups. */
  members?: 'all' | string[];
  audiences?: Audience[];
}

const mostAudiences = 16;

/** In the body of a request. When absent, all of it stays. */
export const readersFields = {
  visibility: z.enum(visibilities, { error: `must be one of ${visibilities.join(', ')}` }).optional(),
  password: passwordSchema.optional(),
  groups: groupsSchema.optional(),
  audiences: z
    .array(z.strictObject({ groups: groupsSchema, password: passwordSchema.optional() }))
    .max(mostAudiences, { error: `must be at most ${mostAudiences}` })
    .optional(),
};

export const answeredReadersFields = {
  visibility: z.enum(visibilities).openapi({
    description:
      'Who may read the hosted site: everyone (`public`), those who know a password, which no response shows (`password`), the members of the organization (`members`), or those of some groups (`groups`).',
  }),
  groups: z
    .array(z.string())
    .optional()
    .openapi({ description: 'For the visibility `groups`: members with one of these may read the site.' }),
  audiences: z
    .array(z.object({ groups: z.array(z.string()) }))
    .optional()
    .openapi({
      description: 'Groups whose readers see the pages for them as well: with a password of their own, or as members.',
    }),
};

type GivenReaders = z.infer<z.ZodObject<typeof readersFields>>;

/** A body without what it says about readers, and that. */
export function withoutReaders<Body extends GivenReaders>({ visibility, password, groups, audiences, ...rest }: Body) {
  return { readers: { visibility, password, groups, audiences }, rest };
}

export function visibilityOf({ password, members }: SiteReaders): Visibility {
  if (password !== undefined) return 'password';
  if (members === undefined) return 'public';
  return members === 'all' ? 'members' : 'groups';
}

/** All passwords of a site, with the groups of their readers. */
export function passwordsOf({ password, audiences = [] }: SiteReaders): Required<Audience>[] {
  if (password === undefined) return [];
  return [{ groups: [], password }, ...audiences].filter((one): one is Required<Audience> => one.password !== undefined);
}

/** Whether a member with these groups may read a site for members. */
export function mayRead({ members }: SiteReaders, own: string[]): boolean {
  return members === 'all' || (members?.some((group) => own.includes(group)) ?? false);
}

/** The groups of the largest audience whose groups a member has: what they see. */
export function groupsSeen({ audiences = [] }: SiteReaders, own: string[]): string[] {
  const open = audiences.map(({ groups }) => groups).filter((groups) => groups.every((group) => own.includes(group)));
  return open.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

export function answeredReaders(readers: SiteReaders): z.infer<z.ZodObject<typeof answeredReadersFields>> {
  const { members, audiences } = readers;
  return {
    visibility: visibilityOf(readers),
    ...(Array.isArray(members) && { groups: members }),
    ...(audiences && { audiences: audiences.map(({ groups }) => ({ groups })) }),
  };
}

/** Hashes each password once, however often a request is repeated. */
export function createHashing(): typeof hashOfPassword {
  const made = new Map<string, Promise<string>>();
  let first: Promise<string> | undefined;
  return (password, saltOf) => {
    // The password of the site: the first one gives the salt of the others.
    if (saltOf === undefined) return (first ??= hashOfPassword(password));
    const key = `${saltOf} ${password}`;
    const hash = made.get(key) ?? hashOfPassword(password, saltOf);
    made.set(key, hash);
    return hash;
  };
}

/** What to store after a request. A known audience needs no password, which then stays. Throws `ApiError` 400. */
export async function storedReaders(
  given: GivenReaders,
  before: SiteReaders = {},
  hash: typeof hashOfPassword,
): Promise<SiteReaders> {
  const { visibility = visibilityOf(before), ...wanted } = given;
  const strange = Object.entries(wanted).flatMap(([path, value]) => {
    const fitting = visibilitiesOf[path as keyof typeof wanted];
    if (value === undefined || fitting.includes(visibility)) return [];
    return [{ path, message: `is for the visibility ${fitting.map((one) => `"${one}"`).join(' or ')}: send that, too` }];
  });
  if (strange.length > 0) throw fieldsInvalid(strange);
  if (visibility === 'public') return {};
  return visibility === 'password' ? readersByPassword(wanted, before, hash) : readersByMembership(visibility, wanted, before);
}

/** With which visibilities a field has a meaning. */
const visibilitiesOf: Record<Exclude<keyof GivenReaders, 'visibility'>, Visibility[]> = {
  password: ['password'],
  groups: ['groups'],
  audiences: ['password', 'members', 'groups'],
};

function readersByMembership(
  visibility: 'members' | 'groups',
  { groups, audiences }: GivenReaders,
  before: SiteReaders,
): SiteReaders {
  const members = visibility === 'members' ? 'all' : (groups ?? before.members);
  const faults: FieldFault[] = [];
  if (members === undefined || (visibility === 'groups' && members === 'all'))
    faults.push({ path: 'groups', message: 'is missing: the visibility "groups" needs them' });
  const wanted = (audiences ?? before.audiences ?? []).map((audience) => audience.groups.toSorted());
  for (const [at, { password }] of (audiences ?? []).entries())
    if (password !== undefined) faults.push({ path: `audiences.${at}.password`, message: 'is for the visibility "password"' });
  for (const [at, names] of wanted.entries())
    if (wanted.slice(0, at).some((other) => areSameGroups(other, names)))
      faults.push({ path: `audiences.${at}.groups`, message: 'are those of another audience' });
  if (faults.length > 0) throw fieldsInvalid(faults);
  return { members, ...(wanted.length > 0 && { audiences: wanted.map((names) => ({ groups: names })) }) };
}

async function readersByPassword(
  { password, audiences }: GivenReaders,
  before: SiteReaders,
  hash: typeof hashOfPassword,
): Promise<SiteReaders> {
  if (password === undefined && before.password === undefined)
    throw fieldsInvalid([{ path: 'password', message: 'is missing: the visibility "password" needs one' }]);
  // With one salt, a sign-in costs one hash, however many audiences there are.
  const own = password === undefined ? before.password! : await hash(password, before.password);
  const faults: FieldFault[] = [];
  const stored: Required<Audience>[] = [];
  const wanted = audiences?.map(({ groups, ...rest }) => ({ groups: groups.toSorted(), ...rest }));
  for (const [at, audience] of (wanted ?? before.audiences ?? []).entries()) {
    const { groups } = audience;
    const known = before.audiences?.find((one) => areSameGroups(one.groups, groups));
    const isOld = wanted === undefined || audience.password === undefined;
    const hashed = isOld ? known?.password : await hash(audience.password!, own);
    if (hashed === undefined)
      faults.push({ path: `audiences.${at}.password`, message: 'is missing: this audience has none yet' });
    else stored.push({ groups, password: hashed });
  }
  for (const [at, { groups, password: hashed }] of stored.entries()) {
    const others = stored.slice(0, at);
    if (others.some((one) => areSameGroups(one.groups, groups)))
      faults.push({ path: `audiences.${at}.groups`, message: 'are those of another audience' });
    // Who signs in with it would see the pages of either.
    const isShared = isSamePassword(own, hashed) || others.some((one) => isSamePassword(one.password, hashed));
    const path = wanted?.[at]?.password === undefined ? 'password' : `audiences.${at}.password`;
    if (isShared) faults.push({ path, message: 'is that of other readers of this site: choose another one' });
  }
  if (faults.length > 0) throw fieldsInvalid(faults);
  return { password: own, ...(stored.length > 0 && { audiences: stored }) };
}

/** In any order. */
export function areSameGroups(some: string[], others: string[]): boolean {
  return isDeepStrictEqual(some.toSorted(), others.toSorted());
}
