// The reference of an operation: what is sent and what comes back, from its specification.
import type { MarkdownNode } from '../markdown/tree.ts';
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { objectOf } from '../../integration/text/json.ts';
import { ownExample, payloadExamples, requestSamples, responseExamples } from './examples.ts';
import { parametersOf, securityOf, serversOf, type Operation } from './operations.ts';
import { around, bulletList, code, component, filled, heading, markdown, paragraph, section, text } from './nodes.ts';
import { createContext, fieldNode, schemaNodes, shapeOf, typeOf, type SchemaContext } from './schema-nodes.ts';
import { literal, resolve, resolved, string, type Json } from './json.ts';

const locations = [
  ['path', 'pathParameters'],
  ['query', 'queryParameters'],
  ['querystring', 'queryString'],
  ['header', 'headers'],
  ['cookie', 'cookies'],
] as const;

/**
 * The content of an operation's page after its body. `shown` is the description in the page's head, `script` the name of the script that its
 * playground loads; without one, it has no playground.
 */
export function operationNodes(
  document: Json,
  { operation, item, method, path, isWebhook, description: described }: Operation,
  labels: ReferenceLabels,
  { shown, script }: { shown?: unknown; script?: string } = {},
): MarkdownNode[] {
  const page = createContext(document, labels);
  const context = (direction: SchemaContext['direction'], anchor = ''): SchemaContext => ({ ...page, direction, anchor });
  const parameters = parametersOf(document, item, operation, isWebhook ? '' : path);
  const description = described?.trim() === shown ? undefined : described;
  const samples = isWebhook
    ? payloadExamples(document, operation, labels.payload)
    : requestSamples(document, { operation, item, method, path }, parameters);
  // The samples show the first of the bodies.
  const bodies = isWebhook ? [] : payloadExamples(document, operation, labels.body);
  const answers = responseExamples(document, operation);
  return [
    component('Endpoint', { method: isWebhook ? 'WEBHOOK' : method, path, ...(script !== undefined && { script }) }),
    ...markdown(description),
    ...externalDocs(operation),
    ...around('RequestExample', { generated: !isWebhook }, samples),
    ...(bodies.length > 1 ? [component('RequestExample', {}, bodies)] : []),
    ...around('ResponseExample', {}, answers),
    ...(isWebhook ? [] : serverNodes(serversOf(document, item, operation), labels)),
    ...securityNodes(document, operation, labels),
    ...locations.flatMap(([location, label]): MarkdownNode[] => {
      const fields = parameters
        .filter((parameter) => parameter.in === location)
        .flatMap((parameter) => parameterNode(parameter, context('request')) ?? []);
      return section(2, labels[label], fields);
    }),
    ...bodyNodes(document, operation, context('request', isWebhook ? 'payload' : ''), isWebhook),
    ...callbackNodes(document, operation, context('request', 'callback')),
    ...responseNodes(document, operation, labels, context),
  ];
}

function parameterNode(parameter: Json, context: SchemaContext): MarkdownNode | undefined {
  const [content] = Object.values(objectOf(parameter.content));
  const schema = parameter.schema ?? objectOf(content).schema ?? {};
  const location = parameter.in === 'querystring' ? 'query' : parameter.in;
  const example = ownExample(context.document, parameter);
  return fieldNode(
    string(parameter.name) ?? '',
    schema,
    {
      required: parameter.required === true || location === 'path',
      location: location as 'path' | 'query' | 'header' | 'cookie',
      description: string(parameter.description),
      deprecated: parameter.deprecated === true,
      ...(example !== undefined && typeof example !== 'object' && { example }),
    },
    { ...context, direction: 'request' },
  );
}

export function externalDocs({ externalDocs: given }: Json): MarkdownNode[] {
  const { url, description } = objectOf(given);
  if (string(url) === undefined) return [];
  return [paragraph([{ type: 'link', url: url as string, children: [text(string(description) ?? (url as string))] }])];
}

/** A choice of servers with their variables. The samples show a single server without variables. */
function serverNodes(servers: readonly Json[], labels: ReferenceLabels): MarkdownNode[] {
  const isShown = servers.length > 1 || servers.some((server) => Object.keys(objectOf(server.variables)).length > 0);
  return isShown ? serverList(servers, labels) : [];
}

/** The URLs of servers, and the variables in them. */
export function serverList(servers: readonly Json[], labels: ReferenceLabels): MarkdownNode[] {
  const variables = new Map(servers.flatMap((server) => Object.entries(objectOf(server.variables))));
  const lines = servers.map(({ url, description }) => [
    code(literal(url)),
    ...(string(description) ? [text(`: ${string(description)}`)] : []),
  ]);
  return [
    heading(2, labels.servers),
    bulletList(lines),
    ...[...variables].map(([name, given]) => {
      const { default: value, enum: options, description } = objectOf(given);
      const schema = { type: 'string', default: value, enum: options, description };
      const context: SchemaContext = { ...createContext({}, labels), direction: 'request', anchor: 'server' };
      return fieldNode(name, schema, { required: false }, context) ?? paragraph([code(name)]);
    }),
  ];
}

function securityNodes(document: Json, operation: Json, labels: ReferenceLabels): MarkdownNode[] {
  const alternatives = securityOf(document, operation);
  const isRequired = alternatives.every((one) => one.length > 0);
  const nodes = alternatives
    .filter((one) => one.length > 0)
    .flatMap((one, index): MarkdownNode[] => [
      ...(index > 0 ? [paragraph([text(labels.or)])] : []),
      ...one.map(({ name, scheme, scopes }) => schemeNode(name, scheme, scopes, isRequired, labels)),
    ]);
  return section(2, labels.authorization, nodes);
}

const httpSchemes = new Map([
  ['bearer', 'Bearer token'],
  ['basic', 'Basic'],
]);
const securityTypes = new Map([
  ['apiKey', 'API key'],
  ['httpApiKey', 'API key'],
  ['oauth2', 'OAuth 2.0'],
  ['openIdConnect', 'OpenID Connect'],
  ['X509', 'X.509'],
  ['plain', 'SASL/PLAIN'],
  ['scramSha256', 'SASL/SCRAM-SHA-256'],
  ['scramSha512', 'SASL/SCRAM-SHA-512'],
  ['gssapi', 'SASL/GSSAPI'],
]);

export function schemeNode(
  name: string,
  scheme: Json,
  scopes: unknown,
  required: boolean,
  labels: ReferenceLabels,
): MarkdownNode {
  const kind = string(scheme.type) ?? '';
  const http = (string(scheme.scheme) ?? '').toLowerCase();
  const isKey = kind === 'apiKey' || kind === 'httpApiKey';
  const isHeader = kind === 'http' || kind === 'oauth2' || kind === 'openIdConnect';
  const location = isKey ? (string(scheme.in) ?? '') : isHeader ? 'header' : '';
  const shownName = isKey ? (string(scheme.name) ?? name) : isHeader ? 'Authorization' : name;
  const type = kind === 'http' ? (httpSchemes.get(http) ?? http) : (securityTypes.get(kind) ?? kind);
  const wanted = Array.isArray(scopes) ? scopes.map(literal) : [];
  const flows = Object.values(objectOf(scheme.flows)).map(objectOf);
  const meaning = (scope: string) =>
    flows.map((flow) => string(objectOf(flow.scopes ?? flow.availableScopes)[scope])).find(Boolean);
  return component(
    'ParamField',
    { [['query', 'header'].includes(location) ? location : 'name']: shownName, id: `authorization-${name}`, type, required },
    [
      ...markdown(scheme.description),
      ...(kind === 'http' && http === 'bearer' ? [paragraph(filled(labels.sentAs, code('Authorization: Bearer <token>')))] : []),
      ...(kind === 'http' && http === 'basic'
        ? [paragraph(filled(labels.sentAsBasic, code('Authorization: Basic <credentials>')))]
        : []),
      ...(wanted.length > 0
        ? [bulletList(wanted.map((scope) => [code(scope), ...(meaning(scope) ? [text(`: ${meaning(scope)}`)] : [])]))]
        : []),
    ],
  );
}

function bodyNodes(document: Json, operation: Json, context: SchemaContext, isWebhook: boolean): MarkdownNode[] {
  const body = resolve(document, operation.requestBody)?.value;
  if (!body) return [];
  const title = isWebhook ? context.labels.payload : context.labels.body;
  const contents = Object.entries(objectOf(body.content));
  return [
    heading(2, title),
    ...markdown(body.description),
    ...mediaNodes(contents, (schema, index) =>
      fieldsOf(schema, { ...context, anchor: index ? `${context.anchor || 'body'}-${index + 1}` : context.anchor }, true),
    ),
  ];
}

/** Each media type of a body; several are tabs. */
function mediaNodes(contents: [string, unknown][], nodes: (schema: unknown, index: number) => MarkdownNode[]): MarkdownNode[] {
  const shown = contents.map(([type, media], index) => ({
    type,
    nodes: nodes(objectOf(media).schema ?? objectOf(media).itemSchema, index),
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

export function fieldsOf(schema: unknown, context: SchemaContext, isBody: boolean): MarkdownNode[] {
  if (schema === undefined) return [];
  const shape = shapeOf(context.document, schema);
  if (!shape) return [paragraph([text(context.labels.unreadableSchema)])];
  const type = typeOf(shape, context.document);
  const nodes = schemaNodes(schema, context);
  const hasFields = nodes.some(({ name }) => name === 'ResponseField' || name === 'ParamField');
  const fields = isBody ? nodes.map((node) => (node.name === 'ResponseField' ? asBody(node) : node)) : nodes;
  return [
    ...(!hasFields || /\[\]$|\|/.test(type) ? [paragraph([text(`${context.labels.type}: `), code(type)])] : []),
    ...markdown(hasFields ? shape.schema.description : undefined),
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
  labels: ReferenceLabels,
  context: (direction: SchemaContext['direction'], anchor: string) => SchemaContext,
): MarkdownNode[] {
  const responses = Object.entries(objectOf(operation.responses));
  if (responses.length === 0) return [];
  return [
    heading(2, labels.responses),
    ...responses.flatMap(([status, given]): MarkdownNode[] => {
      const response = resolved(document, given);
      const headers = Object.entries(objectOf(response.headers)).flatMap(([name, header]): MarkdownNode[] => {
        const found = resolved(document, header);
        const node = fieldNode(
          name,
          found.schema ?? {},
          { required: found.required === true, description: string(found.description) },
          context('response', `${status}-header`),
        );
        return node ? [node] : [];
      });
      return [
        heading(3, status === 'default' ? labels.defaultResponse : status),
        ...markdown(response.description),
        ...mediaNodes(Object.entries(objectOf(response.content)), (schema, index) =>
          fieldsOf(schema, context('response', index ? `${status}-${index + 1}` : status), false),
        ),
        ...around('Expandable', { title: labels.headers }, headers),
      ];
    }),
  ];
}

function callbackNodes(document: Json, operation: Json, context: SchemaContext): MarkdownNode[] {
  const callbacks = Object.entries(objectOf(operation.callbacks));
  if (callbacks.length === 0) return [];
  return [
    heading(2, context.labels.callbacks),
    ...callbacks.map(([name, given]) =>
      component(
        'Accordion',
        { title: name },
        Object.entries(resolved(document, given)).flatMap(([url, item]) =>
          Object.entries(resolved(document, item))
            .filter(([method]) => /^(?:get|put|post|delete|patch)$/i.test(method))
            .flatMap(([method, one]): MarkdownNode[] => {
              const callback = resolved(document, one);
              return [
                component('Endpoint', { method: method.toUpperCase(), path: url }),
                ...markdown(string(callback.description) ?? callback.summary),
                ...bodyNodes(document, callback, { ...context, anchor: `${context.anchor}-${name}` }, true).slice(1),
              ];
            }),
        ),
      ),
    ),
  ];
}
