// Bundles every module of a site into one classic script, which runs on file:// and keeps shared modules shared.
import { rolldown, type Plugin } from 'rolldown';
import { requestProblem } from './file-requests.ts';
import { lineAt } from '../text/edit.ts';
import type { Problem } from '../diagnostics.ts';
import { ModuleError, rewriteModule } from './rewrite-module.ts';
import type { ModuleFiles } from './module-files.ts';
import { unbundlableScriptProblem } from './unbundlable-script.ts';
import { runtime, start } from './import-stub.ts';

export interface ModulesInput {
  /** The names by which pages request modules, with the id of each: that of a file or of an inline script. */
  entries: Map<string, string>;
  files: ModuleFiles;
  /** What root-absolute URLs of the site begin with. */
  base: string;
}

export interface BundledModules {
  code: string;
  problems: Problem[];
}

/**
 * Bundles modules under the names by which pages request them. The same input gives the same bytes.
 * A module that cannot be bundled becomes a problem, and throws when it is imported, as it does on a host.
 */
export async function bundleModules({ entries, files, base }: ModulesInput): Promise<BundledModules> {
  const problems = new Map<string, Problem>();
  const broken = new Map<string, string>();
  const named = new Map(entries);
  // Of a computed URL only the constant prefix is known, so all modules below it are bundled.
  const computed = new Set<string>();
  const plugin: Plugin = {
    name: 'carrel-site',
    resolveId(specifier, importer) {
      if (specifier === entry) return entry;
      if (importer === undefined || importer === entry) return specifier;
      const id = files.resolve(specifier, importer);
      if (id === undefined) {
        tellMissing(specifier, importer);
        return unknownPrefix + specifier;
      }
      return files.isExternal(specifier, importer) ? { id, external: true } : id;
    },
    load(id) {
      if (id === entry) return { code: `__carrel_modules={${mapOf(named)}};\n${start}`, moduleType: 'js' };
      if (id.startsWith(unknownPrefix))
        return { code: throwing(`There is no module "${id.slice(unknownPrefix.length)}".`), moduleType: 'js' };
      return { code: loaded(id), moduleType: 'js' };
    },
  };
  const tell = (id: string, message: string, line: number | undefined) => {
    const { page, line: firstLine } = files.location(id);
    broken.set(id, message);
    problems.set(`broken ${id}`, unbundlableScriptProblem(page, line === undefined ? undefined : line + firstLine - 1, message));
  };
  const tellMissing = (specifier: string, importer: string) => {
    const { page, line } = files.location(importer);
    const { code } = files.read(importer);
    problems.set(`missing ${importer} ${specifier}`, {
      kind: 'script-import-missing',
      severity: 'warning',
      page,
      line: line + lineAt(code, code.indexOf(specifier)) - 1,
      message: `This script imports "${specifier}", and the site does not have this file.`,
      hint: 'Correct the import, or add the file.',
    });
  };
  const loaded = (id: string): string => {
    const why = broken.get(id);
    if (why !== undefined) return throwing(why);
    try {
      const { code, workers, prefixes } = rewriteModule(files.read(id), files);
      for (const prefix of prefixes) for (const file of files.below(prefix, id)) computed.add(file);
      for (const line of workers) {
        const { page, line: firstLine } = files.location(id);
        problems.set(`worker ${id} ${line}`, requestProblem(page, firstLine, { line }));
      }
      return code;
    } catch (error) {
      if (!(error instanceof ModuleError)) throw error;
      tell(id, error.message, error.line);
      return throwing(error.message);
    }
  };

  for (;;) {
    const known = broken.size;
    try {
      const code = await generate(plugin);
      const more = [...computed].filter((id) => !named.has(id));
      for (const id of more) named.set(id, id);
      if (more.length > 0) continue;
      const sorted = [...problems].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
      return { code: `(()=>{"use strict";\n${runtime(base)}${code}})();\n`, problems: sorted };
    } catch (error) {
      for (const { id, message, loc } of faultsOf(error)) if (id !== undefined && !broken.has(id)) tell(id, message, loc?.line);
      if (broken.size === known) throw error;
    }
  }
}

function mapOf(named: Map<string, string>): string {
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, id]) => `${JSON.stringify(name)}:()=>import(${JSON.stringify(id)})`).join(',\n');
}

const entry = '\0carrel-entry';
const unknownPrefix = '\0carrel-unknown:';

// One ES module, since modules of a site may use a top-level await. Each is in its own function, so that the bundle itself does not await.
async function generate(plugin: Plugin): Promise<string> {
  const build = await rolldown({
    input: entry,
    cwd: '/',
    plugins: [plugin],
    platform: 'browser',
    logLevel: 'silent',
    treeshake: false,
    shimMissingExports: true,
    resolve: { tsconfigFilename: undefined },
  });
  try {
    const { output } = await build.generate({
      format: 'es',
      codeSplitting: false,
      minify: { compress: false, mangle: true, codegen: true },
    });
    return output[0].code;
  } finally {
    await build.close();
  }
}

interface Fault {
  id?: string;
  message: string;
  loc?: { line: number };
}

function faultsOf(error: unknown): Fault[] {
  return (error as { errors?: Fault[] }).errors ?? [];
}

function throwing(message: string): string {
  return `throw new SyntaxError(${JSON.stringify(message)});export{}`;
}
