// The parser of scripts is native and recursive: a script nested too deeply crashes the whole process, and the bundler, whose threads
// have a quarter of the main thread's stack, crashes sooner. So a script that could be that deep is first parsed by Acorn, which
// throws instead. Acorn parses like browsers, so brackets in strings and comments do not count.
import { hash } from 'node:crypto';
import { Parser, type AnyNode, type Node, type Options } from 'acorn';

export type SourceType = 'module' | 'script' | 'unambiguous';

/** Why a script cannot be parsed, with its line. */
export interface ScriptFault {
  message: string;
  line: number;
}

export const tooDeep = 'it is nested too deeply to be read.';

/**
 * Why a script must not reach the native parser; undefined for every script that is safe there. For a large script with a syntax
 * error it is that error: the nesting after it is unknown. Each script is parsed once.
 */
export function scriptFault(code: string, sourceType: SourceType): ScriptFault | undefined {
  if (isPlain(code)) return undefined;
  const key = `${sourceType} ${hash('sha1', code)}`;
  if (!known.has(key)) known.set(key, readFault(code, sourceType));
  return known.get(key);
}

const known = new Map<string, ScriptFault | undefined>();

// The bundler's threads survive twice as many brackets and eight times as many sums; the deepest known bundle of a library has 119.
const deepest = 700;

/** The cost of one level in units of `deepest`, for nodes over which parsers loop. All others cost 1. */
const costs: Record<string, number> = { left: 0.25, object: 0.25, callee: 0.25, tag: 0.25, alternate: 0.5 };

/** Whether a text has too few brackets to be deeply nested, even counting those in strings: true of most scripts. */
function isPlain(code: string): boolean {
  let cost = 0;
  for (let i = 0; i < code.length; i++) {
    cost += characterCosts[code.charCodeAt(i)] ?? 0;
    if (cost > deepest) return false;
  }
  nestingWords.lastIndex = 0;
  while (nestingWords.test(code)) if ((cost += 0.5) > deepest) return false;
  return true;
}

const characterCosts: number[] = [];
for (const character of '([{') characterCosts[character.charCodeAt(0)] = 1;
for (const character of '=?:!~+-`') characterCosts[character.charCodeAt(0)] = 0.5;
for (const character of '*/%&|^<>.') characterCosts[character.charCodeAt(0)] = 0.25;

const nestingWords = /\b(?:if|else|for|while|do|with|new|class|typeof|void|delete|await|yield|in|instanceof)\b/g;

function readFault(code: string, sourceType: SourceType): ScriptFault | undefined {
  if (sourceType !== 'unambiguous') return faultAs(code, sourceType);
  const fault = faultAs(code, 'module');
  if (fault?.message === tooDeep) return fault;
  if (fault) return faultAs(code, 'script');
  // Parsed as a script, the same text may nest differently.
  if (!/\bawait\b|<!--|-->/.test(code)) return undefined;
  const other = faultAs(code, 'script');
  return other?.message === tooDeep ? other : undefined;
}

function faultAs(code: string, sourceType: 'module' | 'script'): ScriptFault | undefined {
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType,
    preserveParens: true,
    allowHashBang: true,
    allowReturnOutsideFunction: true,
    allowSuperOutsideMethod: true,
    checkPrivateFields: false,
  };
  try {
    return isDeep(LenientParser.parse(code, options)) ? { message: tooDeep, line: 1 } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return { message: tooDeep, line: 1 };
    if (!(error instanceof SyntaxError)) throw error;
    const { loc, message } = error as SyntaxError & { loc: { line: number } };
    return { message: message.replace(/ \(\d+:\d+\)$/, ''), line: loc.line };
  }
}

/** Acorn without its checks of duplicate declarations and regular expressions, which browsers report. */
const LenientParser = Parser.extend(
  (base) =>
    class extends (base as unknown as new (...args: unknown[]) => Parser) {
      // Acorn would report a syntax error.
      catchStackOverflow<Result>(read: () => Result): Result {
        return read();
      }
      raiseRecoverable(): void {}
      validateRegExpFlags(): void {}
      validateRegExpPattern(): void {}
    } as unknown as typeof Parser,
);

function isDeep(program: Node): boolean {
  const nodes: Node[] = [program];
  const depths = [0];
  while (nodes.length > 0) {
    const node = nodes.pop() as AnyNode & Record<string, unknown>;
    const depth = depths.pop()!;
    if (depth + patternDepth(node) > deepest) return true;
    for (const key in node) {
      const value = node[key];
      if (typeof value !== 'object' || value === null) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type !== 'string') continue;
        nodes.push(child);
        depths.push(depth + (costs[key] ?? 1));
      }
    }
  }
  return false;
}

/** How deep the groups of a regular expression nest, literal or the text of `RegExp(…)`: the native parser reads both. */
function patternDepth(node: AnyNode): number {
  if (node.type === 'Literal') return node.regex ? groupDepth(node.regex.pattern) : 0;
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return 0;
  const name = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee;
  if (!('name' in name) || name.name !== 'RegExp') return 0;
  const [first] = node.arguments;
  const text = first?.type === 'TemplateLiteral' ? first.quasis[0]!.value.cooked : first?.type === 'Literal' && first.value;
  return typeof text === 'string' ? groupDepth(text) : 0;
}

function groupDepth(pattern: string): number {
  let depth = 0;
  let most = 0;
  for (const [bracket] of pattern.matchAll(/\\.|[()[\]]/gs)) {
    if (bracket === '(' || bracket === '[') most = Math.max(most, ++depth);
    else if (bracket === ')' || bracket === ']') depth = Math.max(0, depth - 1);
  }
  return most;
}
