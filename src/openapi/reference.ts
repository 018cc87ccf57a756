// The API reference of a docs folder: a page for each operation, channel and GraphQL definition that its navigation or a page names, and what these
// pages show.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import type { Source, SourceAsset, SourcePage } from '../source/source.ts';
import { english, labelsOf, type ReferenceLabels } from '../../integration/texts/index.ts';
import { baseName, isRemote, namedSpecifications, type Format, type PageFormat } from './named-specifications.ts';
import { withReferencePages } from './reference-pages.ts';
import { channelProblems } from './check-channels.ts';
import { operationProblems } from './check-operations.ts';
import { channelsOf } from './channels.ts';
import type { AnyDescribed } from './described-nodes.ts';
import { componentSchemasOf } from './component-schemas.ts';
import { operationsOf } from './operations.ts';
import type { Json } from './json.ts';
import { schemaProblems } from './check-schemas.ts';
import { createRemoteFiles, type ParseFile, type RemoteFile, type RemoteFiles, type RemoteOptions } from './remote-files.ts';
import { problemAt, type BrokenReference } from './references.ts';
import { readSpecification, type Specification } from './specification.ts';
import type { SchemaFile } from './schema-file.ts';
import { largestFile, parseFile, SpecificationFault } from './specification-file.ts';
import { mayRead } from '../source/readers.ts';
import { removeLimited } from './limited-schemas.ts';
import { separateVariants } from './variants.ts';

export interface Reference {
  source: Source;
  /** The files from external origins that its specifications consist of. */
  remoteFiles: RemoteFile[];
  /** What a page describes after its body. */
  describedBy(page: SourcePage): { described: AnyDescribed; document: Json } | undefined;
}

interface ReadSpecification {
  format: Format;
  document: Json;
  described: readonly AnyDescribed[];
  problems: Problem[];
  /** Paths in the docs folder, or URLs. */
  files: readonly string[];
  /** Whether it has parts that the readers whom the pages are for may not see. */
  isLimited: boolean;
}

/** Specifications of a folder that is opened repeatedly, by path: each is read again when one of its files has changed. */
export type KnownSpecifications = Map<string, { state: string; files: readonly string[]; read: ReadSpecification | undefined }>;

interface ReadOptions extends RemoteOptions {
  known?: KnownSpecifications;
  /** The groups of the readers whom the pages are for. */
  groups?: readonly string[];
}

/** The source with the pages of its API specifications. */
export async function readReference(
  source: Source,
  options: ReadOptions = {},
  named = namedSpecifications(source),
): Promise<Reference> {
  const remote = createRemoteFiles(options);
  const found: Found = { specifications: new Map(), faults: new Map(), problems: [] };
  await readSpecifications(source, found, {
    ...{ remote, named: named?.specifications ?? new Set(), known: options.known, groups: options.groups },
  });
  for (const [name, files] of named?.schemas ?? []) await readSchemaFiles(name, files, found, fileReader(source.assets, remote));
  const labels = await labelsByLanguage(named?.languages ?? new Set());
  const { specifications, faults, problems } = found;
  const expanded = withReferencePages(source, {
    ...{ specifications, faults },
    labelsOf: (language) => labels.get(language) ?? english.reference,
  });
  const byName = new Map(
    [...specifications].map(([path, { described }]) => [
      path,
      new Map(described.map((one) => [one.name, one] as const).reverse()),
    ]),
  );
  return {
    source: {
      ...expanded,
      specifications: [...specifications].map(([path, { files, isLimited }]) => ({ path, files, isLimited })),
      problems: [...expanded.problems, ...problems, ...remote.problems()],
    },
    remoteFiles: remote.files(),
    describedBy({ described: wanted }) {
      const specification = wanted && specifications.get(wanted.specification);
      const described = wanted && byName.get(wanted.specification)?.get(wanted.name);
      return specification && described && { described, document: specification.document };
    },
  };
}

interface Found {
  specifications: Map<string, Omit<ReadSpecification, 'problems'>>;
  /** Why others could not be read. */
  faults: Map<string, string>;
  problems: Problem[];
}

/** Reads the OpenAPI and AsyncAPI specifications of a folder, and those that it names by URL. */
async function readSpecifications(
  { assets, pages }: Source,
  { specifications, faults, problems }: Found,
  { remote, named, known, groups }: Omit<ReadOptions, 'cache'> & { remote: RemoteFiles; named: ReadonlySet<string> },
): Promise<void> {
  const baseNames = new Set([...named].map(baseName));
  const hasSchemaPages = pages.some(({ frontmatter }) => frontmatter['openapi-schema'] !== undefined);
  const readFile = fileReader(assets, remote);
  const local = assets.filter((one) => mayBeSpecification(one, baseNames)).map(({ path }) => path);
  for (const path of [...local, ...[...named].filter(isRemote).sort()]) {
    try {
      const read = await knownOr(known, path, {
        readFile: (location) => readFile(location, parseFile),
        assets,
        hasSchemaPages,
        groups,
      });
      if (!read) continue;
      specifications.set(path, read);
      problems.push(...read.problems);
    } catch (error) {
      if (!(error instanceof SpecificationFault)) throw error;
      faults.set(path, error.message);
      if (isRemote(path) || baseNames.has(baseName(path))) problems.push(faultProblem(path, error));
    }
  }
}

/** Reads the files of a GraphQL schema. */
async function readSchemaFiles(
  name: string,
  locations: readonly string[],
  { specifications, faults, problems }: Found,
  readFile: FileReader,
): Promise<void> {
  // Loaded for sites that have a schema.
  const { definitionsOf } = await import('./definitions.ts');
  const { parseSchemaFile } = await import('./schema-file.ts');
  const files: SchemaFile[] = [];
  let firstFault: string | undefined;
  for (const location of locations) {
    try {
      files.push(await readFile(location, parseSchemaFile));
    } catch (fault) {
      if (!(fault instanceof SpecificationFault)) throw fault;
      firstFault ??= fault.message;
      faults.set(location, fault.message);
      problems.push(faultProblem(location, fault));
    }
  }
  const { definitions, problems: itsProblems } = definitionsOf(files);
  problems.push(...itsProblems);
  if (definitions.length > 0)
    specifications.set(name, { format: 'graphql', document: {}, described: definitions, files: locations, isLimited: false });
  else faults.set(name, firstFault ?? 'it defines neither fields of queries nor types');
}

/** The labels of groups in the languages of the navigation. */
async function labelsByLanguage(languages: ReadonlySet<string>): Promise<Map<string | undefined, ReferenceLabels>> {
  const labels = new Map<string | undefined, ReferenceLabels>();
  for (const language of [undefined, ...languages]) labels.set(language, (await labelsOf(language)).reference);
  return labels;
}

/** What a specification describes, and what is wrong with it. */
const read: Record<PageFormat, (specification: Specification) => { described: AnyDescribed[]; problems: Problem[] }> = {
  openapi(specification) {
    const operations = operationsOf(specification);
    const described = [...operations, ...componentSchemasOf(specification)];
    return { described, problems: operationProblems(specification, operations) };
  },
  asyncapi(specification) {
    const described = channelsOf(specification);
    return { described, problems: channelProblems(specification, described) };
  },
};

interface SpecificationOptions {
  readFile: Parameters<typeof readSpecification>[1];
  /** Whether pages show schemas that no operation refers to. */
  hasSchemaPages: boolean;
  groups?: readonly string[];
}

async function readOne(
  path: string,
  { readFile, hasSchemaPages, groups }: SpecificationOptions,
): Promise<ReadSpecification | undefined> {
  const files = new Set<string>();
  const specification = await readSpecification(path, (location) => {
    files.add(location);
    return readFile(location);
  });
  if (!specification) return undefined;
  const { format, document, broken } = specification;
  const isLimited = removeLimited(document, mayRead(groups));
  const { described, problems } = read[format](specification);
  const all = [...brokenReferences(broken), ...problems, ...(await schemaProblems(specification, hasSchemaPages))];
  separateVariants(document);
  return { format, document, described, problems: all, files: [...files], isLimited };
}

async function knownOr(
  known: KnownSpecifications | undefined,
  path: string,
  { assets, ...options }: SpecificationOptions & { assets: readonly SourceAsset[] },
): Promise<ReadSpecification | undefined> {
  if (!known) return readOne(path, options);
  const before = known.get(path);
  if (before && before.state === stateOf(before.files, assets)) return before.read;
  // Taken before the files are read, so that a change meanwhile is seen the next time.
  const states = new Map<string, string>();
  const read = await readOne(path, {
    ...options,
    readFile(location) {
      states.set(location, stateOf([location], assets));
      return options.readFile(location);
    },
  });
  known.delete(path);
  const files = [...states.keys()];
  if (!files.some(isRemote)) known.set(path, { state: [...states.values()].join(''), files, read });
  return read;
}

/** Size and times of files. */
function stateOf(files: readonly string[], assets: readonly SourceAsset[]): string {
  return files
    .map((location) => {
      const asset = assets.find(({ path }) => path === location);
      const stats = asset && statSync(asset.file, { throwIfNoEntry: false });
      return `${location} ${stats?.size} ${stats?.mtimeMs} ${stats?.ctimeMs} ${stats?.ino}\n`;
    })
    .join('');
}

type FileReader = ReturnType<typeof fileReader>;

/** Reads the files of specifications, in the docs folder and from external origins. */
function fileReader(assets: readonly SourceAsset[], remote: RemoteFiles) {
  const files = new Map(assets.map((asset) => [asset.path, asset]));
  return async <File extends { digest: string }>(location: string, parse: ParseFile<File>): Promise<File> => {
    if (isRemote(location)) return remote.read(location, parse);
    const asset = files.get(location);
    if (!asset) throw new SpecificationFault(`${location} is not in the docs folder`);
    if (asset.size > largestFile) throw new SpecificationFault('it is larger than 64 MB');
    return parse(location, readFileSync(asset.file));
  };
}

function faultProblem(page: string, { message, position }: SpecificationFault): Problem {
  return createProblem({
    kind: 'specification-not-read',
    page,
    ...position,
    message: `The API specification could not be read: ${message}.`,
    hint: `${isRemote(page) ? 'Correct its URL, or put a copy into the docs folder.' : 'Correct the file.'} What it describes has no pages until then.`,
  });
}

const shownReferences = 100;

/** The first broken references, each with its place in its file. */
function brokenReferences(broken: readonly BrokenReference[]): Problem[] {
  return broken.slice(0, shownReferences).map(({ reference, reason, ...place }) =>
    problemAt(place, {
      kind: 'specification-reference-broken',
      message: (pointer) => `"$ref": "${reference}" at ${pointer} is broken: ${reason}.`,
      hint: 'Correct the reference. What it refers to is not shown until then.',
    }),
  );
}

function mayBeSpecification({ path, file }: SourceAsset, named: ReadonlySet<string>): boolean {
  return (
    /\.(?:json|ya?ml)$/i.test(path) &&
    (named.has(baseName(path)) || /^[\s{]*["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(beginning(file)))
  );
}

function beginning(file: string): string {
  const bytes = Buffer.alloc(4096);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
