// Who reads a hosted site, in requests, as stored, and in responses.
import { isDeepStrictEqual } from 'node:util';
import { z } from '@hono/zod-openapi';
import { groupsSchema } from '../http/field-schemas.ts';
import { fieldsInvalid, type FieldFault } from '../platform/errors.ts';
import { hashOfPassword, isSamePassword, passwordSchema } from './site-password.ts';

/** Who may read a hosted site: everyone, or those who know a password. */
const visibilities = ['public', 'password'] as const;
type Visibility = (typeof visibilities)[number];

/** Readers with a password of their own, who see the pages for these groups as well. */
export interface Audience {
  /** Sorted. */
  groups: string[];
  /** Hash. */
  password: string;
}

/** As stored: none of it for a public site. */
export interface SiteReaders {
  /** Hash of the password of those who see what everybody may see. */
  password?: string;
  audiences?: Audience[];
}

const mostAudiences = 16;

/** In the body of a request. When absent, all of it stays. */
export const readersFields = {
  visibility: z.enum(visibilities, { error: `must be one of ${visibilities.join(', ')}` }).optional(),
  password: passwordSchema.optional(),
  audiences: z
    .array(z.strictObject({ groups: groupsSchema, password: passwordSchema.optional() }))
    .max(mostAudiences, { error: `must be at most ${mostAudiences}` })
    .optional(),
};

export const answeredReadersFields = {
  visibility: z.enum(visibilities).openapi({
    description: 'Who may read the hosted site: everyone (`public`), or those who know a password, which no response shows.',
  }),
  audiences: z
    .array(z.object({ groups: z.array(z.string()) }))
    .optional()
    .openapi({ description: 'Readers with passwords of their own, and the groups whose pages they see as well.' }),
};

type GivenReaders = z.infer<z.ZodObject<typeof readersFields>>;

export function visibilityOf({ password }: SiteReaders): Visibility {
  return password === undefined ? 'public' : 'password';
}

/** All passwords of a site, with the groups of their readers. */
export function audiencesOf({ password, audiences = [] }: SiteReaders): Audience[] {
  return password === undefined ? [] : [{ groups: [], password }, ...audiences];
}

export function answeredReaders(readers: SiteReaders): z.infer<z.ZodObject<typeof answeredReadersFields>> {
  const { audiences } = readers;
  return { visibility: visibilityOf(readers), ...(audiences && { audiences: audiences.map(({ groups }) => ({ groups })) }) };
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
  const { visibility = visibilityOf(before), password, audiences } = given;
  if (visibility === 'public') {
    const given = Object.entries({ password, audiences }).filter(([, value]) => value !== undefined);
    if (given.length === 0) return {};
    throw fieldsInvalid(given.map(([path]) => ({ path, message: 'is for the visibility "password": send that, too' })));
  }
  if (password === undefined && before.password === undefined)
    throw fieldsInvalid([{ path: 'password', message: 'is missing: the visibility "password" needs one' }]);
  // With one salt, a sign-in costs one hash, however many audiences there are.
  const own = password === undefined ? before.password! : await hash(password, before.password);
  const faults: FieldFault[] = [];
  const stored: Audience[] = [];
  const wanted = audiences?.map(({ groups, ...rest }) => ({ groups: groups.toSorted(), ...rest }));
  for (const [at, audience] of (wanted ?? before.audiences ?? []).entries()) {
    const { groups } = audience;
    const known = before.audiences?.find((one) => areSameGroups(one.groups, groups));
    const isOld = wanted === undefined || audience.password === undefined;
    const hashed = isOld ? known?.password : await hash(audience.password!, own);
    if (hashed === undefined) faults.push({ path: `audiences.${at}.password`, message: 'is missing: this audience is new' });
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
