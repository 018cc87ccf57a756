// Turns the modules of a site into classic scripts, one for each file, so that a page still loads only those that it needs.
import { applyEdits, type Edit } from '../text/edit.ts';
import type { Problem } from '../diagnostics.ts';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import type { ModuleFiles } from './module-files.ts';
import type { Module } from './rewrite-module.ts';
import { readScript } from './read-script.ts';
import { locationParameters, withSiteLocation } from './site-location.ts';
import { siteModules } from './site-modules.ts';

export interface ModuleScriptsInput {
  /** Ids of the modules; what they import comes with them. */
  entries: string[];
  files: ModuleFiles;
  /** Path in the export of a module, by its id. */
  nameOf(id: string): string;
}

export interface ModuleScripts {
  /** The text of each script, by its path in the export. */
  texts: Map<string, string>;
  problems: Problem[];
}

/**
 * Each script hands a function to `__carrel_module` (reader/page-app.ts), which runs it once it is imported. The same input gives the same bytes.
 * A module that cannot be converted becomes a problem, and throws when it is imported.
 */
export async function moduleScripts({ entries, files, nameOf }: ModuleScriptsInput): Promise<ModuleScripts> {
  const read = (id: string): Module => {
    const module = files.read(id);
    const file = module.file ?? encodePath(id.slice(1));
    return { ...module, code: withLoads(withSiteLocation(module.code, 'module'), file) };
  };
  const ids = new Set(entries);
  for (const id of ids) {
    for (const { specifier } of readScript(files.read(id).code, 'module').imports) {
      const imported = specifier === undefined ? undefined : files.resolve(specifier, id);
      if (imported?.startsWith('/')) ids.add(imported);
    }
  }
  const modules = siteModules({ ...files, read });
  const output = await modules.generate(
    { input: [...ids], plugins: [modules.plugin] },
    {
      format: 'cjs',
      exports: 'named',
      preserveModules: true,
      entryFileNames: ({ facadeModuleId: id }) => (id?.startsWith('/') ? nameOf(id) : '_carrel/site/[name].js'),
    },
  );
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const texts = new Map<string, string>();
  for (const [fileName, { code }] of chunks) {
    const from = encodePath(fileName);
    const needs = needsOf(fileName, (file) => chunks.get(file)?.imports ?? []).map((file) => relativeUrl(from, encodePath(file)));
    texts.set(
      fileName,
      `__carrel_module(${JSON.stringify(needs)},function(require,exports,${parameters},${locationParameters}){"use strict";${code}\n});\n`,
    );
  }
  return { texts, problems: modules.problems() };
}

const parameters = '__carrel_address,__carrel_meta,__carrel_load,__carrel_preload';

/** All files that a file imports, directly or not. */
function needsOf(file: string, importsOf: (file: string) => string[]): string[] {
  const found = new Set([file]);
  for (const one of found) for (const other of importsOf(one)) found.add(other);
  found.delete(file);
  return [...found];
}

/** `import()` of a file becomes a call of the loader of classic scripts. */
function withLoads(code: string, file: string): string {
  if (!/\bimport\s*\(/.test(code)) return code;
  const edits = readScript(code, 'module').imports.flatMap(({ kind, start, argument, specifier }): Edit[] => {
    if (kind !== 'call' || specifier === undefined || /^[a-z][a-z0-9+.-]*:/i.test(specifier)) return [];
    return [
      { start, end: start + 'import'.length, text: '__carrel_load' },
      { start: argument.end, end: argument.end, text: `,${JSON.stringify(file)}` },
    ];
  });
  return applyEdits(code, edits);
}
