// The only settings of the bundler for what runs in a reader's browser: the reader of our theme, search and Ask in any site.
import { build, type Plugin, type Rolldown } from 'vite';
import { packagesOf, type NpmPackage } from './npm-packages.ts';
import { searchOnly } from './search-only.ts';

/** A file for the reader's browser, a script or a font, and the packages that it contains. */
export interface Bundled<Contents = string> {
  contents: Contents;
  packages: NpmPackage[];
}

// Node imports JSON as one value. The bundler keeps only the keys that are used where it is imported as a namespace.
const jsonKeys: Plugin = {
  name: 'json-keys',
  enforce: 'pre',
  transform: (code) =>
    code.replaceAll(/^import (\w+) from ('[^']+\.json') with \{ type: 'json' \};$/gm, 'import * as $1 from $2;'),
};

/** Stylesheets in scripts without the spaces that CSS does not need. */
const compactStyles: Plugin = {
  name: 'compact-styles',
  transform: {
    filter: { id: /[\\/]style\.ts$/ },
    handler: (code) => code.replace(/(?<=[;:{}]) +(?=\S)| +(?=[{}])/g, ''),
  },
};

/** The output of the bundler, in memory: minified, for browsers of 2022 and later. */
export async function bundle(
  options: Rolldown.RolldownOptions,
  { define = {}, plugins = [] }: { define?: Record<string, string>; plugins?: Plugin[] } = {},
): Promise<Rolldown.RolldownOutput['output']> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    base: './',
    publicDir: false,
    define,
    plugins: [jsonKeys, searchOnly, compactStyles, ...plugins],
    json: { stringify: false },
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      assetsInlineLimit: 0,
      target: 'es2022',
      cssTarget: 'chrome123',
      rolldownOptions: options,
    },
  });
  const [output] = 'on' in result ? [] : [result].flat();
  if (!output) throw new Error('The bundler gave no output.');
  return output.output;
}

/**
 * A module and everything that it imports, as one classic script, since file:// refuses module scripts. `define` fills in constants
 * that it declares. Throws when the bundler makes several scripts of it.
 */
export async function bundleScript(entry: string, define: Record<string, string> = {}): Promise<Bundled> {
  const output = await bundle({ input: entry, output: { format: 'iife', codeSplitting: false } }, { define });
  const [chunk, ...others] = output.flatMap((file) => (file.type === 'chunk' ? [file] : []));
  if (chunk === undefined || others.length > 0)
    throw new Error(`${entry} was compiled into ${others.length + 1} scripts instead of one.`);
  return { contents: chunk.code, packages: packagesIn(chunk) };
}

/** The packages whose code is in a chunk: a module of which nothing is left is not. */
export function packagesIn({ modules }: Rolldown.OutputChunk): NpmPackage[] {
  return packagesOf(Object.keys(modules).filter((id) => modules[id]!.renderedLength > 0));
}
