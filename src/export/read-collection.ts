// The YAML file of a collection.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { errorMessage, ExportError } from '../../integration/errors.ts';

const words = z.string().trim().min(1);
const schema = z.strictObject({
  name: words.optional(),
  description: words.optional(),
  language: words.optional(),
  /** Color of the start page. @default that of all sites, if they share one */
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: 'must be a color such as "#0a7ea4"' })
    .optional(),
  // As a number, 24.10 would be 24.1.
  version: z
    .string({ error: 'must be in quotes, such as "24.1"' })
    .regex(/^[\w.+-]{1,64}$/, { error: 'must be 1 to 64 letters, digits or . _ + -' })
    .optional(),
  groups: z.array(words).min(1).optional(),
  sites: z
    .array(z.strictObject({ bundle: words, title: words.optional(), path: words.optional(), description: words.optional() }))
    .min(1),
});

export type Collection = z.infer<typeof schema>;

/** The exports that these arguments name, each a folder, a zip, or together a YAML file, from whose folder its paths start. Throws `ExportError` `CollectionInvalid`. */
export function readCollection(inputs: readonly string[]): Collection {
  const [file = ''] = inputs;
  if (inputs.length > 1 || !/\.ya?ml$/i.test(file)) return { sites: inputs.map((bundle) => ({ bundle: resolve(bundle) })) };
  const invalid = (why: string) =>
    new ExportError(
      'CollectionInvalid',
      `"${file}" ${why}.`,
      'It needs the key "sites": a list of items with "bundle", and "title", "path" and "description" if they should differ.',
    );
  let value: unknown;
  try {
    value = parse(readFileSync(resolve(file), 'utf8'));
  } catch (error) {
    throw invalid(`cannot be read: ${errorMessage(error).split('\n')[0]!.replace(/[.:]$/, '')}`);
  }
  const read = schema.safeParse(value);
  if (!read.success)
    throw invalid(
      `is not valid: ${read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ')}`,
    );
  const { sites, ...rest } = read.data;
  return { ...rest, sites: sites.map((site) => ({ ...site, bundle: resolve(dirname(file), site.bundle) })) };
}
