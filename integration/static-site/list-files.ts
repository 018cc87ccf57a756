import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { errorMessage, ExportError } from '../errors.ts';
import { createProblem, type Problem } from '../diagnostics.ts';

/** The files of a built site, by name only. */
export interface ListedFiles {
  root: string;
  /** Sorted, '/'-separated. */
  files: string[];
  problems: Problem[];
}

/** `without` is a folder that does not belong to the site, such as an earlier export inside it. Throws `ExportError` `SiteNotReadable`. */
export function listSiteFiles(root: string, without: string): ListedFiles {
  const files: string[] = [];
  const problems: Problem[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const whole = join(folder, entry.name);
      if (whole === without) continue;
      const path = relative(root, whole).split(sep).join('/');
      if (entry.isDirectory()) walk(whole);
      else if (entry.isFile() || (entry.isSymbolicLink() && leadsToFile(whole, root))) files.push(path);
      else problems.push(notFileProblem(path));
    }
  };
  try {
    walk(root);
  } catch (error) {
    throw siteNotReadableError(root, error);
  }
  return { root, files: files.sort(), problems };
}

/** Whether a file is named as a page. */
export function isPageName(file: string): boolean {
  return /\.html?$/i.test(file);
}

// Following a link out of the folder would export files that do not belong to the site.
function leadsToFile(path: string, root: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  return realpathSync(path).startsWith(realpathSync(root) + sep);
}

function notFileProblem(path: string): Problem {
  return createProblem({
    kind: 'file-left-out',
    page: path,
    message:
      'Only files are exported. This is something else, such as a symbolic link that points outside the site or to no file.',
    hint: 'Replace it with the file.',
  });
}

export function siteNotReadableError(path: string, error: unknown): ExportError {
  const reason = errorMessage(error);
  return new ExportError('SiteNotReadable', `"${path}" could not be read: ${reason}.`, 'Check that it exists and may be read.', {
    cause: error,
  });
}
