// What is wrong with a request, in sentences for its caller: the field, its value, and the expected value.
import type { z } from '@hono/zod-openapi';
import type { FieldFault } from '../platform/errors.ts';
import { withoutSecretText } from '../platform/log.ts';

type Issue = z.core.$ZodIssue;

/** Where the errors are: the part of the request, and everything that was sent in it. */
interface Checked {
  target: string;
  data: unknown;
}

/** A sentence for each error, and the fields of a body or a path. */
export function requestFaults(issues: Issue[], checked: Checked): { text: string; fields: FieldFault[] | undefined } {
  const { target } = checked;
  const faults = issues.map((issue) => ({ issue, message: faultOf(issue, checked) }));
  return {
    text: faults.map(({ issue, message }) => `${namesOf(issue, target)}${message}.`).join(' '),
    fields:
      target === 'json' || target === 'param'
        ? faults.flatMap(({ issue, message }) =>
            issue.path.length > 0 ? { path: issue.path.map(String).join('.'), message: message.replace(/^:? /, '') } : [],
          )
        : undefined,
  };
}

function namesOf(issue: Issue, target: string): string {
  if (issue.code !== 'unrecognized_keys') return nameOf(issue.path, target);
  return issue.keys.map((key) => nameOf([...issue.path, key], target)).join(', ');
}

/** What is wrong, to be read after the name. */
function faultOf(issue: Issue, { data }: Checked): string {
  if (issue.code === 'unrecognized_keys')
    return ` ${issue.keys.length === 1 ? 'is not a known field' : 'are not known fields'}; remove it or correct its spelling`;
  const value = valueAt(data, issue.path);
  const needed = isOfZod(issue.message) ? neededBy(issue) : issue.message;
  // Our own sentences quote the value, or say what is wrong with it.
  if (!needed.startsWith('must ')) return /^["(]/.test(needed) ? `: ${needed}` : ` ${needed}`;
  const found = value === undefined ? 'is missing' : describeValue(value, issue);
  return found === undefined ? ` ${needed}` : ` ${found}; it ${needed}`;
}

const targets: Record<string, string> = { query: 'The query parameter ', header: 'The header ', param: 'In the path, ' };

function nameOf(path: PropertyKey[], target: string): string {
  if (path.length > 0) return `${targets[target] ?? ''}"${path.map(String).join('.').slice(0, 200)}"`;
  return target === 'json' ? 'The body' : `The ${target}`;
}

function valueAt(data: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    data,
  );
}

/** Our messages begin with "must" or similar words; these are the library's. */
function isOfZod(message: string): boolean {
  return /^(Invalid|Too|Unrecognized|Expected)\b/.test(message);
}

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const formats: Record<string, string> = {
  url: 'a URL',
  datetime: 'a time such as 2030-01-31T00:00:00Z',
  email: 'an email address',
};

function neededBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${listed(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? `written as a ${issue.format}`}`;
    case 'too_small':
      return `must ${amount(issue.origin, `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`, issue.minimum)}`;
    case 'too_big':
      return `must ${amount(issue.origin, `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`, issue.maximum)}`;
    default:
      return 'must have one of the formats that the reference at /reference describes';
  }
}

const counted: Record<string, string> = { string: 'character', array: 'item', set: 'item' };

function amount(origin: string, limit: string, number: number | bigint): string {
  const unit = counted[origin];
  return unit === undefined ? `be ${limit}` : `have ${limit} ${unit}${Number(number) === 1 ? '' : 's'}`;
}

// The value of such a field may be a secret, even if it is invalid.
const secretPath = /key|secret|token|password|header|url/i;
const longestValue = 100;

/** The value of a field, as a phrase; undefined where it must not be repeated. */
function describeValue(value: unknown, { path, code }: Issue): string | undefined {
  if (Array.isArray(value)) return code.startsWith('too_') ? `has ${value.length} items` : 'is a list';
  if (typeof value === 'object' && value !== null) return 'is an object';
  if (typeof value !== 'string') return `is ${String(value)}`;
  if (code.startsWith('too_') && value.length > longestValue) return `has ${value.length} characters`;
  if (path.some((key) => secretPath.test(String(key)))) return undefined;
  return `is ${withoutSecretText(JSON.stringify(value.slice(0, longestValue)))}`;
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
