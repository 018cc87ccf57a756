// Mistakes of schemas that pages can be made in spite of: parts that exclude each other, and examples that do not fit.
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { isRecord, objectOf } from '../../integration/text/json.ts';
import type { Example, Fault } from './check-examples.ts';
import { at, decodeSegment, objects, pointerOf, resolved, string, type Json } from './json.ts';
import { containersOf } from './containers.ts';
import { problemAt } from './references.ts';
import type { Specification } from './specification.ts';

const mostShown = 100;

/** The first problems of a specification's schemas, each with its place in its file, and the number of the others. */
export async function schemaProblems(specification: Specification, hasSchemaPages: boolean): Promise<Problem[]> {
  const { document, file, placeOf } = specification;
  const shown = hasSchemaPages ? undefined : shownComponents(document);
  const faults: Fault[] = [];
  const examples: Example[] = [];
  for (const { value, path, isSchema } of containersOf(document)) {
    if (isSchema) faults.push(...allOfFaults(document, value, path));
    if (shown === undefined || path[0] !== 'components' || shown.has(pointerOf(path.slice(0, 3))))
      examples.push(...examplesOf(value, path, isSchema));
  }
  if (examples.length > 0) {
    const { exampleFaults } = await import('./check-examples.ts');
    faults.push(...exampleFaults(document, examples));
  }
  const order = (path: readonly string[]) => (path[0] === 'paths' ? 0 : 1);
  faults.sort((a, b) => order(a.path) - order(b.path));
  const first = faults.slice(0, mostShown).map((fault) => problemAt(placeOf(fault.path), fault));
  const others = faults.length - first.length;
  if (others === 0) return first;
  const message = `${others} more schemas and examples of this specification have such mistakes.`;
  return [...first, createProblem({ kind: 'specification-invalid', page: file.location, message })];
}

const componentReference = /"(#\/components\/(?:[^"\\/]|\\.)+\/(?:[^"\\/]|\\.)+)/g;

/** The components that operations, webhooks and channels refer to, also through others, with the variants of such a schema. */
function shownComponents({ components, ...others }: Json): Set<string> {
  const shown = new Set<string>();
  const schemas = Object.entries(objectOf(objectOf(components).schemas)).map(([name, schema]) => ({
    name: pointerOf(['components', 'schemas', name]),
    bases: objects(objectOf(schema).allOf).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
  }));
  const open: unknown[] = [others];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    // Also matches in data, for which more examples are checked.
    const names = [...JSON.stringify(value).matchAll(componentReference)].map(([, pointer]) =>
      pointerOf(pointer!.slice(2).split('/').map(decodeSegment)),
    );
    for (const name of names.filter((one) => !shown.has(one))) {
      shown.add(name);
      open.push(at({ components }, name) ?? {});
      if (objectOf(at({ components }, name)).discriminator !== undefined)
        open.push(schemas.filter(({ bases }) => bases.includes(name)).map((variant) => variant.name));
    }
  }
  return shown;
}

/** An `allOf` with a text and an object: no value is both. */
function allOfFaults(document: Json, schema: Json, path: string[]): Fault[] {
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  const types = [schema, ...parts.map((part) => resolved(document, part))].flatMap(({ type }) =>
    typeof type === 'string' ? [[type]] : Array.isArray(type) ? [type.map(String)] : [],
  );
  const [first, ...others] = types;
  const allowed = (some: string[]) => some.flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type]));
  const other = first && others.find((some) => !allowed(some).some((type) => allowed(first).includes(type)));
  if (!first || !other) return [];
  const named = `${first.join(' or ')} and ${other.join(' or ')}`;
  return [
    {
      path,
      kind: 'specification-invalid',
      message: (pointer) => `The parts of "allOf" at ${pointer} have different types, ${named}: no value fits.`,
      hint: 'Use "oneOf" for alternatives, or correct the types.',
    },
  ];
}

/** The examples of a message. */
function messageExamples(message: Json, path: string[]): Example[] {
  if (!/^$|[/+]json\b/i.test(string(message.contentType) ?? '')) return [];
  return objects(message.examples).flatMap((example, index) =>
    ['payload', 'headers'].flatMap((key): Example[] => {
      if (!Object.hasOwn(example, key) || !isRecord(message[key])) return [];
      const schema = [...path, key, ...('schema' in message[key] ? ['schema'] : [])];
      return [{ schema, path: [...path, 'examples', String(index), key], value: example[key], direction: 'both' }];
    }),
  );
}

/** The examples beside a schema, and those within one. */
function examplesOf(value: Json, path: string[], isSchema: boolean): Example[] {
  const direction = path.includes('responses') ? 'response' : path.includes('components') ? 'both' : 'request';
  const found = (schema: readonly string[], keys: string[], example: unknown): Example => ({
    ...{ schema, path: [...path, ...keys], value: example, direction },
  });
  if (isSchema)
    return [
      ...('example' in value ? [found(path, ['example'], value.example)] : []),
      ...(Array.isArray(value.examples) ? value.examples.map((one, i) => found(path, ['examples', String(i)], one)) : []),
    ];
  if (Array.isArray(value.examples)) return messageExamples(value, path);
  // A body that is not JSON is text, whatever its schema.
  const type = path.at(-2) === 'content' ? path.at(-1)! : 'application/json';
  if (!isRecord(value.schema) || !/[/+]json\b/i.test(type)) return [];
  const schema = [...path, 'schema'];
  const named = Object.entries(objectOf(value.examples)).flatMap(([name, one]) => {
    const key = ['value', 'dataValue'].find((wanted) => Object.hasOwn(objectOf(one), wanted));
    return key === undefined ? [] : [found(schema, ['examples', name, key], objectOf(one)[key])];
  });
  return [...('example' in value ? [found(schema, ['example'], value.example)] : []), ...named];
}
