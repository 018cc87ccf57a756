// A specification that is split over several files becomes one document: what a reference to another file means is copied to the components
// under its own name, or to the place of the reference where that is not a component. Bundlers on npm rename what they copy, and readers see
// these names.
import { posix } from 'node:path';
import { isObject } from '../source/by-kind.ts';
import { at, decodeSegment, object, pointerOf, type Json } from './json.ts';
import { SpecificationFault, type SpecificationFile } from './specification-file.ts';

/** Reads a file by its path in the docs folder or its URL. Throws `SpecificationFault`. */
export type ReadFile = (location: string) => Promise<SpecificationFile>;

/** A reference that cannot be followed. */
export interface BrokenReference {
  reference: string;
  /** Why, as the end of a sentence. */
  reason: string;
  file: SpecificationFile;
  /** Keys from the root of the file to the reference. */
  path: string[];
}

export interface Bundled {
  document: Json;
  broken: BrokenReference[];
  placeOf: PlaceOf;
}

/** Where the value at these keys of the document is in its file. */
export type PlaceOf = (path: readonly string[]) => Place;

export interface Place {
  file: SpecificationFile;
  path: readonly string[];
}

/** A value on the way through a file. */
interface Visit {
  value: Json;
  file: SpecificationFile;
  /** Its key, or its path from the root of the file where the way begins. */
  key: string | string[];
  /** Where the way begins: its path in the document. */
  begin?: string[];
  parent?: Visit;
  /** Whether its keys are names that the author chose, not keywords. */
  hasNames: boolean;
  /** What was copied around it. */
  around: readonly string[];
}

const mostValues = 5_000_000;
const mostFiles = 10_000;

/** Reads the files that a specification refers to, each once. Nothing outside the docs folder is read. */
export async function bundleFiles(root: SpecificationFile & { value: Json }, readFile: ReadFile): Promise<Bundled> {
  const document = root.value;
  const isSwagger = document.swagger !== undefined;
  const keywords = keywordsOf(document);
  // Operations refer to messages of channels, which are then in the document.
  const { operations } = document;
  if (document.asyncapi !== undefined && delete document.operations) document.operations = operations;
  const files = new Map<string, SpecificationFile | SpecificationFault>([[root.location, root]]);
  const broken: BrokenReference[] = [];
  const known = new Map<string, boolean>();
  const copies = new Map<string, string>();
  const copiedValues = new Set<unknown>();
  const places = new Map<string, Place>();
  const visits: Visit[] = [{ value: document, file: root, key: [], hasNames: false, around: [] }];

  const ownNames = componentNames(root, isSwagger);

  const read = async (location: string): Promise<SpecificationFile> => {
    let found = files.get(location);
    if (!found) {
      if (files.size >= mostFiles) throw new SpecificationFault(`the specification has more than ${mostFiles} files`);
      found = await readFile(location).catch((error: unknown) => {
        if (error instanceof SpecificationFault) return error;
        throw error;
      });
      files.set(location, found);
    }
    if (found instanceof SpecificationFault) throw found;
    return found;
  };

  /** Copies what a reference means; returns the reference to the copy, or the copy itself. */
  const copied = async (
    visit: Visit,
    key: string,
    reference: string,
    last: string[],
  ): Promise<{ $ref: string } | { value: unknown }> => {
    const hash = reference.indexOf('#');
    const target = hash < 0 ? reference : reference.slice(0, hash);
    const pointer = hash < 0 ? '#' : reference.slice(hash);
    const location = target === '' ? visit.file.location : locate(visit.file.location, target);
    if (location === root.location) {
      if (!known.has(pointer)) known.set(pointer, at(document, pointer) !== undefined);
      if (!known.get(pointer)) throw new SpecificationFault(`${location} does not have it`);
      return { $ref: pointer };
    }
    const file = await read(location);
    const found = at(file.value, pointer);
    if (found === undefined) throw new SpecificationFault(`${location} does not have it`);
    const id = `${location}${pointer}`;
    if (isObject(found) && typeof found.$ref === 'string') {
      if (visit.around.includes(id)) throw new SpecificationFault('it refers to itself');
      return copied({ ...visit, file, around: [...visit.around, id] }, key, found.$ref, last);
    }
    const path = pointer.split('/').slice(1).map(decodeSegment);
    const components = componentsFor(visit, key, isSwagger, keywords);
    if (components === undefined || !isObject(found)) {
      if (visit.around.includes(id)) throw new SpecificationFault('it contains itself');
      const value = structuredClone(found);
      const begin = [...documentPath(visit), ...last];
      places.set(pointerOf(begin), { file, path });
      if (isContainer(value)) visits.push({ value, file, key: path, begin, hasNames: false, around: [...visit.around, id] });
      return { value };
    }
    const kind = components.join('/');
    let copy = copies.get(`${kind} ${id}`);
    if (copy === undefined) {
      const siblings = components.reduce<Json>(
        (within, name) => (within[name] = isObject(within[name]) ? within[name] : {}),
        document,
      );
      const own = ownNames.get(`${kind} ${id}`);
      const wanted = own ?? path.at(-1) ?? posix.basename(location).replace(/\.\w+$/, '');
      let name = wanted;
      for (let number = 2; (name !== own && Object.hasOwn(siblings, name)) || name === '__proto__'; number++)
        name = `${wanted}-${number}`;
      const value = structuredClone(found);
      siblings[name] = value;
      copiedValues.add(value);
      copy = `#/${kind}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
      copies.set(`${kind} ${id}`, copy);
      known.set(copy, true);
      // What is copied to the components can refer to itself, which is where its copying ends.
      const begin = [...components, name];
      places.set(pointerOf(begin), { file, path });
      visits.push({ value, file, key: path, begin, hasNames: false, around: [] });
    }
    return { $ref: copy };
  };

  let seen = 0;
  for (let visit = visits.pop(); visit; visit = visits.pop()) {
    if (++seen > mostValues)
      throw new SpecificationFault('it has more than five million values with the files that it refers to');
    const inside: Visit[] = [];
    for (const [key, child] of Object.entries(visit.value)) {
      if (key === '__proto__') continue;
      const isName = visit.hasNames;
      const isMapping = key === 'mapping' && !isName && visit.key === 'discriminator' && isObject(child);
      if (isMapping) {
        for (const [name, value] of Object.entries(child)) {
          if (typeof value !== 'string' || !/[#/]|\.(?:json|ya?ml)$/i.test(value)) continue;
          const found = await attempt(visit, 'schema', value, [key, name]);
          if (found && '$ref' in found) child[name] = found.$ref;
        }
        continue;
      }
      if (!isContainer(child) || copiedValues.has(child) || (!isName && keywords.data.has(key))) continue;
      if (isObject(child) && typeof child.$ref === 'string') {
        const found = await attempt(visit, key, child.$ref, [key]);
        if (!found) continue;
        if ('$ref' in found) child.$ref = found.$ref;
        else {
          const { $ref: _, ...beside } = child;
          const value = isObject(found.value) ? Object.assign(found.value, beside) : found.value;
          visit.value[key] = value;
        }
        continue;
      }
      const { file, around } = visit;
      inside.push({ value: child, file, key, parent: visit, hasNames: !isName && keywords.nameMaps.has(key), around });
    }
    visits.push(...inside.reverse());
  }
  return { document, broken, placeOf };

  function placeOf(path: readonly string[]): Place {
    for (let { length } = path; length > 0; length--) {
      const place = places.get(pointerOf(path.slice(0, length)));
      if (place) return { file: place.file, path: [...place.path, ...path.slice(length)] };
    }
    return { file: root, path };
  }

  async function attempt(visit: Visit, key: string, reference: string, last: string[]) {
    try {
      return await copied(visit, key, reference, last);
    } catch (error) {
      if (!(error instanceof SpecificationFault)) throw error;
      broken.push({ reference, reason: error.message, file: visit.file, path: [...pathOf(visit), ...last] });
      return undefined;
    }
  }
}

/** An object or a list, whose entries are visited alike. */
function isContainer(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** What the keys of a format mean. */
export interface Keywords {
  /** Keywords whose values are data: nothing in them is a reference. */
  data: ReadonlySet<string>;
  /** Keywords whose values have names as keys, and where the specification has components of that kind. */
  nameMaps: ReadonlyMap<string, string | undefined>;
  /** Keywords whose values are schemas. */
  schemas: ReadonlySet<string>;
  /** Other keywords whose values can be components, and lists of them, with their kinds. */
  kinds: ReadonlyMap<string, string>;
  lists: ReadonlyMap<string, string>;
}

export function keywordsOf(document: Json): Keywords {
  return document.asyncapi === undefined ? openapi : asyncapi;
}

const data = new Set(['example', 'default', 'const', 'enum', 'value', 'x-examples']);

const schemaMaps = ['properties', 'patternProperties', '$defs', 'definitions', 'schemas', 'dependentSchemas'].map(
  (key) => [key, 'schemas'] as const,
);
const nameMaps = new Map<string, string | undefined>([
  ...schemaMaps,
  ...['parameters', 'responses', 'examples', 'headers', 'links', 'callbacks', 'requestBodies', 'securitySchemes'].map(
    (key) => [key, key] as const,
  ),
  ...['paths', 'webhooks', 'pathItems', 'content'].map((key) => [key, undefined] as const),
]);

const schemaKeys =
  'schema items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties itemSchema contentSchema'.split(
    ' ',
  );

const openapi: Keywords = {
  data,
  nameMaps,
  schemas: new Set(schemaKeys),
  kinds: new Map([['requestBody', 'requestBodies']]),
  lists: new Map([['parameters', 'parameters']]),
};
const asyncKinds = [
  ...['servers', 'channels', 'operations', 'messages', 'parameters', 'securitySchemes', 'replies', 'tags'],
  ...['serverVariables', 'correlationIds', 'replyAddresses', 'operationTraits', 'messageTraits'],
  ...['serverBindings', 'channelBindings', 'operationBindings', 'messageBindings'],
];
const asyncapi: Keywords = {
  data: new Set([...data, 'examples']),
  nameMaps: new Map<string, string | undefined>([
    ...schemaMaps,
    ...asyncKinds.map((key) => [key, key] as const),
    ...['variables', 'bindings'].map((key) => [key, undefined] as const),
  ]),
  schemas: new Set([...schemaKeys, 'payload', 'headers', 'additionalItems']),
  kinds: new Map([['channel', 'channels']]),
  lists: new Map(['servers', 'messages', 'tags'].map((key) => [key, key])),
};

export const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** The components that a reference under a key can refer to, as keys of the document; undefined where it is replaced by what it means. */
function componentsFor(
  { value, key: own, hasNames }: Visit,
  key: string,
  isSwagger: boolean,
  { nameMaps, schemas, kinds, lists }: Keywords,
): string[] | undefined {
  const name = typeof own === 'string' ? own : '';
  let kind: string | undefined;
  if (Array.isArray(value)) kind = schemaLists.has(name) ? 'schemas' : lists.get(name);
  else if (hasNames) kind = nameMaps.get(name);
  else kind = schemas.has(key) ? 'schemas' : kinds.get(key);
  if (kind === undefined) return undefined;
  if (!isSwagger) return ['components', kind];
  const inSwagger = { schemas: 'definitions', parameters: 'parameters', responses: 'responses' }[kind];
  return inSwagger === undefined ? undefined : [inSwagger];
}

/** The names of components that are references to other files themselves, by kind and what they refer to. */
function componentNames({ value, location }: { value: Json; location: string }, isSwagger: boolean): Map<string, string> {
  const names = new Map<string, string>();
  const kinds: [string, unknown][] = isSwagger
    ? ['definitions', 'parameters', 'responses'].map((kind) => [kind, value[kind]])
    : Object.entries(object(value.components)).map(([kind, its]) => [`components/${kind}`, its]);
  for (const [kind, its] of kinds) {
    for (const [name, { $ref }] of Object.entries(object(its)).map(([key, one]) => [key, object(one)] as const)) {
      if (typeof $ref !== 'string' || !/^[^#:]/.test($ref) || name === '__proto__') continue;
      const [target = '', pointer = ''] = $ref.split('#');
      const id = `${posix.join(posix.dirname(location), decodeSegment(target))}#${pointer}`;
      if (!names.has(`${kind} ${id}`)) names.set(`${kind} ${id}`, name);
    }
  }
  return names;
}

/** The path in the docs folder or the URL that a reference names, from the file that has it. */
function locate(from: string, target: string): string {
  const isRemote = /^https:/i.test(from);
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(target) ?? [];
  if (isRemote || scheme !== undefined || target.startsWith('//')) {
    const url = URL.parse(target, isRemote ? from : undefined);
    if (!url) throw new SpecificationFault('it is not a URL');
    if (url.protocol !== 'https:') throw new SpecificationFault(`${url.protocol} is not read`);
    if (isRemote && url.origin !== new URL(from).origin)
      throw new SpecificationFault('it is on another host than the specification');
    return url.href;
  }
  const path = posix.join(target.startsWith('/') ? '' : posix.dirname(from), decodeSegment(target));
  if (path.startsWith('../') || path === '..') throw new SpecificationFault('it is outside the docs folder');
  return path.replace(/^\/+/, '');
}

/** Keys from the root of the file. */
function pathOf(visit: Visit): string[] {
  const keys: string[] = [];
  for (let one: Visit | undefined = visit; one; one = one.parent) keys.unshift(...[one.key].flat());
  return keys;
}

/** Keys from the root of the document. */
function documentPath(visit: Visit): string[] {
  const keys: string[] = [];
  for (let one: Visit | undefined = visit; one; one = one.parent) keys.unshift(...(one.begin ?? [one.key].flat()));
  return keys;
}
