import { z } from '@hono/zod-openapi';

/** A human-readable name: one line, shown verbatim in terminals and pages. */
export const nameSchema = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(100, { error: 'must have at most 100 characters' })
  // Neither what colours a terminal nor what turns the direction of text around it.
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name), {
    error: 'must be one line, without control characters',
  });
