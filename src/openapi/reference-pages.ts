// Pages of operations, channels and GraphQL definitions: docs.json and pages name specifications and parts of them, and each part becomes a page of
// the source, at the path that links use.
import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { cleanPath } from '../../integration/urls/parts.ts';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { objectOf } from '../../integration/text/json.ts';
import { entryLevels, ownPath, type NavigationEntry } from '../source/docs-json.ts';
import { withBody, type Source, type SourcePage } from '../source/source.ts';
import { generatedFile, type Described } from './described.ts';
import { findByKey, findOperation, similarName, specificationsNamed, type Specifications } from './find-described.ts';
import { string, type Json } from './json.ts';
import {
  formatKeys,
  formats,
  isRemote,
  notInSpecifications,
  pageFormats,
  pageKeys,
  partsOf,
  specificationEntry,
  specificationNames,
  type Format,
} from './named-specifications.ts';

/** What was read of the specifications of a source. */
export interface ReadSpecifications {
  specifications: Specifications;
  /** Path of each specification that could not be read → why. */
  faults: ReadonlyMap<string, string>;
  labelsOf(language: string | undefined): ReferenceLabels;
}

/**
 * Returns the source plus a page for each operation, channel and definition that the navigation or a page's frontmatter names, and a navigation that
 * lists these pages by their paths. Unresolved entries stay unchanged, and `unresolved` gives the reason.
 */
export function withReferencePages(source: Source, read: ReadSpecifications): Source {
  const { config, configFile = 'docs.json' } = source;
  const unresolved = new Map<string, string>();
  const pages = createPages(source, read.specifications);
  const reasons = createReasons(source, read);
  for (const [entry, name, sources] of pages.unresolved()) unresolved.set(entry, reasons.ofPart(name, sources));
  const { expand, beside, problems } = createExpansion({ ...read, pages, reasons, unresolved, configFile });
  const api = objectOf(config?.api);
  const fallback: Scopes = {};
  for (const format of pageFormats)
    if (api[format] !== undefined) fallback[format] = scopeOf(format, { [format]: api[format] }, undefined);
  const navigation = config?.navigation && expand(config.navigation, { scopes: fallback, isBare: true });
  for (const [name, entry] of beside) {
    const operations = read.specifications.get(name)?.described.filter(({ hidden }) => !hidden) ?? [];
    const missing = operations.filter((one) => !pages.has(name, one));
    if (missing.length > 0) problems.push(notListed(name, entry, missing, operations.length, configFile));
  }
  return {
    ...source,
    problems: [...source.problems, ...problems],
    unresolved,
    ...(config && navigation && { config: { ...config, navigation } }),
    pages: pages.linked(),
  };
}

/** The pages of a source, and those of what its specifications describe, each added when an entry first needs it. */
function createPages(source: Source, specifications: Specifications) {
  const pages = new Map(source.pages.map((page) => [page.path, withDescribed(page, specifications)]));
  const keyOf = (specification: string, { name }: Pick<Described, 'name'>) => `${specification} ${name}`;
  const authored = new Set(
    [...pages.values()].flatMap(({ described }) => (described ? keyOf(described.specification, described) : [])),
  );
  const rewrites = source.config?.rewrites ?? {};
  const shown = new Set(authored);
  const paths = new Map<string, string>();
  const linking: { path: string; specification: string; directory: string; described: Described }[] = [];

  return {
    at: (path: string): SourcePage | undefined => pages.get(path),
    /** Whether a page shows a part of a specification. */
    has: (specification: string, described: Described): boolean => shown.has(keyOf(specification, described)),
    /** Whether the author wrote that page. */
    isAuthored: (specification: string, described: Described): boolean => authored.has(keyOf(specification, described)),
    /** The path of the page of a part, which is added if there is none. */
    pageFor(specification: string, described: Described, directory: string): string {
      const key = `${keyOf(specification, described)} ${directory}`;
      const known = paths.get(key);
      if (known !== undefined) return known;
      const rewritten = rewrites[described.name];
      const wanted = (rewritten === undefined ? undefined : ownPath(rewritten)) ?? wantedPath(described, directory);
      let path = wanted;
      for (let number = 2; pages.has(path) && !isPageOf(pages.get(path)!, specification, described); number++)
        path = `${wanted}-${number}`;
      if (!pages.has(path)) pages.set(path, pageOf(path, specification, described));
      if (described.uses) linking.push({ path, specification, directory, described });
      paths.set(key, path);
      shown.add(keyOf(specification, described));
      return path;
    },
    /** What pages name that no specification describes: the entry, and the name and the specifications in it. */
    unresolved: (): [entry: string, name: string, sources: string[]][] =>
      [...pages.values()].flatMap(({ frontmatter, described }): [string, string, string[]][] => {
        const key = described ? undefined : pageKeys.find((name) => string(frontmatter[name]) !== undefined);
        if (key === undefined) return [];
        const entry = string(frontmatter[key])!.trim();
        const { name = '', source: named } = partsOf(key, entry);
        return [[entry, name, named === undefined ? [] : specificationsNamed(named, specifications, '')]];
      }),
    /** All pages, sorted, with links to the schemas and definitions that they name. */
    linked(): SourcePage[] {
      const schemas = schemaPages([...pages.values()]);
      for (const [path, page] of pages) {
        const links = page.described && schemas.get(page.described.specification);
        if (links) pages.set(path, withLinks(page, links));
      }
      for (const { path, specification, directory, described } of linking) {
        const links = (described.uses?.() ?? []).flatMap((name) => {
          const target = paths.get(`${keyOf(specification, { name })} ${directory}`);
          return target === undefined ? [] : [[name, target] as const];
        });
        pages.set(path, withLinks(pages.get(path)!, Object.fromEntries(links)));
      }
      return [...pages.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    },
  };
}

/** Why entries have no page. */
function createReasons({ assets }: Source, { specifications, faults }: ReadSpecifications) {
  /** Undefined for a specification that was read. */
  const ofSpecification = (name: string, format: Format): string | undefined => {
    if (specifications.get(name)?.format === format) return undefined;
    const fault = faults.get(name);
    if (fault !== undefined) return `${name} could not be read: ${fault}`;
    const isAvailable = isRemote(name) || assets.some(({ path }) => path === name);
    return isAvailable ? `${name} is not ${formats[format].words}` : `${name} is not in the docs folder`;
  };
  return {
    ofSpecification,
    ofPart(wanted: string, sources: readonly string[]): string {
      const named = sources.length === 0 && specifications.size === 0 ? [...faults.keys()] : sources;
      const faulty = named.map((name) => ofSpecification(name, 'openapi')).find((reason) => reason !== undefined);
      if (faulty !== undefined) return faulty;
      const why = sources.length === 0 ? notInSpecifications : `not found in ${sources.join(', ')}`;
      const similar = similarName(wanted, specifications, sources);
      return similar === undefined ? why : `${why}; the most similar one is "${similar}"`;
    },
  };
}

interface ExpansionOptions extends ReadSpecifications {
  pages: ReturnType<typeof createPages>;
  reasons: ReturnType<typeof createReasons>;
  /** Gets the reason of each entry that has no page. */
  unresolved: Map<string, string>;
  configFile: string;
}

/** What applies to an entry from those around it. A bare entry has the pages that it names itself, not those of the specification above it. */
interface Surroundings {
  scopes: Scopes;
  isBare?: boolean;
  language?: string | undefined;
}

/** Entries of pages in place of what an entry names, counted by specification. */
function createEntries({ specifications, faults, labelsOf, pages, reasons, unresolved }: ExpansionOptions) {
  /** How much of each specification the navigation lists so far. */
  const listed = new Map<string, number>();
  const addListed = (name: string) => listed.set(name, (listed.get(name) ?? 0) + 1);
  const listedOf = ({ sources }: SpecificationScope) => sources.reduce((sum, name) => sum + (listed.get(name) ?? 0), 0);

  const resolveEntry = (entry: string, scope: SpecificationScope | undefined): string => {
    const found = findOperation(entry, scope?.sources, specifications);
    if (found) {
      addListed(found.specification);
      return pages.pageFor(found.specification, found.described, scope?.directory ?? formats.openapi.directory);
    }
    const written = pages.at(cleanPath(entry.replace(/\.mdx?$/i, '')))?.described;
    if (written && specifications.get(written.specification)?.format === 'openapi') addListed(written.specification);
    const { source, name } = partsOf('openapi', entry);
    if (name !== undefined)
      unresolved.set(entry.trim(), reasons.ofPart(name, source ? specificationNames(source) : (scope?.sources ?? [])));
    return entry;
  };

  /** Entries for all that the specifications describe. One that cannot be used is an entry by its name, which has no page. */
  const entriesForAll = (
    scope: SpecificationScope,
    language: string | undefined,
    isWanted: (specification: string, described: Described) => boolean = () => true,
  ): (string | NavigationEntry)[] => {
    const reason = faultIn(scope);
    if (reason !== undefined) {
      const name = specificationEntry(scope.format, scope.sources);
      unresolved.set(name, reason);
      return [name];
    }
    const groups = new Map<string | undefined, string[]>();
    for (const name of scope.sources) {
      for (const described of specifications.get(name)!.described) {
        if (described.hidden || !isWanted(name, described)) continue;
        const path = pages.pageFor(name, described, scope.directory);
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

  const faultIn = ({ sources, format }: SpecificationScope): string | undefined =>
    sources.length === 0
      ? 'it is empty, and must name a file or a URL'
      : sources.map((name) => reasons.ofSpecification(name, format)).find((why) => why !== undefined);

  return { resolveEntry, entriesForAll, faultIn, listedOf };
}

/** `expand` gives an entry with the paths of pages in place of what it names; `beside`: specifications that entries name beside pages, with the entry. */
function createExpansion(options: ExpansionOptions) {
  const { pages, configFile } = options;
  const { resolveEntry, entriesForAll, faultIn, listedOf } = createEntries(options);
  const problems: Problem[] = [];
  const beside = new Map<string, string>();

  const expand = (
    entry: NavigationEntry,
    { scopes: inherited, isBare = false, language: above }: Surroundings,
  ): NavigationEntry => {
    const language = entry.language ?? above;
    const own = formatKeys.filter((format) => entry[format] !== undefined);
    const scopes: Scopes = { ...inherited };
    for (const format of own) scopes[format] = scopeOf(format, entry, inherited[format]);
    const before = new Map(own.map((format) => [format, listedOf(scopes[format]!)]));
    const result = expandWithin(entry, { scopes, language });
    const isEmpty = !entry.pages?.length && entryLevels.every((level) => !entry[level]?.length);
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
      const isOpen = listedOf(scope) === before.get(format) && (entry.pages ?? entry.groups) !== undefined;
      if (isOpen && (format !== 'openapi' || scope.namesDirectory || faultIn(scope) !== undefined))
        generated.push(...entriesForAll(scope, language, (name, described) => !pages.isAuthored(name, described)));
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

  const expandWithin = (entry: NavigationEntry, around: Surroundings): NavigationEntry => {
    const result: NavigationEntry = { ...entry };
    if (entry.pages)
      result.pages = entry.pages.map((page) =>
        typeof page === 'string' ? resolveEntry(page, around.scopes.openapi) : expand(page, around),
      );
    for (const level of entryLevels) {
      const entries = entry[level];
      if (entries) result[level] = entries.map((one) => expand(one, around));
    }
    for (const level of entryLevels) {
      const entries = entry.global?.[level];
      if (entries) result.global = { ...result.global, [level]: entries.map((one) => expand(one, { ...around, isBare: true })) };
    }
    return result;
  };

  return { expand, beside, problems };
}

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

function scopeOf(
  format: Format,
  { [format]: value, directory }: Pick<NavigationEntry, Format | 'directory'>,
  inherited: SpecificationScope | undefined,
): SpecificationScope {
  const fallback = formats[format].directory;
  const names = specificationNames(value);
  const own = [value].flat().flatMap((one) => string(objectOf(one).directory) ?? [])[0];
  const named = own ?? (typeof directory === 'string' ? directory : undefined);
  return {
    format,
    // The files of an entry are one schema.
    ...(format === 'graphql'
      ? { files: names, sources: names.length > 0 ? [[...new Set(names)].join(', ')] : [] }
      : { sources: names }),
    namesDirectory: own !== undefined,
    directory: cleanPath(named ?? inherited?.directory ?? fallback) || fallback,
  };
}

/** Adds the operation, schema or channel that the page's frontmatter names, if any. */
function withDescribed(page: SourcePage, specifications: Specifications): SourcePage {
  const folder = posix.dirname(page.file);
  const [found] = pageKeys.flatMap((key) => {
    const entry = string(page.frontmatter[key]);
    return (entry === undefined ? undefined : findByKey(key, entry, specifications, folder)) ?? [];
  });
  if (!found) return page;
  const { specification, described } = found;
  const { path, file, heading, specifiers, bodyLine, lines, kind, digest, included } = page;
  return {
    ...{ path, file, heading, specifiers, bodyLine, kind },
    ...(lines && { lines }),
    ...(included && { included }),
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
  return createProblem({
    kind: 'graphql-outside-tab',
    page: configFile,
    message: `"graphql" is set on ${titleOf(entry)}, which is not a tab.`,
    hint: 'The pages are made. The hosted format has "graphql" only on tabs.',
  });
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
function wantedPath({ href, tag, name, summary }: Described, directory: string): string {
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
