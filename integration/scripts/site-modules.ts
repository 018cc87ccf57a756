// The modules of a site as the bundler reads them.
import { rolldown, type InputOptions, type OutputOptions, type Plugin, type RolldownOutput } from 'rolldown';
import { lineAt } from '../text/edit.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import { requestProblem } from './file-requests.ts';
import type { ModuleFiles } from './module-files.ts';
import { ModuleError, rewriteModule } from './rewrite-module.ts';
import { unbundlableScriptProblem } from './unbundlable-script.ts';

export interface SiteModules {
  /** Resolves and loads the modules. */
  plugin: Plugin;
  /** Modules that an `import()` of a computed name may mean; known once they were bundled. */
  computed: Set<string>;
  /**
   * Runs the bundler. A module that cannot be bundled becomes a problem, and throws when it is imported, as it does on a host.
   * Other errors of the bundler are thrown.
   */
  generate(input: InputOptions, output: OutputOptions): Promise<RolldownOutput['output']>;
  problems(): Problem[];
}

export function siteModules(files: ModuleFiles): SiteModules {
  const problems = new Map<string, Problem>();
  const broken = new Map<string, string>();
  const computed = new Set<string>();
  const tell = (id: string, message: string, line: number | undefined) => {
    const { page, line: firstLine } = files.location(id);
    broken.set(id, message);
    problems.set(`broken ${id}`, unbundlableScriptProblem(page, line === undefined ? undefined : line + firstLine - 1, message));
  };
  const tellMissing = (specifier: string, importer: string) => {
    const { page, line } = files.location(importer);
    const { code } = files.read(importer);
    problems.set(
      `missing ${importer} ${specifier}`,
      createProblem({
        kind: 'script-import-missing',
        page,
        line: line + lineAt(code, code.indexOf(specifier)) - 1,
        message: `This script imports "${specifier}", and the site does not have this file.`,
        hint: 'Correct the import, or add the file.',
      }),
    );
  };
  const loaded = (id: string): string => {
    const why = broken.get(id);
    if (why !== undefined) return throwing(why);
    try {
      // Of a computed URL only the constant prefix is known, so all modules below it are bundled.
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
  const plugin: Plugin = {
    name: 'carrel-site',
    resolveId(specifier, importer) {
      if (importer === undefined) return specifier;
      const id = files.resolve(specifier, importer);
      if (id === undefined) {
        tellMissing(specifier, importer);
        return unknownPrefix + specifier;
      }
      return files.isExternal(specifier, importer) ? { id, external: true } : id;
    },
    load(id) {
      if (id.startsWith(unknownPrefix))
        return { code: throwing(`There is no module "${id.slice(unknownPrefix.length)}".`), moduleType: 'js' };
      return { code: loaded(id), moduleType: 'js' };
    },
  };

  return {
    plugin,
    computed,
    async generate(input, output) {
      for (;;) {
        const known = broken.size;
        try {
          return await generate(input, output);
        } catch (error) {
          for (const { id, message, loc } of (error as { errors?: Fault[] }).errors ?? [])
            if (id !== undefined && !broken.has(id)) tell(id, message, loc?.line);
          if (broken.size === known) throw error;
        }
      }
    },
    problems: () => [...problems].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem),
  };
}

const unknownPrefix = '\0carrel-unknown:';

async function generate(input: InputOptions, output: OutputOptions): Promise<RolldownOutput['output']> {
  const build = await rolldown({
    cwd: '/',
    platform: 'browser',
    logLevel: 'silent',
    treeshake: false,
    shimMissingExports: true,
    resolve: { tsconfigFilename: undefined },
    ...input,
  });
  try {
    const { output: files } = await build.generate({
      minify: { compress: false, mangle: true, codegen: true },
      ...output,
    });
    return files;
  } finally {
    await build.close();
  }
}

interface Fault {
  id?: string;
  message: string;
  loc?: { line: number };
}

function throwing(message: string): string {
  return `throw new SyntaxError(${JSON.stringify(message)});export{}`;
}
