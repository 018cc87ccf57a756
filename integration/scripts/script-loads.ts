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
  const found = collectedLoads(namesOf(root));
  // Parents come first, so that what a call loads is not reported again as a text that looks like a URL.
  for (const node of nodesOf(root)) readers.get(node.type)?.(node, found);
  return found.loads;
}

type CollectedLoads = ReturnType<typeof collectedLoads>;

/** The loads of a script, and the nodes that they come from. */
function collectedLoads(names: Names) {
  const loads: Load[] = [];
  const known = new Set<Node>();
  // Texts that come before what loads them: `const at = '…'; image.src = at`.
  const onlyPossible = new Map<Node, Load>();
  return {
    names,
    loads,
    isKnown: (node: Node): boolean => known.has(node),
    values: (node: unknown): Value[] => valuesOf(node, names),
    add(values: Value[], element: string, kind: LoadKind, isDirect = true, givesFile = isDirect): void {
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
    },
    addNested(nested: Load[], node: Node, element: string, isStatic: boolean): void {
      for (const load of nested) {
        known.add(node);
        const rewritable = isStatic && isWritten(node, load.written);
        loads.push({ ...load, element: `${element} ${load.element}`, start: node.start, static: isStatic, rewritable });
      }
    },
  };
}

const readers = new Map<string, (node: Node, found: CollectedLoads) => void>([
  ['NewExpression', (node, found) => readArguments(node, found, readNew)],
  ['CallExpression', (node, found) => readArguments(node, found, readCall)],
  ['ImportExpression', (node, found) => readImport(node, found, 'script import()')],
  ['ImportDeclaration', (node, found) => readImport(node, found, 'script import')],
  ['ExportNamedDeclaration', (node, found) => readImport(node, found, 'script import')],
  ['ExportAllDeclaration', (node, found) => readImport(node, found, 'script import')],
  [
    'AssignmentExpression',
    ({ left, right }, found) => {
      if (isNode(left) && left.type === 'MemberExpression') readProperty(lastName(left) ?? '', left.object, right, found);
    },
  ],
  ['Literal', readText],
  ['TemplateLiteral', readText],
]);

/** What `read` finds in a call, then all other absolute URLs among its arguments. */
function readArguments(node: Node, found: CollectedLoads, read: (name: string, node: Node, found: CollectedLoads) => void): void {
  const name = lastName(node.callee) ?? '';
  read(name, node, found);
  if (name === '' || quiet.has(name)) return;
  const direct = (node.arguments as Node[]).filter((argument) => !found.isKnown(argument) && isText(argument));
  const whole = direct.flatMap(found.values).filter(({ text, isWhole }) => isWhole && /^https?:\/\//i.test(text));
  found.add(whole, `script ${name}()`, 'connection', false);
}

function readNew(name: string, { arguments: given }: Node, found: CollectedLoads): void {
  const [first, second] = given as Node[];
  const made = constructors.get(name);
  if (name === 'FontFace')
    for (const { text } of found.values(second)) found.addNested(styleLoads(`@font-face{src:${text}}`), second!, 'script', true);
  else if (made) found.add(found.values(first), `script new ${name}()`, made, true, name === 'Audio');
}

function readCall(name: string, { callee, arguments: given }: Node, found: CollectedLoads): void {
  const args = given as Node[];
  const [first, second] = args;
  const called = calls.get(name);
  if (called) {
    for (const argument of called.all ? args : args.slice(0, 1))
      found.add(found.values(argument), `script ${name}()`, called.kind, true, false);
  } else if (name === 'open' && methods.test(String(first?.value)))
    found.add(found.values(second), 'script XMLHttpRequest.open()', 'connection', true, false);
  else if (name === 'setAttribute' && first?.type === 'Literal')
    readProperty(String(first.value).toLowerCase(), (callee as Node).object, second, found);
  else readElement(args, found);
}

function readImport({ source }: Node, found: CollectedLoads, element: string): void {
  for (const value of found.values(source))
    found.add([value], element, /\.(?:json|css)(?:[?#]|$)/i.test(value.text) ? 'connection' : 'script');
}

function readProperty(property: string, object: unknown, value: unknown, found: CollectedLoads): void {
  const made = madeBy(object, found.names);
  if (property === 'src' || property === 'srcset' || property === 'poster') {
    const tag = [...made][0];
    const kind = tag === undefined ? undefined : attributeKind(tag, property);
    for (const one of found.values(value)) found.add([one], `script .${property}=`, kind ?? loadKindOf(one.text));
  } else if (property === 'href' && made.has('link')) found.add(found.values(value), 'script .href=', 'stylesheet');
}

/** `jsx('img', { src: … })`, `createElement('iframe', …)`: as the element would be in a page. */
function readElement([first, second]: Node[], found: CollectedLoads): void {
  if (first?.type !== 'Literal' || !/^[a-z][\w-]*$/.test(String(first.value)) || second?.type !== 'ObjectExpression') return;
  const texts = (second.properties as Node[]).flatMap((property) => {
    const key = isNode(property.key) ? String(property.key.name ?? property.key.value) : '';
    const name = key.toLowerCase().replace(/^xlink(?=href)/, 'xlink:');
    return property.computed ? [] : found.values(property.value).map((value) => ({ name, value }));
  });
  const attributes = texts.map(({ name, value }): Attribute => {
    return { name, value: value.text, start: 0, end: 0, valueStart: 0, valueEnd: 0, quote: '"' };
  });
  const tag: Tag = { name: String(first.value), start: 0, end: 0, attributes };
  for (const [index, attribute] of attributes.entries())
    found.addNested(attributeLoads(tag, attribute), texts[index]!.value.node, 'script', true);
}

/** Markup and stylesheets in a script's string literals, and absolute URLs of files. */
function readText(node: Node, found: CollectedLoads): void {
  if (found.isKnown(node)) return;
  const text =
    node.type === 'TemplateLiteral'
      ? (node.quasis as Node[]).map(({ value }) => (value as { cooked: string | null }).cooked ?? '').join('')
      : typeof node.value === 'string'
        ? node.value
        : '';
  if (!/[\\/]{2}/.test(text)) return;
  // A text about markup is not markup, which begins with its first element.
  if (/<[a-z][^<]*[\\/]{2}/i.test(text)) found.addNested(nestedLoads(text), node, 'script', /^\s*<[a-z!]/i.test(text));
  else if (/url\(|@import/i.test(text)) found.addNested(styleLoads(text), node, 'script', /\{[^{}]*\}/.test(text));
  else if (/^https?:\/\//i.test(text) && namesLoadedFile(text))
    found.add(found.values(node), 'script text', loadKindOf(text), false);
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
const quiet = new Set(
  (
    'fetch sendBeacon importScripts setAttribute setAttributeNS getAttributeNS createElementNS createElement removeAttributeNS hasAttributeNS ' +
    'getElementsByTagNameNS createDocument createElementVNode jsx jsxs Error TypeError RangeError log warn error info debug assert trace open ' +
    'assign replace startsWith endsWith includes indexOf lastIndexOf match test split replaceAll has canParse push parse URL RegExp Request ' +
    'Symbol for FontFace'
  ).split(' '),
);

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
