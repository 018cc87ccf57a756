// This z, or the schema could not be named in the API's description.
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
        'must be a host name such as docs.example.com, of at most 253 letters, digits, dots and dashes: no scheme, port, slash or path; other scripts as xn--…',
    },
  );
