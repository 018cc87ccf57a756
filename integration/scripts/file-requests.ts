// What scripts request from their own site. These requests work over HTTP; browsers block them in a page that was opened from disk.
import { lineAt } from '../text/edit.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import { lastName, namesOf, nodesOf, rootOf, valuesOf, type Node } from './script-values.ts';

/** A `fetch` of a file of the site, or a worker that starts from one. */
export interface FileRequest {
  /** Line of the script. */
  line: number;
  /** The path of the file, as far as the script contains it; undefined for a worker. */
  file?: string;
}

/** Whether a script may request files at all. Most scripts do not, and parsing costs more than everything else. */
export function mayRequestFiles(code: string): boolean {
  if (/\bnew\s+(?:[\w.]+\.)?(?:Shared)?Worker\b/.test(code)) return true;
  return /\b(?:fetch|open)\s*\(/.test(code) && /\.(?:json|xml|txt|html?|csv|md|ya?ml|wasm|svg)["'`?#]/i.test(code);
}

/** Each `fetch` of a file of the site and each worker that starts from a file, once per line. */
export function fileRequests(program: object, code: string): FileRequest[] {
  const root = rootOf(program);
  const names = namesOf(root);
  const found = new Map<string, FileRequest>();
  const textsOf = (node: Node) => [
    ...valuesOf(node, names).map((value) => value.text),
    // A path is often computed by a function of the theme: `fetch(join(root, 'search.json'))`.
    ...[...nodesOf(node)].flatMap(({ type, value }) => (type === 'Literal' && typeof value === 'string' ? [value] : [])),
  ];
  for (const node of nodesOf(root)) {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue;
    const name = lastName(node.callee) ?? '';
    const [first, second] = node.arguments as Node[];
    if (node.type === 'NewExpression') {
      if (!/^(?:Shared)?Worker$/.test(name) || !first || !textsOf(first).some(isScriptFile)) continue;
      const line = lineAt(code, node.start);
      found.set(`worker ${line}`, { line });
      continue;
    }
    const url = name === 'fetch' ? first : name === 'open' && isMethod(first) ? second : undefined;
    const file = url && textsOf(url).find(isDataFile);
    if (file === undefined) continue;
    const line = lineAt(code, node.start);
    found.set(`file ${line} ${file}`, { line, file });
  }
  return [...found.values()];
}

/** A warning for a request of a script in `page`, or of the file `page`; `firstLine` is the line on which the script begins. */
export function requestProblem(page: string, firstLine: number, request: FileRequest): Problem {
  const { file } = request;
  const line = firstLine + request.line - 1;
  if (file === undefined)
    return createProblem({
      kind: 'script-worker',
      page,
      line,
      message: 'This script starts a worker, which browsers block in a file that was opened from disk.',
      hint: 'Over http the worker runs; from file:// the part of the page that needs it does not work.',
    });
  return createProblem({
    kind: 'script-asks-file',
    page,
    line,
    message: `This script requests "${file}", a file of the site, which browsers block in a page that was opened from disk.`,
    hint: 'Over http the request works; from file:// the data is missing. Put the data into the page or into a script.',
  });
}

function isScriptFile(text: string): boolean {
  return /\.m?js(?:[?#]|$)/i.test(text) && isOwn(text);
}

function isDataFile(text: string): boolean {
  return /[^/.]\.(?:json|xml|txt|html?|csv|md|ya?ml|wasm|svg)(?:[?#]|$)/i.test(text) && isOwn(text);
}

function isOwn(text: string): boolean {
  return !/^\s*(?:[a-z][a-z+.-]*:|[\\/]{2})/i.test(text);
}

function isMethod(node: Node | undefined): boolean {
  return node?.type === 'Literal' && /^(?:get|head)$/i.test(String(node.value));
}
