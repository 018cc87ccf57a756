import type { z } from 'zod';
import { createProblem, didYouMean, type Problem } from '../../integration/diagnostics.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { isContainer } from '../../integration/text/json.ts';
import { kindOf, mustBe } from './by-kind.ts';
import { docsConfigSchema, knownKeys, type DocsConfig } from './docs-json.ts';
import type { JsonPositions } from './parse-json.ts';

// Each round removes what the schema refuses. A removal can leave its parent incomplete; the next round removes that.
const rounds = 20;

/** Reads a docs.json value by `parseBySchema`. */
export function parseConfig(
  value: Record<string, unknown>,
  file: string,
  positions?: () => JsonPositions,
): { config: DocsConfig; problems: Problem[] } {
  return parseBySchema(docsConfigSchema, value, file, positions);
}

/**
 * What the schema refuses (unknown keys, wrong types) is skipped and reported as a warning with its path; the rest is used.
 * `file` is the name of the configuration in messages, `positions` gives the positions of its values.
 */
export function parseBySchema<Value>(
  schema: z.ZodType<Value>,
  value: unknown,
  file: string,
  positions?: () => JsonPositions,
): { config: Partial<Value>; problems: Problem[] } {
  const all: Refused[] = [];
  const input: unknown = structuredClone(value);
  let found: JsonPositions | undefined;
  for (let round = 0; round < rounds; round++) {
    const result = schema.safeParse(input);
    if (result.success) return { config: result.data, problems: byKey(all) };
    found ??= positions?.();
    const refused = result.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? unknownKeys(issue, file) : wrongValue(issue, input, file),
    );
    // What is incomplete without a value that was refused needs no message of its own.
    const earlier = all.map(({ path }) => path);
    const isIncomplete = (path: PropertyKey[]) => earlier.some((one) => path.every((key, at) => key === one[at]));
    for (const { path, problem } of refused)
      if (!isIncomplete(path)) all.push({ path, problem: { ...problem, ...found?.at(path) } });
    remove(
      input,
      refused.map(({ path }) => path),
      found,
    );
  }
  return { config: {}, problems: byKey(all) };
}

/** The same fault of the same key at several places is one problem, at the first of them. */
function byKey(refused: Refused[]): Problem[] {
  const groups = Map.groupBy(refused, ({ path, problem: { kind, message, hint } }) => {
    const key = path.findLast((part) => typeof part === 'string');
    return JSON.stringify([key, kind, message.replace(dotted(path), ''), hint]);
  });
  return [...groups.values()].map((group) => {
    const [first, ...others] = group.map(({ problem }) => problem).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const places = others.length === 1 ? 'one more place' : `${others.length} more places`;
    return others.length > 0 ? { ...first!, message: `${first!.message} The same is at ${places}.` } : first!;
  });
}

interface Refused {
  path: PropertyKey[];
  problem: Problem;
}

// Keys of mint.json inside its navigation.
const renamed: Record<string, string | undefined> = { isDefaultOpen: 'expanded', isDefaultHidden: 'hidden', url: 'href' };

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, file: string): Refused[] {
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    const message = `"${dotted(path)}" is not a known key of ${file}. It is ignored.`;
    const hint = didYouMean(
      renamed[key] ? [renamed[key]] : nearest(key, knownKeys(issue)),
      'Correct the spelling or remove the key.',
    );
    return { path, problem: createProblem({ kind: 'config-unknown-key', page: file, message, ...hint }) };
  });
}

function wrongValue(issue: z.core.$ZodIssue, input: unknown, file: string): Refused[] {
  const { path, value } = lastPresent(input, issue.path);
  const missing = path.length < issue.path.length ? issue.path.slice(path.length) : undefined;
  const reason = missing
    ? `"${dotted(path)}" has no "${dotted(missing)}"`
    : `"${dotted(path)}" is ${quoted(value)}, ${expectation(issue)}`;
  const problem: Problem = createProblem({
    kind: 'config-wrong-type',
    page: file,
    message: `${reason}. The value is ignored.`,
    ...(missing ? { hint: `Add it in ${file}.` } : correction(issue, value, file)),
  });
  return [{ path, problem }];
}

/** What the author probably meant. */
function correction(issue: z.core.$ZodIssue, value: unknown, file: string): Pick<Problem, 'hint' | 'suggestion'> {
  const otherwise = `Correct it in ${file}.`;
  if (issue.code === 'invalid_value' && typeof value === 'string')
    return didYouMean(
      nearest(
        value,
        issue.values.filter((known) => typeof known === 'string'),
      ),
      otherwise,
    );
  const isSingle = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  if (issue.code === 'invalid_type' && issue.expected === 'array' && isSingle)
    return { hint: `Put it in brackets: [${JSON.stringify(value)}].` };
  return { hint: otherwise };
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return mustBe([issue.expected]);
  if (issue.code === 'invalid_value')
    return `but must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (issue.code === 'invalid_key') return 'but its name may only contain letters, digits and "-"';
  return issue.message;
}

/** The deepest part of the path that exists in the input. Below it, a required key is missing. */
function lastPresent(input: unknown, path: readonly PropertyKey[]): { path: PropertyKey[]; value: unknown } {
  let value = input;
  for (const [index, key] of path.entries()) {
    const next = isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (next === undefined) return { path: path.slice(0, index), value };
    value = next;
  }
  return { path: [...path], value };
}

/** Deletes keys and array items, last first, so that the indexes of the others stay valid. */
function remove(input: unknown, paths: PropertyKey[][], positions: JsonPositions | undefined): void {
  const seen = new Set<string>();
  for (const path of paths.toSorted(fromTheLast)) {
    const id = JSON.stringify(path);
    if (seen.has(id) || path.length === 0) continue;
    seen.add(id);
    const parent = lastPresent(input, path.slice(0, -1));
    if (parent.path.length !== path.length - 1 || !isContainer(parent.value)) continue;
    const key = path.at(-1) ?? '';
    positions?.remove(path);
    if (Array.isArray(parent.value)) parent.value.splice(Number(key), 1);
    else delete parent.value[key];
  }
}

function fromTheLast(a: PropertyKey[], b: PropertyKey[]): number {
  const index = a.findIndex((key, at) => key !== b[at]);
  if (index === -1 || index >= b.length) return b.length - a.length;
  const [left, right] = [a[index], b[index]];
  return typeof left === 'number' && typeof right === 'number' ? right - left : String(left) < String(right) ? -1 : 1;
}

/** 'navigation.groups[2].icon' */
function dotted(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index ? '.' : ''}${String(key)}`)).join('');
}

function quoted(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `an ${kindOf(value)}`.replace('an string', 'a long string') : json;
}
