// The specifications that a docs folder names, and how docs.json and pages name them and their parts.
import { posix } from 'node:path';
import { objectOf } from '../../integration/text/json.ts';
import type { Source } from '../source/source.ts';
import { string, type Json } from './json.ts';

/** Formats of specifications, by the key that names one in docs.json: in words, and the folder of their pages. */
export const formats = {
  openapi: { words: 'an OpenAPI specification', directory: 'api-reference' },
  asyncapi: { words: 'an AsyncAPI specification', directory: 'api-reference' },
  graphql: { words: 'a GraphQL schema', directory: 'graphql-reference' },
} as const;
export type Format = keyof typeof formats;
export const formatKeys: readonly Format[] = ['openapi', 'asyncapi', 'graphql'];
/** Formats that `api` in docs.json and a page's frontmatter can name, too. */
export const pageFormats = ['openapi', 'asyncapi'] as const;
export type PageFormat = (typeof pageFormats)[number];
/** Keys of frontmatter that name part of a specification. */
export const pageKeys = [...pageFormats, 'openapi-schema'] as const;
export type PageKey = (typeof pageKeys)[number];

/** Matches a navigation entry for an operation or a schema: the specification, if named, and the name of the operation. */
export const operationEntry =
  /^(?:(\S+)\s+)?((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|CONNECT|webhook|schema)\s+\S.*)$/i;

/** Why an operation, schema or channel has no page when no specification was named. */
export const notInSpecifications = 'not found in any specification in the docs folder';

/** The specification, if named, and the name of the operation, schema or channel in an entry or in frontmatter. */
export function partsOf(key: PageKey, entry: string): { source?: string; name?: string } {
  const [, source, name] = (key === 'openapi' ? operationEntry : /^(?:(\S+)\s+)?(\S.*)$/).exec(entry.trim()) ?? [];
  return { ...(source !== undefined && { source }), ...(name !== undefined && { name }) };
}

/** A whole specification as the report names it: '"openapi": "api.json"'. */
export function specificationEntry(key: string, sources: readonly string[]): string {
  return `"${key}": ${JSON.stringify(sources.join(', '))}`;
}

/** The sources in the value of `openapi`, `asyncapi` or `graphql`; paths come without the leading slash. */
export function specificationNames(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.replace(/^(?:\.?\/)+/, '')];
  if (Array.isArray(value)) return value.flatMap(specificationNames);
  if (typeof value === 'object' && value !== null && 'source' in value) return specificationNames(value.source);
  return [];
}

/** Whether a specification is named by its URL. */
export function isRemote(name: string): boolean {
  return /^https?:/i.test(name);
}

/** The file's name without folder and extension, since authors often leave out both. */
export function baseName(path: string): string {
  return posix.basename(path).replace(/\.(?:json|ya?ml)$/i, '');
}

export interface NamedSpecifications {
  /** Without schemas, verbatim. */
  specifications: Set<string>;
  /** The files of each GraphQL schema, by their names in one text. */
  schemas: Map<string, string[]>;
  /** The languages of the navigation, verbatim: groups of definitions have names in these. */
  languages: Set<string>;
}

/** What a source names; undefined when it names neither a specification nor a part of one. */
export function namedSpecifications({ config, pages }: Source): NamedSpecifications | undefined {
  const named: NamedSpecifications = { specifications: new Set(), schemas: new Map(), languages: new Set() };
  let isUsed = collectNames(config?.navigation, named);
  const { openapi, asyncapi } = objectOf(config?.api);
  collectNames({ openapi, asyncapi }, named);
  for (const { frontmatter } of pages) {
    for (const key of pageKeys) {
      const entry = string(frontmatter[key]);
      if (entry === undefined) continue;
      isUsed = true;
      for (const name of specificationNames(partsOf(key, entry).source ?? [])) named.specifications.add(name);
    }
  }
  return isUsed ? named : undefined;
}

/** Adds what a value of the navigation names; returns whether that is a specification or an operation. */
function collectNames(value: unknown, named: NamedSpecifications): boolean {
  if (typeof value === 'string') {
    const [entry, source] = operationEntry.exec(value.trim()) ?? [];
    if (source !== undefined && isRemote(source)) named.specifications.add(source);
    return entry !== undefined;
  }
  if (typeof value !== 'object' || value === null) return false;
  let isUsed = false;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'language' && typeof item === 'string') named.languages.add(item);
    if (!isFormat(key)) isUsed = collectNames(item, named) || isUsed;
    else if (item !== undefined) {
      isUsed = true;
      const names = [...new Set(specificationNames(item))];
      if (key !== 'graphql') for (const name of names) named.specifications.add(name);
      else if (names.length > 0) named.schemas.set(names.join(', '), names);
    }
  }
  return isUsed;
}

function isFormat(key: string): key is Format {
  return Object.hasOwn(formats, key);
}

export interface Endpoint {
  method: string;
  /** As written: a path, or an absolute URL; both can have `{variables}`. */
  url: string;
}

/** What `api` in a page's frontmatter names: `POST /users`, `GET https://{region}.example.com/users`. */
export function writtenEndpoint({ api, openapi }: Readonly<Json>): Endpoint | undefined {
  if (openapi !== undefined) return undefined;
  const [, method, url] =
    /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|CONNECT)\s+(\/\S*|https?:\/\/\S+)$/i.exec(string(api)?.trim() ?? '') ??
    [];
  return method === undefined || url === undefined ? undefined : { method: method.toUpperCase(), url };
}
