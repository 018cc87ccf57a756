// What scripts ask their own site for by script. Over http they get it; in a page that was opened from a disk browsers refuse it.
import { lineAt } from '../text/edit.ts';
import type { Problem } from '../diagnostics.ts';
import { scriptFault } from './script-fault.ts';
import { lastName, namesOf, nodesOf, valuesOf, type Node } from './script-values.ts';

/**
 * A warning for each `fetch` of a file of the site and, of a script that is no module, for each worker that starts from a file. What is in
 * the bundle (`isModule`) has its workers told by the bundle. Modules that no page loads do nothing; what is too deep to parse is not read.
 */
export async function fileRequests(file: string, text: string, isModule: boolean): Promise<Problem[]> {
  if (!mayAsk(text) || scriptFault(text, 'unambiguous')) return [];
  const { parseSync } = await import('rolldown/utils');
  const { program, module, errors } = parseSync('script.js', text, { lang: 'js', sourceType: 'unambiguous' });
  if (errors.length > 0 || (module.hasModuleSyntax && !isModule)) return [];
  const root = program as unknown as Node;
  const names = namesOf(root);
  const problems = new Map<string, Problem>();
  const textsOf = (node: Node) => [
    ...valuesOf(node, names).map((value) => value.text),
    // A path is often put together by a function of the theme: `fetch(join(root, 'search.json'))`.
    ...[...nodesOf(node)].flatMap(({ type, value }) => (type === 'Literal' && typeof value === 'string' ? [value] : [])),
  ];
  for (const node of nodesOf(root)) {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue;
    const name = lastName(node.callee) ?? '';
    const args = node.arguments as Node[];
    if (node.type === 'NewExpression') {
      if (isModule || !/^(?:Shared)?Worker$/.test(name) || !args[0] || !textsOf(args[0]).some(isScriptFile)) continue;
      const line = lineAt(text, node.start);
      problems.set(`worker ${line}`, startsWorker(file, line));
      continue;
    }
    const address = name === 'fetch' ? args[0] : name === 'open' && isMethod(args[0]) ? args[1] : undefined;
    const asked = address && textsOf(address).find(isDataFile);
    if (asked === undefined) continue;
    const line = lineAt(text, node.start);
    const message = `This script asks for "${asked}", a file of the site, which browsers refuse in a page that was opened from disk.`;
    const hint =
      'Served over http it gets it; from file:// what it shows of it is missing. Put what it needs into the page or a script.';
    problems.set(`file ${line} ${asked}`, { kind: 'script-asks-file', severity: 'warning', page: file, line, message, hint });
  }
  return [...problems.values()];
}

/** What is told of a script that starts a worker from a file. */
export function startsWorker(page: string, line: number): Problem {
  return {
    kind: 'script-worker',
    severity: 'warning',
    page,
    line,
    message: 'This script starts a worker, which browsers refuse in a file that was opened from disk.',
    hint: 'Served over http the worker runs; from file:// what it does is missing.',
  };
}

// Parsing costs more than all else, and most scripts hold nothing of this.
function mayAsk(text: string): boolean {
  if (/\bnew\s+(?:[\w.]+\.)?(?:Shared)?Worker\b/.test(text)) return true;
  return /\b(?:fetch|open)\s*\(/.test(text) && /\.(?:json|xml|txt|html?|csv|md|ya?ml|wasm|svg)["'`?#]/i.test(text);
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
