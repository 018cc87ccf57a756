// Fields of several routes. Only this `z` allows naming a schema in the API's description.
import { z } from '@hono/zod-openapi';

/** Host name or plain name, in lower case: no scheme, port, slash or path. */
export const domainSchema = z
  .string()
  .transform((domain) => domain.toLowerCase())
  .refine(
    (domain) =>
      domain.length <= 253 && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(domain),
    {
      error:
        'must be a host name such as docs.example.com, with at most 253 letters, digits, dots and dashes: no scheme, port, slash or path; use xn--… for other scripts',
    },
  );

/** A human-readable name: one line, shown verbatim in terminals and pages. */
export const nameSchema = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty', abort: true })
  .max(100, { error: 'must have at most 100 characters' })
  // Control characters can color a terminal, and others change the direction of the text around them.
  .refine((name) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u.test(name), {
    error: 'must be one line, without control characters',
  })
  // Some letters and symbols are blank.
  .refine((name) => /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u.test(name), { error: 'must not look empty' });

export const emailSchema = z
  .string()
  .trim()
  // Before its letters become small ones: other alphabets have letters that become ours.
  .regex(/^[\x21-\x7e]*$/, { error: 'must be an email address, such as ada@example.com', abort: true })
  .toLowerCase()
  .max(254, { error: 'must have at most 254 characters' })
  .pipe(z.email({ error: 'must be an email address, such as ada@example.com' }))
  .openapi({ example: 'ada@example.com' });

export const organizationIdSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'must be 1 to 63 lower-case letters, digits and dashes, such as my-team, and must not begin or end with a dash',
  })
  .openapi({ example: 'my-team' });

const mostGroups = 100;

/** Names of groups as pages and the navigation name them, each once; none, too. */
export const someGroupsSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1, { error: 'must not be empty' })
      .max(300, { error: 'is longer than 300 characters' })
      .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), { error: 'must not contain control characters' })
      .openapi({ example: 'partner' }),
  )
  .max(mostGroups, { error: `must name at most ${mostGroups} groups` })
  .transform((groups) => [...new Set(groups)]);

export const groupsSchema = someGroupsSchema.refine((groups) => groups.length > 0, {
  error: 'must name at least one group; omit it for what everybody may see',
});
