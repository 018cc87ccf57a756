// Where an export may be written.
import { accessSync, constants, existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { errorCode, ExportError } from '../errors.ts';
import { guarded } from './write-error.ts';
import { escapePattern } from '../text/path-patterns.ts';

/** The path with symbolic links resolved; its last parts need not exist yet. */
export function realTarget(path: string): string {
  const whole = resolve(path);
  let existing = whole;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return join(realpathSync(existing), relative(existing, whole));
}

/** Throws `ExportError`: `OutputInsideSource`, `SourceInsideOutput`. */
export function checkNotNested(out: string, target: string, source: string): void {
  if (isInside(source, target)) {
    throw new ExportError(
      'OutputInsideSource',
      `The output "${out}" is inside the docs folder "${source}", so the next export would treat it as docs.`,
      'Choose a folder outside it.',
    );
  }
  if (isInside(target, source)) {
    throw new ExportError(
      'SourceInsideOutput',
      `The output "${out}" contains the docs folder "${source}", and is replaced entirely.`,
      'Choose another output folder.',
    );
  }
}

/**
 * Checks that an archive can be written to its path, which is neither in the export nor in the docs.
 * Throws `ExportError`: `ArchiveInsideOutput`, `ArchiveInsideSource`, `OutputNotFile`, `OutputNotWritable`.
 */
export function checkArchive(archive: string, out: string, sourceRoot: string | undefined): void {
  checkFile('Archive', archive, out, sourceRoot);
}

/**
 * Checks before the export, which can take a long time, that a report can be written to its path.
 * Throws `ExportError`: `ReportInsideOutput`, `ReportInsideSource`, `ReportIsArchive`, `OutputNotFile`, `OutputNotWritable`.
 */
export function checkReport(report: string, out: string, sourceRoot: string | undefined, archive: string | undefined): void {
  checkFile('Report', report, out, sourceRoot);
  if (archive === undefined || realTarget(archive) !== realTarget(report)) return;
  throw new ExportError('ReportIsArchive', `The report and the archive are both "${report}".`, 'Give one of them another name.');
}

function checkFile(kind: 'Archive' | 'Report', file: string, out: string, sourceRoot: string | undefined): void {
  const target = realTarget(file);
  const isArchive = kind === 'Archive';
  const what = `The ${kind.toLowerCase()} "${file}"`;
  if (isInside(realTarget(out), target)) {
    throw new ExportError(
      isArchive ? 'ArchiveInsideOutput' : 'ReportInsideOutput',
      `${what} is inside the output "${out}".`,
      'Choose a path outside it.',
    );
  }
  if (sourceRoot !== undefined && isInside(realTarget(sourceRoot), target)) {
    throw new ExportError(
      isArchive ? 'ArchiveInsideSource' : 'ReportInsideSource',
      `${what} is inside the docs folder "${sourceRoot}", so the next export would treat it as docs.`,
      'Choose a path outside it.',
    );
  }
  checkOutputFile(what, file);
}

/** Checks that a file, "The archive "docs.zip"", can be written to its path. Throws `ExportError`: `OutputNotFile`, `OutputNotWritable`. */
export function checkOutputFile(what: string, file: string): void {
  if (guarded(file, () => statSync(realTarget(file), { throwIfNoEntry: false }))?.isDirectory())
    throw new ExportError(
      'OutputNotFile',
      `${what} is a folder.`,
      `Specify a file, such as "${join(file, what.split(' ')[1]!)}".`,
    );
  checkWritable(file);
}

/** Checks that a file or folder can be written to its path. Throws `ExportError` `OutputNotWritable`. */
export function checkWritable(path: string): void {
  let folder = dirname(realTarget(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  guarded(path, () => {
    // With the slash, a file at the path of a folder is an error.
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK);
  });
}

/** Whether `path` is `folder` or inside it; both are real paths. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Throws `ExportError`: `OutputNotFolder`, `OutputIsMount`, `OutputNotExport` (it contains files that are not part of an export, and `allowForeignFiles` is not set). */
export function checkReplaceable(out: string, target: string, { allowForeignFiles = false } = {}): void {
  const entry = guarded(out, () => statSync(target, { throwIfNoEntry: false }));
  if (!entry) return;
  if (!entry.isDirectory()) {
    throw new ExportError('OutputNotFolder', `The output "${out}" is a file.`, 'Choose a folder, or move the file away.');
  }
  if (entry.dev !== statSync(dirname(target)).dev) {
    throw new ExportError(
      'OutputIsMount',
      `The output "${out}" is a disk or volume of its own, which cannot be replaced entirely.`,
      `Choose a folder in it, such as "${join(out, 'site')}".`,
    );
  }
  const inside = guarded(out, () => readdirSync(target));
  if (allowForeignFiles || inside.length === 0 || inside.includes('carrel.json')) return;
  throw new ExportError(
    'OutputNotExport',
    `The output "${out}" contains files other than an export (${inside.slice(0, 3).join(', ')}${inside.length > 3 ? ', …' : ''}), and would be replaced entirely.`,
    'Choose another folder, or empty this one.',
  );
}

/** Cleans up after killed exports next to a folder or an archive: restores a replaced folder if the new one is missing, and removes the rest. */
export function removeLeftovers(parent: string, name: string, target: string, processId: number): void {
  const leftover = new RegExp(`^\\.${escapePattern(name)}\\.carrel-(new|old)-(\\d+)$`);
  for (const entry of readdirSync(parent)) {
    const match = leftover.exec(entry);
    if (!match || (Number(match[2]) !== processId && isRunning(Number(match[2])))) continue;
    const path = join(parent, entry);
    if (match[1] === 'old' && !existsSync(target)) renameSync(path, target);
    else rmSync(path, { recursive: true, force: true });
  }
}

/** Whether a process of this machine is running, including one that belongs to another user. */
export function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
