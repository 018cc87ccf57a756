// A page's scripts as file:// runs them: the bundle provides the modules, at the position and in the order of the originals.
import { hash } from 'node:crypto';
import { lineAt, type Edit } from '../text/edit.ts';
import { escapeAttribute } from '../page/rewrite-page.ts';
import { detached } from '../text/detach.ts';
import type { Attribute } from '../html/read-html.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import { mayHoldExternalTexts } from './external-texts.ts';
import { rewriteProps } from './island-props.ts';
import type { InlineModule } from './module-files.ts';
import { unbundlableScriptProblem } from './unbundlable-script.ts';
import { policyTexts, rewritePolicy } from './content-security-policy.ts';
import { readScript } from './read-script.ts';
import type { PageScripts, ScriptElement } from './script-elements.ts';
import { importName, stub } from './import-stub.ts';

/** What the rest of the export knows about a page. */
export interface ScriptPage {
  html: string;
  /** Its file in the site, for problems. */
  file: string;
  /** Root-absolute URL of the page in the site. */
  url: string;
  /** Relative URL of `_carrel/app.js`. */
  bundle: string;
  /** Id of the module that a URL on the page names; undefined if it is not a file of the site. */
  moduleOf(url: string): string | undefined;
  /** Relative URL of a page or file; undefined for other targets. */
  rewritten(url: string): string | undefined;
  /** Whether a URL belongs to the export. */
  isOwn(url: string): boolean;
  /** Whether the page loads the scripts of search. */
  hasSearch: boolean;
  /** Whether files of external origins are downloaded. */
  hasDownloads: boolean;
  /** Relative URL of the vendored copy of a URL. */
  copyOf(url: string): string | undefined;
  /** File of the export with the styles of placeholders. */
  placeholderStylesheet: string;
  /** True only for the first call for a file of the export. */
  isNewFile(url: string): boolean;
}

export interface EditedScripts {
  edits: Edit[];
  /** Id of each module that the page requests, by the name in the request. */
  entries: Map<string, string>;
  inline: Map<string, InlineModule>;
  imports: Map<string, string>;
  problems: Problem[];
}

/** The edits of a page for its scripts; `others` are all its other edits. */
export function editScripts(found: PageScripts, page: ScriptPage, others: Edit[]): EditedScripts {
  const { html } = page;
  const done: EditedScripts = { edits: [], entries: new Map(), inline: new Map(), imports: new Map(), problems: [] };
  const { edits } = done;
  for (const map of found.importMaps) readImportMap(html.slice(map.start, map.end), page, done);
  for (const { start, end, url } of found.hints) if (url === undefined || page.isOwn(url)) edits.push({ start, end, text: '' });
  for (const { start, end, url } of found.guards) if (page.isOwn(url)) edits.push(withSpace(html, start, end));
  for (const script of found.scripts) {
    if (script.kind !== 'module') continue;
    if (script.src) editLoaded(script, script.src, page, done);
    else editInline(script, page, done);
  }
  for (const { urls, props } of found.islands) {
    for (const url of urls) {
      const id = page.moduleOf(url);
      if (id !== undefined) done.entries.set(url, id);
    }
    if (!props) continue;
    const text = rewriteProps(props.value, (url) => page.rewritten(url));
    if (text !== props.value)
      edits.push({ start: props.valueStart, end: props.valueEnd, text: escapeAttribute(text, props.quote || '"') });
  }
  for (const script of found.scripts) if (script.kind === 'classic' && !script.src) editCalls(script, page, done);
  for (const script of found.scripts) if (!script.src) editTexts(script, page, done);
  if (done.entries.size > 0) {
    const at = found.head || startOf(html);
    const src = escapeAttribute(page.bundle, '"');
    const text = `<script>${stub}</script><script defer charset="utf-8" src="${src}"></script>`;
    edits.push({ start: at, end: at, text });
  }
  editPolicies(found, page, done, others);
  for (const use of found.uses) tellUse(use, page, done, others);
  return done;
}

/** A symbol of another file that could not be put into the page, which file:// refuses. */
function tellUse({ start, url }: PageScripts['uses'][number], page: ScriptPage, done: EditedScripts, others: Edit[]): void {
  if (others.some((edit) => edit.start === start) || !page.isNewFile(url)) return;
  done.problems.push(
    createProblem({
      kind: 'svg-use-refused',
      page: page.file,
      line: lineAt(page.html, start),
      message: `The symbol "${url}" of a <use> could not be put into the page, and browsers block it in a page that was opened from disk.`,
      hint: 'It is shown over http. For file://, put the SVG into the page, or make sure that the file has a symbol with this id that refers to no other part of the file and contains no script or foreignObject.',
    }),
  );
}

function editPolicies(
  found: PageScripts,
  { html, file, hasSearch, placeholderStylesheet }: ScriptPage,
  done: EditedScripts,
  others: Edit[],
): void {
  if (found.policies.length === 0) return;
  const hasModules = done.entries.size > 0;
  const texts = {
    ...policyTexts(found, html, [...others, ...done.edits]),
    added: hasModules ? [stub] : [],
    loadsFiles: hasModules || hasSearch,
    drawsIcons: hasSearch,
    loadsStyles: others.some(({ text }) => text.includes(placeholderStylesheet)),
  };
  for (const { value, start, valueStart, valueEnd, quote } of found.policies) {
    const { policy, forbids } = rewritePolicy(value, texts);
    if (policy !== value) done.edits.push({ start: valueStart, end: valueEnd, text: escapeAttribute(policy, quote || '"') });
    if (forbids === undefined) continue;
    done.problems.push(
      createProblem({
        kind: 'policy-forbids-scripts',
        page: file,
        line: lineAt(html, start),
        message: `The page's Content-Security-Policy says "${forbids}", so none of its scripts runs.`,
        hint: "Allow 'self' in script-src if they should run.",
      }),
    );
  }
}

function call(name: string): string {
  return `${importName}(${inScript(name)})`;
}

/** A text, escaped for a script element. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}

function editLoaded({ text }: ScriptElement, src: Attribute, page: ScriptPage, done: EditedScripts): void {
  const id = page.moduleOf(src.value);
  if (id === undefined) return;
  done.entries.set(id, id);
  // An inline module without imports is run by every browser, in the order of modules.
  done.edits.push(withSpace(page.html, src.start, src.end), { ...text, text: call(id) });
}

function editInline({ text }: ScriptElement, page: ScriptPage, done: EditedScripts): void {
  const code = page.html.slice(text.start, text.end);
  if (!/\bimport\b|\bexport\b/.test(code)) return;
  const line = lineAt(page.html, text.start);
  const { imports, error } = readScript(code, 'module');
  if (error) {
    done.problems.push(unbundlableScriptProblem(page.file, line + error.line - 1, error.message));
    return;
  }
  const specifiers = imports.map(({ specifier }) => specifier);
  const isOwn = (specifier: string) => page.isOwn(done.imports.get(specifier) ?? specifier);
  if (!specifiers.some((specifier) => specifier === undefined || isOwn(specifier))) return;
  // The same script on every page is one module, unless its URLs mean different files.
  const isSame = specifiers.every((specifier) => specifier !== undefined && !specifier.startsWith('.'));
  const url = isSame ? '/' : page.url;
  const id = `inline:${hash('sha256', `${url}\n${code}`).slice(0, 12)}`;
  done.inline.set(id, { code: detached(code), page: page.file, line, url });
  done.entries.set(id, id);
  done.edits.push({ ...text, text: call(id) });
}

/** `import()` in classic scripts: of files and, on pages with modules, of computed URLs, which is how Astro starts its islands. */
function editCalls({ text }: ScriptElement, page: ScriptPage, done: EditedScripts): void {
  const code = page.html.slice(text.start, text.end);
  if (!/\bimport\s*\(/.test(code)) return;
  for (const { kind, start, argument, specifier } of readScript(code, 'script').imports) {
    if (kind !== 'call') continue;
    const id = specifier === undefined ? undefined : page.moduleOf(specifier);
    if (id !== undefined) {
      done.entries.set(id, id);
      done.edits.push({ start: text.start + argument.start, end: text.start + argument.end, text: JSON.stringify(id) });
    } else if (specifier !== undefined || done.entries.size === 0) continue;
    done.edits.push({ start: text.start + start, end: text.start + start + 'import'.length, text: importName });
  }
}

/** Replaces URLs of vendored files in a script that stays in the page; the bundler does so in modules. */
function editTexts({ kind, text }: ScriptElement, { html, hasDownloads, copyOf }: ScriptPage, done: EditedScripts): void {
  if (!hasDownloads || done.edits.some(({ start, end }) => start === text.start && end === text.end)) return;
  const code = html.slice(text.start, text.end);
  if (!mayHoldExternalTexts(code)) return;
  for (const { start, end, url } of readScript(code, kind === 'module' ? 'module' : 'script').externalTexts) {
    const copy = copyOf(url);
    if (copy === undefined) continue;
    done.edits.push({ start: text.start + start, end: text.start + end, text: inScript(copy) });
  }
}

function readImportMap(text: string, page: ScriptPage, done: EditedScripts): void {
  try {
    const { imports = {} } = JSON.parse(text) as { imports?: Record<string, unknown> };
    for (const [name, url] of Object.entries(imports)) {
      if (typeof url !== 'string') continue;
      done.imports.set(detached(name), new URL(url, `http://site.invalid${page.url}`).href.replace('http://site.invalid', ''));
    }
  } catch {
    done.problems.push(
      unbundlableScriptProblem(page.file, lineAt(page.html, page.html.indexOf(text)), 'the import map is not JSON.'),
    );
  }
}

/** The position after the doctype, before which nothing is allowed. */
function startOf(html: string): number {
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<!doctype[^>]*>/i.exec(html)?.[0].length ?? 0;
}

/** The range of an attribute with the whitespace before it. */
function withSpace(html: string, start: number, end: number): Edit {
  let from = start;
  while (/\s/.test(html[from - 1] ?? '')) from--;
  return { start: from, end, text: '' };
}
