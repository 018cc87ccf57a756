import { z } from 'zod';
import type { Problem } from '../../integration/diagnostics.ts';
import { isRecord } from '../../integration/text/json.ts';
import type { ReadText } from './load-config.ts';
import { parseBySchema } from './parse-config.ts';
import { jsonPositions, parseJson } from './parse-json.ts';

export const glossaryFile = 'glossary.json';

const longestTerm = 100;

/** The file of docusaurus-plugin-glossary, whose other fields are ignored. */
const glossarySchema = z.looseObject({
  terms: z.array(
    z.looseObject({
      term: z
        .string()
        .regex(/[\p{L}\p{N}]/u, 'but must contain a letter or a digit')
        .max(longestTerm, `but must have at most ${longestTerm} characters`),
      definition: z.string().regex(/\S/, 'but must contain text'),
    }),
  ),
});

/**
 * The definitions of the terms of the docs folder, undefined if it has none: a file without `terms` is one like others. A term that is incomplete is
 * skipped and reported. Throws `ConfigNotJson`.
 */
export function readGlossary(read: ReadText, problems: Problem[]): Map<string, string> | undefined {
  const text = read(glossaryFile);
  if (typeof text !== 'string') return undefined;
  const value = parseJson(text, glossaryFile);
  if (!isRecord(value) || !Object.hasOwn(value, 'terms')) return undefined;
  const { config, problems: found } = parseBySchema(glossarySchema, value, glossaryFile, () => jsonPositions(text));
  problems.push(...found);
  return new Map(config.terms?.map(({ term, definition }) => [term.trim().replace(/\s+/g, ' '), definition.trim()]));
}
