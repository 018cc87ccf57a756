// What an entry of the navigation or of frontmatter names in the specifications of a docs folder.
import { posix } from 'node:path';
import { nearest } from '../../integration/text/nearest.ts';
import type { Described } from './described.ts';
import { isRemote, partsOf, specificationNames, type Format, type PageKey } from './named-specifications.ts';

/** What each specification describes, by its path. */
export type Specifications = ReadonlyMap<string, { format: Format; described: readonly Described[] }>;

/** A part of a specification. */
export interface FoundPart {
  specification: string;
  described: Described;
}

/** The part that a page names in its frontmatter; `folder` is the page's. */
export function findByKey(key: PageKey, entry: string, specifications: Specifications, folder: string): FoundPart | undefined {
  if (key === 'openapi') return findOperation(entry, undefined, specifications, folder);
  const { source, name } = partsOf(key, entry);
  const find = (wanted: string, sources?: readonly string[]) =>
    key === 'asyncapi'
      ? (findIn(specifications, 'asyncapi', sources, (one) => one.name === wanted) ??
        findIn(specifications, 'asyncapi', sources, (one) => one.address === wanted))
      : findIn(specifications, 'openapi', sources, (one) => one.name === `schema ${wanted}`);
  // An entry can start with the specification: `events.yaml orders`, `shop.yaml User`.
  const sources = source !== undefined && name !== undefined ? specificationsNamed(source, specifications, folder) : undefined;
  return (sources && find(name!, sources)) ?? find(entry.trim());
}

/** The operation of an entry such as `GET /users` or `spec.json GET /users`. Without a specification, all are searched. */
export function findOperation(
  entry: string,
  sourcesInScope: readonly string[] | undefined,
  specifications: Specifications,
  folder = '',
): FoundPart | undefined {
  const { source, name } = partsOf('openapi', entry);
  if (name === undefined) return undefined;
  const [method = '', ...path] = name.split(/\s+/);
  const wanted = `${/^(?:webhook|schema)$/i.test(method) ? method.toLowerCase() : method.toUpperCase()} ${path.join(' ')}`;
  const sources = source ? specificationsNamed(source, specifications, folder) : (sourcesInScope ?? []);
  return findIn(specifications, 'openapi', source || sources.length ? sources : undefined, (one) => one.name === wanted);
}

/** The first that fits in the specifications at these paths, or in all of the format. */
function findIn(
  specifications: Specifications,
  format: Format,
  sources: readonly string[] | undefined,
  isWanted: (described: Described) => boolean,
): FoundPart | undefined {
  for (const specification of sources ?? [...specifications.keys()].sort()) {
    const its = specifications.get(specification);
    const described = its?.format === format ? its.described.find(isWanted) : undefined;
    if (described) return { specification, described };
  }
  return undefined;
}

/** The specifications that an author means: by the path from the page or the folder of the docs, or by the file's name, also without extension. */
export function specificationsNamed(name: string, specifications: Specifications, folder: string): string[] {
  if (isRemote(name)) return [name];
  const bare = (path: string) => path.replace(/\.(?:json|ya?ml)$/i, '');
  const written = [
    posix.join('/', folder, name).slice(1),
    ...specificationNames(name).map((path) => posix.join('/', path).slice(1)),
  ];
  const known = [...specifications.keys()].sort();
  for (const path of written) {
    const found = known.filter((one) => one === path || bare(one) === bare(path));
    if (found.length > 0) return found;
  }
  return known.filter((one) => bare(posix.basename(one)) === bare(posix.basename(name)));
}

/** The name that an author probably means: of another spelling, with other parameter names, a slash at its end or a part of the path before it. */
export function similarName(wanted: string, specifications: Specifications, sources: readonly string[]): string | undefined {
  const shape = (name: string) =>
    name
      .toLowerCase()
      .replaceAll(/\{[^}]*\}/g, '{}')
      .replace(/\/$/, '');
  const words = (name: string) => shape(name).split(/\s+/, 2) as [string, string?];
  const names = [...specifications].flatMap(([path, { described }]) =>
    sources.length === 0 || sources.includes(path) ? described.map(({ name }) => name) : [],
  );
  const [method, path = ''] = words(wanted);
  return nearest(wanted, names, (name) => {
    const [otherMethod, otherPath = ''] = words(name);
    if (shape(name) === shape(wanted)) return 0;
    const isPart = path.length > 2 && otherPath.length > 2 && (path.endsWith(otherPath) || otherPath.endsWith(path));
    return method === otherMethod && isPart ? 1 : undefined;
  })[0];
}
