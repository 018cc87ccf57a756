import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, resolve } from 'node:path';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import { instructionsFile } from '../../integration/manifest.ts';
import { publishedPath } from '../../integration/urls/parts.ts';
import { ownPath, type DocsConfig } from './docs-json.ts';
import { loadConfig, type ReadText } from './load-config.ts';
import { glossaryFile, readGlossary } from './glossary.ts';
import { includeRoots, publicFolder } from './outside-folders.ts';
import { fileNotReadableProblem, readTexts, type ReadTextsOptions, type TextFile } from './read-texts.ts';
import { isInSnippetFolder } from './snippets.ts';
import type { Source, SourceAsset, SourcePage, SourceSnippet } from './source.ts';
import { isToolFile, toolFileProblem } from './tool-files.ts';
import { ignoreRules, isInDocs, realPath, walkFolder } from './walk.ts';
import { jsonValue, objectOf } from '../../integration/text/json.ts';

const assetTypes =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|ogv|mp3|wav|ogg|m4a|flac|json|ya?ml|graphqls?|gql|css|js|woff2?|ttf|otf|eot|pdf|txt|xml|csv|zip|gz|vtt|wasm|avsc|proto|raml|xsd)$/i;
const projectFiles = /^(package(-lock)?\.json|tsconfig.*\.json|pnpm-(lock|workspace)\.ya?ml|(docs|mint)\.json)$/;

/**
 * Reads a docs folder: configuration, pages, snippets, assets. Whatever is skipped is reported in `problems`.
 * Throws `FolderNotFound` (also for a root of includes), `FolderEmpty`, `NoPages` and the errors of `loadConfig`.
 */
export async function readSource(folder: string, options: ReadTextsOptions = {}): Promise<Source> {
  const root = openFolder(folder);
  const { unsaved } = options;
  const read = textReader(root, unsaved);
  const { config, files: configFiles, positions, problems } = loadConfig(read);
  const glossary = readGlossary(read, problems);
  const named = new Set(config ? strings(config.navigation).map((entry) => entry.replace(/^\//, '')) : []);
  const folders = new Set([...named].map((entry) => entry.slice(0, Math.max(entry.indexOf('/'), 0))));
  const ignored = ignoreRules(read('.mintignore') ?? '', config !== null, folders);
  const walked = walkFolder(root, ignored);
  problems.push(...walked.problems);
  if (walked.files.length === 0)
    throw new ExportError(
      'FolderEmpty',
      `The folder "${folder}" is empty.`,
      'Specify the folder that contains your docs.json or Markdown files.',
    );
  const skills = config ? skillFiles(root, walked.files, named) : { files: [], problems: [] };
  problems.push(...skills.problems);
  const isNamed = (file: string) => named.has(file) || named.has(file.replace(/\.mdx?$/, ''));
  const isExcluded = (file: string) => isToolFile(file) && !isNamed(file) && !ignored.isUnignored(file);
  const others = walked.files.filter((file) => !skills.files.includes(file));
  problems.push(...others.filter(isExcluded).map(toolFileProblem));
  const texts = readTexts(
    root,
    others.filter((file) => !isExcluded(file)),
    problems,
    { ...options, includeRoots: includeRoots(root, options.includeRoots) },
  );
  const isJekyll = config === null && walked.files.includes('_config.yml');
  const { pages, snippets } = sortTexts(texts, config, isJekyll, problems);
  if (pages.length === 0) {
    throw new ExportError(
      'NoPages',
      `There is no page (.md or .mdx file) in "${folder}".`,
      'Specify the folder that contains your docs.json or Markdown files.',
    );
  }
  const assets = walked.files
    .filter(
      (file) =>
        assetTypes.test(file) &&
        (glossary === undefined || file !== glossaryFile) &&
        !configFiles.includes(file) &&
        !projectFiles.test(basename(file)),
    )
    .filter((file) => !isReserved(file, problems))
    .flatMap((path) => readAsset(root, path, problems));
  if (!config) assets.push(...publicAssets(root, assets));
  const instructions = config ? instructionFiles.find((file) => read(file)) : undefined;
  if (instructions !== undefined)
    assets.push(...readAsset(root, instructions, problems).map((asset) => ({ ...asset, path: instructionsFile })));
  for (const file of skills.files)
    assets.push(...readAsset(root, file, problems).map((asset) => ({ ...asset, path: skillPath(asset.path) })));
  if (!config) problems.push(...docsBelowProblems(root, walked.files), ...astroProblems(walked.files));
  problems.push(...htmlProblems(walked.files));
  const packageName = config ? undefined : packageNameOf(read('package.json'));
  return {
    root,
    config,
    configFile: configFiles[0],
    configFiles,
    ...(positions && { positions }),
    ...(packageName !== undefined && { packageName }),
    ...(unsaved && { unsaved }),
    pages,
    assets,
    snippets,
    ...(glossary && { glossary }),
    problems,
  };
}

/** Reports a whole Astro project, whose pages are made by its own code. */
function astroProblems(files: readonly string[]): Problem[] {
  const file = files.find((one) => /^astro\.config\.[cm]?[jt]s$/.test(one));
  if (file === undefined) return [];
  return [
    createProblem({
      kind: 'astro-project',
      page: file,
      message:
        'This folder is an Astro project, and only its Markdown files are exported: nothing of its layouts, components and routes.',
      hint: 'Add the integration of @carrel/astro and run "astro build", or export the folder that the build writes.',
    }),
  ];
}

/** Reports the HTML files of folders that other generators publish unchanged. They can run scripts, so they are not part of the export. */
function htmlProblems(files: readonly string[]): Problem[] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const [, folder] = /^((?:.*\/)?(?:public|static))\/.*\.html?$/i.exec(file) ?? [];
    if (folder !== undefined) folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders].map(([folder, [first = '', ...others]]): Problem => {
    const list = [first, ...others.slice(0, 4)].join(', ') + (others.length > 4 ? ` and ${others.length - 4} more` : '');
    return createProblem({
      kind: 'html-file-not-exported',
      page: first,
      message: `HTML files of the folder "${folder}" are not exported, because they could run scripts: ${list}.`,
      hint: 'Publish them on another host and link to it, or write them as pages.',
    });
  });
}

const instructionFiles = ['.mintlify/Assistant.md', '.mintlify/assistant.md'];
const skillFolder = '.mintlify/skills';

/** Files for agents that work with the product: `skill.md`, unless the navigation has it as a page, and the skills in a folder of their own. */
function skillFiles(root: string, files: readonly string[], named: ReadonlySet<string>) {
  const main = files.includes('skill.md') && !named.has('skill') ? ['skill.md'] : [];
  const folder = join(root, skillFolder);
  const real = realPath(folder);
  if (real === null || !isInDocs(root, real)) return { files: main, problems: [] };
  const walked = walkFolder(folder, ignoreRules('', false));
  return { files: [...main, ...walked.files.map((file) => `${skillFolder}/${file}`)], problems: walked.problems };
}

/** Where agents look for skills: agentskills.io. */
function skillPath(path: string): string {
  return path.replace(skillFolder, '.well-known/agent-skills');
}

const projectFile =
  /^(?:package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|pom\.xml|composer\.json|Gemfile|mkdocs\.ya?ml)$/;

/** Reports the docs in subfolders of a folder without a configuration: the root of their repository was probably named by mistake. */
function docsBelowProblems(root: string, files: readonly string[]): Problem[] {
  const configs = files.filter((file) => /\/(?:docs|mint)\.json$/.test(file) && isConfig(textReader(root)(file)));
  const pages = files.filter((file) => /^[^.].*\/.*\.mdx?$/i.test(file));
  const folder = /^(?:website\/)?docs?\//.exec(pages.find((file) => /^(?:website\/)?docs?\//.test(file)) ?? '')?.[0];
  const below = pages.filter((file) => folder !== undefined && file.startsWith(folder));
  if (
    configs.length === 0 &&
    folder !== undefined &&
    below.length * 2 > pages.length &&
    files.some((one) => projectFile.test(one))
  )
    return [
      createProblem({
        kind: 'config-in-subfolder',
        page: folder.slice(0, -1),
        message: `The exported folder is the root of a repository, whose docs are in "${folder}": all of its Markdown files become pages.`,
        hint: `Did you mean: carrel export ${join(asTyped(root), folder.slice(0, -1))}?`,
      }),
    ];
  return configs.slice(0, 5).map((file): Problem => {
    const folder = dirname(file);
    return createProblem({
      kind: 'config-in-subfolder',
      page: file,
      message: `Found ${file}, but the exported folder does not have a docs.json itself, so it is read as plain Markdown.`,
      hint: `Did you mean: carrel export ${join(asTyped(root), folder)}?`,
    });
  });
}

/** A file of that name can contain anything; a site's has a navigation or the schema of the format. */
function isConfig(text: string | null | undefined): boolean {
  return typeof text === 'string' && /"navigation"\s*:|"\$schema"\s*:\s*"https:\/\/mintlify\.com/.test(text);
}

/** Path of a folder relative to the current folder, or else its name. */
function asTyped(root: string): string {
  const path = relative(process.cwd(), root);
  return path.startsWith(join('..', '..', '..')) || isAbsolute(path) ? basename(root) : path;
}

function packageNameOf(text: string | null | undefined): string | undefined {
  const { name } = objectOf(jsonValue(text ?? ''));
  return typeof name === 'string' && name !== '' ? name.replace(/^@[^/]*\//, '') : undefined;
}

/** Whether a file is in the folder of an export's own scripts, which an author's file must not replace. */
function isReserved(path: string, problems: Problem[]): boolean {
  if (!/^_carrel\//i.test(path)) return false;
  problems.push(
    createProblem({
      kind: 'file-name-reserved',
      page: path,
      message: `${path} is skipped: the folder "_carrel" is reserved for the scripts and styles of the export.`,
      hint: 'Move it to a folder with another name. If this folder is an export, export the docs folder that it was made from instead.',
    }),
  );
  return true;
}

// A name that is not UTF-8 is listed with replacement characters, and no file has that name.
function readAsset(root: string, path: string, problems: Problem[]): SourceAsset[] {
  const file = join(root, path);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats) return [{ path: publishedPath(path), file, size: stats.size }];
  problems.push(fileNotReadableProblem(path, 'ENOENT'));
  return [];
}

/** The public files of the project around a plain docs folder, as if its public folder were in the docs folder. */
function publicAssets(root: string, own: readonly SourceAsset[]): SourceAsset[] {
  const folder = publicFolder(root);
  if (folder === undefined) return [];
  const taken = new Set(own.map(({ path }) => path));
  return walkFolder(folder, ignoreRules('', false))
    .files.filter((file) => assetTypes.test(file))
    .flatMap((file) => readAsset(folder, file, []))
    .map((asset): SourceAsset => ({ ...asset, path: `public/${asset.path}`, onlyIfUsed: true }))
    .filter(({ path }) => !taken.has(path));
}

/** The real path of a docs folder. Throws an ExportError if there is none. */
export function openFolder(folder: string): string {
  const root = realPath(resolve(folder));
  const hint = 'Specify the folder that contains your docs.json or Markdown files.';
  if (root === null) throw new ExportError('FolderNotFound', `The folder "${folder}" does not exist.`, hint);
  if (!statSync(root).isDirectory()) throw new ExportError('FolderNotFound', `"${folder}" is a file, not a folder.`, hint);
  return root;
}

function textReader(root: string, unsaved?: Source['unsaved']): ReadText {
  return (file) => {
    const text = unsaved?.get(file);
    if (text !== undefined) return text;
    const real = realPath(join(root, file));
    if (real === null || !statSync(real).isFile()) return undefined;
    return isInDocs(root, real) ? readFileSync(real, 'utf8') : null;
  };
}

/** A file is a snippet if it is in a snippet folder or imported. All other Markdown, and whatever the navigation names, is a page. */
function sortTexts(texts: TextFile[], config: DocsConfig | null, isJekyll: boolean, problems: Problem[]) {
  const imported = new Set(texts.flatMap(({ facts }) => facts.imports));
  const named = new Set(config ? strings(config.navigation).map((entry) => entry.replace(/^\/|\.mdx?$/g, '')) : []);
  const rewrites = new Map(
    Object.entries(config?.rewrites ?? {}).map(([file, path]) => [pagePath(file.replace(/^\//, ''), false), ownPath(path)]),
  );
  const snippets = new Map<string, SourceSnippet>();
  const pages = new Map<string, SourcePage>();
  const foldedPaths = new Map<string, string>();
  for (const text of texts.toSorted((a, b) => byClaim(a.file, b.file))) {
    const { file, kind, facts } = text;
    const filePath = pagePath(file, config === null);
    const path = isJekyll ? jekyllPath(file, facts.frontmatter) : (rewrites.get(filePath) ?? filePath);
    const isImported = imported.has(file.normalize('NFC'));
    const inFolder = config !== null && isInSnippetFolder(file);
    const { frontmatter, bodyLine, lines, digest, included } = facts;
    if (kind === 'jsx' || isImported || inFolder)
      snippets.set(file.normalize('NFC'), {
        file,
        kind,
        frontmatter,
        body: text.body(),
        bodyLine,
        ...(lines && { lines }),
        ...(included && { included }),
        digest,
      });
    if (kind === 'jsx' || inFolder || (isImported && !named.has(filePath))) continue;
    const taken = pages.get(path);
    if (taken) {
      problems.push(pathTakenProblem(path, taken.file, file));
      continue;
    }
    const folded = path.toLowerCase();
    const twin = foldedPaths.get(folded);
    if (twin !== undefined) problems.push(pathsDifferByCaseProblem(twin, file));
    else foldedPaths.set(folded, file);
    pages.set(path, pageOf(path, kind, text));
  }
  // The older folder of snippets; `<Snippet file="a.mdx" />` looks in both.
  for (const [name, snippet] of snippets) {
    const newer = name.replace(/^_snippets\//, 'snippets/');
    if (!snippets.has(newer)) snippets.set(newer, snippet);
  }
  const sorted = [...pages.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { pages: sorted, snippets: new Map([...snippets].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function pageOf(path: string, kind: SourcePage['kind'], { file, facts, body }: TextFile): SourcePage {
  const { frontmatter, heading, specifiers, bodyLine, lines, digest, included } = facts;
  return {
    ...{ path, file, kind, frontmatter, heading, specifiers, bodyLine, digest },
    ...(lines && { lines }),
    ...(included && { included }),
    get body() {
      return body();
    },
  };
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** 'guides/setup.mdx' → 'guides/setup'. An index file takes the path of its folder; in a plain folder, README, Index and Hugo's `_index` do too. NFC, otherwise verbatim. */
export function pagePath(file: string, isPlain: boolean): string {
  const path = file.replace(/\.mdx?$/i, '').normalize('NFC');
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const isIndex = name === 'index' || (isPlain && /^(?:_?index|readme)$/i.test(name));
  return isIndex ? path.slice(0, Math.max(slash, 0)) : path;
}

/** The path of a page of Jekyll: its `permalink`, or in a collection (`_docs/setup.md`) the path with the name of the collection (`docs/setup`). */
function jekyllPath(file: string, { permalink }: Record<string, unknown>): string {
  const own = typeof permalink === 'string' && permalink.startsWith('/') ? ownPath(permalink) : undefined;
  if (own !== undefined) return own;
  return pagePath(file, true).replace(/^_(?!posts\/|drafts\/|carrel\/)([^/]+\/)/, '$1');
}

/**
 * Order of files that claim one URL path, the winner first: `a` before `a/index` before `a/README`, `.mdx` before `.md`,
 * then by name.
 */
function byClaim(a: string, b: string): number {
  return claim(a) - claim(b) || (a < b ? -1 : 1);
}

function claim(file: string): number {
  const name = posix.basename(file);
  return (/^readme\./i.test(name) ? 4 : /^_?index\./i.test(name) ? 2 : 0) + (/\.mdx$/i.test(name) ? 0 : 1);
}

function pathTakenProblem(path: string, winner: string, loser: string): Problem {
  return createProblem({
    kind: 'page-address-taken',
    page: loser,
    message: `${winner} and ${loser} have the same path "/${path}". ${winner} is used, ${loser} is skipped.`,
    hint: 'Rename or remove one of the two.',
  });
}

function pathsDifferByCaseProblem(first: string, second: string): Problem {
  return createProblem({
    kind: 'page-addresses-differ-by-case',
    page: second,
    message: `The paths of ${first} and ${second} differ only in case, which many disks and hosts ignore.`,
    hint: 'Rename one of the two. Until then, the export writes the second one under another file name.',
  });
}
