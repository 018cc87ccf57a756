import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ignore from 'ignore';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { errorCode } from '../../integration/errors.ts';
import { isInside } from '../../integration/output/output-path.ts';

// Folders that link to each other multiply with each level.
const deepestLinks = 3;

/** Lists the files of a folder in code-unit order of their '/'-separated paths. Follows symbolic links that stay inside the folder. */
export function walkFolder(
  root: string,
  ignored: Pick<IgnoreRules, 'folder' | 'file'>,
): { files: string[]; problems: Problem[] } {
  const files: string[] = [];
  const problems: Problem[] = [];

  function visit(folder: string, above: readonly string[]): void {
    for (const entry of entriesOf(folder)) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isSymbolicLink()) visitLink(path, above);
      else if (entry.isDirectory() && !ignored.folder(path)) visit(path, above);
      else if (entry.isFile() && !ignored.file(path)) files.push(path);
    }
  }

  function entriesOf(folder: string): Dirent[] {
    try {
      return readdirSync(join(root, folder), { withFileTypes: true });
    } catch (cause) {
      const message = `The folder "${folder || root}" cannot be read (${errorCode(cause)}). It is skipped.`;
      problems.push(createProblem({ kind: 'folder-not-readable', page: folder, message, hint: 'Check its permissions.' }));
      return [];
    }
  }

  function visitLink(path: string, above: readonly string[]): void {
    if (ignored.folder(path) || ignored.file(path)) return;
    const target = realPath(join(root, path));
    if (target === null) return void problems.push(linkProblem('symlink-broken', path, 'is broken'));
    if (!isInDocs(root, target))
      return void problems.push(linkProblem('symlink-outside-folder', path, 'points outside the docs folder'));
    const { isFile, isDirectory } = kindOf(target);
    if (isFile) files.push(path);
    if (!isDirectory) return;
    // A link to one of its own parent folders, or to a folder already entered through a link, would never end.
    const parent = realPath(dirname(join(root, path)));
    if (
      parent === null ||
      isInside(target, parent) ||
      above.some((link) => isInside(target, link)) ||
      above.length === deepestLinks
    ) {
      return void problems.push(linkProblem('symlink-loop', path, 'points back into its own folder'));
    }
    visit(path, [...above, target]);
  }

  visit('', []);
  return { files: files.sort(), problems };
}

/** Whether a real path is in a folder, and not in the data of its git repository, which may have the credentials of a checkout. */
export function isInDocs(root: string, path: string): boolean {
  return isInside(root, path) && !relative(root, path).split(sep).includes('.git');
}

/** The path with all symbolic links resolved; null when one is broken or circular. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

// A link can also point to a pipe or a device; reading one would never end.
function kindOf(path: string): { isFile: boolean; isDirectory: boolean } {
  const stats = statSync(path, { throwIfNoEntry: false });
  return { isFile: stats?.isFile() ?? false, isDirectory: stats?.isDirectory() ?? false };
}

function linkProblem(kind: Problem['kind'], path: string, what: string): Problem {
  return {
    kind,
    severity: 'warning',
    page: path,
    message: `The symbolic link "${path}" ${what}. It is skipped.`,
    hint: 'Copy the files into the docs folder, or remove the link.',
  };
}

// Folders of tools, at any depth, beside those whose name starts with a dot.
const toolFolders = new Set(['node_modules']);

// Build output. Only at the top level: deeper folders of these names hold chapters ("guides/build/…").
const outputFolders = new Set(['build', 'dist', 'coverage', 'tmp', 'temp']);

// Files about the repository, not the product. Excluded only when a configuration lists the pages.
const repositoryFiles = new Set(['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']);

type IgnoreRules = ReturnType<typeof ignoreRules>;

/**
 * Decides which paths of a docs folder are excluded from the site. `patterns` is the text of .mintignore, in gitignore syntax.
 * `named` has the first folders of the pages in the navigation: a folder of build output has no pages there.
 */
export function ignoreRules(patterns: string, hasConfig: boolean, named: ReadonlySet<string> = new Set()) {
  const own = patterns.trim() ? ignore({ allowRelativePaths: true }).add(patterns) : null;
  return {
    folder(path: string): boolean {
      const name = posix.basename(path);
      if (isHidden(name) || toolFolders.has(name) || (outputFolders.has(path) && !named.has(path))) return true;
      return own?.ignores(`${path}/`) ?? false;
    },
    file(path: string): boolean {
      const name = posix.basename(path);
      // GitBook inserts these files into its pages.
      if (/(?:^|\/)\.gitbook\/.*\.mdx?$/i.test(path)) return true;
      if (isHidden(name) || (hasConfig && repositoryFiles.has(name) && !own?.test(path).unignored)) return true;
      return own?.ignores(path) ?? false;
    },
    /** Whether the patterns name the path as one to include. */
    isUnignored: (path: string): boolean => own?.test(path).unignored ?? false,
  };
}

function isHidden(name: string): boolean {
  return name.startsWith('.') && name !== '.well-known' && name !== '.gitbook';
}
