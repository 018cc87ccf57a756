// Requests and responses as code: those of the specification, else made from its schemas.
import { samplesOf, type HarRequest, type Pair, type Sample } from '../../integration/reader/playground/samples.ts';
import { sample } from 'openapi-sampler';
import { isRecord, objectOf } from '../../integration/text/json.ts';
import { languageOf } from '../markdown/highlight/language.ts';
import type { ComponentNode } from '../markdown/tree.ts';
import { securityOf, serversOf, type Operation } from './operations.ts';
import { codeBlock, cut } from './nodes.ts';
import type { SchemaContext } from './schema-nodes.ts';
import { literal, objects, resolve, resolved, string, type Json } from './json.ts';

type Direction = SchemaContext['direction'];

/** The request in ten languages, after those that the specification has itself. */
export function requestSamples(
  document: Json,
  { operation, item, method, path }: Pick<Operation, 'operation' | 'item' | 'method' | 'path'>,
  parameters: Json[],
): ComponentNode[] {
  const own = objects(operation['x-codeSamples'] ?? operation['x-code-samples']).flatMap(({ lang, label, source }) => {
    const [language, title, code] = [string(lang), string(label), string(source)];
    return code === undefined ? [] : [{ language: language?.toLowerCase() ?? 'text', title: title ?? language, code }];
  });
  const request = requestOf(document, operation, item, method, path, parameters);
  // "Python SDK" is shown beside Python. "python", or "Shell" without a label, replaces the generated sample.
  const isOwn = (made: Sample): boolean =>
    own.some(({ title = '', language }) => {
      const isSame = languageOf(language) === languageOf(made.language) && title.toLowerCase() === language;
      return isSame || title.toLowerCase() === made.title.toLowerCase();
    });
  return [...own, ...samplesOf(request).filter((made) => !isOwn(made))].map(({ language, title = 'Code', code }) =>
    codeBlock(language, title, code),
  );
}

/** The URL of the first server that applies, its variables replaced by their defaults; without one, a placeholder. */
function serverUrl(document: Json, item: Json, operation: Json): string {
  const [server] = serversOf(document, item, operation);
  const variables = objectOf(server?.variables);
  const url = (string(server?.url) ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = objectOf(variables[name]).default;
    return value === undefined ? whole : literal(value);
  });
  return (/^https?:\/\//i.test(url) ? url : `https://api.example.com${url.startsWith('/') ? url : ''}`).replace(/\/+$/, '');
}

function requestOf(document: Json, operation: Json, item: Json, method: string, path: string, parameters: Json[]): HarRequest {
  const value = (parameter: Json) => {
    const found = exampleOf(document, parameter) ?? sampled(document, parameter.schema ?? {});
    return literal(found ?? string(parameter.name) ?? '');
  };
  const shown = parameters.filter((parameter) => parameter.required === true || parameter.in === 'path');
  const named = (location: string) =>
    shown
      .filter((parameter) => parameter.in === location)
      .map((parameter) => ({ name: literal(parameter.name), value: value(parameter) }));
  const filled = path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    const example = parameter && exampleOf(document, parameter);
    return example === undefined || typeof example === 'object' ? whole : encodeURIComponent(literal(example));
  });
  const security = credentialsOf(document, operation);
  const body = bodyOf(document, operation);
  const query = [...named('query'), ...security.query];
  return {
    method,
    url: serverUrl(document, item, operation) + filled,
    headers: [...named('header'), ...security.headers, ...(body ? [{ name: 'Content-Type', value: body.type }] : [])],
    queryString: query,
    cookies: named('cookie'),
    ...(body && { postData: body.data }),
  };
}

function credentialsOf(document: Json, operation: Json): { headers: Pair[]; query: Pair[] } {
  const [first = []] = securityOf(document, operation);
  const headers: Pair[] = [];
  const query: Pair[] = [];
  for (const { scheme } of first) {
    if (scheme.type === 'apiKey' && scheme.in === 'query') query.push({ name: literal(scheme.name), value: '<api-key>' });
    else if (scheme.type === 'apiKey' && scheme.in === 'header') headers.push({ name: literal(scheme.name), value: '<api-key>' });
    else if (scheme.type === 'http' && String(scheme.scheme).toLowerCase() === 'basic')
      headers.push({ name: 'Authorization', value: 'Basic <credentials>' });
    else if (['http', 'oauth2', 'openIdConnect'].includes(String(scheme.type)))
      headers.push({ name: 'Authorization', value: 'Bearer <token>' });
  }
  return { headers, query };
}

function bodyOf(document: Json, operation: Json): { type: string; data: HarRequest['postData'] } | undefined {
  const body = resolve(document, operation.requestBody)?.value;
  const contents = Object.entries(objectOf(body?.content));
  const [type, given] = contents.find(([name]) => /json/i.test(name)) ?? contents[0] ?? [];
  if (type === undefined) return undefined;
  const example = mediaExamples(document, objectOf(given), 'request')[0]?.value;
  if (/multipart|urlencoded/i.test(type)) {
    const params = Object.entries(objectOf(example)).map(([name, value]) => ({ name, value: literal(value) }));
    return { type, data: { mimeType: type, params } };
  }
  const text = typeof example === 'string' ? example : example === undefined ? '' : JSON.stringify(example, null, 2);
  return { type, data: { mimeType: type, text } };
}

/** The examples of all responses that have a body. */
export function responseExamples(document: Json, operation: Json): ComponentNode[] {
  return Object.entries(objectOf(operation.responses)).flatMap(([status, given]) => {
    const response = resolved(document, given);
    return exampleNodes(document, response.content, 'response', (name) => (name === undefined ? status : `${status} ${name}`));
  });
}

/** The examples of the payload that a webhook sends; `title` is the one of an example without a name. */
export function payloadExamples(document: Json, operation: Json, title: string): ComponentNode[] {
  const body = resolved(document, operation.requestBody);
  return exampleNodes(document, body.content, 'request', (name) => name ?? title);
}

/** An example of a schema, with all that can be sent or received. */
export function schemaExample(document: Json, schema: unknown): ComponentNode[] {
  const shape = resolved(document, schema);
  const [first] = Array.isArray(shape.examples) ? (shape.examples as unknown[]) : [];
  const example = shape.example ?? first;
  const media = { schema, ...(example !== undefined && { example }) };
  return exampleNodes(document, { 'application/json': media }, 'either', () => 'JSON');
}

/** The headers in the examples of a message. */
export function headerExamples(message: Json): ComponentNode[] {
  return objects(message.examples).flatMap(({ name, summary, headers }) =>
    headers === undefined
      ? []
      : [codeBlock('json', string(summary) ?? string(name) ?? '', cut(JSON.stringify(headers, null, 2)))],
  );
}

function exampleNodes(
  document: Json,
  content: unknown,
  direction: Direction,
  titleOf: (name: string | undefined) => string,
): ComponentNode[] {
  const [[type, media] = []] = Object.entries(objectOf(content));
  if (type === undefined) return [];
  return mediaExamples(document, objectOf(media), direction).flatMap(({ name, value }) => {
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const language = /json/i.test(type) ? 'json' : /xml/i.test(type) ? 'xml' : /html/i.test(type) ? 'html' : 'text';
    return [codeBlock(language, titleOf(name), cut(text))];
  });
}

/** The examples of a message's payload; without any, one made from its schema. `payload` is the schema if it is a JSON schema. */
export function messageExamples(document: Json, title: string, message: Json, payload: unknown): ComponentNode[] {
  const given = objects(message.examples).filter((one) => one.payload !== undefined);
  const examples = given.map((one, index) => [
    string(one.name) ?? String(index + 1),
    { summary: one.summary, value: one.payload },
  ]);
  const type = string(message.contentType) ?? string(document.defaultContentType) ?? '';
  // A payload in a binary format is shown as JSON.
  const shown = /xml|html|text/i.test(type) ? type : 'application/json';
  const content = { [shown]: { schema: payload, examples: Object.fromEntries(examples) } };
  return exampleNodes(document, content, 'response', (name) => (name === undefined ? title : `${title}: ${name}`));
}

/** The examples of a media type; without any, one made from its schema. */
export function mediaExamples(document: Json, media: Json, direction: Direction): { name?: string; value: unknown }[] {
  const prefilled = direction === 'request' ? resolve(document, media.schema)?.value['x-default'] : undefined;
  if (prefilled !== undefined) return [{ value: prefilled }];
  if (media.example !== undefined) return [{ value: media.example }];
  const named = Object.entries(objectOf(media.examples)).map(([name, given]) => {
    const example = resolved(document, given);
    return { name: string(example.summary) ?? name, value: example.value ?? example.dataValue ?? example.serializedValue };
  });
  if (named.length > 0) return named.length === 1 ? [{ value: named[0]!.value }] : named;
  const schema = media.schema ?? media.itemSchema;
  return schema === undefined ? [] : [{ value: sampled(document, schema, direction) }];
}

/** The first example of a parameter itself. */
export function ownExample(document: Json, parameter: Json): unknown {
  if (parameter.example !== undefined) return parameter.example;
  const [first] = Object.values(objectOf(parameter.examples));
  return first === undefined ? undefined : resolve(document, first)?.value.value;
}

/** What `x-default` of a parameter or of its schema fills in. */
export function prefillOf(document: Json, parameter: Json): unknown {
  return parameter['x-default'] ?? resolve(document, parameter.schema)?.value['x-default'];
}

/** The value to show for a parameter: `x-default`, else an example, else the default of its schema. */
export function exampleOf(document: Json, parameter: Json): unknown {
  const example = prefillOf(document, parameter) ?? ownExample(document, parameter);
  if (example !== undefined) return example;
  const schema = resolved(document, parameter.schema);
  return schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined) ?? schema.default;
}

/** Undefined where the schema cannot be read, or has more values than a reader would. */
function sampled(document: Json, schema: unknown, direction?: Direction): unknown {
  for (let maxSampleDepth = 6; maxSampleDepth > 0; maxSampleDepth--) {
    if (valuesLeft(document, schema, maxSampleDepth, mostValues) <= 0) continue;
    const options = {
      quiet: true,
      maxSampleDepth,
      skipReadOnly: direction === 'request',
      skipWriteOnly: direction === 'response',
    };
    if (direction !== 'request' || !hasPrefills(document)) return attempt(() => sample(schema, options, document));
    return attempt(() => sample(objectOf(prefilled(schema)), options, prefilledDocument(document)));
  }
  return undefined;
}

const documentsWithPrefills = new WeakMap<Json, boolean>();
const prefilledDocuments = new WeakMap<Json, Json>();

function hasPrefills(document: Json): boolean {
  let has = documentsWithPrefills.get(document);
  if (has === undefined) documentsWithPrefills.set(document, (has = contains(document, 'x-default')));
  return has;
}

function contains(value: unknown, key: string): boolean {
  if (Array.isArray(value)) return value.some((one) => contains(one, key));
  if (!isRecord(value)) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((inner) => contains(inner, key));
}

function prefilledDocument(document: Json): Json {
  let made = prefilledDocuments.get(document);
  if (!made) prefilledDocuments.set(document, (made = objectOf(prefilled(document))));
  return made;
}

/** A copy in which `x-default` is the example, which the sampler prefers to everything else. The keys of a map are names. */
function prefilled(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((one) => prefilled(one));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, prefilled(inner, !isMap && key === 'properties')] as const);
  const example = isMap ? undefined : value['x-default'];
  return { ...Object.fromEntries(entries), ...(example !== undefined && { example }) };
}

// A reader takes in no longer example, and it is shown in each language.
const mostValues = 200;
const mostParts = 50;

/**
 * What is left of a number of values after a sample of the schema: schemas that refer to each other multiply with each level. Parts that a
 * schema is composed of are no deeper level, as in the sampler; `parts` counts those around it.
 */
function valuesLeft(document: Json, given: unknown, depth: number, left: number, parts = 0): number {
  if (left <= 0 || parts > mostParts) return 0;
  if (depth <= 0) return left - 1;
  const schema = resolved(document, given);
  let rest = left - 1;
  for (const some of [schema.allOf, schema.oneOf, schema.anyOf]) {
    for (const part of Array.isArray(some) ? some : []) rest = valuesLeft(document, part, depth, rest, parts + 1);
  }
  for (const value of [...Object.values(objectOf(schema.properties)), schema.items, schema.additionalProperties]) {
    if (typeof value === 'object' && value !== null) rest = valuesLeft(document, value, depth - 1, rest);
  }
  return rest;
}

/**
 * What a library makes of an untrusted specification; undefined when it throws. Nothing that it prints reaches the terminal: `quiet` does not
 * stop all of it, and `schemaProblems` reports what matters, with its place.
 */
function attempt<Made>(make: () => Made): Made | undefined {
  const { warn } = console;
  console.warn = () => {};
  try {
    return make();
  } catch {
    return undefined;
  } finally {
    console.warn = warn;
  }
}
