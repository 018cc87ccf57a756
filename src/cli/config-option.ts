import { z } from 'zod';

/** `--config` for the commands that open a server's database directly. */
export const configOptions = z.strictObject({
  config: z
    .string()
    .min(1, { error: 'must not be empty' })
    .optional()
    .meta({ takes: 'FILE', description: 'JSON file of options, as for carrel server' }),
});
