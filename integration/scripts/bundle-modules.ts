// Bundles every module of a site into one classic script, which runs on file:// and keeps shared modules shared.
import type { Plugin } from 'rolldown';
import type { Problem } from '../diagnostics.ts';
import { runtime, start } from './import-stub.ts';
import type { ModuleFiles } from './module-files.ts';
import { siteModules } from './site-modules.ts';

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
  const named = new Map(entries);
  const modules = siteModules(files);
  const entryPlugin: Plugin = {
    name: 'carrel-entry',
    resolveId: (specifier, importer) => (specifier === entry ? entry : importer === entry ? specifier : null),
    load: (id) => (id === entry ? { code: `__carrel_modules={${mapOf(named)}};\n${start}`, moduleType: 'js' } : null),
  };
  for (;;) {
    const [output] = await modules.generate(
      { input: entry, plugins: [entryPlugin, modules.plugin] },
      // One ES module, since modules of a site may use a top-level await. Each is in its own function, so that the bundle itself does not await.
      { format: 'es', codeSplitting: false },
    );
    const more = [...modules.computed].filter((id) => !named.has(id));
    for (const id of more) named.set(id, id);
    if (more.length === 0)
      return { code: `(()=>{"use strict";\n${runtime(base)}${output.code}})();\n`, problems: modules.problems() };
  }
}

function mapOf(named: Map<string, string>): string {
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, id]) => `${JSON.stringify(name)}:()=>import(${JSON.stringify(id)})`).join(',\n');
}

const entry = '\0carrel-entry';
