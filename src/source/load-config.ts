import { posix } from 'node:path';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import { isRecord } from '../../integration/text/json.ts';
import type { DocsConfig } from './docs-json.ts';
import { formerKeysOf, fromMintJson } from './mint-json.ts';
import { parseConfig } from './parse-config.ts';
import { jsonPositions, parseJson, type JsonPositions } from './parse-json.ts';

interface LoadedConfig {
  config: DocsConfig | null;
  /** The files of the configuration itself, which are not assets. */
  files: string[];
  /** The positions of its values; undefined for mint.json, which is converted. */
  positions?: (() => JsonPositions) | undefined;
  problems: Problem[];
}

/** Text of a file of the docs folder: undefined when it does not exist, null when it is outside the folder. */
export type ReadText = (file: string) => string | null | undefined;

/** Reads docs.json or else mint.json; null without either. Throws `ConfigNotJson` and the errors of `resolveReferences`. */
export function loadConfig(read: ReadText): LoadedConfig {
  for (const file of ['docs.json', 'mint.json']) {
    const text = read(file);
    if (text === null)
      throw new ExportError(
        'ConfigOutside',
        `${file} is a symbolic link to a file outside the docs folder.`,
        'Replace the link with a copy of the file.',
      );
    if (text === undefined) continue;
    const problems: Problem[] = [];
    const parse = (part: string, name: string) => {
      const json = parseJson(part, name);
      if (flattenGroups(json)) problems.push(tooDeepProblem(name));
      return json;
    };
    const readJson = (name: string) => {
      const part = read(name);
      return typeof part === 'string' ? parse(part, name) : part;
    };
    const { value, files } = resolveReferences(parse(text, file), file, readJson);
    if (!isRecord(value)) {
      throw new ExportError('ConfigNotObject', `${file} is not an object { … }.`, 'See the manual for the keys it may have.');
    }
    const former = file === 'docs.json' ? formerKeysOf(value) : [];
    if (former.length > 0) problems.push(formerProblem(former, file));
    // What is converted may have another path in the text: such values have no position, mint.json none at all.
    const positions = file === 'mint.json' ? undefined : () => jsonPositions(text);
    const parsed = parseConfig(positions && former.length === 0 ? value : fromMintJson(value), file, positions);
    return { ...parsed, positions, problems: [...problems, ...parsed.problems], files: [file, ...files] };
  }
  return { config: null, files: [], problems: [] };
}

function formerProblem(keys: string[], file: string): Problem {
  return createProblem({
    kind: 'config-former-keys',
    page: file,
    message: `${file} has keys of the older mint.json: ${keys.map((key) => `"${key}"`).join(', ')}. They are read as in a mint.json.`,
    hint: 'Where the file also says it with a key of docs.json, that key applies.',
  });
}

/** So many levels of groups can be in each other. */
const mostLevels = 64;

/** Moves what is in groups at a deeper level to the deepest group that may be; whether there were any. Does not recurse: JSON can be deeper than the stack. */
function flattenGroups(json: unknown): boolean {
  let flattened = false;
  const open = [{ value: json, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, level } = next;
    if (Array.isArray(value)) open.push(...value.map((item: unknown) => ({ value: item, level })));
    if (!isRecord(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      const isList = (key === 'pages' || key === 'groups') && Array.isArray(inner);
      if (isList && level >= mostLevels && inner.some(isGroup)) {
        value[key] = withoutGroups(inner);
        flattened = true;
      } else open.push({ value: inner, level: isList ? level + 1 : level });
    }
  }
  return flattened;
}

/** The pages of a list and of all groups in it. */
function withoutGroups(entries: unknown[]): unknown[] {
  const pages: unknown[] = [];
  const open = entries.toReversed();
  while (open.length > 0) {
    const entry = open.pop();
    if (!isGroup(entry)) pages.push(entry);
    else {
      const lists = [entry.root ?? [], entry.pages ?? [], entry.groups ?? []].flat();
      open.push(...lists.toReversed());
    }
  }
  return pages;
}

function isGroup(entry: unknown): entry is Record<string, unknown> {
  return isRecord(entry) && (Array.isArray(entry.pages) || Array.isArray(entry.groups));
}

function tooDeepProblem(file: string): Problem {
  return createProblem({
    kind: 'navigation-too-deep',
    page: file,
    message: `${file} has more than ${mostLevels} levels of groups. Pages of deeper groups are listed in the group at level ${mostLevels}.`,
    hint: 'Use fewer levels.',
  });
}

/** Returns the JSON of a file of the docs folder; undefined when the file does not exist, null when it is outside the folder. */
type ReadJson = (file: string) => unknown;

/**
 * Replaces every `{"$ref": "./part.json"}` with the content of that file. Keys beside `$ref` override those of an object and are
 * dropped when the content is anything else. Throws `ReferenceCycle`, `ReferenceOutside` or `ReferenceMissing`, naming the chain of files.
 */
export function resolveReferences(value: unknown, file: string, read: ReadJson): { value: unknown; files: string[] } {
  const files = new Set<string>();

  function resolve(node: unknown, chain: string[]): unknown {
    if (Array.isArray(node)) return node.map((item) => resolve(item, chain));
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...own }: { $ref?: unknown } = node;
    const resolved = Object.fromEntries(Object.entries(own).map(([key, item]) => [key, resolve(item, chain)]));
    if ($ref === undefined) return resolved;
    const target = follow($ref, chain);
    return typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target, ...resolved } : target;
  }

  function follow(reference: unknown, chain: string[]): unknown {
    const from = chain.at(-1) ?? file;
    const names = [...chain, String(reference)].join(' → ');
    if (typeof reference !== 'string' || /^[a-z][a-z+.-]*:/i.test(reference)) {
      throw new ExportError(
        'ReferenceOutside',
        `The $ref ${JSON.stringify(reference)} in ${from} is not a path (${names}).`,
        within,
      );
    }
    const outside = () =>
      new ExportError(
        'ReferenceOutside',
        `The $ref "${reference}" in ${from} points outside the docs folder (${names}).`,
        within,
      );
    const target = posix.normalize(reference.startsWith('/') ? reference.slice(1) : posix.join(posix.dirname(from), reference));
    if (target === '..' || target.startsWith('../')) throw outside();
    if (chain.includes(target)) {
      throw new ExportError(
        'ReferenceCycle',
        `Circular $ref: ${[...chain, target].join(' → ')}.`,
        'Remove one of these references.',
      );
    }
    const content = read(target);
    if (content === null) throw outside();
    if (content === undefined) {
      throw new ExportError(
        'ReferenceMissing',
        `The $ref "${reference}" in ${from} does not name a file (${names}).`,
        `Correct the path or add ${target}.`,
      );
    }
    files.add(target);
    return resolve(content, [...chain, target]);
  }

  return { value: resolve(value, [file]), files: [...files].sort() };
}

const within = 'Use a relative path to a .json file inside the docs folder.';
