import { posix } from 'node:path';
import { ExportError } from '../../integration/errors.ts';

/** Returns the JSON of a file of the docs folder; undefined when the file does not exist, null when it is outside the folder. */
export type ReadJson = (file: string) => unknown;

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
    const target = posix.normalize(reference.startsWith('/') ? reference.slice(1) : posix.join(posix.dirname(from), reference));
    if (target === '..' || target.startsWith('../')) {
      throw new ExportError('ReferenceOutside', `The $ref "${reference}" in ${from} leaves the docs folder (${names}).`, within);
    }
    if (chain.includes(target)) {
      throw new ExportError(
        'ReferenceCycle',
        `Circular $ref: ${[...chain, target].join(' → ')}.`,
        'Remove one of these references.',
      );
    }
    const content = read(target);
    if (content === null) {
      throw new ExportError('ReferenceOutside', `The $ref "${reference}" in ${from} leaves the docs folder (${names}).`, within);
    }
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
