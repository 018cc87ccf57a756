// Pages of operations, channels and GraphQL definitions: docs.json and pages name specifications and parts of them, and each part becomes a page of
// the source, at the path that links use.
import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { nearest } from '../../integration/text/nearest.ts';
import { cleanPath } from '../../integration/urls/parts.ts';
import type { Problem } from '../../integration/diagnostics.ts';
import { ownPath, type NavigationEntry } from '../source/docs-json.ts';
import { withBody, type Source, type SourcePage } from '../source/source.ts';
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import {
  formatKeys,
  formats,
  generatedFile,
  pageFormats,
  pageKeys,
  type Described,
  type Format,
  type PageKey,
} from './described.ts';
import { object, string, type Json } from './json.ts';

/** Where the operations, channels or definitions of an entry and of those inside it come from, and the folder of their pages. */
interface SpecificationScope {
  format: Format;
  sources: string[];
  /** The files of a schema, which is one source. */
  files?: string[];
  directory: string;
  /** Whether the value itself names the folder, as an author does who expects pages. */
  namesDirectory: boolean;
}

type Scopes = Partial<Record<Format, SpecificationScope>>;

/** Matches a navigation entry for an operation or a schema: the specification, if named, and the name of the operation. */
export const operationEntry =
  /^(?:(\S+)\s+)?((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|CONNECT|webhook|schema)\s+\S.*)$/i;

/** The sources in the value of `openapi`, `asyncapi` or `graphql`; paths come without the leading slash. */
export function specificationNames(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.replace(/^(?:\.?\/)+/, '')];
  if (Array.isArray(value)) return value.flatMap(specificationNames);
  if (typeof value === 'object' && value !== null && 'source' in value) return specificationNames(value.source);
  return [];
}

/** The specifications that a source names, verbatim; undefined when it names neither a specification nor a part of one. */
export function namedSpecifications({ config, pages }: Source): Set<string> | undefined {
  const named = new Set<string>();
  const inNavigation = collectNames(config?.navigation, named);
  const { openapi, asyncapi } = object(config?.api);
  collectNames({ openapi, asyncapi }, named);
  let isUsed = inNavigation;
  for (const { frontmatter } of pages) {
    for (const key of pageKeys) {
      const entry = string(frontmatter[key]);
      if (entry === undefined) continue;
      isUsed = true;
      for (const name of specificationNames(partsOf(key, entry).source ?? [])) named.add(name);
    }
  }
  return isUsed ? named : undefined;
}

/** Adds the names of the specifications in a value, without schemas; returns whether the value names a specification or an operation. */
function collectNames(value: unknown, names: Set<string>): boolean {
  if (typeof value === 'string') {
    const [entry, source] = operationEntry.exec(value.trim()) ?? [];
    if (source !== undefined && isRemote(source)) names.add(source);
    return entry !== undefined;
  }
  if (typeof value !== 'object' || value === null) return false;
  let isUsed = false;
  for (const [key, item] of Object.entries(value)) {
    if (isFormat(key)) {
      if (key !== 'graphql') for (const source of specificationNames(item)) names.add(source);
      isUsed ||= item !== undefined;
    } else if (collectNames(item, names)) isUsed = true;
  }
  return isUsed;
}

/** The files of each GraphQL schema that a source names. */
export function namedSchemas({ config }: Source): string[][] {
  const found = new Map<string, string[]>();
  forEachEntry(config?.navigation, ({ graphql }) => {
    const names = [...new Set(specificationNames(graphql))];
    if (names.length > 0) found.set(names.join(', '), names);
  });
  return [...found.values()];
}

/** The languages that the navigation names, verbatim. */
export function languagesIn({ config }: Source): Set<string> {
  const languages = new Set<string>();
  forEachEntry(config?.navigation, ({ language }) => {
    if (language !== undefined) languages.add(language);
  });
  return languages;
}

function forEachEntry(entry: NavigationEntry | undefined, visit: (entry: NavigationEntry) => void): void {
  if (!entry) return;
  visit(entry);
  forEachEntry(entry.global, visit);
  for (const one of [...(entry.pages ?? []), ...levels.flatMap((level) => entry[level] ?? [])])
    if (typeof one !== 'string') forEachEntry(one, visit);
}

/** Whether a specification is named by its URL. */
export function isRemote(name: string): boolean {
  return /^https?:/i.test(name);
}

/** The file's name without folder and extension, since authors often leave out both. */
export function baseName(path: string): string {
  return posix.basename(path).replace(/\.(?:json|ya?ml)$/i, '');
}

function isFormat(key: string): key is Format {
  return Object.hasOwn(formats, key);
}

/** The specification, if named, and the name of the operation, schema or channel in an entry or in frontmatter. */
function partsOf(key: PageKey, entry: string): { source?: string; name?: string } {
  const [, source, name] = (key === 'openapi' ? operationEntry : /^(?:(\S+)\s+)?(\S.*)$/).exec(entry.trim()) ?? [];
  return { ...(source !== undefined && { source }), ...(name !== undefined && { name }) };
}

/** What each specification describes, by its path. */
export type Specifications = ReadonlyMap<string, { format: Format; described: readonly Described[] }>;

const levels = ['tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages', 'menu', 'groups'] as const;

/**
 * Returns the source plus a page for each operation, channel and definition that the navigation or a page's frontmatter names, and a navigation that
 * lists these pages by their paths. Unresolved entries stay unchanged, and `unresolved` gives the reason. `faults`: path of each specification that could
 * not be read → why.
 */
export function withReferencePages(
  source: Source,
  specifications: Specifications,
  faults: ReadonlyMap<string, string>,
  labelsOf: (language: string | undefined) => ReferenceLabels,
): Source {
  const problems: Problem[] = [];
  const unresolved = new Map<string, string>();
  const pages = new Map(source.pages.map((page) => [page.path, withDescribed(page, specifications)]));
  const authored = new Set(
    [...pages.values()].flatMap(({ described }) => (described ? `${described.specification} ${described.name}` : [])),
  );
  const rewrites = source.config?.rewrites ?? {};
  const paths = new Map<string, string>();
  const linking: { path: string; specification: string; directory: string; described: Described }[] = [];

  /** How much of each specification the navigation lists so far. */
  const listed = new Map<string, number>();
  const addListed = (name: string) => listed.set(name, (listed.get(name) ?? 0) + 1);
  const listedOf = ({ sources }: SpecificationScope) => sources.reduce((sum, name) => sum + (listed.get(name) ?? 0), 0);
  /** Specifications that entries name beside pages, with the entry. */
  const beside = new Map<string, string>();

  const register = (specification: string, described: Described, directory: string): string => {
    const key = `${specification} ${described.name} ${directory}`;
    const known = paths.get(key);
    if (known !== undefined) return known;
    const rewritten = rewrites[described.name];
    const wanted = (rewritten === undefined ? undefined : ownPath(rewritten)) ?? pathOf(described, directory);
    let path = wanted;
    for (let number = 2; pages.has(path) && !isPageOf(pages.get(path)!, specification, described); number++)
      path = `${wanted}-${number}`;
    if (!pages.has(path)) pages.set(path, pageOf(path, specification, described));
    if (described.uses) linking.push({ path, specification, directory, described });
    paths.set(key, path);
    return path;
  };

  const resolveEntry = (entry: string, scope: SpecificationScope | undefined): string => {
    const found = findOperation(entry, scope?.sources, specifications);
    if (found) {
      addListed(found.specification);
      return register(found.specification, found.described, scope?.directory ?? formats.openapi.directory);
    }
    const written = pages.get(cleanPath(entry.replace(/\.mdx?$/i, '')))?.described;
    if (written && specifications.get(written.specification)?.format === 'openapi') addListed(written.specification);
    const [, source, name] = operationEntry.exec(entry.trim()) ?? [];
    if (name !== undefined)
      unresolved.set(entry.trim(), whyUnresolved(name, source ? specificationNames(source) : (scope?.sources ?? [])));
    return entry;
  };

  const whyUnresolved = (wanted: string, sources: readonly string[]): string => {
    const named = sources.length === 0 && specifications.size === 0 ? [...faults.keys()] : sources;
    const faulty = named.map((name) => specificationFault(name, 'openapi')).find((reason) => reason !== undefined);
    if (faulty !== undefined) return faulty;
    const why = sources.length === 0 ? notInSpecifications : `not found in ${sources.join(', ')}`;
    const similar = similarName(wanted, specifications, sources);
    return similar === undefined ? why : `${why}; the most similar one is "${similar}"`;
  };

  const specificationFault = (name: string, format: Format): string | undefined => {
    if (specifications.get(name)?.format === format) return undefined;
    const fault = faults.get(name);
    if (fault !== undefined) return `${name} could not be read: ${fault}`;
    const isAvailable = isRemote(name) || source.assets.some(({ path }) => path === name);
    return isAvailable ? `${name} is not ${formats[format].words}` : `${name} is not in the docs folder`;
  };

  /** Entries for all that the specifications describe. One that cannot be used is an entry by its name, which has no page. */
  const entriesForAll = (
    scope: SpecificationScope,
    language: string | undefined,
    isWanted = (_key: string) => true,
  ): (string | NavigationEntry)[] => {
    const reason = scope.sources.map((name) => specificationFault(name, scope.format)).find((why) => why !== undefined);
    if (scope.sources.length === 0 || reason !== undefined) {
      const name = specificationEntry(scope.format, scope.sources);
      unresolved.set(name, reason ?? 'it is empty, and must name a file or a URL');
      return [name];
    }
    const groups = new Map<string | undefined, string[]>();
    for (const name of scope.sources) {
      for (const described of specifications.get(name)!.described) {
        if (described.hidden || !isWanted(`${name} ${described.name}`)) continue;
        const path = register(name, described, scope.directory);
        addListed(name);
        const group = described.groupLabel ? labelsOf(language)[described.groupLabel] : described.group;
        groups.set(group, [...(groups.get(group) ?? []), path]);
      }
    }
    const failed = scope.files?.filter((name) => faults.has(name)) ?? [];
    for (const name of failed)
      unresolved.set(specificationEntry(scope.format, [name]), `${name} could not be read: ${faults.get(name)}`);
    return [
      ...[...groups].flatMap(([group, groupPaths]): (string | NavigationEntry)[] =>
        group === undefined ? groupPaths : [{ group, pages: groupPaths }],
      ),
      ...failed.map((name) => specificationEntry(scope.format, [name])),
    ];
  };

  /** A bare entry has the pages that it names itself, not those of the specification above it. */
  const expand = (entry: NavigationEntry, inherited: Scopes, isBare: boolean, above?: string): NavigationEntry => {
    const language = entry.language ?? above;
    const own = formatKeys.filter((format) => entry[format] !== undefined);
    const scopes: Scopes = { ...inherited };
    for (const format of own) scopes[format] = scopeOf(format, entry, inherited[format]);
    const before = Object.fromEntries(own.map((format) => [format, listedOf(scopes[format]!)]));
    const result: NavigationEntry = { ...entry };
    if (entry.pages) {
      result.pages = entry.pages.map((page) =>
        typeof page === 'string' ? resolveEntry(page, scopes.openapi) : expand(page, scopes, false, language),
      );
    }
    for (const level of levels) {
      const entries = entry[level];
      if (entries) result[level] = entries.map((one) => expand(one, scopes, false, language));
    }
    for (const level of levels) {
      const entries = entry.global?.[level];
      if (entries) result.global = { ...result.global, [level]: entries.map((one) => expand(one, scopes, true, language)) };
    }
    const isEmpty = !entry.pages?.length && levels.every((level) => !entry[level]?.length);
    const hasOwnTarget = entry.href !== undefined || entry.root !== undefined || isBare;
    const wanted = isEmpty ? (own.length > 0 || hasOwnTarget ? own : formatKeys) : [];
    const generated = wanted.flatMap((format) => {
      const scope = scopes[format];
      return scope ? entriesForAll(scope, language) : [];
    });
    // No entry names a channel or a definition, so beside other pages all are listed that have no page of the author. Entries name
    // operations: all are listed if no entry below names one, and the author says where their pages are.
    for (const format of isEmpty ? [] : own) {
      const scope = scopes[format]!;
      const isOpen = listedOf(scope) === before[format] && (entry.pages ?? entry.groups) !== undefined;
      const isFaulty = scope.sources.length === 0 || scope.sources.some((name) => specificationFault(name, format) !== undefined);
      if (isOpen && (format !== 'openapi' || scope.namesDirectory || isFaulty))
        generated.push(...entriesForAll(scope, language, (key) => !authored.has(key)));
      else for (const name of scope.sources) beside.set(name, titleOf(entry));
    }
    if (entry.graphql !== undefined && entry.tab === undefined) problems.push(schemaOutsideTab(entry, configFile));
    if (generated.length > 0) {
      result.pages = [...(result.pages ?? []), ...(result.groups ?? []), ...generated];
      delete result.groups;
      for (const format of own) delete result[format];
    }
    return result;
  };

  for (const { frontmatter, described } of pages.values()) {
    const key = described ? undefined : pageKeys.find((name) => string(frontmatter[name]) !== undefined);
    if (key === undefined) continue;
    const entry = string(frontmatter[key])!.trim();
    const { name = '', source: named } = partsOf(key, entry);
    unresolved.set(entry, whyUnresolved(name, named === undefined ? [] : specificationsNamed(named, specifications, '')));
  }
  const { config, configFile = 'docs.json' } = source;
  const api = object(config?.api);
  const fallback: Scopes = {};
  for (const format of pageFormats)
    if (api[format] !== undefined) fallback[format] = scopeOf(format, { [format]: api[format] }, undefined);
  const navigation = config?.navigation && expand(config.navigation, fallback, true);
  const schemas = schemaPages([...pages.values()]);
  for (const [path, page] of pages) {
    const links = page.described && schemas.get(page.described.specification);
    if (links) pages.set(path, withLinks(page, links));
  }
  const withPage = new Set([...authored, ...[...paths.keys()].map((key) => key.slice(0, key.lastIndexOf(' ')))]);
  for (const [name, entry] of beside) {
    const operations = specifications.get(name)?.described.filter(({ hidden }) => !hidden) ?? [];
    const missing = operations.filter((one) => !withPage.has(`${name} ${one.name}`));
    if (missing.length > 0) problems.push(notListed(name, entry, missing, operations.length, configFile));
  }
  for (const { path, specification, directory, described } of linking) {
    const page = pages.get(path);
    const linked = (described.uses?.() ?? []).flatMap((name) => {
      const target = paths.get(`${specification} ${name} ${directory}`);
      return target === undefined ? [] : [[name, target] as const];
    });
    if (page) pages.set(path, withLinks(page, Object.fromEntries(linked)));
  }
  return {
    ...source,
    problems: [...source.problems, ...problems],
    unresolved,
    ...(config && navigation && { config: { ...config, navigation } }),
    pages: [...pages.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** The name that an author probably means: of another spelling, with other parameter names, a slash at its end or a part of the path before it. */
function similarName(wanted: string, specifications: Specifications, sources: readonly string[]): string | undefined {
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

/** Why an operation, schema or channel has no page when no specification was named. */
export const notInSpecifications = 'not found in any specification in the docs folder';

/** A whole specification as the report names it: '"openapi": "api.json"'. */
export function specificationEntry(key: string, sources: readonly string[]): string {
  return `"${key}": ${JSON.stringify(sources.join(', '))}`;
}

function scopeOf(
  format: Format,
  { [format]: value, directory }: Pick<NavigationEntry, Format | 'directory'>,
  inherited: SpecificationScope | undefined,
): SpecificationScope {
  const fallback = formats[format].directory;
  const names = specificationNames(value);
  const named =
    [value].flat().flatMap((one) => string(object(one).directory) ?? [])[0] ??
    (typeof directory === 'string' ? directory : undefined);
  return {
    format,
    // The files of an entry are one schema.
    ...(format === 'graphql'
      ? { files: names, sources: names.length > 0 ? [[...new Set(names)].join(', ')] : [] }
      : { sources: names }),
    namesDirectory: [value].flat().some((one) => string(object(one).directory) !== undefined),
    directory: cleanPath(named ?? inherited?.directory ?? fallback) || fallback,
  };
}

/** The operation of an entry such as `GET /users` or `spec.json GET /users`. Without a specification, all are searched. */
function findOperation(
  entry: string,
  sourcesInScope: readonly string[] | undefined,
  specifications: Specifications,
  folder = '',
): Found | undefined {
  const { source, name } = partsOf('openapi', entry);
  if (name === undefined) return undefined;
  const [method = '', ...path] = name.split(/\s+/);
  const wanted = `${/^(?:webhook|schema)$/i.test(method) ? method.toLowerCase() : method.toUpperCase()} ${path.join(' ')}`;
  const sources = source ? specificationsNamed(source, specifications, folder) : (sourcesInScope ?? []);
  return findIn(specifications, 'openapi', source || sources.length ? sources : undefined, (one) => one.name === wanted);
}

/** The channel of an entry such as `events.yaml orders`, by its key or its address. */
function findChannel(entry: string, specifications: Specifications, folder: string): Found | undefined {
  return findNamed(
    'asyncapi',
    entry,
    (wanted, sources) =>
      findIn(specifications, 'asyncapi', sources, (one) => one.name === wanted) ??
      findIn(specifications, 'asyncapi', sources, (one) => one.address === wanted),
    (source) => specificationsNamed(source, specifications, folder),
  );
}

/** The schema of an entry such as `shop.yaml User`. */
function findSchema(entry: string, specifications: Specifications, folder: string): Found | undefined {
  return findNamed(
    'openapi-schema',
    entry,
    (wanted, sources) => findIn(specifications, 'openapi', sources, (one) => one.name === `schema ${wanted}`),
    (source) => specificationsNamed(source, specifications, folder),
  );
}

/** What an entry names. It can start with the specification. */
function findNamed(
  key: PageKey,
  entry: string,
  search: (wanted: string, sources?: string[]) => Found | undefined,
  sourcesNamed: (source: string) => string[],
): Found | undefined {
  const { source, name } = partsOf(key, entry);
  const named = source !== undefined && name !== undefined ? search(name, sourcesNamed(source)) : undefined;
  return named ?? search(entry.trim());
}

interface Found {
  specification: string;
  described: Described;
}

/** The first that fits in the specifications at these paths, or in all of the format. */
function findIn(
  specifications: Specifications,
  format: Format,
  sources: readonly string[] | undefined,
  isWanted: (described: Described) => boolean,
): Found | undefined {
  for (const specification of sources ?? [...specifications.keys()].sort()) {
    const its = specifications.get(specification);
    const described = its?.format === format ? its.described.find(isWanted) : undefined;
    if (described) return { specification, described };
  }
  return undefined;
}

/** The specifications that an author means: by the path from the page or the folder of the docs, or by the file's name, also without extension. */
function specificationsNamed(name: string, specifications: Specifications, folder: string): string[] {
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

const findByKey: Record<PageKey, (entry: string, specifications: Specifications, folder: string) => Found | undefined> = {
  openapi: (entry, specifications, folder) => findOperation(entry, undefined, specifications, folder),
  'openapi-schema': findSchema,
  asyncapi: findChannel,
};

/** Adds the operation, schema or channel that the page's frontmatter names, if any. */
function withDescribed(page: SourcePage, specifications: Specifications): SourcePage {
  const folder = posix.dirname(page.file);
  const [found] = pageKeys.flatMap((key) => {
    const entry = string(page.frontmatter[key]);
    return (entry === undefined ? undefined : findByKey[key](entry, specifications, folder)) ?? [];
  });
  if (!found) return page;
  const { specification, described } = found;
  const { path, file, heading, specifiers, bodyLine, lines, kind, digest } = page;
  return {
    ...{ path, file, heading, specifiers, bodyLine, kind },
    ...(lines && { lines }),
    frontmatter: { ...frontmatterOf(described), ...page.frontmatter },
    digest: hash('sha256', `${digest} ${described.digest()} ${specification} ${described.name}`),
    described: { specification, name: described.name },
    get body() {
      return page.body;
    },
  };
}

function pageOf(path: string, specification: string, described: Described): SourcePage {
  return {
    path,
    file: generatedFile({ specification, name: described.name }),
    frontmatter: { ...frontmatterOf(described), ...described.metadata },
    body: described.content,
    specifiers: [],
    bodyLine: 0,
    kind: 'mdx',
    digest: hash('sha256', `${described.digest()} ${specification} ${described.name}`),
    described: { specification, name: described.name },
  };
}

/** Adds the paths of the pages that a page links to, by what they describe. */
function withLinks(page: SourcePage, links: Record<string, string>): SourcePage {
  if (!page.described) return page;
  const digest = hash('sha256', `${page.digest} ${JSON.stringify(links)}`);
  return Object.assign(
    withBody(page, (body) => body),
    { digest, described: { ...page.described, links: { ...page.described.links, ...links } } },
  );
}

/** The pages of schemas, by specification and by `schema User`. */
function schemaPages(pages: readonly SourcePage[]): Map<string, Record<string, string>> {
  const found = new Map<string, Record<string, string>>();
  for (const { path, described } of pages)
    if (described?.name.startsWith('schema '))
      found.set(described.specification, { ...found.get(described.specification), [described.name]: path });
  return found;
}

function schemaOutsideTab(entry: NavigationEntry, configFile: string): Problem {
  return {
    kind: 'graphql-outside-tab',
    severity: 'note',
    page: configFile,
    message: `"graphql" is set on ${titleOf(entry)}, which is not a tab.`,
    hint: 'The pages are made. The hosted format has "graphql" only on tabs.',
  };
}

/** Operations of a specification that neither the navigation nor a page names. */
function notListed(name: string, entry: string, missing: readonly Described[], count: number, configFile: string): Problem {
  const some = missing.slice(0, 3).map((one) => `"${one.name}"`);
  return {
    kind: 'specification-page-missing',
    severity: 'note',
    page: configFile,
    message: `"openapi": ${JSON.stringify(name)} of ${entry}: ${missing.length} of ${count} operations have no page, because other entries stand beside it: ${some.join(', ')}${missing.length > some.length ? ' …' : ''}.`,
    hint: `List them, such as ${some[0]}, or add an entry with "openapi" alone, which lists all.`,
  };
}

/** An entry as messages name it. */
function titleOf({ tab, group, anchor, dropdown, product, version, language, item }: NavigationEntry): string {
  const title = tab ?? group ?? anchor ?? dropdown ?? product ?? version ?? language ?? item;
  return title === undefined ? 'an entry' : JSON.stringify(title);
}

function frontmatterOf({ title, description: given, deprecated, badge }: Described): Json {
  const description = given?.trim();
  // A long description goes into the page's body, not into its frontmatter.
  const isShort = description !== undefined && description.length <= 300 && !/\n\s*\n|[<[`*_|]/.test(description);
  return {
    title,
    ...(isShort && { description }),
    ...(deprecated && { deprecated }),
    ...(badge !== undefined && { tag: badge }),
  };
}

function isPageOf({ described }: SourcePage, specification: string, { name }: Described): boolean {
  return described?.specification === specification && described.name === name;
}

/** Paths come from an untrusted specification: they stay inside the site and outside `_carrel/`. */
function pathOf({ href, tag, name, summary }: Described, directory: string): string {
  const given = href === undefined || /^[a-z]+:|^\/\//i.test(href) ? '' : cleanPath(href.replace(/[?#].*$/s, ''));
  if (given !== '' && !isReserved(given)) return given;
  const path = [directory, ...(tag ? [slug(tag)] : []), slug(summary ?? name)].filter(Boolean).join('/');
  return isReserved(path) ? `${formats.openapi.directory}/${path.slice(path.indexOf('/') + 1)}` : path;
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
