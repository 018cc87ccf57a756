// Rewrites a module for the bundle.
import { applyEdits, type Edit } from '../text/edit.ts';
import { mayHoldExternalTexts } from './external-texts.ts';
import { mayNameFiles, type ModuleChange, type ModuleChanges } from './module-changes.ts';
import { readScript, type StaticExport, type StaticImport } from './read-script.ts';

export interface ModuleSite {
  /** Root-absolute path of the file that a URL in a script names; undefined if there is none. */
  ownUrl(url: string): string | undefined;
  /** Whether files also have URLs of external origins. */
  hasOther: boolean;
  isExternal(specifier: string, importer: string): boolean;
}

/** `file` is the runtime's name of a module: its path in the export, or empty for an inline script. */
export interface Module {
  id: string;
  code: string;
  file?: string;
}

export interface RewrittenModule extends Pick<ModuleChanges, 'workers' | 'prefixes'> {
  code: string;
}

/** Throws `ModuleError` if the module cannot be parsed. */
export function rewriteModule({ id, code, file }: Module, site: ModuleSite): RewrittenModule {
  const { error, module, hasModuleSyntax } = readScript(code, 'module');
  if (error || !module) throw new ModuleError(error?.message ?? '', error?.line ?? 1);
  const remote = remoteImports(id, module, site);
  const isChanged = mayNameFiles(code) || (site.hasOther && mayHoldExternalTexts(code));
  const { changes, workers, prefixes } = isChanged ? module : { changes: [], workers: [], prefixes: [] };
  const rewritten = applyEdits(code, [...remote, ...changes.flatMap((change) => editOf(change, file, site))]);
  // Without it, a script for several module systems would be treated as CommonJS.
  const isModule = hasModuleSyntax && remote.length === 0;
  return { workers, prefixes, code: isModule ? rewritten : `${rewritten}\nexport {}` };
}

/** A module that is not JavaScript. */
export class ModuleError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

function editOf(change: ModuleChange, file: string | undefined, site: ModuleSite): Edit[] {
  const { start, end } = change;
  const self = file === undefined ? '' : JSON.stringify(file);
  if (change.kind === 'text') return [change];
  if (change.kind === 'meta') return [{ start, end, text: `__carrel_meta(${self})` }];
  if (change.kind === 'base') return [{ start, end, text: self === '' ? '' : `,${self}` }];
  const own = site.ownUrl(change.url);
  return own === undefined ? [] : [{ start, end, text: `__carrel_address(${JSON.stringify(own)}).href` }];
}

// A classic script cannot import from an external origin before it runs, only while it does.
function remoteImports(
  id: string,
  { staticImports, staticExports }: { staticImports: StaticImport[]; staticExports: StaticExport[] },
  site: ModuleSite,
): Edit[] {
  const edits: Edit[] = [];
  const load = (specifier: string) => `await import(${JSON.stringify(specifier)})`;
  for (const { start, end, moduleRequest, entries } of staticImports) {
    if (!site.isExternal(moduleRequest.value, id)) continue;
    const space = `__carrel_remote${start}`;
    const names = entries.map(({ importName, localName }) => {
      if (importName.kind === 'NamespaceObject') return `${localName.value}=${space}`;
      return `${localName.value}=${space}[${JSON.stringify(importName.name ?? 'default')}]`;
    });
    edits.push({ start, end, text: `const ${[`${space}=${load(moduleRequest.value)}`, ...names].join()};` });
  }
  for (const { start, end, entries } of staticExports) {
    const request = entries[0]?.moduleRequest;
    if (!request || !site.isExternal(request.value, id)) continue;
    const space = `__carrel_remote${start}`;
    const names = entries.map(({ importName, exportName }, index) => ({
      local: `${space}_${index}`,
      value: importName.kind === 'Name' ? `${space}[${JSON.stringify(importName.name)}]` : space,
      name: exportName.kind === 'Default' ? 'default' : exportName.name,
    }));
    const known = names.filter(({ name }) => name !== null);
    const constants = [`${space}=${load(request.value)}`, ...known.map(({ local, value }) => `${local}=${value}`)].join();
    edits.push({
      start,
      end,
      text: `const ${constants};export{${known.map(({ local, name }) => `${local} as ${name}`).join()}};`,
    });
  }
  return edits;
}
