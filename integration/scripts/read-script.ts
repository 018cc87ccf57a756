// Everything that the export needs to know about a script, from one parse: the same few scripts are on every page of a site.
import { hash } from 'node:crypto';
import { parseSync } from 'rolldown/utils';
import type { Load } from '../html/load.ts';
import { lineAt } from '../text/edit.ts';
import { detached } from '../text/detach.ts';
import { externalTexts, mayHoldExternalTexts, type ExternalText } from './external-texts.ts';
import { fileRequests, mayRequestFiles, type FileRequest } from './file-requests.ts';
import { mayChange, moduleChanges, type ModuleChanges } from './module-changes.ts';
import { scriptFault, type ScriptFault, type SourceType } from './script-fault.ts';
import { mayLoad, scriptLoads, textLoads } from './script-loads.ts';

/** Plain data. Of a script with an error only `loads` are known. */
export interface ScriptFacts {
  /** Why the script cannot be parsed, with its line. */
  error?: ScriptFault;
  /** Whether it can only be a module. */
  hasModuleSyntax: boolean;
  imports: ImportRequest[];
  /** What it loads from external origins, as far as its text shows. */
  loads: Load[];
  /** What it requests from its own site. */
  requests: FileRequest[];
  externalTexts: ExternalText[];
  /** Only for a script that is read as a module. */
  module?: ModuleChanges & { staticImports: StaticImport[]; staticExports: StaticExport[] };
}

export interface ImportRequest {
  /** `export … from` is a statement too. */
  kind: 'statement' | 'call';
  /** Start of the statement or of `import(`. */
  start: number;
  /** Range of the specifier with its quotes, or of the expression that computes it. */
  argument: { start: number; end: number };
  /** Undefined if it is known only when the script runs. */
  specifier?: string;
}

type Parsed = ReturnType<typeof parseSync>;
export type StaticImport = Parsed['module']['staticImports'][number];
export type StaticExport = Parsed['module']['staticExports'][number];

/** Reads a script; caches the result by text. */
export function readScript(code: string, sourceType: SourceType): ScriptFacts {
  const digest = hash('sha256', code);
  const known = read.get(`${sourceType} ${digest}`);
  if (known) return known;
  const facts = detached(factsOf(code, sourceType));
  for (const type of [sourceType, ...othersWithSameFacts(code, sourceType, facts)]) remember(`${type} ${digest}`, facts);
  return facts;
}

const read = new Map<string, ScriptFacts>();
// Few sites have so many different scripts. The oldest entries are dropped first: recency of use would not help, since pages are read once.
const mostRead = 5000;

function remember(key: string, facts: ScriptFacts): void {
  for (const oldest of read.keys()) {
    if (read.size < mostRead) break;
    read.delete(oldest);
  }
  read.set(key, facts);
}

// A text with `import` or `export` is a module in any mode; without them, both modes give the same result unless a word has a special meaning in modules.
function othersWithSameFacts(code: string, sourceType: SourceType, facts: ScriptFacts): SourceType[] {
  if (facts.error) return [];
  if (facts.module && facts.module.staticImports.length + facts.module.staticExports.length > 0) return ['module', 'unambiguous'];
  return sourceType === 'unambiguous' && !facts.hasModuleSyntax && !/\bawait\b|<!--|-->/.test(code) ? ['script'] : [];
}

function factsOf(code: string, sourceType: SourceType): ScriptFacts {
  const facts: ScriptFacts = { hasModuleSyntax: false, imports: [], loads: [], requests: [], externalTexts: [] };
  const fault = scriptFault(code, sourceType);
  if (fault) return { ...facts, error: fault, loads: textLoads(code) };
  const parsed = parseSync('script.js', code, { lang: 'js', sourceType });
  const { module, errors } = parsed;
  const { hasModuleSyntax, staticImports, staticExports } = module;
  // `parsed.program` is made when it is first read, which costs more than the parse.
  const loads = mayLoad(code) ? scriptLoads(parsed.program) : [];
  const [error] = errors;
  if (error)
    return {
      ...facts,
      hasModuleSyntax,
      loads,
      error: { message: error.message, line: lineAt(code, error.labels[0]?.start ?? 0) },
    };
  const isModule = hasModuleSyntax || sourceType === 'module';
  const changes = isModule && mayChange(code) ? moduleChanges(parsed.program, code) : { changes: [], workers: [], prefixes: [] };
  return {
    hasModuleSyntax,
    imports: importsOf(code, module),
    loads,
    requests: mayRequestFiles(code) ? fileRequests(parsed.program, code) : [],
    externalTexts: mayHoldExternalTexts(code) ? externalTexts(parsed.program) : [],
    module: isModule ? { ...changes, staticImports, staticExports } : undefined,
  };
}

function importsOf(code: string, { staticImports, staticExports, dynamicImports }: Parsed['module']): ImportRequest[] {
  const statement = (start: number, request: StaticImport['moduleRequest']): ImportRequest => ({
    kind: 'statement',
    start,
    argument: { start: request.start, end: request.end },
    specifier: request.value,
  });
  return [
    ...staticImports.map(({ start, moduleRequest }) => statement(start, moduleRequest)),
    ...staticExports.flatMap(({ start, entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [statement(start, moduleRequest)] : [])),
    ),
    ...dynamicImports.map(({ start, moduleRequest: { start: from, end } }): ImportRequest => {
      const specifier = /^(["'`])([^"'`$\\]*)\1$/.exec(code.slice(from, end))?.[2];
      return { kind: 'call', start, argument: { start: from, end }, specifier };
    }),
  ];
}
