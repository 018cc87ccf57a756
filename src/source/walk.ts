import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Problem } from '../../integration/problem.ts';
import type { IgnoreRules } from './ignore.ts';

// Folders of links to each other multiply with each level.
const deepestLinks = 3;

/** Files of a folder in code-unit order of their '/'-separated paths. Symbolic links are followed as long as they stay inside. */
export function walkFolder(root: string, ignored: IgnoreRules): { files: string[]; problems: Problem[] } {
  const files: string[] = [];
  const problems: Problem[] = [];

  function visit(folder: string, above: readonly string[]): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isSymbolicLink()) visitLink(path, above);
      else if (entry.isDirectory() && !ignored.folder(path)) visit(path, above);
      else if (entry.isFile() && !ignored.file(path)) files.push(path);
    }
  }

  function visitLink(path: string, above: readonly string[]): void {
    if (ignored.folder(path) || ignored.file(path)) return;
    const target = realPath(join(root, path));
    if (target === null) return void problems.push(linkProblem('symlink-broken', path, 'leads nowhere'));
    if (!isInside(target, root)) return void problems.push(linkProblem('symlink-outside-folder', path, 'leaves the docs folder'));
    if (!statSync(target).isDirectory()) return void files.push(path);
    // A link to a folder that holds it, or one that was entered through a link already, would never end.
    const place = realPath(dirname(join(root, path)))!;
    if (isInside(place, target) || above.some((link) => isInside(link, target)) || above.length === deepestLinks) {
      return void problems.push(linkProblem('symlink-loop', path, 'leads back into its own folder'));
    }
    visit(path, [...above, target]);
  }

  visit('', []);
  return { files: files.sort(), problems };
}

/** Whether an absolute path is the folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path with all links followed; null when a link is broken or goes in a circle. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function linkProblem(kind: string, path: string, what: string): Problem {
  return {
    kind,
    severity: 'warning',
    page: path,
    message: `The symbolic link "${path}" ${what}; it is left out.`,
    hint: 'Copy the files into the docs folder, or remove the link.',
  };
}
