// Operations that authors describe by hand: `api` in the frontmatter has the method and URL, `ParamField` elements are the parameters.
import { hash } from 'node:crypto';
import { objectOf } from '../../integration/text/json.ts';
import { texts, text } from '../markdown/components/props.ts';
import { isComponent, type ComponentNode, type MarkdownNode } from '../markdown/tree.ts';
import type { SourcePage } from '../source/source.ts';
import { requestSamples } from './examples.ts';
import { string, type Json } from './json.ts';
import type { Endpoint } from './named-specifications.ts';
import type { Operation } from './operations.ts';
import { around, component } from './nodes.ts';

type Written = Pick<SourcePage, 'file' | 'frontmatter' | 'digest'>;

/** The operation, and a specification with nothing else. */
export interface WrittenOperation {
  operation: Operation;
  document: Json;
}

/**
 * The operation of a page, whose expanded `nodes` have its fields and examples. `api` is that of docs.json: `mdx.server` has the servers of
 * paths, `mdx.auth` the credentials, unless the page has `authMethod`.
 */
export function writtenOperation(
  page: Written,
  { method, url }: Endpoint,
  nodes: readonly MarkdownNode[],
  api: unknown,
): WrittenOperation {
  const [, server, path = ''] = /^(https?:\/\/[^/?#]+)?([^?#]*)/i.exec(url) ?? [];
  const fields = fieldsIn(nodes);
  const name = `${method} ${path || '/'}`;
  const scheme = schemeOf(page.frontmatter, objectOf(objectOf(objectOf(api).mdx).auth));
  const body = bodyOf(fields, string(page.frontmatter.contentType));
  const operation = {
    servers: (server ? [server] : texts(objectOf(objectOf(api).mdx).server as string | string[])).map(serverOf),
    security: scheme ? [{ authorization: [] }] : [],
    parameters: fields.flatMap(parameterOf),
    ...(body && { requestBody: body }),
    responses: responsesIn(nodes),
  };
  return {
    document: { components: { securitySchemes: { ...(scheme && { authorization: scheme }) } } },
    operation: {
      ...{ kind: 'operation', name, method, path: path || '/', isWebhook: false, badge: method, deprecated: false },
      ...{ hidden: false, metadata: {}, content: '', operation, item: {} },
      title: string(page.frontmatter.title) ?? name,
      digest: () => hash('sha256', `${page.digest} ${JSON.stringify(operation)}`),
    },
  };
}

/** What a page shows beside its content: its method and URL before it; after it the request as code, unless the author wrote that. */
export function writtenNodes(
  { operation, document }: WrittenOperation,
  { method, url }: Endpoint,
  nodes: readonly MarkdownNode[],
  script: string | undefined,
): { before: MarkdownNode[]; after: MarkdownNode[] } {
  const isWritten = componentsIn(nodes).some(({ name }) => name === 'RequestExample');
  const samples = isWritten ? [] : requestSamples(document, operation, operation.operation.parameters as Json[]);
  return {
    before: [component('Endpoint', { method, path: url, ...(script !== undefined && { script }) })],
    after: around('RequestExample', { generated: true }, samples),
  };
}

const inUrl = /\{([^{}]+)\}/g;

function serverOf(url: string): Json {
  const names = [...url.matchAll(inUrl)].map(([, name]) => name!);
  return { url, variables: Object.fromEntries(names.map((name) => [name, {}])) };
}

function schemeOf({ authMethod }: Readonly<Json>, auth: Json): Json | undefined {
  const method = string(authMethod) ?? string(auth.method);
  if (method === 'bearer' || method === 'basic') return { type: 'http', scheme: method };
  if (method === 'key') return { type: 'apiKey', in: 'header', name: string(auth.name) ?? 'x-api-key' };
  return undefined;
}

/** All components in document order. */
function componentsIn(nodes: readonly MarkdownNode[]): ComponentNode[] {
  return nodes.flatMap((node) => [...(isComponent(node) ? [node] : []), ...componentsIn(node.children ?? [])]);
}

const locations = ['path', 'query', 'header', 'body'] as const;

interface Field {
  name: string;
  location: (typeof locations)[number];
  node: ComponentNode;
}

/** The fields of a request; those inside another are properties of its value. */
function fieldsIn(nodes: readonly MarkdownNode[]): Field[] {
  return nodes.flatMap((node): Field[] => {
    const location = isComponent(node) && node.name === 'ParamField' && locations.find((one) => node.props[one] !== undefined);
    if (!isComponent(node) || !location) return fieldsIn(node.children ?? []);
    const name = text(node.props[location]);
    return name ? [{ name, location, node }] : [];
  });
}

function parameterOf({ name, location, node }: Field): Json[] {
  if (location === 'body') return [];
  const required = location === 'path' || isRequired(node);
  return [{ name, in: location, required, schema: schemaOf(node) }];
}

function bodyOf(fields: Field[], contentType: string | undefined): Json | undefined {
  const own = fields.filter(({ location }) => location === 'body');
  if (own.length === 0) return undefined;
  const schema = objectSchema(own.map(({ name, node }) => [name, node]));
  const hasFile = own.some(({ node }) => /\b(?:file|binary)\b/i.test(text(node.props.type) ?? ''));
  const type = contentType ?? (hasFile ? 'multipart/form-data' : 'application/json');
  return { required: own.some(({ node }) => isRequired(node)), content: { [type]: { schema } } };
}

function objectSchema(fields: [string, ComponentNode][]): Json {
  const required = fields.filter(([, node]) => isRequired(node)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, node]) => [name, schemaOf(node)])),
    ...(required.length > 0 && { required }),
  };
}

function isRequired({ props }: ComponentNode): boolean {
  return props.required === true || props.required === '' || props.required === 'true';
}

function schemaOf(node: ComponentNode): Json {
  const { type, default: fallback, initialValue, placeholder, enum: given, options } = node.props;
  const inner = propertiesIn(node.children);
  const schema = typeSchema(text(type) ?? (inner.length > 0 ? 'object' : ''));
  const holder = schema.type === 'array' ? objectOf(schema.items) : schema;
  if (inner.length > 0 && (holder.type === 'object' || holder.type === undefined)) Object.assign(holder, objectSchema(inner));
  const value = valueOf(schema, fallback ?? initialValue);
  const example = valueOf(schema, placeholder);
  const values = texts(given ?? options);
  return {
    ...schema,
    ...(values.length > 0 && { enum: values }),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
  };
}

/** The outermost fields inside a field, by name. */
function propertiesIn(nodes: readonly MarkdownNode[]): [string, ComponentNode][] {
  return nodes.flatMap((node): [string, ComponentNode][] => {
    if (!isComponent(node) || !/^(?:Param|Response)Field$/.test(node.name)) return propertiesIn(node.children ?? []);
    const name = text(node.props.name) ?? locations.flatMap((one) => text(node.props[one]) ?? [])[0];
    return name ? [[name, node]] : [];
  });
}

/** The schema of a type as authors write it: `string`, `number[]`, `array<object>`, `integer | null`, `file`; `{}` for others. */
function typeSchema(type: string): Json {
  const word = type
    .trim()
    .replace(/\s*\|\s*(?:null|undefined)$/i, '')
    .toLowerCase();
  const [, item = word.slice(0, -2)] = /^(?:array|list)(?:<(.*)>|$)/.exec(word) ?? [];
  if (/^(?:array|list)(?:<|$)/.test(word)) return { type: 'array', items: typeSchema(/</.test(word) ? item : '') };
  if (word.endsWith('[]')) return { type: 'array', items: typeSchema(item) };
  if (/^(?:str|string|uuid|date|datetime|date-time|url|uri|email)$/.test(word)) return { type: 'string' };
  if (/^(?:int|int32|int64|integer|long)$/.test(word)) return { type: 'integer' };
  if (/^(?:number|float|double|decimal)$/.test(word)) return { type: 'number' };
  if (/^bool(?:ean)?$/.test(word)) return { type: 'boolean' };
  if (/^(?:file|binary)$/.test(word)) return { type: 'string', format: 'binary' };
  if (/^(?:object|json|map|record|dict)(?:<.*>)?$/.test(word)) return { type: 'object' };
  return {};
}

/** The value of a prop, in the type of the schema where the text can be one. */
function valueOf({ type }: Json, given: unknown): unknown {
  if (typeof given === 'number' || typeof given === 'boolean') return given;
  if (typeof given !== 'string' || given === '') return undefined;
  if (type === 'string') return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return type === undefined ? given : undefined;
  }
}

/** The answers that the author wrote in `ResponseExample`, by status. */
function responsesIn(nodes: readonly MarkdownNode[]): Json {
  const responses: Record<string, { content: Record<string, { examples: Json }> }> = {};
  const examples = componentsIn(nodes).filter(({ name }) => name === 'ResponseExample');
  for (const { lang, meta, value = '' } of codeIn(examples)) {
    const [status = '200'] = /\b[1-5]\d\d\b/.exec(meta ?? '') ?? [];
    const json = parsed(value);
    const type = json !== undefined ? 'application/json' : lang === 'xml' ? 'application/xml' : 'text/plain';
    const content = ((responses[status] ??= { content: {} }).content[type] ??= { examples: {} });
    const name = meta?.trim() || String(Object.keys(content.examples).length + 1);
    content.examples[name] = { value: json ?? value };
  }
  return responses;
}

function codeIn(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => (node.type === 'code' ? [node] : codeIn(node.children ?? [])));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
