// The configuration of other generators → docs.json.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { isInside } from '../../integration/output/output-path.ts';
import { fromMintJson } from '../source/mint-json.ts';
import { parseJson } from '../source/parse-json.ts';
import { docusaurusFiles, importDocusaurus } from './docusaurus.ts';
import { objectOf, listOf } from '../../integration/text/json.ts';
import { defined, type Imported, type Json, titleOfName } from './imported.ts';
import { importFern } from './fern.ts';
import { importMkdocs } from './mkdocs.ts';
import { firstFile } from './read-module.ts';
import { gitbookSummary, importGitbook, importMdbook } from './summary-file.ts';
import { withSectionTitles } from './section-titles.ts';
import { importVitepress, vitepressFiles } from './vitepress.ts';

/** Where a project has its documentation, if not at its root or in one of the packages of a monorepo. */
const usualFolders = [
  '',
  ...'docs website doc documentation site book docs/en docs/src docs/docs docs/website www fern'.split(' '),
];
const packageFolders = ['packages', 'apps', 'sites', 'libs'];

const importers: { find(folder: string): string | undefined; read(root: string, file: string): Imported }[] = [
  { find: (folder) => named(folder, ['mint.json']), read: importMint },
  { find: (folder) => named(folder, docusaurusFiles), read: importDocusaurus },
  { find: (folder) => named(folder, vitepressFiles), read: importVitepress },
  { find: (folder) => named(folder, ['mkdocs.yml', 'mkdocs.yaml']), read: importMkdocs },
  { find: (folder) => named(folder, ['fern.config.json']) && named(folder, ['docs.yml']), read: importFern },
  { find: (folder) => named(folder, ['book.toml']), read: importMdbook },
  { find: gitbookSummary, read: importGitbook },
];

/**
 * Reads the configuration of a project: mint.json, Docusaurus, VitePress, MkDocs, Fern, mdBook or GitBook. Nothing of it is run.
 * Throws `ExportError` `ImportNothing` without any, and the errors of `readModule` and `parseJson`.
 */
export function importDocs(folder: string): Imported {
  const root = resolve(folder);
  const found = [...usualFolders, ...foldersOfPackages(root)].flatMap((usual) => {
    const importer = importers.find(({ find }) => find(join(root, usual)) !== undefined);
    return importer ? [{ ...importer, file: posix.join(usual, importer.find(join(root, usual))!) }] : [];
  });
  const [first, ...others] = found;
  if (first) {
    const imported = checked(root, first.read(root, first.file));
    const rest = others.filter(({ file }) => !imported.files.includes(file));
    const note = {
      file: first.file,
      message: `Further docs were found, and not imported: ${shortList(rest.map(({ file }) => file))}.`,
    };
    return rest.length > 0 ? { ...imported, notes: [...imported.notes, note] } : imported;
  }
  throw new ExportError(
    'ImportNothing',
    `"${folder}" has no configuration to import: mint.json, docusaurus.config.js, .vitepress/config.ts, mkdocs.yml, fern/docs.yml, book.toml or SUMMARY.md.`,
    existsSync(join(root, 'docs.json'))
      ? 'It has a docs.json, which Carrel reads as it is.'
      : 'Name the folder that contains one of them. A folder of Markdown needs none: export it as it is.',
  );
}

/** `packages/docs` and its siblings, those with such a name first, then `packages/a/docs`. */
function foldersOfPackages(root: string): string[] {
  const packages = packageFolders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && !/^[._]|^node_modules$/.test(entry.name))
          .map((entry) => `${folder}/${entry.name}`)
          .sort()
      : [],
  );
  const isNamed = (folder: string) => /\/(?:docs?|documentation|website|site|www)$/.test(folder);
  const inside = packages.flatMap((folder) => ['docs', 'website'].map((name) => `${folder}/${name}`));
  return [...packages.filter(isNamed), ...packages.filter((folder) => !isNamed(folder)), ...inside];
}

/** The configuration for a docs.json in another folder: paths of pages begin there. Throws `ExportError` `ImportOutside`. */
export function movedConfig({ config, pagesFolder }: Imported, folder: string): Json {
  const target = resolve(folder);
  if (target === resolve(pagesFolder)) return config;
  if (!isInside(target, resolve(pagesFolder)))
    throw new ExportError(
      'ImportOutside',
      `The pages are in "${pagesFolder}", which is not inside "${target}".`,
      'Write docs.json into the folder of the pages, or into one that contains it.',
    );
  const prefix = relative(target, resolve(pagesFolder)).split(sep).join('/');
  const moved = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value))
      return value.map((one) => (typeof one === 'string' && key === 'pages' ? `${prefix}/${one}` : moved(one)));
    if (typeof value !== 'object' || value === null)
      return key === 'root' && typeof value === 'string' ? `${prefix}/${value}` : value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, moved(inner, name)]));
  };
  const rewrites = Object.entries(objectOf(config.rewrites)).map(([file, path]) => [
    operation.test(file) ? file : `${prefix}/${file}`,
    path,
  ]);
  return defined({ ...config, navigation: moved(config.navigation), rewrites: Object.fromEntries(rewrites) });
}

/** `GET /users`, in a navigation. */
const operation = /^[A-Z]+ \//;

function named(folder: string, names: string[]): string | undefined {
  const found = firstFile(folder, names);
  return found && relative(folder, found).split(sep).join('/');
}

function importMint(root: string, file: string): Imported {
  const value = objectOf(parseJson(readFileSync(join(root, file), 'utf8'), file));
  return {
    generator: 'mint.json',
    files: [file],
    pagesFolder: resolve(root, file, '..'),
    config: fromMintJson(value),
    notes: [],
  };
}

/** Names pages of the navigation that have no file, and pages that Carrel does not read beside a docs.json. Sections get a title. */
function checked(root: string, given: Imported): Imported {
  const { pagesFolder, generator } = given;
  const config = defined({ ...given.config, navigation: withSectionTitles(given.config.navigation, pagesFolder) });
  const imported = { ...given, config };
  const notes = [...imported.notes];
  const readmes = pagesIn(config.navigation).filter(
    (page) => existsSync(join(pagesFolder, `${page.replace(/index$/, 'README')}.md`)) && !hasPage(pagesFolder, page),
  );
  const missing = pagesIn(config.navigation).filter(
    (page) => !hasPage(pagesFolder, page) && !readmes.includes(page) && !operation.test(page),
  );
  const file = imported.files[0]!;
  if (readmes.length > 0)
    notes.push({
      file,
      message: `Beside a docs.json, README.md is not a page. Rename ${readmes.length === 1 ? 'it' : `${readmes.length} of them`} to index.md: ${shortList(readmes.map((page) => `${page.replace(/index$/, 'README')}.md`))}.`,
    });
  if (missing.length > 0)
    notes.push({
      file,
      message: `The navigation names ${missing.length === 1 ? 'a page' : `${missing.length} pages`} without a file: ${shortList(missing)}.`,
    });
  if (generator === 'MkDocs' && pagesIn(config.navigation).length === 0) {
    const pages = pagesOf(pagesFolder, '');
    return { ...imported, notes, config: { ...config, navigation: { pages } } };
  }
  return {
    ...imported,
    notes: notes.map((note) => ({ ...note, file: note.file.startsWith(root) ? relative(root, note.file) : note.file })),
  };
}

function pagesIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return key === 'root' ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === 'string' && key === 'pages' ? [one] : pagesIn(one)));
  return Object.entries(objectOf(value)).flatMap(([name, inner]) => pagesIn(inner, name));
}

function hasPage(folder: string, page: string): boolean {
  return (
    firstFile(
      folder,
      [`${page}.md`, `${page}.mdx`, `${page}/index.md`, `${page}/index.mdx`].map((name) => name.replace(/^\/+/, '')),
    ) !== undefined
  );
}

/** A navigation of all pages, as MkDocs makes one without `nav`. */
function pagesOf(folder: string, path: string): unknown[] {
  const entries = readdirSync(join(folder, path), { withFileTypes: true }).sort(
    (a, b) => Number(b.name === 'index.md') - Number(a.name === 'index.md') || (a.name < b.name ? -1 : 1),
  );
  return entries.flatMap((entry): unknown[] => {
    const inside = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile() && entry.name.endsWith('.md')) return [inside.replace(/\.md$/, '')];
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const pages = listOf(pagesOf(folder, inside));
    return pages.length > 0 ? [{ group: titleOfName(entry.name), pages }] : [];
  });
}

function shortList(items: string[]): string {
  return `${items.slice(0, 5).join(', ')}${items.length > 5 ? ` and ${items.length - 5} more` : ''}`;
}
