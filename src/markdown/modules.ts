import { parse as parseModule } from 'acorn';
import { anyImport, pathOf } from '../source/snippets.ts';
import { evaluate } from './evaluate.ts';

// The `import` and `export` statements of a page, read without execution.

export interface Module {
  imports: Import[];
  /** Exported plain values. */
  values: Record<string, unknown>;
  /** Exported functions, by name ('default' too). */
  functions: Record<string, InlineComponent>;
}

interface Import {
  from: string;
  /** Local name to exported name ('default', '*'). */
  names: Record<string, string>;
}

/** A React component written in the docs. `jsx` is what it renders, if that does not depend on code. */
export interface InlineComponent {
  jsx?: string;
  parameters: string[];
  /** Set when its file was not read, which is reported elsewhere. */
  missing?: boolean;
  /** The file that defines it and the name by which that file exports it. */
  origin?: { file: string; name: string };
}

/** Reads module source statement by statement, so that JSX in one does not hide the others. */
export function readModule(source: string, scope: Record<string, unknown> = Object.create(null)): Module {
  const module: Module = { imports: [], values: Object.assign(Object.create(null), scope), functions: Object.create(null) };
  for (const statement of statementsOf(source)) {
    if (/^import\b/.test(statement)) module.imports.push(...importsOf(statement));
    else if (/^(?:export|const|function)\b/.test(statement)) readExport(statement, module);
  }
  return module;
}

/** The statements of a module source. Lines in template strings can begin like statements. */
function statementsOf(source: string): string[] {
  const parts = source.split(/^(?=(?:import|export)\b)/m);
  if (!source.includes('`')) return parts;
  const isOpen = parts.map((part) => part.replace(/\\[^]/g, '').split('`').length % 2 === 0);
  const statements: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const end = isOpen[i] ? isOpen.indexOf(true, i + 1) : i;
    statements.push(parts.slice(i, end + 1).join('') || (parts[i] ?? ''));
    i = Math.max(i, end);
  }
  return statements;
}

/** Imports in a source, including those in code fences. */
function importsOf(source: string): Import[] {
  const imports: Import[] = [];
  for (const [, clause = '', from = ''] of source.matchAll(anyImport)) {
    const names: Record<string, string> = Object.create(null);
    const [, braced = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
    for (const part of braced.split(',')) {
      const [exported, local] = part.trim().split(/\s+as\s+/);
      if (exported) names[local ?? exported] = exported;
    }
    for (const part of clause.replace(/\{[^}]*\}/, '').split(',')) {
      const [first, local] = part.trim().split(/\s+as\s+/);
      if (first) names[local ?? first] = local ? '*' : 'default';
    }
    imports.push({ from: pathOf(from), names });
  }
  return imports;
}

function readExport(statement: string, module: Module): void {
  const name =
    /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:const|let|var|function|class)\s+([A-Za-z_$][\w$]*)/.exec(statement)?.[1] ??
    (/^export\s+default\b/.test(statement) ? 'default' : undefined);
  if (!name) return;
  const isDefault = /^export\s+default\b/.test(statement);
  const literal = literalOf(statement);
  if (literal) {
    const result = evaluate(literal, module.values);
    if ('value' in result) {
      module.values[name] = result.value;
      if (isDefault) module.values.default = result.value;
      return;
    }
  }
  module.functions[name] = inlineComponent(statement);
  if (isDefault) module.functions.default = module.functions[name];
}

/** Source of the value in `export const a = …`, if it parses as plain JavaScript. */
function literalOf(statement: string): string | undefined {
  try {
    const program = parseModule(statement, { ecmaVersion: 'latest', sourceType: 'module' });
    const [node] = program.body;
    const declaration = node?.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (node?.type === 'ExportDefaultDeclaration') return statement.slice(node.declaration.start, node.declaration.end);
    const init = declaration?.type === 'VariableDeclaration' ? declaration.declarations[0]?.init : undefined;
    return init ? statement.slice(init.start, init.end) : undefined;
  } catch {
    return undefined;
  }
}

const arrow = /=\s*(?:\(\s*(?:\{([^{}]*)\})?\s*\)|\(?\s*([A-Za-z_$][\w$]*)\s*\)?)\s*=>\s*/;
const named = /^export\s+(?:default\s+)?function\s*[\w$]*\s*\(\s*(?:\{([^{}]*)\})?[^)]*\)\s*/;

/** A component whose body is only JSX can be rendered; one with code before the JSX cannot. */
function inlineComponent(statement: string): InlineComponent {
  const head = arrow.exec(statement) ?? named.exec(statement);
  if (!head) return { parameters: [] };
  const parameters = (head[1] ?? '').split(',').flatMap((part) => part.trim().split(/\s*[=:]\s*/)[0] || []);
  let body = statement
    .slice(head.index + head[0].length)
    .trim()
    .replace(/;+$/, '')
    .trim();
  const returned = /^\{\s*return\b([\s\S]*?);?\s*\}$/.exec(body);
  if (returned) body = returned[1]?.trim() ?? '';
  if (body.startsWith('(') && body.endsWith(')')) body = body.slice(1, -1).trim();
  return body.startsWith('<') && body.endsWith('>') ? { jsx: body, parameters } : { parameters };
}
