import ignore from 'ignore';

// Tools' folders, at any depth; a name that starts with a dot is one too.
const toolFolders = new Set(['node_modules']);

// Output of builds. Only at the top: deeper down they are chapters ("guides/build/…").
const outputFolders = new Set(['build', 'dist', 'coverage', 'tmp', 'temp']);

// About the repository, not the product. Only where a configuration says which pages there are.
const repositoryFiles = new Set(['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']);

export interface IgnoreRules {
  folder(path: string): boolean;
  file(path: string): boolean;
}

/** Which paths of a docs folder do not exist for a site. `patterns` is the text of its .mintignore, in gitignore syntax. */
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
