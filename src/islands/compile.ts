// Components of a docs folder → classic scripts, one for each file that defines some. Nothing is executed here, and nothing outside the folder
// is read: the bundler gets every module from memory.
import { hash } from 'node:crypto';
import { SourceMap } from 'node:module';
import { rolldown, type Plugin } from 'rolldown';
import { builtIns, hooks } from './names.ts';

/** The source of a module, or why there is none. */
export type ModuleSource = { file: string; code: string; type: 'jsx' | 'tsx'; lineOffset: number } | { refused: string };

export interface CompiledIsland {
  /** The file of the docs folder that defines the components. */
  file: string;
  /** Digest of the script, which names it. */
  id: string;
  /** Calls `__carrel_island` with the id and a function of exports and modules. */
  script: string;
  map: string;
}

/** A fault in a file of the docs folder. */
export interface CompileFault {
  file: string;
  line?: number;
  column?: number;
  message: string;
}

interface CompileOptions {
  /** The module of a file of the docs folder. */
  moduleOf(file: string): ModuleSource;
  /** The file that an import means. */
  resolve(specifier: string, from: string): ModuleSource;
}

const external = ['react', 'react-dom', 'react/jsx-runtime', 'carrel'];
const assets = /\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm)$/i;

/** Compiles the module of a file with all that it imports. The same input gives the same bytes. */
export async function compileIsland(file: string, options: CompileOptions): Promise<CompiledIsland | { fault: CompileFault }> {
  const modules = new Map<string, Exclude<ModuleSource, { refused: string }>>();
  let fault: CompileFault | undefined;
  const plugin: Plugin = {
    name: 'carrel-islands',
    resolveId(specifier, importer) {
      if (importer === undefined) return specifier;
      if (external.includes(specifier)) return { id: specifier, external: true };
      if (/\.css$/i.test(specifier)) return '\0empty';
      if (assets.test(specifier)) return `\0asset:${specifier}`;
      const found = options.resolve(specifier, importer);
      if ('refused' in found) {
        const from = modules.get(importer);
        const line = lineOf(from?.code, specifier);
        fault ??= { file: importer, line: line && line + (from?.lineOffset ?? 0), message: found.refused };
        return '\0empty';
      }
      modules.set(found.file, found);
      return found.file;
    },
    load(id) {
      if (id === '\0empty') return { code: 'export default undefined', moduleType: 'js' };
      if (id.startsWith('\0asset:')) return { code: `export default ${JSON.stringify(id.slice(7))}`, moduleType: 'js' };
      const module = modules.get(id);
      return module && { code: module.code, moduleType: module.type };
    },
  };
  const entry = options.moduleOf(file);
  if ('refused' in entry) return { fault: { file, message: entry.refused } };
  modules.set(file, entry);
  try {
    const bundle = await rolldown({
      input: file,
      plugins: [plugin],
      logLevel: 'silent',
      tsconfig: false,
      transform: {
        target: 'es2022',
        jsx: { runtime: 'automatic', importSource: 'react' },
        inject: Object.fromEntries([
          ...hooks.map((name) => [name, ['react', name]] as const),
          ...builtIns.map((name) => [name, ['carrel', name]] as const),
          ['React', ['react', 'default']] as const,
        ]) as Record<string, [string, string]>,
        define: { 'process.env.NODE_ENV': '"production"' },
      },
    });
    const { output } = await bundle.generate({
      format: 'cjs',
      exports: 'named',
      minify: true,
      sourcemap: 'hidden',
      codeSplitting: false,
    });
    await bundle.close();
    const [chunk] = output;
    if (fault) return { fault };
    const code = chunk.code.trimEnd();
    const id = hash('sha256', code).slice(0, 10);
    return {
      file,
      id,
      script: `__carrel_island("${id}",(exports,require)=>{${code}});\n`,
      map: JSON.stringify({ ...chunk.map, offsets: [...modules].map(([name, { lineOffset }]) => [name, lineOffset]) }),
    };
  } catch (error) {
    return { fault: fault ?? faultOf(error, file, modules) };
  }
}

interface BundlerError {
  code?: string;
  message: string;
  id?: string;
  loc?: { line: number; column: number };
}

function faultOf(error: unknown, file: string, modules: ReadonlyMap<string, { lineOffset: number }>): CompileFault {
  const { errors = [] } = error as { errors?: BundlerError[] };
  // A file with a syntax error lacks its exports, too.
  const first = errors.find(({ code }) => code === 'PARSE_ERROR') ?? errors[0];
  if (!first) throw error;
  const { id, loc } = first;
  const found = id !== undefined && modules.has(id) ? id : file;
  // eslint-disable-next-line no-control-regex
  const [message = ''] = first.message.replace(/\u001B\[[\d;]*m/g, '').split('\n');
  return {
    file: found,
    ...(loc && { line: loc.line + (modules.get(found)?.lineOffset ?? 0), column: loc.column + 1 }),
    message: message.replace(/^\[\w+\]\s*/, '').replace(/\.$/, ''),
  };
}

/** Where in the docs an error of a script arose, from its stack. */
export function placeOf(stack: string, { map }: CompiledIsland): { file: string; line: number } | undefined {
  const payload = JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0] & { offsets: [string, number][] };
  const offsets = new Map(payload.offsets);
  const sourceMap = new SourceMap(payload);
  const prefix = '__carrel_island("0123456789",(exports,require)=>{'.length;
  for (const [, line, column] of stack.matchAll(/component\.js:(\d+):(\d+)/g)) {
    const position = Number(column) - 1 - (line === '1' ? prefix : 0);
    const entry = sourceMap.findEntry(Number(line) - 1, position);
    if (!('originalSource' in entry)) continue;
    const file = [...offsets.keys()].find((name) => entry.originalSource.endsWith(name));
    if (file !== undefined) return { file, line: entry.originalLine + 1 + (offsets.get(file) ?? 0) };
  }
  return undefined;
}

/** The line that defines a component, if its name is there. */
export function definitionLine({ file, map }: CompiledIsland, name: string): number | undefined {
  const { sources, sourcesContent, offsets } = JSON.parse(map) as {
    sources: string[];
    sourcesContent: string[];
    offsets: [string, number][];
  };
  const code = sourcesContent[sources.findIndex((source) => source.endsWith(file))];
  const at = code?.search(new RegExp(`\\b(?:const|let|var|function|class)\\s+${name.replaceAll('$', '\\$')}\\b`)) ?? -1;
  return at < 0 ? undefined : code!.slice(0, at).split('\n').length + (new Map(offsets).get(file) ?? 0);
}

function lineOf(code: string | undefined, text: string): number | undefined {
  const at = code?.indexOf(text) ?? -1;
  return at < 0 ? undefined : code!.slice(0, at).split('\n').length;
}
