// A specification that is split over several files becomes one document: what a reference to another file means is copied to the components
// under its own name, or to the place of the reference where that is not a component. Bundlers on npm rename what they copy, and readers see
// these names.
import { posix } from 'node:path';
import type { Problem } from '../../integration/diagnostics.ts';
import { isContainer, isRecord, objectOf } from '../../integration/text/json.ts';
import { at, decodeSegment, pointerOf, type Json } from './json.ts';
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

/** What is wrong at a place; `message` takes the place as a JSON pointer. */
export interface PlacedProblem extends Pick<Problem, 'kind' | 'hint'> {
  message: (pointer: string) => string;
}

export function problemAt({ file, path }: Place, problem: PlacedProblem): Problem {
  return {
    ...{ kind: problem.kind, severity: 'warning', page: file.location },
    ...file.positionOf(path),
    message: problem.message(pointerOf(path)),
    hint: problem.hint,
  };
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
  const { value: document } = root;
  // Operations refer to messages of channels, which are then in the document.
  const { operations } = document;
  if (document.asyncapi !== undefined && delete document.operations) document.operations = operations;
  const bundle = new Bundle(root, readFile);
  await bundle.fill();
  return { document, broken: bundle.broken, placeOf: (path) => bundle.placeOf(path) };
}

/** What a reference becomes: one within the document, or what it means. */
type Copy = { $ref: string } | { value: unknown };

/** A document that is filled with what its references to other files mean. */
class Bundle {
  readonly broken: BrokenReference[] = [];
  readonly #root: SpecificationFile;
  readonly #document: Json;
  readonly #readFile: ReadFile;
  readonly #isSwagger: boolean;
  readonly #keywords: Keywords;
  readonly #files: Map<string, SpecificationFile | SpecificationFault>;
  /** Whether the document has what a reference names. */
  readonly #known = new Map<string, boolean>();
  /** The references to copies, by their kind and what was copied. */
  readonly #copies = new Map<string, string>();
  readonly #copiedValues = new Set<unknown>();
  readonly #places = new Map<string, Place>();
  readonly #ownNames: Map<string, string>;
  readonly #visits: Visit[];

  constructor(root: SpecificationFile & { value: Json }, readFile: ReadFile) {
    this.#root = root;
    this.#document = root.value;
    this.#readFile = readFile;
    this.#isSwagger = root.value.swagger !== undefined;
    this.#keywords = keywordsOf(root.value);
    this.#files = new Map([[root.location, root]]);
    this.#ownNames = componentNames(root, this.#isSwagger);
    this.#visits = [{ value: root.value, file: root, key: [], hasNames: false, around: [] }];
  }

  async fill(): Promise<void> {
    let seen = 0;
    for (let visit = this.#visits.pop(); visit; visit = this.#visits.pop()) {
      if (++seen > mostValues)
        throw new SpecificationFault('it has more than five million values with the files that it refers to');
      const inside: Visit[] = [];
      for (const [key, child] of Object.entries(visit.value))
        if (key !== '__proto__') inside.push(...(await this.#fillEntry(visit, key, child)));
      this.#visits.push(...inside.reverse());
    }
  }

  placeOf(path: readonly string[]): Place {
    for (let { length } = path; length > 0; length--) {
      const place = this.#places.get(pointerOf(path.slice(0, length)));
      if (place) return { file: place.file, path: [...place.path, ...path.slice(length)] };
    }
    return { file: this.#root, path };
  }

  /** Replaces an entry that is a reference, and returns what is to be visited in any other. */
  async #fillEntry(visit: Visit, key: string, child: unknown): Promise<Visit[]> {
    const { hasNames: isName, file, around } = visit;
    const { data, nameMaps } = this.#keywords;
    if (key === 'mapping' && !isName && visit.key === 'discriminator' && isRecord(child)) {
      await this.#fillMapping(visit, child);
      return [];
    }
    if (!isContainer(child) || this.#copiedValues.has(child) || (!isName && data.has(key))) return [];
    if (!isRecord(child) || typeof child.$ref !== 'string')
      return [{ value: child, file, key, parent: visit, hasNames: !isName && nameMaps.has(key), around }];
    const copy = await this.#attempt(visit, key, child.$ref, [key]);
    if (copy && '$ref' in copy) child.$ref = copy.$ref;
    else if (copy) {
      const { $ref: _, ...beside } = child;
      visit.value[key] = isRecord(copy.value) ? Object.assign(copy.value, beside) : copy.value;
    }
    return [];
  }

  /** The values of a discriminator's mapping are references or names. */
  async #fillMapping(visit: Visit, mapping: Json): Promise<void> {
    for (const [name, value] of Object.entries(mapping)) {
      if (typeof value !== 'string' || !/[#/]|\.(?:json|ya?ml)$/i.test(value)) continue;
      const copy = await this.#attempt(visit, 'schema', value, ['mapping', name]);
      if (copy && '$ref' in copy) mapping[name] = copy.$ref;
    }
  }

  async #attempt(visit: Visit, key: string, reference: string, last: string[]): Promise<Copy | undefined> {
    try {
      return await this.#copied(visit, key, reference, last);
    } catch (error) {
      if (!(error instanceof SpecificationFault)) throw error;
      this.broken.push({ reference, reason: error.message, file: visit.file, path: [...pathOf(visit), ...last] });
      return undefined;
    }
  }

  /** Copies what a reference means. */
  async #copied(visit: Visit, key: string, reference: string, last: string[]): Promise<Copy> {
    const hash = reference.indexOf('#');
    const target = hash < 0 ? reference : reference.slice(0, hash);
    const pointer = hash < 0 ? '#' : reference.slice(hash);
    const location = target === '' ? visit.file.location : locate(visit.file.location, target);
    if (location === this.#root.location) {
      if (!this.#known.has(pointer)) this.#known.set(pointer, at(this.#document, pointer) !== undefined);
      if (!this.#known.get(pointer)) throw new SpecificationFault(`${location} does not have it`);
      return { $ref: pointer };
    }
    const file = await this.#read(location);
    const found = at(file.value, pointer);
    if (found === undefined) throw new SpecificationFault(`${location} does not have it`);
    const id = `${location}${pointer}`;
    if (isRecord(found) && typeof found.$ref === 'string') {
      if (visit.around.includes(id)) throw new SpecificationFault('it refers to itself');
      return this.#copied({ ...visit, file, around: [...visit.around, id] }, key, found.$ref, last);
    }
    const path = pointer.split('/').slice(1).map(decodeSegment);
    const components = componentsFor(visit, key, this.#isSwagger, this.#keywords);
    if (components !== undefined && isRecord(found)) return { $ref: this.#component(components, id, found, { file, path }) };
    if (visit.around.includes(id)) throw new SpecificationFault('it contains itself');
    return {
      value: this.#place(structuredClone(found), { file, path }, [...documentPath(visit), ...last], [...visit.around, id]),
    };
  }

  async #read(location: string): Promise<SpecificationFile> {
    let found = this.#files.get(location);
    if (!found) {
      if (this.#files.size >= mostFiles) throw new SpecificationFault(`the specification has more than ${mostFiles} files`);
      found = await this.#readFile(location).catch((error: unknown) => {
        if (error instanceof SpecificationFault) return error;
        throw error;
      });
      this.#files.set(location, found);
    }
    if (found instanceof SpecificationFault) throw found;
    return found;
  }

  /** The reference to a copy among the components, under its own name where that is free. */
  #component(components: string[], id: string, found: Json, place: Place): string {
    const kind = components.join('/');
    const known = this.#copies.get(`${kind} ${id}`);
    if (known !== undefined) return known;
    const siblings = components.reduce<Json>(
      (within, name) => (within[name] = isRecord(within[name]) ? within[name] : {}),
      this.#document,
    );
    const own = this.#ownNames.get(`${kind} ${id}`);
    const wanted = own ?? place.path.at(-1) ?? posix.basename(place.file.location).replace(/\.\w+$/, '');
    let name = wanted;
    for (let number = 2; (name !== own && Object.hasOwn(siblings, name)) || name === '__proto__'; number++)
      name = `${wanted}-${number}`;
    const value = structuredClone(found);
    siblings[name] = value;
    this.#copiedValues.add(value);
    const copy = `#/${kind}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
    this.#copies.set(`${kind} ${id}`, copy);
    this.#known.set(copy, true);
    // What is copied to the components can refer to itself, which is where its copying ends.
    this.#place(value, place, [...components, name], []);
    return copy;
  }

  /** Remembers where a copy is from, and visits it. */
  #place(value: unknown, place: Place, begin: string[], around: readonly string[]): unknown {
    this.#places.set(pointerOf(begin), place);
    if (isContainer(value)) this.#visits.push({ value, file: place.file, key: [...place.path], begin, hasNames: false, around });
    return value;
  }
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
    : Object.entries(objectOf(value.components)).map(([kind, its]) => [`components/${kind}`, its]);
  for (const [kind, its] of kinds) {
    for (const [name, { $ref }] of Object.entries(objectOf(its)).map(([key, one]) => [key, objectOf(one)] as const)) {
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
