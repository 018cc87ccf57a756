// Publishing an export: only files that differ from the target's manifest are written. Readers never see a page before its assets, and the
// manifest comes last: where it is, everything that it lists is there.
import { hash } from 'node:crypto';
import { ExportError } from '../../integration/errors.ts';
import { settingsFile, unlisted, type ListedFile } from '../../integration/manifest.ts';
import { shownName } from '../../integration/text/escape.ts';
import { type Bundle } from '../../integration/output/open-bundle.ts';
import { isHashed } from '../../server/http/cache-control.ts';
import { inParallel } from '../../server/storage/in-parallel.ts';
import { checkedStream, fileOfBytes, type FileToPublish, type Target } from './target.ts';
import { readTarget, stateFile, stateText, type TargetState } from './target-state.ts';

export interface PublishOptions {
  /** Whether files of earlier publications that this export does not contain are removed. */
  removesOld: boolean;
  onProgress?: (progress: { files: number; bytes: number; ofFiles: number; ofBytes: number }) => void;
  signal?: AbortSignal;
}

export interface Plan {
  /** In the order of their upload. */
  uploads: (ListedFile & {
    path: string;
    isNew: boolean;
    /** A file at the target with this content, which stays. */ sameAs?: string;
  })[];
  /** Files of earlier publications that the export does not contain. */
  old: string[];
  /** Those whose path is now a folder, or in a folder whose path is now a file. They are removed in any case, before the uploads. */
  inTheWay: string[];
  /** The files of the export, with settings if the target gets them, and their bytes. */
  total: { files: number; bytes: number };
  /** Files beside the manifest, such as its signature, that differ at the target; without bytes, the export has none. */
  beside: { path: string; bytes: Uint8Array | undefined }[];
  /** Export version of the target, if it has an export. */
  replaces?: { site: string; version: string };
  /** Whether nothing at the target would change. */
  isDone: boolean;
  state: TargetState;
}

/**
 * Compares an export with a target and changes nothing. Throws `ExportError` `TargetNotExport`, `TargetForOthers`, `BundleUnsafe`, and what the target
 * throws.
 */
export async function planPublication(bundle: Bundle, target: Target, { removesOld }: PublishOptions): Promise<Plan> {
  const { files } = bundle.manifest;
  if (Object.hasOwn(files, stateFile))
    throw new ExportError(
      'BundleUnsafe',
      `The export has a file "${stateFile}", which is the name of a file that publishing writes to the target.`,
      'Give it another name in your docs, and export them again.',
    );
  const { manifest, manifestHash, state } = await readTarget(target);
  const readers = [...(manifest?.audience ?? []), ...(state.audience ?? [])];
  if (!removesOld) refuseOthers(target, new Set(readers), bundle.manifest.audience ?? []);
  const there = new Map(Object.entries(manifest?.files ?? {}).map(([path, { sha256 }]) => [path, sha256]));
  // An earlier run ended before its manifest: each of these files may have its content or the one before.
  await inParallel(state.uncertain, target.lanes, async (path) => {
    const found = await target.find(path);
    if (found === undefined) there.delete(path);
    else there.set(path, found.sha256 ?? '');
  });
  for (const path of state.leftover) if (!there.has(path)) there.set(path, '');

  const uploads = Object.entries(files)
    .filter(([path, { sha256 }]) => there.get(path) !== sha256)
    .map(([path, { sha256, size }]) => ({ path, sha256, size, isNew: !there.has(path) }));
  const settings = await settingsFor(bundle, target);
  if (settings) uploads.push({ path: settingsFile, sha256: settings.sha256, size: settings.size, isNew: true });
  uploads.sort((one, other) => stageOf(one.path) - stageOf(other.path) || (one.path < other.path ? -1 : 1));
  const notExported = [...there.keys()].filter((path) => !Object.hasOwn(files, path) && !unlisted.has(path)).sort();
  const folders = new Set(Object.keys(files).flatMap(foldersOf));
  const isInTheWay = (path: string) => folders.has(path) || foldersOf(path).some((folder) => Object.hasOwn(files, folder));
  const stays = new Map<string, string>();
  const changing = new Set(uploads.map(({ path }) => path));
  for (const [path, sha256] of there) if (sha256 !== '' && !changing.has(path) && !isInTheWay(path)) stays.set(sha256, path);
  const old = notExported.filter((path) => !isInTheWay(path));
  const isSame = manifestHash === hash('sha256', await bundle.read('carrel.json')) && state.uncertain.length === 0;
  const beside = await besideOf(bundle, target);
  const withSources = uploads.map((file) => ({ ...file, sameAs: stays.get(file.sha256) }));
  const all = [...Object.values(files), ...(settings ? [settings] : [])];
  return {
    uploads: withSources,
    old,
    inTheWay: notExported.filter(isInTheWay),
    total: { files: all.length, bytes: all.reduce((sum, { size }) => sum + size, 0) },
    beside,
    replaces: manifest && { site: manifest.site, version: manifest.version },
    isDone: isSame && uploads.length === 0 && beside.length === 0 && (old.length === 0 || !removesOld),
    state,
  };
}

/** Makes the target what the plan says. Rejects with the signal's reason; after an interruption, a new plan continues where this one ended. */
export async function publish(bundle: Bundle, target: Target, plan: Plan, options: PublishOptions): Promise<void> {
  if (plan.isDone) return;
  const { uploads, old, inTheWay } = plan;
  const { removesOld, onProgress, signal } = options;
  const writeState = (state: TargetState) => target.put(fileOfBytes(stateFile, stateText(state)));
  const uncertain = new Set([...plan.state.uncertain, ...uploads.map(({ path }) => path)]);
  const audience = [...new Set([...(plan.state.audience ?? []), ...(bundle.manifest.audience ?? [])])];
  await writeState({
    uncertain: [...uncertain].filter((path) => !unlisted.has(path)),
    leftover: [...old, ...inTheWay],
    ...(audience.length > 0 && { audience }),
  });
  await inParallel(inTheWay, target.lanes, (path) => target.remove(path));

  async function place(file: FileToPublish, sameAs: string | undefined): Promise<void> {
    const isCopied = sameAs !== undefined && target.copy !== undefined && (await target.copy(file, sameAs, signal));
    if (!isCopied) await target.put(file, signal);
  }

  const done = { files: 0, bytes: 0, ofFiles: uploads.length, ofBytes: uploads.reduce((sum, { size }) => sum + size, 0) };
  onProgress?.(done);
  for (const stage of [0, 1, 2]) {
    const now = uploads.filter(({ path }) => stageOf(path) === stage);
    await inParallel(now, target.lanes, async (file) => {
      signal?.throwIfAborted();
      await place(fileOf(bundle, file), file.sameAs);
      done.files++;
      done.bytes += file.size;
      onProgress?.(done);
    });
  }
  signal?.throwIfAborted();
  for (const { path, bytes } of plan.beside) await (bytes ? target.put(fileOfBytes(path, bytes)) : target.remove(path));
  await target.put(fileOfBytes('carrel.json', await bundle.read('carrel.json')));
  if (removesOld) await inParallel(old, target.lanes, (path) => target.remove(path));
  if (removesOld || old.length === 0) await target.remove(stateFile);
  else await writeState({ uncertain: [], leftover: old });
  await target.finish?.();
}

/** Old files stay at a target, where readers of the new export could read them. */
function refuseOthers(target: Target, before: ReadonlySet<string>, now: readonly string[]): void {
  const others = [...before].filter((group) => !now.includes(group));
  if (others.length === 0) return;
  throw new ExportError(
    'TargetForOthers',
    `${target.shown} has files for readers in ${others.map(shownName).join(', ')}, which would stay, and this export is for ${now.length > 0 ? `readers in ${now.map(shownName).join(', ')}` : 'everybody'}. Nothing was changed.`,
    'Publish each export to a target of its own, or add --delete, which removes the files that this one does not contain.',
  );
}

/** The settings of the export where the target has none. Those of a target belong to its host, and stay. */
async function settingsFor(bundle: Bundle, target: Target): Promise<FileToPublish | undefined> {
  if (await target.find(settingsFile)) return undefined;
  const bytes = await bundle.readIfThere(settingsFile);
  return bytes && fileOfBytes(settingsFile, bytes);
}

async function besideOf(bundle: Bundle, target: Target): Promise<Plan['beside']> {
  const files = [...unlisted].filter((path) => path !== 'carrel.json' && path !== settingsFile);
  const all = await Promise.all(
    files.map(async (path) => ({ path, bytes: await bundle.readIfThere(path), there: await target.read(path) })),
  );
  return all.filter(({ bytes, there }) => Buffer.compare(bytes ?? Buffer.of(), there ?? Buffer.of()) !== 0);
}

/** 0 for files that no old page names, 2 for pages, which name all others. */
function stageOf(path: string): 0 | 1 | 2 {
  if (isHashed(path)) return 0;
  return path.endsWith('.html') ? 2 : 1;
}

/** The folders that a file is in: `a` and `a/b` for `a/b/c.html`. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

function fileOf(bundle: Bundle, { path, sha256, size }: ListedFile & { path: string }): FileToPublish {
  return {
    path,
    sha256,
    size,
    read: () => bundle.read(path),
    stream: () => checkedStream(bundle.stream(path, 0, size), path, sha256),
  };
}
