// The published `carrel` is one program: its modules and those of npm that it uses are bundled into a few files, because an installation would
// have two hundred more packages otherwise, and a small export would spend half of its time on opening modules.
// A package under `devDependencies` of package.json is bundled; one under `dependencies` (native code, large data) is installed, and so is what
// only a server needs.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { packageFolders } from '../../integration/reader-build/npm-packages.ts';
import { unpublished } from './unpublished.ts';

/** Modules that are loaded by their path: programs, threads, and what Node loads in the middle of another's function. */
const entries = {
  '.': ['cli/carrel', 'islands/render-process', 'markdown/render-threads', 'source/dialects/translate'],
  'node_modules/@carrel/astro/build': [
    ...['index', 'export-messages', 'astro/carrel-search', 'astro/export-build', 'static-site/page-threads'],
    // Of the Astro components.
    ...['texts/index', 'reader/shared/search-icon'],
  ],
};

/** What browsers and Astro load. */
const stay = /[\\/](?:dashboard[\\/]client|astro[\\/]components)[\\/]/;

const base =
  /[\\/](?:@carrel[\\/]astro[\\/]build[\\/](?:errors|manifest|remote[\\/]embeddings|(?:text|urls)[\\/][^\\/]+)|cli[\\/](?:amounts|own-process))\.js$/;
const ofFolders =
  /[\\/](?:source[\\/](?:checkout|entities|first-heading|merge-conflict|snippets)|export[\\/]is-built-site|markdown[\\/]links|cache[\\/]folder|output[\\/](?:write-error|write-report)|page[\\/](?:not-found-page|asset|start-thread)|html[\\/]placeholder-html)\.js$/;

/** Bundles `compiled`, modules below `target`, with the packages that they import, in place of them. */
export async function bundleProgram(root: string, target: string, compiled: string[]): Promise<void> {
  const input = Object.entries(entries).flatMap(([folder, names]) =>
    names.map((name) => join(folder, name).replaceAll(sep, '/')),
  );
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const isInstalled = (specifier: string) => Object.hasOwn(dependencies, packageOf(specifier));
  const isBundled = (specifier: string) => Object.hasOwn(devDependencies, packageOf(specifier));
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(input.map((name) => [name, join(target, `${name}.js`)])),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    // The bundler cannot follow the imports of a UMD module, which `main` often is.
    resolve: { mainFields: ['module', 'main'] },
    onLog(level, log) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && !['EVAL', 'IMPORT_IS_UNDEFINED'].includes(log.code ?? '')) console.warn(log.message);
    },
    plugins: [imports(root, target, { isInstalled, isBundled }), requires(root, target, isBundled), ownPlaces(target)],
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'packages/[name]-[hash].js',
    // The lowest levels, which every command needs, and small modules of many, in one file; otherwise each of their modules that two others share would have its own.
    codeSplitting: {
      groups: [
        { name: 'base', test: base, includeDependenciesRecursively: false },
        { name: 'folders', test: ofFolders, includeDependenciesRecursively: false },
      ],
    },
    minify: { mangle: false, compress: false, codegen: true },
    comments: { legal: false },
  });
  await build.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk');
  for (const { fileName, code, moduleIds } of chunks)
    if (/\brequire\(["']\.(?![./]*\/packages\/)/.test(code))
      throw new Error(`${fileName} requires a file that is not in the bundle: ${moduleIds.join(', ')}`);
  const written = new Set(chunks.map(({ fileName }) => join(target, fileName)));
  for (const file of compiled) if (!written.has(file) && !stay.test(file)) rmSync(file);
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  writeFileSync(
    join(target, 'packages/LICENSES.txt'),
    licenseTexts(modules.filter((id) => id.includes(`${sep}node_modules${sep}`) && !isOwn(target, id))),
  );
}

const isOwn = (target: string, file: string) => file.startsWith(`${target}${sep}`);

type IsPackage = (specifier: string) => boolean;

/** Says which imports are in the bundle, and looks for packages where this repository has them. */
function imports(
  root: string,
  target: string,
  { isInstalled, isBundled }: Record<'isInstalled' | 'isBundled', IsPackage>,
): Plugin {
  const absent = [
    ...unpublished.src.map((path) => join(target, path)),
    ...unpublished.integration.map((path) => join(target, 'node_modules/@carrel/astro/build', path)),
  ];
  return {
    name: 'imports',
    async resolveId(id, importer) {
      if (!importer) return null;
      if (!isOwn(target, importer)) return isInstalled(id) ? { id, external: true } : null;
      if (id.startsWith('.')) {
        const path = resolve(dirname(importer), id);
        return absent.some((start) => path.startsWith(start)) ? { id, external: true } : null;
      }
      if (/^(?:\/|node:|\0|@carrel\/)/.test(id)) return null;
      return isBundled(id) ? this.resolve(id, join(root, 'index.js'), { skipSelf: true }) : { id, external: true };
    },
  };
}

/** What a module loads by `require`, within a function, is a file of its own. */
function requires(root: string, target: string, isBundled: IsPackage): Plugin {
  const prefix = 'required:';
  return {
    name: 'requires',
    resolveId: (id) => (id.startsWith(prefix) ? join(root, id) : null),
    load(id) {
      const [, specifier] = id.split(prefix);
      if (specifier === undefined) return null;
      return `export * from '${specifier}'; import * as all from '${specifier}'; export default all.default;`;
    },
    transform(code, id) {
      if (!isOwn(target, id)) return null;
      return code.replaceAll(/\brequire\('([^'.][^']*)'\)/g, (call, specifier: string) => {
        if (!isBundled(specifier)) return call;
        const fileName = `packages/${specifier.replaceAll(/[^\w.-]+/g, '-')}.js`;
        this.emitFile({ type: 'chunk', id: `${prefix}${specifier}`, fileName });
        return `require('${relative(dirname(id), join(target, fileName)).replaceAll(sep, '/')}')`;
      });
    },
  };
}

/** A module finds its files by `import.meta.url`, which stays the one that it has by itself. */
function ownPlaces(target: string): Plugin {
  const mark = (path: string) => `__url_of__(${JSON.stringify(path)})`;
  return {
    name: 'own-places',
    transform: (code, id) =>
      isOwn(target, id) && code.includes('import.meta.url')
        ? code.replaceAll('import.meta.url', mark(relative(target, id).replaceAll(sep, '/')))
        : null,
    renderChunk: (code, { fileName }) =>
      code.replaceAll(/__url_of__\("([^"]+)"\)/g, (_, path: string) => {
        const from = relative(dirname(fileName), path).replaceAll(sep, '/');
        return `new URL(${JSON.stringify(from)},import.meta.url).href`;
      }),
  };
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function licenseTexts(modules: string[]): string {
  const texts = packageFolders(modules).map((folder) => {
    const { name, version, license } = createRequire(import.meta.url)(join(folder, 'package.json'));
    const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}
