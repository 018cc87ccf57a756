import { z } from '@hono/zod-openapi';

/** A name for people: one line, shown in terminals and pages as it is. */
export const nameSchema = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(100, { error: 'must have at most 100 characters' })
  // Also what turns the direction of text, or colours a terminal.
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, { error: 'must be one line of visible characters' });
