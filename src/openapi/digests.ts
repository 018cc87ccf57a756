// What a page of the reference depends on: a change elsewhere in the specification does not render it again.
import { hash } from 'node:crypto';
import { at, type Json } from './json.ts';

/** Returns the SHA-256 (hex) of values, together with those common to all pages and all that they refer to in the document. */
export function createDigests(document: Json, common: readonly unknown[] = []): (values: readonly unknown[]) => string {
  const read = (value: unknown) => {
    const text = JSON.stringify(value) ?? '';
    // Also matches in data, which only makes the digest change more often.
    const references = new Set(
      [...text.matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g)].map(([, reference]) => String(JSON.parse(reference!))),
    );
    return { digest: hash('sha256', text), references };
  };
  const known = new Map<string, ReturnType<typeof read>>();
  let shared: ReturnType<typeof read> | undefined;
  return (values) => {
    shared ??= read(common);
    const own = read(values);
    const found = new Set([...shared.references, ...own.references]);
    const digests = [shared.digest, own.digest];
    for (const reference of found) {
      let one = known.get(reference);
      if (!one) known.set(reference, (one = read(at(document, reference))));
      digests.push(reference, one.digest);
      for (const inner of one.references) found.add(inner);
    }
    return hash('sha256', digests.join(' '));
  };
}
