// Pages of operations: docs.json names specifications and operations, and each becomes a page of the source, at the path that links use.
import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { cleanPath } from '../../integration/urls/parts.ts';
import type { NavigationEntry } from '../source/docs-json.ts';
import type { Source, SourcePage } from '../source/source.ts';
import type { Operation } from './operations.ts';
import { object, string, type Json } from './json.ts';

/** The specification that an entry's operations are taken from: its own or an inherited one. */
interface Choice {
  sources: string[];
  directory: string;
}

/** Matches a navigation entry for an operation: the specification, if named, and the name of the operation. */
export const operationEntry = /^(?:(\S+)\s+)?((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|CONNECT|webhook)\s+\S.*)$/i;

/** The sources in an `openapi` value; paths come without the leading slash. */
export function specificationNames(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/^(?:\.?\/)+/, '')];
  if (Array.isArray(value)) return value.flatMap(specificationNames);
  if (typeof value === 'object' && value !== null && 'source' in value) return specificationNames(value.source);
  return [];
}

/** The file names of the specifications that a source names; undefined when it names neither a specification nor an operation. */
export function namedSpecifications({ config, pages }: Source): Set<string> | undefined {
  const named = new Set<string>();
  const inNavigation = collectNames(config?.navigation, named);
  collectNames({ openapi: object(config?.api).openapi }, named);
  const entries = pages.flatMap(({ frontmatter }) => string(frontmatter.openapi) ?? []);
  for (const entry of entries)
    for (const name of specificationNames(operationEntry.exec(entry.trim())?.[1] ?? [])) named.add(fileName(name));
  return inNavigation || entries.length > 0 ? named : undefined;
}

/** Adds the file names of the specifications in a value; returns whether the value names a specification or an operation. */
function collectNames(value: unknown, names: Set<string>): boolean {
  if (typeof value === 'string') return operationEntry.test(value.trim());
  if (typeof value !== 'object' || value === null) return false;
  let isUsed = false;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'openapi') {
      for (const source of specificationNames(item)) names.add(fileName(source));
      isUsed ||= item !== undefined;
    } else if (collectNames(item, names)) isUsed = true;
  }
  return isUsed;
}

/** Authors leave out folder and extension. */
export function fileName(path: string): string {
  return posix.basename(path).replace(/\.(?:json|ya?ml)$/i, '');
}

/** The operations of each specification, by its path. */
export type Operations = ReadonlyMap<string, readonly Operation[]>;

const levels = ['tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages', 'menu', 'groups'] as const;

/**
 * The source with a page for each operation that the navigation or a page's frontmatter names, and a navigation that lists these pages by
 * their paths. Entries whose specification or operation is not known stay unchanged, with the reason in `unmade`. `faults` has the reasons of
 * specifications that could not be read, by their paths.
 */
export function withOperationPages(source: Source, operations: Operations, faults: ReadonlyMap<string, string>): Source {
  const unmade = new Map<string, string>();
  const pages = new Map(source.pages.map((page) => [page.path, withOperation(page, operations)]));
  const paths = new Map<string, string>();

  const register = (specification: string, operation: Operation, { directory }: Choice): string => {
    const key = `${specification} ${operation.name} ${directory}`;
    const known = paths.get(key);
    if (known !== undefined) return known;
    const wanted = pathOf(operation, directory);
    let path = wanted;
    for (let number = 2; pages.has(path) && !isOf(pages.get(path)!, specification, operation); number++)
      path = `${wanted}-${number}`;
    if (!pages.has(path)) pages.set(path, pageOf(path, specification, operation));
    paths.set(key, path);
    return path;
  };

  const listed = (entry: string, choice: Choice | undefined): string => {
    const found = findOperation(entry, choice?.sources, operations);
    if (found) return register(found.specification, found.operation, choice ?? { sources: [], directory: defaultDirectory });
    const [, source, name] = operationEntry.exec(entry.trim()) ?? [];
    if (name !== undefined) unmade.set(entry.trim(), whyUnmade(source ? specificationNames(source) : (choice?.sources ?? [])));
    return entry;
  };

  const whyUnmade = (sources: readonly string[]): string => {
    const faulty = sources.map((name) => whyUnread(name)).find((reason) => reason !== undefined);
    if (faulty !== undefined) return faulty;
    return sources.length === 0 ? 'no specification in the docs folder has it' : `${sources.join(', ')} does not have it`;
  };

  const whyUnread = (name: string): string | undefined => {
    if (operations.has(name)) return undefined;
    if (/^https?:/i.test(name)) return `${name} is on another host`;
    const fault = faults.get(name);
    if (fault !== undefined) return `${name} could not be read: ${fault}`;
    const isFile = source.assets.some(({ path }) => path === name);
    return isFile ? `${name} is not an OpenAPI specification` : `${name} is not in the docs folder`;
  };

  const all = (choice: Choice): (string | NavigationEntry)[] | undefined => {
    const reason = choice.sources.map(whyUnread).find((why) => why !== undefined);
    if (choice.sources.length === 0 || reason !== undefined) {
      unmade.set(`"openapi": ${JSON.stringify(choice.sources.join(', '))}`, reason ?? 'it names no specification');
      return undefined;
    }
    const groups = new Map<string | undefined, string[]>();
    for (const name of choice.sources) {
      for (const operation of operations.get(name)!) {
        if (operation.hidden) continue;
        const path = register(name, operation, choice);
        groups.set(operation.group, [...(groups.get(operation.group) ?? []), path]);
      }
    }
    return [...groups].flatMap(([group, its]): (string | NavigationEntry)[] =>
      group === undefined ? its : [{ group, pages: its }],
    );
  };

  const expand = (entry: NavigationEntry, inherited: Choice | undefined, isRoot: boolean): NavigationEntry => {
    const choice = entry.openapi === undefined ? inherited : choiceOf(entry, inherited);
    const result: NavigationEntry = { ...entry };
    if (entry.pages) {
      result.pages = entry.pages.map((page) => (typeof page === 'string' ? listed(page, choice) : expand(page, choice, false)));
    }
    for (const level of levels) {
      const entries = entry[level];
      if (entries) result[level] = entries.map((one) => expand(one, choice, false));
    }
    const isEmpty = !entry.pages?.length && levels.every((level) => !entry[level]?.length);
    const isOther = entry.href !== undefined || entry.root !== undefined || isRoot;
    if (isEmpty && choice && (entry.openapi !== undefined || !isOther)) {
      const generated = all(choice);
      if (generated) {
        result.pages = generated;
        delete result.openapi;
      }
    }
    return result;
  };

  const { config } = source;
  const api = object(config?.api).openapi;
  const fallback = api === undefined ? undefined : choiceOf({ openapi: api }, undefined);
  const navigation = config?.navigation && expand(config.navigation, fallback, true);
  return {
    ...source,
    unmade,
    ...(config && navigation && { config: { ...config, navigation } }),
    pages: [...pages.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

const defaultDirectory = 'api-reference';

function choiceOf({ openapi, directory }: Pick<NavigationEntry, 'openapi' | 'directory'>, inherited: Choice | undefined): Choice {
  const named = string(object(openapi).directory) ?? (typeof directory === 'string' ? directory : undefined);
  return {
    sources: specificationNames(openapi),
    directory: cleanPath(named ?? inherited?.directory ?? defaultDirectory) || defaultDirectory,
  };
}

/** The operation of an entry such as `GET /users` or `spec.json GET /users`. Without a specification, all are searched. */
function findOperation(
  entry: string,
  chosen: readonly string[] | undefined,
  operations: Operations,
  folder = '',
): { specification: string; operation: Operation } | undefined {
  const [, source, name] = operationEntry.exec(entry.trim()) ?? [];
  if (name === undefined) return undefined;
  const [method = '', ...path] = name.split(/\s+/);
  const wanted = `${method.toLowerCase() === 'webhook' ? 'webhook' : method.toUpperCase()} ${path.join(' ')}`;
  const sources = source ? specificationsNamed(source, operations, folder) : (chosen ?? []);
  for (const specification of source || sources.length ? sources : [...operations.keys()].sort()) {
    const operation = operations.get(specification)?.find((one) => one.name === wanted);
    if (operation) return { specification, operation };
  }
  return undefined;
}

/** The specifications that an author means: by the path from the page or the folder of the docs, or by the file's name, also without extension. */
function specificationsNamed(name: string, operations: Operations, folder: string): string[] {
  const bare = (path: string) => path.replace(/\.(?:json|ya?ml)$/i, '');
  const written = [
    posix.join('/', folder, name).slice(1),
    ...specificationNames(name).map((path) => posix.join('/', path).slice(1)),
  ];
  const known = [...operations.keys()].sort();
  for (const path of written) {
    const found = known.filter((one) => one === path || bare(one) === bare(path));
    if (found.length > 0) return found;
  }
  return known.filter((one) => bare(posix.basename(one)) === bare(posix.basename(name)));
}

/** A page whose frontmatter names an operation. */
function withOperation(page: SourcePage, operations: Operations): SourcePage {
  const entry = string(page.frontmatter.openapi);
  const found = entry === undefined ? undefined : findOperation(entry, undefined, operations, posix.dirname(page.file));
  if (!found) return page;
  const { specification, operation } = found;
  const { path, file, heading, specifiers, bodyLine, kind, digest } = page;
  return {
    ...{ path, file, heading, specifiers, bodyLine, kind },
    frontmatter: { ...frontmatterOf(operation), ...page.frontmatter },
    digest: hash('sha256', `${digest} ${operation.digest} ${specification} ${operation.name}`),
    operation: { specification, name: operation.name },
    get body() {
      return page.body;
    },
  };
}

function pageOf(path: string, specification: string, operation: Operation): SourcePage {
  return {
    path,
    file: `${specification} (${operation.name})`,
    frontmatter: { ...frontmatterOf(operation), ...operation.metadata },
    body: operation.content,
    specifiers: [],
    bodyLine: 0,
    kind: 'mdx',
    digest: hash('sha256', `${operation.digest} ${specification} ${operation.name}`),
    operation: { specification, name: operation.name },
  };
}

function frontmatterOf({ title, operation, method, isWebhook }: Operation): Json {
  const description = string(operation.description)?.trim();
  // A description of several paragraphs is in the page, not in its head.
  const isShort = description !== undefined && description.length <= 300 && !/\n\s*\n|[<[`*_|]/.test(description);
  return {
    title,
    ...(isShort && { description }),
    ...(operation.deprecated === true && { deprecated: true }),
    tag: isWebhook ? 'WEBHOOK' : method,
  };
}

function isOf(page: SourcePage, specification: string, { name }: Operation): boolean {
  return page.operation?.specification === specification && page.operation.name === name;
}

/** Paths of a stranger's file stay inside the site, and outside the folder of our own scripts. */
function pathOf({ href, tag, title }: Operation, directory: string): string {
  const given = href === undefined || /^[a-z]+:|^\/\//i.test(href) ? '' : cleanPath(href.replace(/[?#].*$/s, ''));
  if (given !== '' && !isReserved(given)) return given;
  const path = [directory, ...(tag ? [slug(tag)] : []), slug(title)].filter(Boolean).join('/');
  return isReserved(path) ? `${defaultDirectory}/${path.slice(path.indexOf('/') + 1)}` : path;
}

function isReserved(path: string): boolean {
  return /^_carrel(?:\/|$)/i.test(path);
}

function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
