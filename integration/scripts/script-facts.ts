// What a script loads and requests. Many sites do not have a script worth parsing, so the parser is loaded with the first one.
import type { Problem } from '../diagnostics.ts';
import type { Load } from '../html/load.ts';
import { mayRequestFiles, requestProblem } from './file-requests.ts';
import { mayLoad } from './script-loads.ts';
import type { ImportRequest, ScriptFacts } from './read-script.ts';

/** What a script loads. A load is `rewritable` if its URL is a string literal of the script and a file can replace the response. */
export async function loadsOfScript(text: string): Promise<Load[]> {
  return mayLoad(text) ? (await factsOf(text)).loads : [];
}

/** Whether a script can only be a module. */
export async function isModuleText(text: string): Promise<boolean> {
  return /\b(?:import|export)\b/.test(text) && (await factsOf(text)).hasModuleSyntax;
}

/** What a script imports, in the order of the text. */
export async function scriptImports(text: string): Promise<ImportRequest[]> {
  return (await factsOf(text)).imports.toSorted((a, b) => a.argument.start - b.argument.start);
}

/**
 * A warning for each `fetch` of a file of the site and, of a script that is not a module, for each worker that starts from a file: workers of
 * modules (`isModule`) are reported by the bundle. Modules that no page loads do nothing; a script with an error is not read.
 */
export async function fileRequests(file: string, text: string, isModule: boolean, firstLine = 1): Promise<Problem[]> {
  if (!mayRequestFiles(text)) return [];
  const { requests, hasModuleSyntax } = await factsOf(text);
  if (hasModuleSyntax && !isModule) return [];
  return requests
    .filter((request) => request.file !== undefined || !isModule)
    .map((request) => requestProblem(file, firstLine, request));
}

async function factsOf(text: string): Promise<ScriptFacts> {
  const { readScript } = await import('./read-script.ts');
  return readScript(text, 'unambiguous');
}
