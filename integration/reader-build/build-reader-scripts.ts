import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { packagesFile, pageAppFile } from './built-site-scripts.ts';
import { bundle, bundleScript, packagesIn, type Bundled } from './bundle.ts';
import { packagesOf, type PackagesByFile } from './npm-packages.ts';

const reader = fileURLToPath(new URL('../reader/', import.meta.url));

/** The scripts that a page's own script loads on first use. */
export interface LazyScripts {
  /** What that script's bundle needs to know: the constant `SCRIPTS` of run-script.ts. */
  define: Record<string, string>;
  /** By name in `_carrel`. */
  files: Map<string, Bundled>;
}

// The page's own script has the loader already (run-script.ts).
const ownLoader = [/\/reader\/shared\/loader\.ts$/];

/**
 * Bundles what our own theme and built sites load on first use: search and Ask, the core, which are the modules that both need, the sheet of
 * keys, suggested questions, and the site's own analytics, which may need the reader's consent.
 */
export async function bundleLazyScripts(): Promise<LazyScripts> {
  const output = await bundle(
    {
      input: { search: join(reader, 'search/search.ts'), ask: join(reader, 'ask/ask.ts') },
      external: ownLoader,
      output: {
        format: 'cjs',
        entryFileNames: '[name].js',
        chunkFileNames: 'core.js',
        paths: () => './loader.js',
        minifyInternalExports: true,
      },
    },
    { plugins: [ownTexts] },
  );
  const scripts = output.flatMap((file) => (file.type === 'chunk' ? [file] : []));
  if (scripts.length !== 3)
    throw new Error(`The reader was compiled into ${scripts.length} scripts instead of core, search and ask.`);
  const named = scripts.map((chunk): [name: string, file: string, script: Bundled] => {
    const script = asScript(chunk);
    const name = chunk.fileName.replace('.js', '');
    return [name, hashedName(name, script.contents), script];
  });
  for (const path of ['search/keys', 'ask/questions', 'analytics/record', 'analytics/consent']) {
    const script = await ownScript(join(reader, `${path}.ts`));
    const name = basename(path);
    named.push([name, hashedName(name, script.contents), script]);
  }
  return {
    define: { SCRIPTS: JSON.stringify(Object.fromEntries(named.map(([name, file]) => [name, file]))) },
    files: new Map(named.map(([, file, script]) => [file, script])),
  };
}

// The texts of search and Ask are one module. Each script gets its own copy, so that the core does not hold those of both. The bundler
// knows by the suffix that a module is JSON.
const ownTexts: Plugin = {
  name: 'own-texts',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!importer || !source.endsWith('/texts/en.json')) return undefined;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved && `${resolved.id}?${importer.includes('/reader/search/') ? 'search' : 'ask'}.json`;
  },
};

/**
 * The scripts of our own theme: those of `bundleLazyScripts`, and those of the playground, of diagrams and of analytics providers, which share no
 * code with them; also Mermaid, for pages with a diagram, and the modules of `own`, by name.
 */
export async function bundleThemeScripts(own: Record<'sidebar' | 'menu' | 'blocks', string>): Promise<LazyScripts> {
  const { define, files } = await bundleLazyScripts();
  const texts = {
    playground: await ownScript(join(reader, 'playground/playground.ts')),
    diagrams: await ownScript(join(reader, 'diagrams/diagrams.ts')),
    sidebar: await ownScript(own.sidebar),
    menu: await ownScript(own.menu),
    blocks: await ownScript(own.blocks),
    providers: await ownScript(join(reader, 'analytics/providers.ts')),
    mermaid: mermaidScript(),
  };
  const added = Object.entries(texts).map(([name, script]) => [name, hashedName(name, script.contents), script] as const);
  const scripts = {
    ...(JSON.parse(define.SCRIPTS ?? '{}') as Record<string, string>),
    ...Object.fromEntries(added.map(([name, file]) => [name, file])),
  };
  return {
    define: { SCRIPTS: JSON.stringify(scripts) },
    files: new Map([...files, ...added.map(([, file, script]) => [file, script] as const)]),
  };
}

async function ownScript(input: string): Promise<Bundled> {
  const [chunk] = await bundle({
    input,
    external: ownLoader,
    preserveEntrySignatures: 'exports-only',
    output: { format: 'cjs', entryFileNames: '[name].js', codeSplitting: false, paths: () => './loader.js' },
  });
  if (chunk?.type !== 'chunk') throw new Error(`${input} was not compiled into a script.`);
  return asScript(chunk);
}

/** Mermaid, as a function of what it gets instead of images and style elements (reader/diagrams/diagrams.ts). */
function mermaidScript(): Bundled {
  const { resolve } = createRequire(import.meta.url);
  const file = resolve('@mermaid-js/tiny');
  const text = readFileSync(file, 'utf8');
  const license = readFileSync(resolve('@mermaid-js/tiny/LICENSE'), 'utf8');
  const edits: [part: string, edited: string][] = [
    [
      'globalThis["mermaid"] = globalThis.__esbuild_esm_mermaid_nm["mermaid"].default;',
      'return __esbuild_esm_mermaid_nm.mermaid.default;',
    ],
    ['.append("image")', '.append("g")'],
    ['document.createElement("style")', 'styleElement()'],
    // Mermaid copies its configuration hundreds of times for a diagram, which took 40 % of the time.
    ['=>ei({},$b),"getConfig")', '=>copyOf($b),"getConfig")'],
  ];
  const edited = edits.reduce((all, [part, other]) => {
    if (!all.includes(part)) throw new Error(`Mermaid has no "${part}", which is edited.`);
    return all.replaceAll(part, other);
  }, text);
  return {
    contents: `/*! Mermaid\n\n${license}*/\n__carrel_script((exports)=>{exports.openMermaid=(Image,styleElement)=>{${copyOf}${edited}}});\n`,
    packages: packagesOf([file]),
  };
}

/** What Mermaid's `assignWithDepth({}, value)` returns: a copy of three levels, without nulls and repeated items of lists. */
const copyOf = `const copyOf=(value,depth=2)=>{
if(Array.isArray(value))return[...new Set(value)];
const copy={...value};
if(depth>0)for(const key in copy){const one=copy[key];if(one===null)delete copy[key];else if(typeof one==="object")copy[key]=copyOf(one,depth-1)}
return copy};`;

function asScript(chunk: Rolldown.OutputChunk): Bundled {
  return { contents: `__carrel_script((exports,require)=>{${chunk.code.trimEnd()}});\n`, packages: packagesIn(chunk) };
}

/**
 * Writes the scripts for built sites into `folder`: `reader.<hash>.js`, which every page gets, the scripts that it loads, and `page-app.js`, of
 * which the export makes a script for sites that are single-page applications; `packages.json` lists the packages in them.
 */
export async function writeBuiltSiteScripts(folder: string): Promise<void> {
  const { define, files } = await bundleLazyScripts();
  const script = await bundleScript(join(reader, 'built-site.ts'), define);
  files.set(hashedName('reader', script.contents), script);
  mkdirSync(folder, { recursive: true });
  for (const [name, { contents }] of files) writeFileSync(join(folder, name), contents);
  writeFileSync(join(folder, packagesFile), JSON.stringify(packagesByFile(files)));
  writeFileSync(join(folder, pageAppFile), (await bundleScript(join(reader, 'page-app.ts'))).contents);
}

/** The packages of those files that have any. */
export function packagesByFile(files: ReadonlyMap<string, Pick<Bundled, 'packages'>>): PackagesByFile {
  return Object.fromEntries([...files].flatMap(([name, { packages }]) => (packages.length > 0 ? [[name, packages]] : [])));
}

/** The name of a file with a digest of its content. */
export function hashedName(name: string, content: string | Uint8Array, extension = 'js'): string {
  return `${name}.${createHash('sha256').update(content).digest('hex').slice(0, 10)}.${extension}`;
}
