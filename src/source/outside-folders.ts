// Folders outside the docs folder. Pages may include files from the folders that the caller and the project's mkdocs.yml name. They may also use
// files from the folder that a web framework serves at the root of its site: `public` (Next.js, Astro, Vite, Nuxt) or `static` (Docusaurus, SvelteKit).
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { ExportError } from '../../integration/errors.ts';
import { isInside } from '../../integration/output/output-path.ts';
import { objectOf } from '../../integration/text/json.ts';
import { isInDocs, realPath } from './walk.ts';

/** How far above the docs folder mkdocs.yml is looked for: `docs/en/docs`. */
const levelsAbove = 3;
const extensions = ['pymdownx.snippets', 'mdx_include', 'markdown_include.include', 'markdown_include_variants'];

/** Real paths of the folders, without the docs folder itself. Throws `ExportError` `FolderNotFound` for a named one that does not exist. */
export function includeRoots(root: string, named: readonly string[] = []): string[] {
  const given = named.map((folder) => {
    const real = realPath(resolve(folder));
    if (real !== null && statSync(real).isDirectory()) return real;
    throw new ExportError(
      'FolderNotFound',
      `The folder "${folder}" of --include-root does not exist.`,
      'Name a folder that contains files which pages include.',
    );
  });
  return [...new Set([...given, ...mkdocsRoots(root)])].filter((folder) => folder !== root);
}

/** The `base_path` of the extensions that include files, as far as it is inside the project's repository. */
function mkdocsRoots(root: string): string[] {
  let folder = root;
  for (let level = 0; level < levelsAbove; level++) {
    folder = dirname(folder);
    const file = ['mkdocs.yml', 'mkdocs.yaml'].map((name) => join(folder, name)).find((path) => existsSync(path));
    // Tags such as !!python/name are the configuration of plugins.
    const config = file === undefined ? {} : objectOf(parseDocument(readFileSync(file, 'utf8'), { logLevel: 'silent' }).toJS());
    const docs = typeof config.docs_dir === 'string' ? config.docs_dir : 'docs';
    if (file === undefined || realPath(resolve(folder, docs)) !== root) continue;
    const repository = repositoryAround(folder) ?? folder;
    return basePaths(config.markdown_extensions).flatMap((path) => {
      const real = realPath(resolve(folder, path));
      return real !== null && isInDocs(repository, real) && statSync(real).isDirectory() ? [real] : [];
    });
  }
  return [];
}

/** Paths from the folder of mkdocs.yml, which is also the default. */
function basePaths(given: unknown): string[] {
  const entries = Array.isArray(given) ? given.flatMap(extensionOf) : extensionOf(given);
  return entries
    .filter(([name]) => extensions.includes(name))
    .flatMap(([, options]) => objectOf(options).base_path ?? '.')
    .filter((path): path is string => typeof path === 'string');
}

function extensionOf(entry: unknown): [string, unknown][] {
  return typeof entry === 'string' ? [[entry, {}]] : Object.entries(objectOf(entry));
}

function repositoryAround(folder: string): string | undefined {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return path;
    if (dirname(path) === path) return undefined;
  }
}

/** How far above the docs folder its project begins: `src/content/docs/en`. */
const mostLevelsToProject = 4;

/**
 * Real path of the public folder of the nearest project (package.json) above the docs folder in the same git repository; undefined if there is none.
 * The repository is the boundary of the authors' files: a server exports strangers' docs inside its own data folder.
 */
export function publicFolder(root: string): string | undefined {
  const repository = repositoryAround(root);
  if (repository === undefined) return undefined;
  const isProject = (folder: string) => existsSync(join(folder, 'package.json'));
  let project = root;
  for (let level = 0; !isProject(project); level++) {
    if (level === mostLevelsToProject || project === repository) return undefined;
    project = dirname(project);
  }
  if (project === root) return undefined;
  return (
    ['public', 'static']
      .map((name) => realPath(join(project, name)))
      .find(
        (folder) => folder !== null && isInDocs(project, folder) && !isInside(folder, root) && statSync(folder).isDirectory(),
      ) ?? undefined
  );
}
