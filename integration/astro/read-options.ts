import type { z } from 'zod';
import { shortened } from '../text/beginning.ts';
import { ExportError } from '../errors.ts';
import { optionsSchema, type CarrelOptions, type ParsedOptions } from '../options.ts';
import { checkRules } from '../page/content-rules.ts';

/** Options with every default. Throws `ExportError` `InvalidOptions`, which lists all problems, each with its name and value. */
export function readOptions(given: CarrelOptions): ParsedOptions {
  const parsed = optionsSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.flatMap((issue) => linesOf(issue, given));
    throw new ExportError('InvalidOptions', lines.join('\n'), 'Correct the options, then run it again.');
  }
  const { content = [], ignore } = parsed.data;
  checkRules({ select: content, ignore });
  return parsed.data;
}

type Issue = z.core.$ZodIssue;

function linesOf(issue: Issue, given: unknown): string[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') return issue.keys.map(noSuchOption);
  if (issue.code === 'invalid_key')
    return issue.issues.map(({ message }) => `A key of "${nameOf(path.slice(0, -1))}" is ${shown(path.at(-1))}: ${message}`);
  return [
    `${path.length === 0 ? 'What carrel() is given' : `"${nameOf(path)}"`} is ${shown(valueAt(given, path))}: ${wanted(issue)}`,
  ];
}

function noSuchOption(key: string): string {
  return `There is no option "${key}". Options are ${Object.keys(optionsSchema.shape).join(', ')}.`;
}

/** `allow[0]`, `languages.pt-br`. */
function nameOf(path: PropertyKey[]): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${String(part)}`)).join('');
}

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  return path.reduce((value: unknown, key) => (value as Record<PropertyKey, unknown>)[key], given);
}

function shown(value: unknown): string {
  const text = (typeof value === 'function' ? 'a function' : JSON.stringify(value)) ?? String(value);
  return shortened(text, 200);
}

function wanted(issue: Issue): string {
  if (issue.code === 'invalid_type') return `it must be ${types[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'invalid_value')
    return `it must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`;
  if (issue.code === 'too_small') return 'it must not be empty.';
  return issue.message;
}

const types: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of options',
  record: 'an object of paths and what they have',
};
