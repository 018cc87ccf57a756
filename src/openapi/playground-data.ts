// What the playground of an operation loads: a script with its parameters, body, answers and servers, without references.
import { hash } from 'node:crypto';
import {
  serverOrigins,
  type Answer,
  type Content,
  type Flow,
  type Operation as PlaygroundOperation,
  type Parameter,
  type Schema,
  type Scheme,
  type Server,
} from '../../integration/reader/playground/operation.ts';
import { isRecord, objectOf } from '../../integration/text/json.ts';
import { exampleOf, mediaExamples, prefillOf } from './examples.ts';
import { literal, resolve, resolved, string, type Json } from './json.ts';
import { parametersOf, securityOf, serversOf, type Operation } from './operations.ts';

/** Name of an operation's script in `_carrel`: known without making the script. */
export function operationScriptName(
  { digest, name }: Pick<Operation, 'digest' | 'name'>,
  specification: string,
  generator: string,
): string {
  return `operation.${hash('sha256', [generator, specification, digest(), name].join('\0')).slice(0, 16)}.js`;
}

export function operationScript(document: Json, operation: Operation): string {
  // No text of a specification ends the script's element or its line.
  const data = JSON.stringify(playgroundOperation(document, operation)).replace(/[<\u2028\u2029]/g, escaped);
  return `__carrel_operation(${data});\n`;
}

/** The origins that requests of an operation go to, with each value of the variables of its servers; and those that give its tokens. */
export function operationOrigins(document: Json, { item, operation }: Operation): { servers: string[]; tokens: string[] } {
  const flows = flowsIn(document, operation);
  return {
    servers: serverOrigins(shownServers(document, item, operation)),
    tokens: [...new Set(flows.map(({ tokenUrl }) => new URL(tokenUrl).origin))],
  };
}

/** Whether readers can be sent to an authorization server, which sends them back to a page of the site. */
export function hasConsent(document: Json, { operation }: Operation): boolean {
  return flowsIn(document, operation).some(({ grant }) => grant === 'authorization_code');
}

function flowsIn(document: Json, operation: Json): Flow[] {
  return schemesOf(document, operation)
    .flat()
    .flatMap(({ flows = [] }) => flows);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function playgroundOperation(document: Json, { operation, item, method, path, title }: Operation): PlaygroundOperation {
  const body = resolve(document, operation.requestBody)?.value;
  return {
    ...{ method, path, title },
    servers: shownServers(document, item, operation),
    security: schemesOf(document, operation),
    parameters: parametersOf(document, item, operation, path).flatMap((one) => parameterOf(document, one)),
    ...(body && {
      body: {
        required: body.required === true,
        contents: Object.entries(objectOf(body.content)).map(([type, media]) => contentOf(document, type, objectOf(media))),
      },
    }),
    answers: Object.entries(objectOf(operation.responses)).flatMap(([status, given]) => answersOf(document, status, given)),
  };
}

function shownServers(document: Json, item: Json, operation: Json): Server[] {
  return serversOf(document, item, operation).map(({ url, description, variables }) => ({
    url: string(url) ?? '',
    ...(string(description) !== undefined && { description: string(description) }),
    variables: Object.entries(objectOf(variables)).map(([name, given]) => {
      const { default: value, enum: options } = objectOf(given);
      return { name, value: literal(value ?? ''), ...(Array.isArray(options) && { options: options.map(literal) }) };
    }),
  }));
}

function schemesOf(document: Json, operation: Json): Scheme[][] {
  return securityOf(document, operation).map((one) => one.map(({ name, scheme, scopes }) => schemeOf(name, scheme, scopes)));
}

function schemeOf(
  name: string,
  { type, in: location, name: field, scheme, flows: named, 'x-default': given }: Json,
  scopes: unknown,
): Scheme {
  const secret = typeof given === 'string' ? { secret: given } : {};
  if (type === 'apiKey' && (location === 'header' || location === 'query') && string(field) !== undefined)
    return { name, kind: location, field: string(field), ...secret };
  if (type === 'http' && literal(scheme).toLowerCase() === 'basic') return { name, kind: 'basic' };
  const flows = type === 'oauth2' ? flowsOf(objectOf(named)) : [];
  if (flows.length > 0)
    return { name, kind: 'bearer', ...secret, flows, scopes: (Array.isArray(scopes) ? scopes : []).map(literal).join(' ') };
  if (type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && literal(scheme).toLowerCase() === 'bearer'))
    return { name, kind: 'bearer', ...secret };
  return { name, kind: 'unsupported' };
}

/** The grants that a page can use. */
function flowsOf({ authorizationCode, clientCredentials }: Json): Flow[] {
  const { authorizationUrl, tokenUrl } = objectOf(authorizationCode);
  const { tokenUrl: clientUrl } = objectOf(clientCredentials);
  return [
    ...(isSecure(tokenUrl) && isSecure(authorizationUrl)
      ? [{ grant: 'authorization_code' as const, tokenUrl, authorizationUrl }]
      : []),
    ...(isSecure(clientUrl) ? [{ grant: 'client_credentials' as const, tokenUrl: clientUrl }] : []),
  ];
}

/** Whether a URL is absolute, and what is sent to it cannot be read on the way. */
function isSecure(url: unknown): url is string {
  const { protocol, hostname } = (typeof url === 'string' ? URL.parse(url) : null) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? ''));
}

function parameterOf(document: Json, given: Json): Parameter[] {
  const { name, in: location, required, style, explode } = given;
  // A page must not send cookies; `querystring` has no name to send.
  if (typeof name !== 'string' || (location !== 'path' && location !== 'query' && location !== 'header')) return [];
  const [media] = Object.values(objectOf(given.content));
  const example = exampleOf(document, given) ?? objectOf(media).example;
  const isPrefilled = prefillOf(document, given) !== undefined;
  return [
    {
      ...{ name, in: location },
      required: required === true || location === 'path',
      schema: inlined(document, given.schema ?? objectOf(media).schema),
      isJson: media !== undefined,
      ...(typeof style === 'string' && { style }),
      ...(typeof explode === 'boolean' && { explode }),
      ...(example !== undefined && { example }),
      ...(isPrefilled && { isPrefilled }),
    },
  ];
}

function contentOf(document: Json, type: string, media: Json): Content {
  const [example] = mediaExamples(document, media, 'request');
  return {
    type,
    ...(media.schema !== undefined && { schema: inlined(document, media.schema) }),
    ...(example?.value !== undefined && { example: fitting(example.value) }),
  };
}

function answersOf(document: Json, status: string, given: unknown): Answer[] {
  const response = resolved(document, given);
  const description = string(response.description);
  const common = { status, ...(description !== undefined && { description: description.slice(0, 300) }) };
  const [[type, media] = []] = Object.entries(objectOf(response.content));
  if (type === undefined) return [common];
  return mediaExamples(document, objectOf(media), 'response').map(({ name, value }) => ({
    ...{ ...common, type },
    ...(name !== undefined && { name }),
    ...(value !== undefined && { example: fitting(value) }),
  }));
}

const longestExample = 50_000;

/** An example, unless it is longer than a reader wants to load. */
function fitting(value: unknown): unknown {
  return literal(value).length > longestExample ? undefined : value;
}

const mostNodes = 1500;
const numbers = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const;

/** A schema of a request without references; `{}`, which everything fits, where it contains itself or is too large. */
function inlined(document: Json, schema: unknown): Schema {
  let left = mostNodes;
  const inline = (given: unknown, around: readonly string[]): Schema => {
    const found = resolve(document, given);
    const { value, reference } = found ?? { value: {}, reference: undefined };
    if (left-- <= 0 || around.length > 30 || (reference !== undefined && around.includes(reference))) return {};
    const inner = [...around, reference ?? ''];
    const list = (some: unknown) => (Array.isArray(some) ? some.map((one) => inline(one, inner)) : undefined);
    const properties = Object.entries(objectOf(value.properties));
    // Only the server sets these.
    const isReadOnly = new Set(
      properties.flatMap(([name, one]) => (resolve(document, one)?.value.readOnly === true ? [name] : [])),
    );
    const types = typesOf(value.type);
    const { additionalProperties: more } = value;
    const limits = numbers.flatMap((name) => (typeof value[name] === 'number' ? [[name, value[name]] as const] : []));
    return {
      ...Object.fromEntries(limits),
      ...(types && { type: types }),
      ...(typeof value.format === 'string' && { format: value.format }),
      ...(Array.isArray(value.enum) && { enum: value.enum.slice(0, 500) }),
      ...(value.const !== undefined && { const: value.const }),
      ...(value.default !== undefined && { default: value.default }),
      ...(Array.isArray(value.required) && {
        required: value.required.filter((name) => typeof name === 'string').filter((name) => !isReadOnly.has(name)),
      }),
      ...(properties.length > 0 && {
        properties: Object.fromEntries(properties.map(([name, one]) => [name, inline(one, inner)])),
      }),
      ...(more === false ? { additionalProperties: false } : isRecord(more) && { additionalProperties: inline(more, inner) }),
      ...(value.items !== undefined && { items: inline(value.items, inner) }),
      ...(Array.isArray(value.allOf) && { allOf: list(value.allOf) }),
      ...(Array.isArray(value.oneOf) && { oneOf: list(value.oneOf) }),
      ...(Array.isArray(value.anyOf) && { anyOf: list(value.anyOf) }),
      ...((value.format === 'binary' || value.contentMediaType !== undefined) && { isFile: true }),
    };
  };
  return inline(schema, []);
}

function typesOf(type: unknown): string | string[] | undefined {
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : undefined;
}
