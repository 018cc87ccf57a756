import ignore from 'ignore';

// Folders of tools, at any depth, beside those whose name starts with a dot.
const toolFolders = new Set(['node_modules']);

// Build output. Only at the top level: deeper folders of these names hold chapters ("guides/build/…").
const outputFolders = new Set(['build', 'dist', 'coverage', 'tmp', 'temp']);

// Files about the repository, not the product. Excluded only when a configuration lists the pages.
const repositoryFiles = new Set(['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']);

export interface IgnoreRules {
  folder(path: string): boolean;
  file(path: string): boolean;
}

/** Decides which paths of a docs folder are excluded from the site. `patterns` is the text of .mintignore, in gitignore syntax. */
export function ignoreRules(patterns: string, hasConfig: boolean): IgnoreRules {
  const own = patterns.trim() ? ignore({ allowRelativePaths: true }).add(patterns) : null;
  return {
    folder(path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (isHidden(name) || toolFolders.has(name) || outputFolders.has(path)) return true;
      return own?.ignores(`${path}/`) ?? false;
    },
    file(path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (isHidden(name) || (hasConfig && repositoryFiles.has(name) && !own?.test(path).unignored)) return true;
      return own?.ignores(path) ?? false;
    },
  };
}

function isHidden(name: string): boolean {
  return name.startsWith('.') && name !== '.well-known';
}
