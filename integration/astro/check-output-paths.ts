// Checks the output paths of a project before the build, which may take minutes, as far as they are known by then.
import { relative } from 'node:path';
import { ExportError } from '../errors.ts';
import { checkArchive, checkReplaceable, checkReport, checkWritable, isInside, realTarget } from '../output/output-path.ts';

/** Absolute paths. */
export interface OutputPaths {
  /** Folder of the export. */
  out: string;
  /** Whether `out` is the site's own output, which the export replaces. */
  replacesSite: boolean;
  zip?: string;
  report?: string;
  /** Folder that Astro writes the site to. */
  site: string;
  /** The project's root. */
  project: string;
  /** Folders whose files become part of the site. */
  sources: string[];
}

/**
 * `others` are those of other exports of the same build.
 * Throws `ExportError`: `OutputTwice`, `OutputInsideSource`, `SourceInsideOutput`, `OutputInsideSite`, `ArchiveInsideSource`, `ArchiveHoldsOutput`,
 * `ReportInsideSource`, and those of `checkReplaceable`, `checkArchive`, `checkReport` and `checkWritable`.
 */
export function checkOutputPaths(
  { out, replacesSite, zip, report, site, project, sources }: OutputPaths,
  others: OutputPaths[] = [],
): void {
  const target = realTarget(out);
  const builtTo = realTarget(site);
  // A project whose source folder is its root contains its output too.
  const apart = sources.map(realTarget).filter((source) => !isInside(source, builtTo));
  const sourceOf = (path: string) => apart.find((source) => isInside(source, realTarget(path)));
  const short = (path: string) => relative(realTarget(project), path) || '.';
  const takesFor = (source: string) => `"${short(source)}/", so the next build would take it for a part of the site.`;

  if (!replacesSite) {
    const source = sourceOf(out);
    if (source !== undefined)
      throw new ExportError('OutputInsideSource', `The "out" folder "${out}" is inside ${takesFor(source)}`, anotherFolder);
    const held = [realTarget(project), ...apart].find((folder) => isInside(target, folder));
    if (held !== undefined)
      throw new ExportError(
        'SourceInsideOutput',
        `The "out" folder "${out}" contains the project, and is replaced entirely.`,
        anotherFolder,
      );
    const how =
      target === builtTo ? 'is' : isInside(builtTo, target) ? 'is inside' : isInside(target, builtTo) ? 'contains' : undefined;
    if (how !== undefined)
      throw new ExportError(
        'OutputInsideSite',
        `The "out" folder "${out}" ${how} "${short(builtTo)}/", where Astro writes the site.`,
        `${anotherFolder} To write the export instead of the site, set "replace: true".`,
      );
  }
  checkOthers({ out, zip, report }, others);
  checkReplaceable(out, target, { allowForeignFiles: replacesSite });
  checkWritable(out);
  if (report !== undefined) {
    const source = sourceOf(report);
    if (source !== undefined)
      throw new ExportError('ReportInsideSource', `The "report" file "${report}" is inside ${takesFor(source)}`, anotherReport);
    checkReport(report, out, undefined, zip);
  }
  if (zip === undefined) return;
  const source = sourceOf(zip);
  if (source !== undefined)
    throw new ExportError('ArchiveInsideSource', `The "zip" archive "${zip}" is inside ${takesFor(source)}`, anotherFile);
  if (isInside(realTarget(zip), target))
    throw new ExportError(
      'ArchiveHoldsOutput',
      `The "zip" archive "${zip}" is where the folder of the export is wanted.`,
      anotherFile,
    );
  checkArchive(zip, out, undefined);
}

function checkOthers({ out, zip, report }: Pick<OutputPaths, 'out' | 'zip' | 'report'>, others: OutputPaths[]): void {
  const target = realTarget(out);
  const shared = others
    .map((other) => realTarget(other.out))
    .find((other) => other === target || isInside(other, target) || isInside(target, other));
  if (shared !== undefined)
    throw new ExportError(
      'OutputTwice',
      `Two carrel() of this build write "${out}", so one export would replace the other.`,
      'Give each an "out" of its own, or take one of them away.',
    );
  for (const [option, name, path] of [
    ['zip', 'archive', zip],
    ['report', 'report', report],
  ] as const)
    if (path !== undefined && others.some(({ [option]: other }) => other !== undefined && realTarget(other) === realTarget(path)))
      throw new ExportError(
        'OutputTwice',
        `Two carrel() of this build write the ${name} "${path}".`,
        `Give each a "${option}" of its own, or take one of them away.`,
      );
}

const anotherFolder = 'Choose another folder, such as "dist-offline".';
const anotherFile = 'Choose another path, such as "docs.zip".';
const anotherReport = 'Choose another path, such as "carrel-report.json".';
