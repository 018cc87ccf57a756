// What people and other tools put into the folder of an export: `.git`, `.nojekyll`, a key. The next export keeps it.
import { hash } from 'node:crypto';
import { copyFileSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createProblem, type Problem } from '../diagnostics.ts';
import { errorCode } from '../errors.ts';
import { settingsFile, unlisted } from '../manifest.ts';
import { shownName } from '../text/escape.ts';
import { isRecord, jsonValue, objectOf } from '../text/json.ts';
import { foldersOf, unknownEntries, type Completed } from './staged-paths.ts';

/** Files and folders, by their paths in the export. */
export interface ForeignFiles {
  kept: string[];
  /** The new export has something else there. */
  replaced: string[];
}

/**
 * Links what is in the folder `from` of an export and not of it to the same paths in `to`, which is about to replace it: nothing is ever
 * missing. `completed` says when `from` was complete, and what it had besides, if that is known. Throws the errors of the disk.
 */
export function keepForeign(from: string, to: string, completed?: Completed): ForeignFiles {
  for (let attempt = 1; ; attempt++) {
    try {
      return linkForeign(from, to, completed);
    } catch (error) {
      // Another export into the same folder may have replaced it meanwhile.
      if (errorCode(error) !== 'ENOENT' || attempt === attempts) throw error;
    }
  }
}

const attempts = 20;

function linkForeign(from: string, to: string, completed: Completed | undefined): ForeignFiles {
  const foreign: ForeignFiles = { kept: [], replaced: [] };
  const text = textOf(join(from, 'carrel.json'));
  if (text === undefined) return foreign;
  const manifest = objectOf(jsonValue(text));
  const files = new Set([...Object.keys(objectOf(manifest.files)), ...unlisted]);
  const keep = (path: string): void => {
    const [old, next] = [join(from, path), join(to, path)];
    const [entry, there] = [lstatSync(old), lstatSync(next, { throwIfNoEntry: false })];
    if (there?.isDirectory() && entry.isDirectory()) for (const name of readdirSync(old)) keep(`${path}/${name}`);
    else ((there ? there.ino === entry.ino : isLinked(old, next)) ? foreign.kept : foreign.replaced).push(path);
  };
  // Those that were kept before are in folders that did not change since.
  const before = completed?.inode === lstatSync(from).ino ? (completed.kept ?? []) : [];
  const known = before.filter((path) => lstatSync(join(from, path), { throwIfNoEntry: false }));
  const found = new Set([...known, ...unknownEntries(from, { files, folders: foldersOf(files), completed })]);
  const isInside = (path: string): boolean => path !== '.' && (found.has(path) || isInside(dirname(path)));
  for (const path of [...found].sort()) if (!isInside(dirname(path))) keep(path);
  const settings = textOf(join(from, settingsFile));
  const wasEdited =
    settings !== undefined && isRecord(manifest.settings) && hash('sha256', settings) !== manifest.settings.sha256;
  if (wasEdited && settings !== textOf(join(to, settingsFile))) foreign.replaced.push(settingsFile);
  return foreign;
}

/** What the user should know of them. */
export function foreignProblems({ kept, replaced }: ForeignFiles, out: string): Problem[] {
  const problems: Problem[] = [];
  if (kept.length > 0)
    problems.push(
      createProblem({
        kind: 'output-files-kept',
        message: `"${out}" contains what no export wrote, and it was kept: ${namesOf(kept)}.`,
        hint: 'Remove what should not be published. Archives do not contain it.',
      }),
    );
  if (replaced.length > 0)
    problems.push(
      createProblem({
        kind: 'output-files-replaced',
        message: `"${out}" contained what no export wrote, and it was replaced by files of the export: ${namesOf(replaced)}.`,
        hint: 'Keep such files outside, and copy them into the folder after an export; give settings with --settings.',
      }),
    );
  return problems;
}

function namesOf(paths: string[]): string {
  const shown = paths.slice(0, 10).map((path) => `"${shownName(path)}"`);
  return `${shown.join(', ')}${paths.length > shown.length ? ` and ${paths.length - shown.length} more` : ''}`;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // There is none.
    return undefined;
  }
}

/** False where the path leads through a file of the new export. */
function isLinked(from: string, to: string): boolean {
  try {
    mkdirSync(dirname(to), { recursive: true });
  } catch (error) {
    if (['EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
  linkAll(from, to);
  return true;
}

function linkAll(from: string, to: string): void {
  const entry = lstatSync(from);
  if (entry.isDirectory()) {
    mkdirSync(to, { mode: entry.mode });
    for (const name of readdirSync(from)) linkAll(join(from, name), join(to, name));
  } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else {
    try {
      linkSync(from, to);
    } catch {
      // Some disks have no hard links.
      copyFileSync(from, to);
    }
  }
}
