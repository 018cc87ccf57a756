import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { jsonValue } from '../../integration/text/json.ts';

/** An option whose value is a JSON file, or the JSON itself, which begins with a brace or a bracket. */
export function fileOrText<Schema extends z.ZodType>(schema: Schema) {
  return z.string().transform((given, context): z.output<Schema> => {
    const isText = /^\s*[[{]/.test(given);
    const { data: json, error: fault } = readJson(given, isText);
    const read = schema.safeParse(json);
    const name = isText ? 'the text' : `"${given}"`;
    if (fault !== undefined) context.addIssue({ code: 'custom', message: `${name} ${fault}` });
    else if (read.success) return read.data;
    else {
      const faults = read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
      context.addIssue({ code: 'custom', message: `${name} is not valid: ${faults.join('; ')}` });
    }
    return z.NEVER;
  });
}

function readJson(given: string, isText: boolean): { data?: unknown; error?: string } {
  let text = given;
  try {
    if (!isText) text = readFileSync(given, 'utf8');
  } catch {
    return { error: 'cannot be read' };
  }
  const data = jsonValue(text);
  return data === undefined ? { error: 'is not JSON' } : { data };
}
