// Keys in requests and responses.
import { z } from '@hono/zod-openapi';
import { namedObject } from '../http/error-answers.ts';
import { domainSchema, nameSchema, organizationIdSchema } from '../http/field-schemas.ts';
import { parseRange } from '../../integration/remote/address-range.ts';
import { scopes, type Key } from '../http/key.ts';

export const keySchema = namedObject('Key', {
  keyId: z.string().openapi({ example: 'key_0123456789abcdef' }),
  organization: z.string().openapi({ example: 'my-team' }),
  kind: z.enum(['admin', 'assistant']),
  name: z.string().openapi({ example: 'Nightly export' }),
  hint: z.string().openapi({ description: 'The last four characters of the key.', example: 'x7Qa' }),
  scopes: z
    .array(z.enum(scopes))
    .openapi({ description: 'For an admin key. Each includes those before it: `read`, `write`, `owner`, `operator`.' }),
  addresses: z
    .array(z.string())
    .openapi({ description: 'IP addresses and CIDR ranges that it can be used from; empty for all.' }),
  domains: z.array(z.string()).openapi({ description: 'Sites that an assistant key gives access to.' }),
  origins: z.array(z.string()).openapi({ description: 'Web origins that an assistant key can be used on; empty for all.' }),
  status: z.enum(['active', 'expired', 'revoked']),
  createdAt: z.iso.datetime(),
  createdBy: z.string().nullable().openapi({
    description: 'Name of the member or the key that created it; null if that was not recorded.',
    example: 'Ada',
  }),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable().openapi({ description: 'Accurate to the minute.' }),
  revokedAt: z.iso.datetime().nullable(),
});

export type KeyAnswer = z.infer<typeof keySchema>;

export const keyWithSecretSchema = keySchema
  .extend({ secret: z.string().openapi({ description: 'The key itself; only this response contains it.', example: 'svc_…' }) })
  .openapi('KeyWithSecret');

const addressSchema = z.string().superRefine((text, context) => {
  const range = parseRange(text);
  const message = !range
    ? `"${text.slice(0, 60)}" is neither an IP address nor a CIDR range; use a value such as 192.0.2.7 or 2001:db8::/32`
    : `"${text}" covers every IP address; omit the list to allow all`;
  if (!range || range.bits === 0) context.addIssue({ code: 'custom', message });
});

const originSchema = z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text, {
  error: 'must be a web origin such as https://docs.example.com: only scheme, host and port',
});

const common = {
  name: nameSchema,
  organization: organizationIdSchema.optional().openapi({ description: 'Another one requires the scope `operator`.' }),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2030-01-31T00:00:00Z' })
    .nullish()
    .openapi({ description: 'By default the expiry of the key that creates it; null if that never expires.' }),
  addresses: z
    .array(addressSchema)
    .max(100)
    .default([])
    .openapi({
      description: 'IP addresses and CIDR ranges that it can be used from, by default those of the key that creates it.',
      example: ['192.0.2.0/24'],
    }),
};

/** A new key. An admin key has scopes, an assistant key has domains and origins. */
export const newKeySchema = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({
        ...common,
        kind: z.literal('admin'),
        scopes: z
          .array(z.enum(scopes, { error: `must be one of ${scopes.join(', ')}` }))
          .min(1, { error: 'must contain a scope, or be omitted for read and write' })
          .default(['read', 'write'])
          .transform((wanted) => scopes.filter((scope) => wanted.includes(scope)))
          .openapi({ description: "Can't be changed later." }),
      }),
      z.strictObject({
        ...common,
        kind: z.literal('assistant'),
        domains: z
          .array(domainSchema)
          .min(1, { error: 'must contain a site' })
          .max(100)
          .transform((domains) => [...new Set(domains)])
          .openapi({ description: 'Sites that it gives access to.', example: ['docs.example.com'] }),
        origins: z
          .array(originSchema)
          .max(100)
          .default([])
          .openapi({ example: ['https://docs.example.com'] }),
      }),
    ],
    { error: 'must be admin or assistant' },
  )
  .openapi('NewKey');

/** Each field is named, so that a new one of a key is in no answer by itself. */
export function keyAnswer(key: Key, now: number) {
  const { id, organization, kind, name, hint, scopes, addresses, domains, origins, ...times } = key;
  const { createdAt, createdBy, expiresAt, lastUsedAt, revokedAt } = times;
  const isExpired = expiresAt !== null && expiresAt.getTime() <= now;
  const status: KeyAnswer['status'] = revokedAt ? 'revoked' : isExpired ? 'expired' : 'active';
  const known = { keyId: id, organization, kind, name, hint, scopes, addresses, domains, origins, status };
  return { ...known, createdAt, createdBy, expiresAt, lastUsedAt, revokedAt };
}
