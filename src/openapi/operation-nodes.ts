// The reference of an operation: what is sent and what comes back, from its specification.
import type { MarkdownNode } from '../markdown/tree.ts';
import { requestSamples, responseExamples } from './examples.ts';
import type { Operation } from './operations.ts';
import {
  code,
  component,
  fieldNode,
  heading,
  markdown,
  mostFields,
  paragraph,
  schemaNodes,
  shapeOf,
  text,
  typeOf,
} from './schema-nodes.ts';
import type { SchemaContext } from './schema-nodes.ts';
import { literal, object, objects, resolve, string, type Json } from './json.ts';

const locations = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['querystring', 'Query string'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const;

/** The content of an operation's page after its body. `shown` is the description in the page's head. */
export function operationNodes(
  document: Json,
  { operation, item, method, path, isWebhook }: Operation,
  shown: unknown,
): MarkdownNode[] {
  const budget = { fields: mostFields };
  const context = (direction: SchemaContext['direction'], anchor = ''): SchemaContext => ({
    ...{ document, direction, budget, anchor },
    around: [],
  });
  const parameters = parametersOf(document, item, operation);
  const described = string(operation.description);
  const description = described?.trim() === shown ? undefined : described;
  const samples = isWebhook ? [] : requestSamples(document, { operation, item, method, path }, parameters);
  const answers = responseExamples(document, operation);
  return [
    component('Endpoint', { method: isWebhook ? 'WEBHOOK' : method, path }),
    ...(description ? [markdown(description)] : []),
    ...externalDocs(operation),
    ...(samples.length > 0 ? [component('RequestExample', { generated: true }, samples)] : []),
    ...(answers.length > 0 ? [component('ResponseExample', {}, answers)] : []),
    ...securityNodes(document, operation),
    ...locations.flatMap(([location, title]): MarkdownNode[] => {
      const fields = parameters
        .filter((parameter) => parameter.in === location)
        .flatMap((parameter) => parameterNode(parameter, context('request')) ?? []);
      return fields.length > 0 ? [heading(2, title), ...fields] : [];
    }),
    ...bodyNodes(document, operation, context('request', isWebhook ? 'payload' : ''), isWebhook),
    ...callbackNodes(document, operation, context('request', 'callback')),
    ...responseNodes(document, operation, context),
  ];
}

/** Parameters of the operation and of its path, those of the operation first where both have one. */
export function parametersOf(document: Json, item: Json, operation: Json): Json[] {
  const read = (given: unknown) =>
    Array.isArray(given) ? given.flatMap((one) => [resolve(document, one)?.value ?? {}]).filter((one) => string(one.name)) : [];
  const own = read(operation.parameters);
  const inherited = read(item.parameters).filter((one) => !own.some((other) => other.name === one.name && other.in === one.in));
  return [...inherited, ...own];
}

function parameterNode(parameter: Json, context: SchemaContext): MarkdownNode | undefined {
  const [content] = Object.values(object(parameter.content));
  const schema = parameter.schema ?? object(content).schema ?? {};
  const location = parameter.in === 'querystring' ? 'query' : parameter.in;
  return fieldNode(
    string(parameter.name) ?? '',
    schema,
    {
      required: parameter.required === true || location === 'path',
      location: location as 'path' | 'query' | 'header' | 'cookie',
      description: string(parameter.description),
      deprecated: parameter.deprecated === true,
      ...(parameter.example !== undefined && typeof parameter.example !== 'object' && { example: parameter.example }),
    },
    { ...context, direction: 'request' },
  );
}

function externalDocs({ externalDocs: given }: Json): MarkdownNode[] {
  const { url, description } = object(given);
  if (string(url) === undefined) return [];
  return [paragraph([{ type: 'link', url: url as string, children: [text(string(description) ?? (url as string))] }])];
}

function securityNodes(document: Json, operation: Json): MarkdownNode[] {
  const required = Array.isArray(operation.security) ? operation.security : document.security;
  const schemes = object(object(document.components).securitySchemes);
  const alternatives = objects(required).filter((one) => Object.keys(one).length > 0);
  if (alternatives.length === 0) return [];
  const isOptional = objects(required).some((one) => Object.keys(one).length === 0);
  const nodes = alternatives.flatMap((alternative, index): MarkdownNode[] => [
    ...(index > 0 ? [paragraph([text('or')])] : []),
    ...Object.entries(alternative).map(([name, scopes]) =>
      schemeNode(name, resolve(document, schemes[name])?.value ?? {}, scopes, !isOptional),
    ),
  ]);
  return [heading(2, 'Authorization'), ...nodes];
}

function schemeNode(name: string, scheme: Json, scopes: unknown, required: boolean): MarkdownNode {
  const kind = string(scheme.type) ?? '';
  const http = (string(scheme.scheme) ?? '').toLowerCase();
  const isKey = kind === 'apiKey';
  const location = isKey ? (string(scheme.in) ?? '') : 'header';
  const shownName = isKey ? (string(scheme.name) ?? name) : kind === 'mutualTLS' ? name : 'Authorization';
  const type = isKey
    ? 'API key'
    : kind === 'http'
      ? http === 'bearer'
        ? 'Bearer token'
        : http === 'basic'
          ? 'Basic'
          : http
      : kind === 'oauth2'
        ? 'OAuth 2.0'
        : kind === 'openIdConnect'
          ? 'OpenID Connect'
          : kind;
  const wanted = Array.isArray(scopes) ? scopes.map(literal) : [];
  const flows = Object.values(object(scheme.flows)).map(object);
  const meaning = (scope: string) => flows.map((flow) => string(object(flow.scopes)[scope])).find(Boolean);
  return component(
    'ParamField',
    { [['query', 'header'].includes(location) ? location : 'name']: shownName, id: `authorization-${name}`, type, required },
    [
      ...(string(scheme.description) ? [markdown(scheme.description as string)] : []),
      ...(kind === 'http' && http === 'bearer'
        ? [paragraph([text('Sent as '), code('Authorization: Bearer <token>'), text('.')])]
        : []),
      ...(kind === 'http' && http === 'basic'
        ? [paragraph([text('Sent as '), code('Authorization: Basic <credentials>'), text(', the user and password in base64.')])]
        : []),
      ...(wanted.length > 0
        ? [
            {
              type: 'list',
              ordered: false,
              spread: false,
              children: wanted.map((scope) => ({
                type: 'listItem',
                spread: false,
                children: [paragraph([code(scope), ...(meaning(scope) ? [text(`: ${meaning(scope)}`)] : [])])],
              })),
            },
          ]
        : []),
    ],
  );
}

function bodyNodes(document: Json, operation: Json, context: SchemaContext, isWebhook: boolean): MarkdownNode[] {
  const body = resolve(document, operation.requestBody)?.value;
  if (!body) return [];
  const title = isWebhook ? 'Payload' : 'Body';
  const contents = Object.entries(object(body.content));
  const description = string(body.description);
  return [
    heading(2, title),
    ...(description ? [markdown(description)] : []),
    ...mediaNodes(contents, (schema, index) =>
      fieldsOf(schema, { ...context, anchor: index ? `${context.anchor || 'body'}-${index + 1}` : context.anchor }, true),
    ),
  ];
}

/** Each media type of a body; several are tabs. */
function mediaNodes(contents: [string, unknown][], nodes: (schema: unknown, index: number) => MarkdownNode[]): MarkdownNode[] {
  const shown = contents.map(([type, media], index) => ({
    type,
    nodes: nodes(object(media).schema ?? object(media).itemSchema, index),
  }));
  const [only] = shown;
  if (shown.length === 1 && only) return [paragraph([code(only.type)]), ...only.nodes];
  if (shown.length === 0) return [];
  return [
    component(
      'Tabs',
      { sync: false },
      shown.map((one) => component('Tab', { title: one.type }, one.nodes)),
    ),
  ];
}

function fieldsOf(schema: unknown, context: SchemaContext, isBody: boolean): MarkdownNode[] {
  if (schema === undefined) return [];
  const shape = shapeOf(context.document, schema);
  if (!shape) return [paragraph([text('Its schema could not be read.')])];
  const type = typeOf(shape, context.document);
  const nodes = schemaNodes(schema, context);
  const isList = /\[\]$|\|/.test(type) || nodes.length === 0;
  const described = string(shape.schema.description);
  const fields = isBody ? nodes.map((node) => (node.name === 'ResponseField' ? asBody(node) : node)) : nodes;
  return [
    ...(isList ? [paragraph([text('Type: '), code(type)])] : []),
    ...(described && fields.some(({ name }) => name === 'ResponseField' || name === 'ParamField') ? [markdown(described)] : []),
    ...fields,
  ];
}

function asBody(node: MarkdownNode): MarkdownNode {
  const { name, ...props } = node.props ?? {};
  return { ...node, name: 'ParamField', props: { body: name, ...props } };
}

function responseNodes(
  document: Json,
  operation: Json,
  context: (direction: SchemaContext['direction'], anchor: string) => SchemaContext,
): MarkdownNode[] {
  const responses = Object.entries(object(operation.responses));
  if (responses.length === 0) return [];
  return [
    heading(2, 'Responses'),
    ...responses.flatMap(([status, given]): MarkdownNode[] => {
      const response = resolve(document, given)?.value ?? {};
      const headers = Object.entries(object(response.headers)).flatMap(([name, header]): MarkdownNode[] => {
        const found = resolve(document, header)?.value ?? {};
        const node = fieldNode(
          name,
          found.schema ?? {},
          { required: found.required === true, description: string(found.description) },
          context('response', `${status}-header`),
        );
        return node ? [node] : [];
      });
      return [
        heading(3, status === 'default' ? 'Default' : status),
        ...(string(response.description) ? [markdown(response.description as string)] : []),
        ...mediaNodes(Object.entries(object(response.content)), (schema, index) =>
          fieldsOf(schema, context('response', index ? `${status}-${index + 1}` : status), false),
        ),
        ...(headers.length > 0 ? [component('Expandable', { title: 'headers' }, headers)] : []),
      ];
    }),
  ];
}

function callbackNodes(document: Json, operation: Json, context: SchemaContext): MarkdownNode[] {
  const callbacks = Object.entries(object(operation.callbacks));
  if (callbacks.length === 0) return [];
  return [
    heading(2, 'Callbacks'),
    ...callbacks.map(([name, given]) =>
      component(
        'Accordion',
        { title: name },
        Object.entries(resolve(document, given)?.value ?? {}).flatMap(([url, item]) =>
          Object.entries(resolve(document, item)?.value ?? {})
            .filter(([method]) => /^(?:get|put|post|delete|patch)$/i.test(method))
            .flatMap(([method, one]): MarkdownNode[] => {
              const callback = resolve(document, one)?.value ?? {};
              const description = string(callback.description) ?? string(callback.summary);
              return [
                component('Endpoint', { method: method.toUpperCase(), path: url }),
                ...(description ? [markdown(description)] : []),
                ...bodyNodes(document, callback, { ...context, anchor: `${context.anchor}-${name}` }, true).slice(1),
              ];
            }),
        ),
      ),
    ),
  ];
}
