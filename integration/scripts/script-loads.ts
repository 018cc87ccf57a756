import type { Attribute, Tag } from '../html/read-html.ts';
import type { Load, LoadKind } from '../html/load.ts';
import { externalUrl } from '../urls/external-url.ts';
import { loadKindOf, namesLoadedFile } from '../html/media-types.ts';
import { attributeKind, attributeLoads, nestedLoads } from '../html/external-loads.ts';
import {
  elementOf,
  isNode,
  lastName,
  namesOf,
  nodesOf,
  rootOf,
  valuesOf,
  type Names,
  type Node,
  type Value,
} from './script-values.ts';
import { styleLoads } from '../html/css.ts';

/** Whether a script's text may contain an external URL at all: most do not, and need no parsing. */
export function mayLoad(text: string): boolean {
  return /(?:https?|wss?|ftp):|["'`(=][\\/]{2}[^/\s]/i.test(text);
}

/**
 * What a script loads from external origins, as far as its text shows. A URL is static if the script passes it to what loads it (`fetch`,
 * `import()`, `img.src = …`); other absolute URLs that are passed to a call or name a file are dynamic.
 */
export function scriptLoads(program: object): Load[] {
  const root = rootOf(program);
  const names = namesOf(root);
  const loads: Load[] = [];
  const known = new Set<Node>();
  // Texts that come before what loads them: `const at = '…'; image.src = at`.
  const onlyPossible = new Map<Node, Load>();
  const add = (values: Value[], element: string, kind: LoadKind, isDirect = true, givesFile = isDirect) => {
    for (const { text, node } of values) {
      const url = externalUrl(text);
      if (url === undefined) continue;
      const isStatic = isDirect && !isPlayer(url);
      const rewritable = isStatic && givesFile && kind !== 'connection' && isWritten(node, text);
      const load: Load = { element, kind, written: text, url, start: node.start, static: isStatic, rewritable };
      const before = onlyPossible.get(node);
      if (before && isStatic) {
        Object.assign(before, load);
        onlyPossible.delete(node);
      }
      if (known.has(node)) continue;
      known.add(node);
      if (!isStatic && isNoise(url)) continue;
      loads.push(load);
      if (!isStatic) onlyPossible.set(node, load);
    }
  };
  const addNested = (found: Load[], node: Node, element: string, isStatic: boolean) => {
    for (const load of found) {
      known.add(node);
      const rewritable = isStatic && isWritten(node, load.written);
      loads.push({ ...load, element: `${element} ${load.element}`, start: node.start, static: isStatic, rewritable });
    }
  };
  const values = (node: unknown) => valuesOf(node, names);

  // Parents come first, so that what a call loads is not reported again as a text that looks like a URL.
  for (const node of nodesOf(root)) {
    const args = (node.arguments ?? []) as Node[];
    const name = node.type === 'CallExpression' || node.type === 'NewExpression' ? (lastName(node.callee) ?? '') : '';
    if (node.type === 'NewExpression') {
      const made = constructors.get(name);
      if (name === 'FontFace') for (const { text } of values(args[1])) addNested(fontLoads(text), args[1]!, 'script', true);
      else if (made) add(values(args[0]), `script new ${name}()`, made, true, name === 'Audio');
    } else if (node.type === 'CallExpression') {
      const called = calls.get(name);
      if (called)
        for (const argument of called.all ? args : args.slice(0, 1))
          add(values(argument), `script ${name}()`, called.kind, true, false);
      else if (name === 'open' && methods.test(String(args[0]?.value)))
        add(values(args[1]), 'script XMLHttpRequest.open()', 'connection', true, false);
      else if (name === 'setAttribute' && args[0]?.type === 'Literal') {
        addProperty(String(args[0].value).toLowerCase(), (node.callee as Node).object, args[1]);
      } else addElement(args);
    } else if (node.type === 'ImportExpression') addImport(node.source, 'script import()');
    else if (/^(?:Import|Export)\w*Declaration$/.test(node.type)) addImport(node.source, 'script import');
    else if (node.type === 'AssignmentExpression' && isNode(node.left) && node.left.type === 'MemberExpression') {
      addProperty(lastName(node.left) ?? '', node.left.object, node.right);
    } else if (node.type === 'Literal' || node.type === 'TemplateLiteral') addText(node);

    if (name !== '' && !quiet.has(name)) {
      const direct = args.filter((argument) => !known.has(argument) && isText(argument));
      const whole = direct.flatMap(values).filter(({ text, isWhole }) => isWhole && /^https?:\/\//i.test(text));
      add(whole, `script ${name}()`, 'connection', false);
    }
  }
  return loads;

  function addImport(source: unknown, element: string): void {
    for (const found of values(source))
      add([found], element, /\.(?:json|css)(?:[?#]|$)/i.test(found.text) ? 'connection' : 'script');
  }

  function addProperty(property: string, object: unknown, value: unknown): void {
    const made = madeBy(object, names);
    if (property === 'src' || property === 'srcset' || property === 'poster') {
      const tag = [...made][0];
      const kind = tag === undefined ? undefined : attributeKind(tag, property);
      for (const found of values(value)) add([found], `script .${property}=`, kind ?? loadKindOf(found.text));
    } else if (property === 'href' && made.has('link')) add(values(value), 'script .href=', 'stylesheet');
  }

  /** `jsx('img', { src: … })`, `createElement('iframe', …)`: as the element would be in a page. */
  function addElement([first, second]: Node[]): void {
    if (first?.type !== 'Literal' || !/^[a-z][\w-]*$/.test(String(first.value)) || second?.type !== 'ObjectExpression') return;
    const texts = (second.properties as Node[]).flatMap((property) => {
      const key = isNode(property.key) ? String(property.key.name ?? property.key.value) : '';
      const name = key.toLowerCase().replace(/^xlink(?=href)/, 'xlink:');
      return property.computed ? [] : values(property.value).map((value) => ({ name, value }));
    });
    const attributes = texts.map(({ name, value }): Attribute => {
      return { name, value: value.text, start: 0, end: 0, valueStart: 0, valueEnd: 0, quote: '"' };
    });
    const tag: Tag = { name: String(first.value), start: 0, end: 0, attributes };
    for (const [index, attribute] of attributes.entries()) {
      addNested(attributeLoads(tag, attribute), texts[index]!.value.node, 'script', true);
    }
  }

  /** Markup and stylesheets in a script's string literals, and absolute URLs of files. */
  function addText(node: Node): void {
    if (known.has(node)) return;
    const text =
      node.type === 'Literal'
        ? typeof node.value === 'string'
          ? node.value
          : ''
        : (node.quasis as Node[]).map(({ value }) => (value as { cooked: string | null }).cooked ?? '').join('');
    if (!/[\\/]{2}/.test(text)) return;
    // A text about markup is not markup, which begins with its first element.
    if (/<[a-z][^<]*[\\/]{2}/i.test(text)) addNested(nestedLoads(text), node, 'script', /^\s*<[a-z!]/i.test(text));
    else if (/url\(|@import/i.test(text)) addNested(styleLoads(text), node, 'script', /\{[^{}]*\}/.test(text));
    else if (/^https?:\/\//i.test(text) && namesLoadedFile(text)) add(values(node), 'script text', loadKindOf(text), false);
  }
}

/** Of a script that cannot be parsed: all string literals that are URLs of external origins. */
export function textLoads(code: string): Load[] {
  return [...code.matchAll(/(["'`])((?:https?|wss?):\/\/[^"'`\s\\]+)\1/gi)].flatMap(({ 2: written = '', index }): Load[] => {
    const url = externalUrl(written);
    if (url === undefined) return [];
    return [{ element: 'script text', kind: 'connection', written, url, start: index, static: false, rewritable: false }];
  });
}

/** Whether a URL is a whole string literal of the script, which can be replaced. */
function isWritten(node: Node, written: string): boolean {
  if (!/^(?:https?:)?\/\//.test(written)) return false;
  if (node.type === 'Literal') return node.value === written;
  if (node.type !== 'TemplateLiteral' || (node.expressions as Node[]).length > 0) return false;
  return ((node.quasis as Node[])[0]!.value as { cooked: string | null }).cooked === written;
}

function fontLoads(text: string): Load[] {
  return styleLoads(`@font-face{src:${text}}`);
}

function madeBy(object: unknown, names: Names): Set<string> {
  if (!isNode(object)) return new Set();
  const made = elementOf(object);
  if (made !== undefined) return new Set([made]);
  return (object.type === 'Identifier' ? names.elements.get(object.name as string) : undefined) ?? new Set();
}

function isText(node: Node): boolean {
  return node.type === 'Literal' || node.type === 'TemplateLiteral';
}

const calls = new Map<string, { kind: LoadKind; all?: boolean }>([
  ['fetch', { kind: 'connection' }],
  ['sendBeacon', { kind: 'connection' }],
  ['importScripts', { kind: 'script', all: true }],
  ['addModule', { kind: 'script' }],
]);

const constructors = new Map<string, LoadKind>([
  ['Worker', 'script'],
  ['SharedWorker', 'script'],
  ['EventSource', 'connection'],
  ['WebSocket', 'connection'],
  ['WebTransport', 'connection'],
  ['Request', 'connection'],
  ['Audio', 'media'],
]);

const methods = /^(?:get|head|post|put|patch|delete|options)$/i;

// Calls handled above, and calls that only compare, show or navigate to their arguments.
const quiet = new Set([
  ...[
    'fetch',
    'sendBeacon',
    'importScripts',
    'setAttribute',
    'setAttributeNS',
    'getAttributeNS',
    'createElementNS',
    'createElement',
  ],
  ...['removeAttributeNS', 'hasAttributeNS', 'getElementsByTagNameNS', 'createDocument', 'createElementVNode', 'jsx', 'jsxs'],
  ...[
    'Error',
    'TypeError',
    'RangeError',
    'log',
    'warn',
    'error',
    'info',
    'debug',
    'assert',
    'trace',
    'open',
    'assign',
    'replace',
  ],
  ...['startsWith', 'endsWith', 'includes', 'indexOf', 'lastIndexOf', 'match', 'test', 'split', 'replaceAll', 'has', 'canParse'],
  ...['push', 'parse', 'URL', 'RegExp', 'Request', 'Symbol', 'for', 'FontFace'],
]);

/** Video players, which the scripts of their elements open on a click. */
function isPlayer(url: string): boolean {
  const { hostname } = new URL(url);
  return /(?:^|\.)(?:youtube(?:-nocookie)?\.com|ytimg\.com|player\.vimeo\.com|vimeocdn\.com)$/.test(hostname);
}

/** Names of vocabularies and pages that explain an error: texts of libraries, which no script loads. */
function isNoise(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  if (
    !hostname.includes('.') ||
    /^(?:www\.)?(?:w3\.org|schema\.org|json-schema\.org|purl\.org|ogp\.me|xmlns\.com|sitemaps\.org)$/.test(hostname)
  )
    return true;
  return (
    /(?:^|[./-])(?:errors?|error-decoder|error-reference|e|link|licen[cs]es?)\//i.test(pathname) || /licen[cs]e/i.test(pathname)
  );
}
