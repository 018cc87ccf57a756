// Requests and responses as code: those of the specification, else made from its schemas.
import { csharpHttpclient } from '@scalar/snippetz/plugins/csharp/httpclient';
import { goNative } from '@scalar/snippetz/plugins/go/native';
import { javaOkhttp } from '@scalar/snippetz/plugins/java/okhttp';
import { jsFetch } from '@scalar/snippetz/plugins/js/fetch';
import { kotlinOkhttp } from '@scalar/snippetz/plugins/kotlin/okhttp';
import { phpCurl } from '@scalar/snippetz/plugins/php/curl';
import { pythonRequests } from '@scalar/snippetz/plugins/python/requests';
import { rubyNative } from '@scalar/snippetz/plugins/ruby/native';
import { rustReqwest } from '@scalar/snippetz/plugins/rust/reqwest';
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl';
import { sample } from 'openapi-sampler';
import type { ComponentNode } from '../markdown/tree.ts';
import type { Operation } from './operations.ts';
import { component } from './schema-nodes.ts';
import { literal, object, objects, resolve, string, type Json } from './json.ts';

/** An HTTP Archive request, as far as the samples are made from it. http://www.softwareishard.com/blog/har-12-spec/#request */
interface Request {
  method: string;
  url: string;
  headers: Pair[];
  queryString: Pair[];
  cookies: Pair[];
  postData?: { mimeType: string; text?: string; params?: Pair[] };
}
interface Pair {
  name: string;
  value: string;
}

const languages: [title: string, language: string, plugin: { generate(request: Request): string }][] = [
  ['cURL', 'bash', shellCurl],
  ['JavaScript', 'js', jsFetch],
  ['Python', 'python', pythonRequests],
  ['PHP', 'php', phpCurl],
  ['Ruby', 'ruby', rubyNative],
  ['Go', 'go', goNative],
  ['Java', 'java', javaOkhttp],
  ['Kotlin', 'kotlin', kotlinOkhttp],
  ['C#', 'csharp', csharpHttpclient],
  ['Rust', 'rust', rustReqwest],
];

/** The request in ten languages, after those that the specification has itself. */
export function requestSamples(
  document: Json,
  { operation, item, method, path }: Pick<Operation, 'operation' | 'item' | 'method' | 'path'>,
  parameters: Json[],
): ComponentNode[] {
  const own = objects(operation['x-codeSamples'] ?? operation['x-code-samples']).flatMap(({ lang, label, source }) =>
    string(source) === undefined
      ? []
      : [codeNode(string(lang)?.toLowerCase() ?? 'text', string(label) ?? string(lang) ?? 'Code', source as string)],
  );
  const request = requestOf(document, operation, item, method, path, parameters);
  const made = languages.flatMap(([title, language, plugin]) => {
    const code = attempt(() => plugin.generate(request));
    return code === undefined ? [] : [codeNode(language, title, code)];
  });
  return [...own, ...made];
}

/** The URL of the first server that applies, its variables replaced by their defaults; without one, a placeholder. */
function serverUrl(document: Json, item: Json, operation: Json): string {
  const [server] = [operation.servers, item.servers, document.servers].map(objects).find((servers) => servers.length > 0) ?? [];
  const variables = object(server?.variables);
  const url = (string(server?.url) ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = object(variables[name]).default;
    return value === undefined ? whole : literal(value);
  });
  return (/^https?:\/\//i.test(url) ? url : `https://api.example.com${url.startsWith('/') ? url : ''}`).replace(/\/+$/, '');
}

function requestOf(document: Json, operation: Json, item: Json, method: string, path: string, parameters: Json[]): Request {
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
  const security = securityOf(document, operation);
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

function securityOf(document: Json, operation: Json): { headers: Pair[]; query: Pair[] } {
  const [first] = objects(Array.isArray(operation.security) ? operation.security : document.security);
  const schemes = object(object(document.components).securitySchemes);
  const headers: Pair[] = [];
  const query: Pair[] = [];
  for (const name of Object.keys(first ?? {})) {
    const scheme = resolve(document, schemes[name])?.value ?? {};
    if (scheme.type === 'apiKey' && scheme.in === 'query') query.push({ name: literal(scheme.name), value: '<api-key>' });
    else if (scheme.type === 'apiKey' && scheme.in === 'header') headers.push({ name: literal(scheme.name), value: '<api-key>' });
    else if (scheme.type === 'http' && String(scheme.scheme).toLowerCase() === 'basic')
      headers.push({ name: 'Authorization', value: 'Basic <credentials>' });
    else if (['http', 'oauth2', 'openIdConnect'].includes(String(scheme.type)))
      headers.push({ name: 'Authorization', value: 'Bearer <token>' });
  }
  return { headers, query };
}

function bodyOf(document: Json, operation: Json): { type: string; data: Request['postData'] } | undefined {
  const body = resolve(document, operation.requestBody)?.value;
  const contents = Object.entries(object(body?.content));
  const [type, given] = contents.find(([name]) => /json/i.test(name)) ?? contents[0] ?? [];
  if (type === undefined) return undefined;
  const example = mediaExamples(document, object(given), 'request')[0]?.value;
  if (/multipart|urlencoded/i.test(type)) {
    const params = Object.entries(object(example)).map(([name, value]) => ({ name, value: literal(value) }));
    return { type, data: { mimeType: type, params } };
  }
  const text = typeof example === 'string' ? example : example === undefined ? '' : JSON.stringify(example, null, 2);
  return { type, data: { mimeType: type, text } };
}

/** The examples of all responses that have a body. */
export function responseExamples(document: Json, operation: Json): ComponentNode[] {
  return Object.entries(object(operation.responses)).flatMap(([status, given]) => {
    const response = resolve(document, given)?.value ?? {};
    const [[type, media] = []] = Object.entries(object(response.content));
    if (type === undefined) return [];
    return mediaExamples(document, object(media), 'response').flatMap(({ name, value }) => {
      if (value === undefined) return [];
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      const language = /json/i.test(type) ? 'json' : /xml/i.test(type) ? 'xml' : /html/i.test(type) ? 'html' : 'text';
      return [codeNode(language, name === undefined ? status : `${status} ${name}`, cut(text))];
    });
  });
}

const longestExample = 20_000;

function cut(text: string): string {
  return text.length <= longestExample ? text : `${text.slice(0, text.lastIndexOf('\n', longestExample))}\n…`;
}

/** The examples of a media type; without any, one made from its schema. */
function mediaExamples(document: Json, media: Json, direction: 'request' | 'response'): { name?: string; value: unknown }[] {
  if (media.example !== undefined) return [{ value: media.example }];
  const named = Object.entries(object(media.examples)).map(([name, given]) => {
    const example = resolve(document, given)?.value ?? {};
    return { name: string(example.summary) ?? name, value: example.value ?? example.dataValue ?? example.serializedValue };
  });
  if (named.length > 0) return named.length === 1 ? [{ value: named[0]!.value }] : named;
  const schema = media.schema ?? media.itemSchema;
  return schema === undefined ? [] : [{ value: sampled(document, schema, direction) }];
}

function exampleOf(document: Json, parameter: Json): unknown {
  if (parameter.example !== undefined) return parameter.example;
  const [first] = Object.values(object(parameter.examples));
  const example = first === undefined ? undefined : resolve(document, first)?.value.value;
  if (example !== undefined) return example;
  const schema = resolve(document, parameter.schema)?.value ?? {};
  return schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined) ?? schema.default;
}

/** Undefined where the schema cannot be read, or has more values than a reader would. */
function sampled(document: Json, schema: unknown, direction?: 'request' | 'response'): unknown {
  for (let maxSampleDepth = 6; maxSampleDepth > 0; maxSampleDepth--) {
    if (valuesLeft(document, schema, maxSampleDepth, mostValues) <= 0) continue;
    const options = {
      quiet: true,
      maxSampleDepth,
      skipReadOnly: direction === 'request',
      skipWriteOnly: direction === 'response',
    };
    return attempt(() => sample(schema, options, document));
  }
  return undefined;
}

const mostValues = 5000;
const mostParts = 50;

/**
 * What is left of a number of values after a sample of the schema: schemas that refer to each other multiply with each level. Parts that a
 * schema is composed of are no deeper level, as in the sampler; `parts` counts those around it.
 */
function valuesLeft(document: Json, given: unknown, depth: number, left: number, parts = 0): number {
  if (left <= 0 || parts > mostParts) return 0;
  if (depth <= 0) return left - 1;
  const schema = resolve(document, given)?.value ?? {};
  let rest = left - 1;
  for (const some of [schema.allOf, schema.oneOf, schema.anyOf]) {
    for (const part of Array.isArray(some) ? some : []) rest = valuesLeft(document, part, depth, rest, parts + 1);
  }
  for (const value of [...Object.values(object(schema.properties)), schema.items, schema.additionalProperties]) {
    if (typeof value === 'object' && value !== null) rest = valuesLeft(document, value, depth - 1, rest);
  }
  return rest;
}

/** What a library makes of a stranger's specification; undefined when it throws. */
function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function codeNode(language: string, filename: string, code: string): ComponentNode {
  return component('CodeBlock', { language, filename, code });
}
