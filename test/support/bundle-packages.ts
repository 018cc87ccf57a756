// The published `carrel` contains the packages that it imports, bundled, because an installation would have two hundred more packages otherwise.
// A package under `devDependencies` of package.json is bundled; one under `dependencies` (native code, large data) is installed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseSync } from 'rolldown/utils';

interface ImportedName {
  file: string;
  /** Position of the specifier with its quotes. */
  start: number;
  end: number;
  specifier: string;
  /** Undefined: all of them. */
  names: string[] | undefined;
}

/** Bundles what the files of `target` import of `packages` into its folder `packages/`, and changes the imports. */
export async function bundlePackages(root: string, target: string, packages: string[]): Promise<void> {
  const folder = join(target, 'packages');
  const imports = programsBelow(target)
    .flatMap(importsOf)
    .filter(({ specifier }) => packages.includes(packageOf(specifier)));
  const entries = new Map<string, string>();
  for (const specifier of new Set(imports.map((found) => found.specifier)))
    entries.set(
      nameOf(specifier),
      await reExport(
        root,
        specifier,
        imports.filter((found) => found.specifier === specifier),
      ),
    );
  const licenses = await bundle(root, folder, entries);
  writeFileSync(join(folder, 'LICENSES.txt'), licenses);
  for (const file of new Set(imports.map((found) => found.file)))
    changeImports(
      file,
      imports.filter((found) => found.file === file),
      folder,
    );
}

/** Returns the licenses of the packages, which come with every copy of them. */
async function bundle(root: string, folder: string, entries: Map<string, string>): Promise<string> {
  const external = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies);
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries([...entries.keys()].map((name) => [name, `bundled:${name}`])),
    platform: 'node',
    // The bundler cannot follow the imports of a UMD module, which `main` often is.
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => external.includes(packageOf(id)),
    onLog(level, log) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && log.code !== 'EVAL') console.warn(log.message);
    },
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (id.startsWith('bundled:') ? join(root, `${id.replace(':', '-')}.js`) : null),
        load: (id) => entries.get(/bundled-([^/\\]+)\.js$/.exec(id)?.[1] ?? '') ?? null,
      },
    ],
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
    minify: { mangle: false, compress: false, codegen: true },
    comments: { legal: false },
  });
  await build.close();
  for (const file of output)
    if (file.type === 'chunk' && /\brequire\(["']\./.test(file.code))
      throw new Error(`${file.fileName} requires a file that is not in the bundle: ${file.moduleIds.join(', ')}`);
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return licenseTexts(modules.filter((id) => id.includes(`${sep}node_modules${sep}`)));
}

/** A module that exports only what is used of a package: the rest is left out of the bundle. */
async function reExport(root: string, specifier: string, imports: ImportedName[]): Promise<string> {
  const names = imports.some((found) => found.names === undefined)
    ? await namesOf(root, specifier)
    : [...new Set(imports.flatMap((found) => found.names ?? []))];
  return names.length === 0
    ? `import ${JSON.stringify(specifier)};`
    : `export { ${names.sort().join(', ')} } from ${JSON.stringify(specifier)};`;
}

async function namesOf(root: string, specifier: string): Promise<string[]> {
  const probe = pathToFileURL(join(root, 'package.json')).href;
  const exported: object = await import(import.meta.resolve(specifier, probe));
  // Of a module that was compiled to CommonJS, Node adds these to the names of its source.
  const added = '__esModule' in exported ? ['module.exports', '__esModule', 'default'] : ['module.exports'];
  return Object.keys(exported).filter((name) => !added.includes(name));
}

function importsOf(file: string): ImportedName[] {
  const code = readFileSync(file, 'utf8');
  const { module } = parseSync(file, code, { sourceType: 'module' });
  const found: ImportedName[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const { value, start, end } = moduleRequest;
    const isWhole = entries.some(({ importName }) => importName.kind === 'NamespaceObject');
    const names = entries.map(({ importName }) => importName.name ?? 'default');
    found.push({ file, start, end, specifier: value, names: isWhole ? undefined : names });
  }
  for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (!moduleRequest) continue;
    const { value, start, end } = moduleRequest;
    found.push({ file, start, end, specifier: value, names: importName.name ? [importName.name] : undefined });
  }
  // `import('x')` and `require('x')` give all names.
  for (const match of code.matchAll(/\b(?:import|require)\((?<quoted>'[^']+'|"[^"]+")\)/g)) {
    const quoted = match.groups!.quoted!;
    const start = match.index + match[0].indexOf(quoted);
    found.push({ file, start, end: start + quoted.length, specifier: quoted.slice(1, -1), names: undefined });
  }
  return found.filter(({ specifier }) => !/^(?:\.|node:|\/)/.test(specifier) && !builtinModules.includes(specifier));
}

function changeImports(file: string, imports: ImportedName[], folder: string): void {
  let code = readFileSync(file, 'utf8');
  // From the last to the first, so that the positions stay. Names of one `export … from` have the same.
  const places = new Map(imports.map((found) => [found.start, found]));
  for (const { start, end, specifier } of [...places.values()].sort((a, b) => b.start - a.start)) {
    const path = relative(dirname(file), join(folder, `${nameOf(specifier)}.js`)).replaceAll('\\', '/');
    code = `${code.slice(0, start)}'${path.startsWith('.') ? path : `./${path}`}'${code.slice(end)}`;
  }
  writeFileSync(file, code);
}

/** What the working tree compiles for itself, and what browsers load. */
const notOurs =
  /^(?:theme|reader-scripts|compiled)-|(?:^|[\\/])(?:packages|dashboard[\\/]client|reader-build[\\/]scripts|manual)[\\/]/;

function programsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?js$/.test(file) && !notOurs.test(file))
    .map((file) => join(folder, file));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function nameOf(specifier: string): string {
  return specifier
    .replace(/^@/, '')
    .replace(/\.js$/, '')
    .replaceAll(/[^\w.-]+/g, '-');
}

function licenseTexts(modules: string[]): string {
  const folders = new Set(
    modules.map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id.replaceAll('\0', ''))![0]),
  );
  const texts = [...folders].map((folder) => {
    const { name, version, license } = createRequire(import.meta.url)(join(folder, 'package.json'));
    const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}
