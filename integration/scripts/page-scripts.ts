// A page's scripts as file:// runs them: modules are asked of the bundle, in the place and the order in which they stood.
import { hash } from 'node:crypto';
import { parseSync } from 'rolldown/utils';
import { escapeAttribute } from '../export/rewrite-page.ts';
import type { Problem } from '../problem.ts';
import { lineAt, type Edit } from '../export/edit.ts';
import { rewriteProps } from './island-props.ts';
import type { InlineModule } from './module-files.ts';
import { policyTexts, rewritePolicy } from './policy.ts';
import type { PageScripts, ScriptElement } from './read-scripts.ts';
import { importName, stub } from './stub.ts';

/** What has to be known around a page. */
export interface PagePlace {
  html: string;
  /** Its file in the site, for problems. */
  file: string;
  /** Root-absolute address of the page in the site. */
  address: string;
  /** Address of `_carrel/app.js` from the page. */
  bundle: string;
  /** Id of the module that an address on the page leads to; undefined where it is no file of the site. */
  moduleOf(address: string): string | undefined;
  /** A page's or a file's address from the page; undefined for what is neither. */
  rewritten(address: string): string | undefined;
  /** Whether an address is one of the export. */
  isOwn(address: string): boolean;
  /** Whether the page loads the scripts of search. */
  hasSearch: boolean;
}

export interface EditedScripts {
  edits: Edit[];
  /** Id of each module that the page asks for, by the name it asks with. */
  entries: Map<string, string>;
  inline: Map<string, InlineModule>;
  imports: Map<string, string>;
  problems: Problem[];
}

/** The changes of a page for its scripts; `others` are all its other changes. */
export function editScripts(found: PageScripts, place: PagePlace, others: Edit[]): EditedScripts {
  const { html } = place;
  const done: EditedScripts = { edits: [], entries: new Map(), inline: new Map(), imports: new Map(), problems: [] };
  const { edits } = done;
  for (const map of found.importMaps) readImportMap(html.slice(map.start, map.end), place, done);
  for (const { start, end, address } of found.hints)
    if (address === undefined || place.isOwn(address)) edits.push({ start, end, text: '' });
  for (const { start, end, address } of found.guards) if (place.isOwn(address)) edits.push(withSpace(html, start, end));
  for (const script of found.scripts) {
    if (script.src) editLoaded(script, script.src.value, place, done);
    else if (script.kind === 'module') editInline(script, place, done);
    else editClassic(script, place, done);
  }
  for (const { addresses, props } of found.islands) {
    for (const address of addresses) addEntry(address, place, done);
    if (!props) continue;
    const text = rewriteProps(props.value, (address) => place.rewritten(address));
    if (text !== props.value)
      edits.push({ start: props.valueStart, end: props.valueEnd, text: escapeAttribute(text, props.quote || '"') });
  }
  if (done.entries.size > 0) {
    const src = escapeAttribute(place.bundle, '"');
    const text = `<script>${stub}</script><script defer charset="utf-8" src="${src}"></script>`;
    edits.push({ start: found.head, end: found.head, text });
  }
  editPolicies(found, place, done, others);
  return done;
}

function editPolicies(found: PageScripts, { html, file, hasSearch }: PagePlace, done: EditedScripts, others: Edit[]): void {
  if (found.policies.length === 0) return;
  const hasModules = done.entries.size > 0;
  const texts = {
    ...policyTexts(found, html, [...others, ...done.edits]),
    added: hasModules ? [stub] : [],
    loadsFiles: hasModules || hasSearch,
  };
  for (const { value, start, valueStart, valueEnd, quote } of found.policies) {
    const { policy, forbids } = rewritePolicy(value, texts);
    if (policy !== value) done.edits.push({ start: valueStart, end: valueEnd, text: escapeAttribute(policy, quote || '"') });
    if (forbids === undefined) continue;
    done.problems.push({
      kind: 'policy-forbids-scripts',
      severity: 'warning',
      page: file,
      line: lineAt(html, start),
      message: `The page's Content-Security-Policy says "${forbids}", so none of its scripts runs.`,
      hint: "Allow 'self' in script-src, if they shall run.",
    });
  }
}

/** A module's file by the name that a page has for it. */
function addEntry(address: string, place: PagePlace, done: EditedScripts): string | undefined {
  const id = place.moduleOf(address);
  if (id !== undefined) done.entries.set(address, id);
  return id;
}

function call(name: string): string {
  return `${importName}(${JSON.stringify(name).replaceAll('<', '\\u003c')})`;
}

function editLoaded({ kind, src, text }: ScriptElement, address: string, place: PagePlace, done: EditedScripts): void {
  const id = kind === 'module' ? place.moduleOf(address) : undefined;
  if (id === undefined) return;
  done.entries.set(id, id);
  // An inline module without imports is run by every browser, in the order of modules.
  done.edits.push(withSpace(place.html, src!.start, src!.end), { ...text, text: call(id) });
}

function editInline({ text }: ScriptElement, place: PagePlace, done: EditedScripts): void {
  const code = place.html.slice(text.start, text.end);
  const line = lineAt(place.html, text.start);
  if (!/\bimport\b|\bexport\b/.test(code)) return;
  const { module, errors } = parseSync('inline.js', code, { lang: 'js', sourceType: 'module' });
  if (errors[0]) {
    done.problems.push(unreadable(place.file, line + lineAt(code, errors[0].labels[0]?.start ?? 0) - 1, errors[0].message));
    return;
  }
  const specifiers = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)].flatMap(
    ({ moduleRequest }) => moduleRequest?.value ?? [],
  );
  const isOwn = (specifier: string) => place.isOwn(done.imports.get(specifier) ?? specifier);
  if (!specifiers.some(isOwn) && module.dynamicImports.length === 0) return;
  const id = `inline:${hash('sha256', `${place.address}\n${code}`).slice(0, 12)}`;
  done.inline.set(id, { code: detached(code), page: place.file, line, address: place.address });
  done.entries.set(id, id);
  done.edits.push({ ...text, text: call(id) });
}

function unreadable(page: string, line: number, message: string): Problem {
  return {
    kind: 'script-not-bundled',
    severity: 'warning',
    page,
    line,
    message: `This script is not JavaScript that can be bundled: ${message}`,
    hint: 'The pages open without it; correct the script.',
  };
}

// Astro's islands are started by an inline script that imports them by the addresses in their attributes.
function editClassic({ text }: ScriptElement, place: PagePlace, done: EditedScripts): void {
  const code = place.html.slice(text.start, text.end);
  if (!/\bimport\s*\(/.test(code)) return;
  for (const { start, request } of dynamicImports(code)) {
    if (request !== undefined) addEntry(request, place, done);
    done.edits.push({ start: text.start + start, end: text.start + start + 'import'.length, text: importName });
  }
}

interface DynamicImport {
  start: number;
  /** Undefined where it is known only when the script runs. */
  request?: string;
}

// The same few scripts stand on every page.
const knownImports = new Map<string, DynamicImport[]>();

function dynamicImports(code: string): DynamicImport[] {
  const digest = hash('sha256', code);
  let found = knownImports.get(digest);
  if (found) return found;
  const { module, errors } = parseSync('inline.js', code, { lang: 'js', sourceType: 'script' });
  found =
    errors.length > 0
      ? []
      : module.dynamicImports.map(({ start, moduleRequest }) => {
          const text = code.slice(moduleRequest.start, moduleRequest.end);
          return { start, request: /^(["'`])[^"'`$\\]*\1$/.test(text) ? detached(text.slice(1, -1)) : undefined };
        });
  knownImports.set(digest, found);
  return found;
}

function readImportMap(text: string, place: PagePlace, done: EditedScripts): void {
  try {
    const { imports = {} } = JSON.parse(text) as { imports?: Record<string, unknown> };
    for (const [name, address] of Object.entries(imports)) {
      if (typeof address !== 'string') continue;
      done.imports.set(
        detached(name),
        new URL(address, `http://site.invalid${place.address}`).href.replace('http://site.invalid', ''),
      );
    }
  } catch {
    done.problems.push(unreadable(place.file, lineAt(place.html, place.html.indexOf(text)), 'the import map is no JSON.'));
  }
}

/** An attribute with the blanks before it. */
function withSpace(html: string, start: number, end: number): Edit {
  let from = start;
  while (/\s/.test(html[from - 1] ?? '')) from--;
  return { start: from, end, text: '' };
}

// A slice of a string keeps all of the page in memory.
function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
