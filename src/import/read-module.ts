// Configuration that is written as a program, read as data: literals, constants, functions that only return a literal, and the like in files
// that it imports. Nothing is run. What cannot be read is left out, and named with its position.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { Parser, type Expression, type ModuleDeclaration, type Program, type SpreadElement, type Statement } from 'acorn';
import { ExportError, errorMessage } from '../../integration/errors.ts';
import { isInside } from '../../integration/output/output-path.ts';
import { evaluate } from '../markdown/evaluate.ts';

/** A part that has no value without running it. */
export interface Unread {
  file: string;
  /** 1-based. */
  line: number;
  column: number;
  /** `themeConfig.sidebar` */
  path: string;
  reason: string;
}

export interface ReadModule {
  /** Of `export default` or `module.exports`. */
  value: unknown;
  unread: Unread[];
}

const extensions = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.mts', '/index.js', '/index.mjs'];
const mostSteps = 200_000;
const deepest = 200;

/** Reads a JavaScript, TypeScript or JSON file of a folder. Files outside `root` are not read. Throws `ExportError` `ImportUnreadable`. */
export function readModule(file: string, root: string): ReadModule {
  const reader = new Reader(root);
  const value = reader.exported(resolve(file), 'default');
  return { value, unread: reader.unread };
}

type Node = Expression | SpreadElement;

interface Module {
  file: string;
  source: string;
  names: Map<string, Binding>;
  exports: Map<string, Binding>;
}

/** What a name stands for: an expression here, or a name in another file. */
type Binding = { node: Expression } | { from: string; name: string } | { value: unknown };

const nothing = Symbol('what cannot be read');

class Reader {
  readonly unread: Unread[] = [];
  private readonly root: string;
  private readonly modules = new Map<string, Module>();
  private readonly open = new Set<unknown>();
  private steps = 0;
  /** While names of an expression are looked up: what cannot be read is then named once, at the expression. */
  private isLookingUp = false;

  constructor(root: string) {
    this.root = root;
  }

  exported(file: string, name: string): unknown {
    const module = this.load(file);
    const binding = module.exports.get(name);
    const value = binding ? this.bound(binding, module, '', 0) : nothing;
    return value === nothing ? undefined : value;
  }

  private load(file: string): Module {
    const known = this.modules.get(file);
    if (known) return known;
    const module = parseModule(file, this.name(file));
    this.modules.set(file, module);
    return module;
  }

  private name(file: string): string {
    return relative(this.root, file) || file;
  }

  private bound(binding: Binding, module: Module, path: string, depth: number): unknown {
    if ('value' in binding) return binding.value;
    // Constants and files can name each other in a circle.
    if (this.open.has(binding)) return nothing;
    this.open.add(binding);
    try {
      if ('node' in binding) return this.read(binding.node, module, path, depth);
      const target = this.found(binding.from, module.file);
      if (target === undefined) return nothing;
      const other = this.load(target);
      const named = other.exports.get(binding.name) ?? (binding.name === '*' ? undefined : other.names.get(binding.name));
      return named ? this.bound(named, other, path, depth + 1) : nothing;
    } finally {
      this.open.delete(binding);
    }
  }

  /** The file of an import; undefined for packages and files outside the folder. */
  private found(specifier: string, from: string): string | undefined {
    if (!specifier.startsWith('.')) return undefined;
    const base = resolve(dirname(from), specifier);
    const file = extensions.map((extension) => base + extension).find((path) => existsSync(path) && statSync(path).isFile());
    return file !== undefined && isInside(resolve(this.root), file) ? file : undefined;
  }

  private read(node: Node, module: Module, path: string, depth: number): unknown {
    if (++this.steps > mostSteps || depth > deepest) return this.refuse(node, module, path, 'it is too large');
    switch (node.type) {
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
        return this.read(node.type === 'AwaitExpression' ? node.argument : node.expression, module, path, depth + 1);
      case 'ArrayExpression':
        return this.list(node.elements, module, path, depth);
      case 'ObjectExpression':
        return this.object(node.properties, module, path, depth);
      case 'Identifier':
        return this.named(node, module, path, depth);
      case 'CallExpression':
        return this.called(node, module, path, depth);
      case 'MemberExpression':
        return this.member(node, module, path, depth);
      default:
        return this.evaluated(node, module, path, depth);
    }
  }

  private list(elements: (Node | null)[], module: Module, path: string, depth: number): unknown[] {
    return elements.flatMap((element, index) => {
      if (element === null) return [];
      const inside = `${path}[${index}]`;
      const isSpread = element.type === 'SpreadElement';
      const value = this.read(isSpread ? element.argument : element, module, inside, depth + 1);
      if (value === nothing) return [];
      return isSpread && Array.isArray(value) ? (value as unknown[]) : [value];
    });
  }

  private object(
    properties: Extract<Expression, { type: 'ObjectExpression' }>['properties'],
    module: Module,
    path: string,
    depth: number,
  ): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null);
    for (const property of properties) {
      if (property.type === 'SpreadElement') {
        const value = this.read(property.argument, module, path, depth + 1);
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) Object.assign(object, value);
        continue;
      }
      const key = this.key(property, module, depth);
      if (key === undefined) {
        this.refuse(property.key, module, path, 'its name is not a literal');
        continue;
      }
      const inside = path === '' ? key : `${path}.${key}`;
      const value =
        property.kind === 'init' && !property.method
          ? this.read(property.value, module, inside, depth + 1)
          : this.refuse(property.value, module, inside, 'it is a function');
      if (value !== nothing && key !== '__proto__') object[key] = value;
    }
    return object;
  }

  private key(
    { computed, key }: Extract<Extract<Expression, { type: 'ObjectExpression' }>['properties'][number], { type: 'Property' }>,
    module: Module,
    depth: number,
  ): string | undefined {
    if (!computed && key.type === 'Identifier') return key.name;
    const wasLookingUp = this.isLookingUp;
    this.isLookingUp = true;
    const value = this.read(key, module, '', depth + 1);
    this.isLookingUp = wasLookingUp;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }

  private named(node: Extract<Expression, { type: 'Identifier' }>, module: Module, path: string, depth: number): unknown {
    if (node.name === 'undefined') return undefined;
    const binding = module.names.get(node.name);
    if (!binding) return this.refuse(node, module, path, `"${node.name}" is not defined in the file`);
    const value = this.bound(binding, module, path, depth + 1);
    if (value === nothing && 'from' in binding && this.found(binding.from, module.file) === undefined)
      return this.refuse(node, module, path, `it comes from the package "${binding.from}"`);
    return value;
  }

  /** `defineConfig({…})` is its argument, and a function of the file without arguments is what it returns. */
  private called(node: Extract<Expression, { type: 'CallExpression' }>, module: Module, path: string, depth: number): unknown {
    const { callee } = node;
    if (callee.type === 'Identifier') {
      const binding = module.names.get(callee.name);
      const body = binding ? this.returned(binding, module) : undefined;
      if (body) return this.read(body.node, body.module, path, depth + 1);
      const [first] = node.arguments.filter(
        ({ type }) => type === 'ObjectExpression' || type === 'Identifier' || type === 'CallExpression',
      );
      if (/^(?:define|with|extend)\w*$/.test(callee.name) && first) return this.read(first, module, path, depth + 1);
      return this.refuse(node, module, path, `${callee.name}() would have to run`);
    }
    return this.evaluated(node, module, path, depth);
  }

  /** The only thing that a function returns. */
  private returned(binding: Binding, module: Module): { node: Expression; module: Module } | undefined {
    if ('value' in binding) return undefined;
    if ('from' in binding) {
      const target = this.found(binding.from, module.file);
      const other = target === undefined ? undefined : this.load(target);
      const next = other?.exports.get(binding.name);
      return other && next && next !== binding ? this.returned(next, other) : undefined;
    }
    const { node } = binding;
    if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') return undefined;
    if (node.body.type !== 'BlockStatement') return { node: node.body, module };
    const [only, ...others] = node.body.body;
    return only?.type === 'ReturnStatement' && only.argument && others.length === 0 ? { node: only.argument, module } : undefined;
  }

  private member(node: Extract<Expression, { type: 'MemberExpression' }>, module: Module, path: string, depth: number): unknown {
    if (node.object.type !== 'Super' && !node.computed && node.property.type === 'Identifier') {
      const object = this.read(node.object, module, path, depth + 1);
      if (object === nothing) return nothing;
      const value =
        typeof object === 'object' && object !== null
          ? Object.getOwnPropertyDescriptor(object, node.property.name)?.value
          : undefined;
      return value ?? this.refuse(node, module, path, `"${node.property.name}" is not in it`);
    }
    return this.evaluated(node, module, path, depth);
  }

  /** Literals, templates, operators and the like, with the names of the file that occur in them. */
  private evaluated(node: Node, module: Module, path: string, depth: number): unknown {
    const source = module.source.slice(node.start, node.end);
    const scope: Record<string, unknown> = Object.create(null);
    const wasLookingUp = this.isLookingUp;
    this.isLookingUp = true;
    for (const [name] of source.matchAll(/[A-Za-z_$][\w$]*/g)) {
      const binding = module.names.get(name);
      const isFunction = binding && 'node' in binding && /Function/.test(binding.node.type);
      const value = binding && !isFunction ? this.bound(binding, module, path, depth + 1) : nothing;
      if (value !== nothing) scope[name] = value;
    }
    this.isLookingUp = wasLookingUp;
    const result = evaluate(source, scope);
    return 'value' in result ? result.value : this.refuse(node, module, path, result.refused);
  }

  private refuse(node: { start: number }, { file, source }: Module, path: string, reason: string): typeof nothing {
    if (this.isLookingUp) return nothing;
    const before = source.slice(0, node.start).split('\n');
    this.unread.push({ file: this.name(file), line: before.length, column: before.at(-1)!.length + 1, path, reason });
    return nothing;
  }
}

function parseModule(file: string, name: string): Module {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const module: Module = { file, source: text, names: new Map(), exports: new Map() };
  try {
    if (file.endsWith('.json')) {
      module.exports.set('default', { value: JSON.parse(text) });
      return module;
    }
    module.source = /\.[mc]?ts$/.test(file) ? withoutTypes(text) : text;
    const program = Parser.parse(module.source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
    });
    collect(program, module);
    return module;
  } catch (cause) {
    throw new ExportError(
      'ImportUnreadable',
      `${name} cannot be read: ${errorMessage(cause).split('\n')[0]}.`,
      'Correct the file, or write the configuration by hand.',
      { cause },
    );
  }
}

/** Types become white space, so positions stay. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  // Node warns that the function is experimental; that is ours to watch, not the user's.
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function collect({ body }: Program, module: Module): void {
  for (const statement of body) collectStatement(statement, module);
}

function collectStatement(statement: Statement | ModuleDeclaration, module: Module): void {
  const { names, exports } = module;
  switch (statement.type) {
    case 'ImportDeclaration':
      for (const specifier of statement.specifiers) {
        const name =
          specifier.type === 'ImportSpecifier'
            ? exportName(specifier.imported)
            : specifier.type === 'ImportDefaultSpecifier'
              ? 'default'
              : '*';
        names.set(specifier.local.name, { from: String(statement.source.value), name });
      }
      return;
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) {
        if (id.type !== 'Identifier' || !init) continue;
        const required = requiredFile(init);
        names.set(id.name, required === undefined ? { node: init } : { from: required, name: 'default' });
      }
      return;
    case 'FunctionDeclaration':
      names.set(statement.id.name, { node: { ...statement, type: 'FunctionExpression' } as unknown as Expression });
      return;
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement;
      if (declaration.type === 'ClassDeclaration') return;
      exports.set('default', { node: declaration as Expression });
      return;
    }
    case 'ExportNamedDeclaration':
      if (statement.declaration) {
        const known = new Set(names.keys());
        collectStatement(statement.declaration, module);
        for (const [name, binding] of names) if (!known.has(name)) exports.set(name, binding);
      }
      for (const { local, exported } of statement.specifiers) {
        const binding: Binding | undefined = statement.source
          ? { from: String(statement.source.value), name: exportName(local) }
          : names.get(exportName(local));
        if (binding) exports.set(exportName(exported), binding);
      }
      return;
    case 'ExpressionStatement': {
      const { expression } = statement;
      if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return;
      if (module.source.slice(expression.left.start, expression.left.end) === 'module.exports')
        exports.set('default', { node: expression.right });
      return;
    }
    default:
  }
}

/** `./sidebars` of `require('./sidebars')`. */
function requiredFile(node: Expression): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require') return undefined;
  const [first] = node.arguments;
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
}

function exportName(node: { type: string; name?: string; value?: unknown }): string {
  return node.name ?? String(node.value);
}

/** The first of some files that exists in a folder. */
export function firstFile(folder: string, names: string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path) && statSync(path).isFile());
}
