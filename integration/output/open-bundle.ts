// Reads bundles and export folders from other people: nothing in them is trusted before it is checked.
import { createHash, hash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, ExportError } from '../errors.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import { shownName } from '../text/escape.ts';
import { hasRepeatedKey } from '../text/json.ts';
import { freeBuffer } from './free-buffer.ts';
import { readWhole } from './read-whole.ts';
import { openArchive, type Archive } from './read-archive.ts';
import type { ArchiveEntry } from './zip-directory.ts';
import { checkEntries, notFromCarrelHint, unsafe, type BundleRules } from './check-entries.ts';
import {
  manifestFault,
  manifestSchema,
  provenanceFile,
  settingsFile,
  signatureFile,
  unlisted,
  type ListedFile,
  type Manifest,
} from '../manifest.ts';
import { readStatement, type Statement } from './provenance.ts';
import { checkSignature, notAsSigned, notSigned, readSignature, type Signature } from './signature.ts';
import { wordFinders, type WordFinder } from './word-finder.ts';

export type Bundle = Awaited<ReturnType<typeof openBundle>>;

const largestManifest = 128 * 1024 * 1024;
const largestUnlisted = 1024 * 1024;

/** Provenance lists all files of external origins. */
const largestProvenance = 16 * 1024 * 1024;

function limitOf(path: string): number {
  if (path === 'carrel.json') return largestManifest;
  return path === provenanceFile ? largestProvenance : largestUnlisted;
}

/**
 * Opens a bundle or an export folder for reading; nothing is unpacked to disk, and no file is read yet.
 * Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`, `BundleUnsafe`, `ManifestMissing`, `ManifestInvalid`.
 */
export async function openBundle(file: string, rules?: BundleRules) {
  const opened = await openArchiveOrFolder(file, rules);
  try {
    const [problem] = checkEntries(opened, rules);
    if (problem) throw new ExportError('BundleUnsafe', `"${file}" was not opened. ${problem.message}`, problem.hint);
    const entries = filesOf(opened);
    const archive = rules?.keys ? await withUnlistedInMemory(file, opened, entries) : opened;
    const { manifest, signature } = await readManifest(file, { archive, entries, rules });
    const entryOf = (path: string) => {
      const listed = Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
      const entry = entries.get(path);
      if (!entry || (!listed && !unlisted.has(path)))
        throw new ExportError('BundleFileMissing', `"${file}" has no file "${shownName(path)}".`);
      const limit = listed?.size ?? limitOf(path);
      if (entry.size > limit) throw tooLongError(file, entry, limit);
      return { entry, listed };
    };
    const read = async (path: string): Promise<Uint8Array> => {
      const { entry, listed } = entryOf(path);
      const bytes = await collect(archive, entry, file);
      const expected = listed ?? expectedFile(manifest, path, rules);
      if (expected && (bytes.length !== expected.size || sha256(bytes) !== expected.sha256)) throw fileChangedError(file, path);
      return bytes;
    };
    return {
      manifest,
      /** Who signed it; only with `keys` it was checked. */
      signature,
      /** Bytes of a file of the export, checked against the manifest. Throws `ExportError` `BundleFileChanged`, `BundleFileMissing`. */
      read,
      /** The bytes of a file that the export may have. */
      readIfThere: async (path: string): Promise<Uint8Array | undefined> => (entries.has(path) ? read(path) : undefined),
      /** Bytes of a large file, from `start` up to `end`, which are not checked against the manifest. */
      stream: (path: string, start: number, end: number): AsyncIterable<Uint8Array> =>
        archive.read(entryOf(path).entry, start, end),
      /** Reads every file and returns the problems, like `verifyBundle`. */
      verify: (): Promise<Problem[]> => problemsOf(archive, entries, { manifest, rules }),
      close: (): void => archive.close(),
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Reads the manifest and the files beside it once: those that were checked stay, however a folder changes afterward. */
async function withUnlistedInMemory(file: string, archive: Archive, entries: Map<string, ArchiveEntry>): Promise<Archive> {
  const beside = new Map<string, Uint8Array>();
  for (const name of unlisted) {
    const entry = entries.get(name);
    if (!entry || entry.size > limitOf(name)) continue;
    beside.set(name, await collect(archive, entry, file));
  }
  async function* read(...[entry, start, end]: Parameters<Archive['read']>): AsyncGenerator<Uint8Array> {
    const bytes = beside.get(entry.name);
    if (bytes) yield bytes.subarray(start, end);
    else yield* archive.read(entry, start, end);
  }
  return { ...archive, read };
}

/** The manifest of an export: a folder or a zip. Throws as `openBundle` does. */
export async function manifestOf(file: string): Promise<Manifest> {
  const bundle = await openBundle(file);
  bundle.close();
  return bundle.manifest;
}

/**
 * The problems of a bundle or an export folder; none when each file has the hash that the manifest lists. Throws `ExportError` when it cannot be
 * opened at all.
 */
export async function verifyBundle(fileOrFolder: string, rules?: BundleRules): Promise<Problem[]> {
  return (await inspectBundle(fileOrFolder, { rules })).problems;
}

/** The problems of a bundle as `verifyBundle` finds them, and files whose names or contents have a word of `absent`; and what it says of itself. */
export async function inspectBundle(
  fileOrFolder: string,
  { rules, absent }: Omit<Expected, 'manifest'> = {},
): Promise<InspectedBundle> {
  const archive = await openArchiveOrFolder(fileOrFolder, rules);
  try {
    const problems = checkEntries(archive, rules);
    if (problems.length > 0) return { problems };
    const entries = filesOf(archive);
    const read = await readManifest(fileOrFolder, { archive, entries, rules });
    return { ...read, problems: await problemsOf(archive, entries, { manifest: read.manifest, rules, absent }) };
  } finally {
    archive.close();
  }
}

function filesOf({ entries }: Archive): Map<string, ArchiveEntry> {
  return new Map(entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]));
}

export interface InspectedBundle extends Partial<ReadManifest> {
  problems: Problem[];
}

interface Expected {
  manifest: Manifest;
  rules?: BundleRules;
  /** Words that no file has. */
  absent?: readonly string[];
}

/** What a file must be; undefined for one that may be anything. Settings are those of the host, unless they must be signed, too. */
export function expectedFile({ files, settings }: Manifest, path: string, rules?: BundleRules): ListedFile | undefined {
  if (path === settingsFile) return rules?.keys && (settings ?? { sha256: '', size: -1 });
  return Object.hasOwn(files, path) ? files[path] : undefined;
}

/** The paths of the files that an export must have. Settings can be missing, unless they must be signed, too. */
export function neededFiles({ files, settings }: Manifest, rules?: BundleRules): string[] {
  return [...Object.keys(files), ...(rules?.keys && settings ? [settingsFile] : [])];
}

async function problemsOf(
  archive: Archive,
  entries: Map<string, ArchiveEntry>,
  { manifest, rules, absent = [] }: Expected,
): Promise<Problem[]> {
  const { files } = manifest;
  const openFinder = absent.length === 0 ? undefined : wordFinders(absent);
  const problems: Problem[] = [];
  for (const path of neededFiles(manifest, rules)) {
    const fault = unsafe(path);
    if (fault) problems.push(problem('bundle-entry-unsafe', `"${shownName(path)}" in the manifest ${fault}.`));
    else if (!entries.has(path)) problems.push(problem('bundle-file-missing', `The file "${shownName(path)}" is missing.`));
  }
  for (const path of entries.keys()) {
    if (!Object.hasOwn(files, path) && !unlisted.has(path)) {
      problems.push(problem('bundle-file-unlisted', `The file "${shownName(path)}" is not in the manifest.`));
    }
  }
  for (const folder of emptyFolders(archive)) {
    problems.push(problem('bundle-file-unlisted', `The folder "${shownName(folder)}" is empty, and not in the manifest.`));
  }
  const wanted: ArchiveEntry[] = [];
  for (const [path, entry] of entries) {
    const expected = expectedFile(manifest, path, rules);
    if (expected && entry.size !== expected.size) problems.push(fileChangedProblem(path));
    else if (expected || unlisted.has(path)) wanted.push(entry);
  }
  for await (const { entry, content } of archive.readAll(wanted)) {
    const path = entry.name;
    const finder = openFinder?.();
    finder?.add(new TextEncoder().encode(`${path}\n`));
    try {
      const hash = await digestOf(content instanceof Uint8Array ? [content] : content, finder);
      for (const word of finder?.found() ?? []) problems.push(wordPresentProblem(word, path));
      const expected = expectedFile(manifest, path, rules);
      if (expected && hash !== expected.sha256) problems.push(fileChangedProblem(path));
    } catch (error) {
      const message = `The file "${shownName(path)}" cannot be read: ${errorMessage(error)}.`;
      problems.push(problem('bundle-file-changed', message));
    }
  }
  const fault = problems.length === 0 ? await archive.layoutFault() : undefined;
  return fault === undefined ? problems : [{ ...problem('bundle-entry-unsafe', fault), hint: notFromCarrelHint }];
}

/** Folders with an entry of their own, as usual programs write it, but without files. */
function emptyFolders({ entries }: Archive): string[] {
  const folders = entries.filter(({ isFolder }) => isFolder).map(({ name }) => name);
  if (folders.length === 0) return [];
  const withFiles = new Set<string>();
  for (const { name, isFolder } of entries) {
    if (isFolder) continue;
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end + 1);
      if (withFiles.has(folder)) break;
      withFiles.add(folder);
    }
  }
  return folders.filter((folder) => !withFiles.has(folder));
}

function wordPresentProblem(word: string, path: string): Problem {
  return createProblem({
    kind: 'bundle-word-present',
    message: `"${shownName(word)}" is in the file "${shownName(path)}".`,
    hint: 'Find out how it came into the export, and do not hand the bundle on.',
  });
}

function fileChangedProblem(path: string): Problem {
  const found = problem('bundle-file-changed', `The file "${shownName(path)}" is not the one that was exported.`);
  if (path !== settingsFile) return found;
  return {
    ...found,
    hint: 'Restore it, and give your settings to "carrel serve --settings": only so they can differ from what is signed.',
  };
}

/** Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`. */
export async function openArchiveOrFolder(path: string, rules: BundleRules | undefined): Promise<Archive> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isDirectory() ? openFolder(path) : openArchive(path, rules);
}

// A larger file of a folder is streamed.
const largestWhole = 1024 * 1024;

/** The files of a folder as those of an archive. */
export async function openFolder(root: string): Promise<Archive> {
  const entries: ArchiveEntry[] = [];
  const folders = [''];
  for (let index = 0; index < folders.length; index++) {
    if (index % 100 === 99) await nextTurn();
    const folder = folders[index]!;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else entries.push({ name, size: lstatSync(join(root, name)).size, isFolder: false, isLink: entry.isSymbolicLink() });
    }
  }
  const read: Archive['read'] = ({ name, size }, start = 0, end = size) =>
    createReadStream(join(root, name), { start, end: Math.max(start, end - 1) }) as AsyncIterable<Uint8Array>;
  const content = Buffer.allocUnsafe(largestWhole + 1);
  const smallFile = ({ name, size }: ArchiveEntry): Uint8Array | undefined => {
    if (size > largestWhole) return undefined;
    try {
      return readWhole(join(root, name), content) === size ? content.subarray(0, size) : undefined;
    } catch {
      // The stream reports why.
      return undefined;
    }
  };
  return {
    count: entries.length,
    entries,
    read,
    async *readAll(wanted) {
      for (const [index, entry] of wanted.entries()) {
        if (index % 100 === 99) await nextTurn();
        yield { entry, content: smallFile(entry) ?? read(entry) };
      }
    },
    layoutFault: async () => undefined,
    close() {},
  };
}

/** Lets signals, timers and requests have a turn. */
function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

interface ReadManifest {
  manifest: Manifest;
  /** Who signed it; only with `keys` it was checked. */
  signature?: Signature;
  /** What it was made from; only with `keys` it was checked. */
  provenance?: Statement;
}

/**
 * The manifest of an opened archive, signed as the rules say.
 * Throws `ExportError`: `ManifestMissing`, `ManifestInvalid`, `SignatureInvalid`, `SignatureNotTrusted`.
 */
export async function readManifest(
  file: string,
  { archive, entries, rules }: { archive: Archive; entries: Map<string, ArchiveEntry>; rules?: BundleRules },
): Promise<ReadManifest> {
  const entry = entries.get('carrel.json');
  if (!entry) {
    throw new ExportError(
      'ManifestMissing',
      `"${file}" has no carrel.json, so it is not an export.`,
      'Specify a folder or archive that "carrel export" wrote.',
    );
  }
  if (entry.size > largestManifest) {
    throw new ExportError(
      'ManifestInvalid',
      `carrel.json in "${file}" is ${entry.size} bytes long; the limit is ${largestManifest}.`,
      'Copy it again from where it was made.',
    );
  }
  const bytes = await collect(archive, entry, file);
  const beside = { archive, entries, rules };
  const signature = await signatureOf(file, bytes, beside);
  const provenance = await provenanceOf(file, bytes, { ...beside, signature });
  // The manifest of a large site takes many MB, so only one copy of it is in memory.
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fileChangedError(file, 'carrel.json', cause);
  }
  freeBuffer(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ExportError(
      'ManifestInvalid',
      `carrel.json in "${file}" is not JSON: ${shownName(errorMessage(cause))}.`,
      'Export the site again.',
      { cause },
    );
  }
  if (hasRepeatedKey(text, value)) {
    throw new ExportError(
      'ManifestInvalid',
      `carrel.json in "${file}" has a key twice in one object, of which programs read either.`,
      'Copy it again from where it was made.',
    );
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return { manifest: parsed.data, ...(signature && { signature }), ...(provenance && { provenance }) };
  throw new ExportError(
    'ManifestInvalid',
    `carrel.json in "${file}" ${manifestFault(parsed.error)}`,
    'Export the site again, or use the version of Carrel that made it.',
  );
}

/** All bytes of an entry of a file. Throws `ExportError` `BundleFileChanged`. */
export async function collect(archive: Archive, entry: ArchiveEntry, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(entry.size);
  let length = 0;
  try {
    for await (const piece of archive.read(entry)) {
      bytes.set(piece, length);
      length += piece.length;
    }
  } catch (cause) {
    throw fileChangedError(file, entry.name, cause);
  }
  return bytes.subarray(0, length);
}

type Beside = { archive: Archive; entries: Map<string, ArchiveEntry>; rules?: BundleRules | undefined };

async function signatureOf(file: string, manifest: Uint8Array, beside: Beside): Promise<Signature | undefined> {
  const text = await textBeside(file, signatureFile, beside);
  const { keys } = beside.rules ?? {};
  if (!keys) return text === undefined ? undefined : readSignature(text);
  if (text === undefined) throw notSigned(file);
  return checkSignature(manifest, text, { keys, where: file });
}

/** Only the key that signed the manifest can say what it was made from. */
async function provenanceOf(
  file: string,
  manifest: Uint8Array,
  { signature, ...beside }: Beside & { signature: Signature | undefined },
): Promise<Statement | undefined> {
  const text = await textBeside(file, provenanceFile, beside);
  const keys = beside.rules?.keys?.filter(({ id, revoked }) => id === signature?.keyId && revoked === undefined);
  const statement = text === undefined ? undefined : readStatement(text, manifest, keys);
  if (text !== undefined && !statement && keys)
    throw notAsSigned(file, `its ${provenanceFile} says something of another export, or was changed after it was signed`);
  return statement;
}

async function textBeside(file: string, name: string, { archive, entries }: Beside): Promise<string | undefined> {
  const entry = entries.get(name);
  if (!entry) return undefined;
  if (entry.size > limitOf(name)) throw tooLongError(file, entry);
  return Buffer.from(await collect(archive, entry, file)).toString();
}

async function digestOf(pieces: AsyncIterable<Uint8Array> | Uint8Array[], finder?: WordFinder): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of pieces) {
    digest.update(piece);
    finder?.add(piece);
  }
  return digest.digest('hex');
}

function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}

function tooLongError(file: string, { name, size }: ArchiveEntry, limit = limitOf(name)): ExportError {
  return fileChangedError(file, name, new Error(`It is ${size} bytes long; the limit is ${limit}.`));
}

/** An entry that is not the file of the manifest, or cannot be read; the cause says why. */
export function fileChangedError(file: string, path: string, cause?: unknown): ExportError {
  const why = cause instanceof Error && !(cause instanceof ExportError) ? `: ${cause.message.replace(/\.$/, '')}` : '';
  const message = `"${shownName(path)}" in "${file}" is not the file that was exported${why}.`;
  return new ExportError('BundleFileChanged', message, 'Copy the bundle again from where it was made.', { cause });
}

function problem(kind: Problem['kind'], message: string): Problem {
  return { kind, severity: 'error', message, hint: 'Copy the export again from the original.' };
}
