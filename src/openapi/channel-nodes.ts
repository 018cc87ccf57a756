// The reference of a channel: where it is, what the API sends and receives on it, and its messages.
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { isRecord, objectOf } from '../../integration/text/json.ts';
import type { MarkdownNode } from '../markdown/tree.ts';
import { isDeprecated, serversOfChannel, type Channel, type ChannelOperation, type Message, type Reply } from './channels.ts';
import { headerExamples, messageExamples } from './examples.ts';
import { literal, objects, resolve, resolved, string, type Json } from './json.ts';
import { externalDocs, fieldsOf, schemeNode, serverList } from './operation-nodes.ts';
import { around, code, codes, component, cut, filled, heading, markdown, paragraph, section, text } from './nodes.ts';
import { createContext, fieldNode, type SchemaContext } from './schema-nodes.ts';

/** The content of a channel's page after its body. `shown` is the description in the page's head. */
export function channelNodes(
  document: Json,
  { name, address, badge, channel, messages, operations, description }: Channel,
  labels: ReferenceLabels,
  { shown }: { shown?: unknown } = {},
): MarkdownNode[] {
  const isReceived = ({ key }: Message) =>
    operations.some((one) => one.action === 'receive' && one.messages.some((other) => other.key === key)) &&
    !operations.some((one) => one.action === 'send' && one.messages.some((other) => other.key === key));
  const page: ChannelPage = {
    ...createContext(document, labels),
    isReceived,
    areSeveral: messages.length > 1,
  };
  const servers = serversOfChannel(document, channel);
  const examples = (some: readonly Message[]) =>
    some.flatMap((one) => messageExamples(document, titleOf(one), one.message, schemaOf(document, one.message.payload).schema));
  const requests = examples(messages.filter(isReceived));
  const answers = examples(messages.filter((one) => !isReceived(one)));
  return [
    component('Endpoint', { method: badge, path: address ?? name }),
    ...markdown(description?.trim() === shown ? undefined : description),
    ...externalDocs({ externalDocs: resolve(document, channel.externalDocs)?.value }),
    ...tagNodes(page, channel.tags),
    ...around('RequestExample', {}, requests),
    ...around('ResponseExample', {}, answers),
    ...serverNodes(page, servers),
    ...parameterNodes(page, channel, address),
    ...section(2, labels.bindings, [...bindingNodes(page, channel.bindings, 'channel'), ...serverBindings(page, servers)]),
    ...operations.flatMap((one) => operationNodes(page, one)),
    ...section(
      2,
      labels.messages,
      messages.flatMap((one) => [heading(3, titleOf(one)), ...messageNodes(page, one, page.areSeveral ? one.key : '')]),
    ),
  ];
}

interface ChannelPage extends SchemaContext {
  /** Whether the API only receives a message. */
  isReceived(message: Message): boolean;
  areSeveral: boolean;
}

function contextOf(page: ChannelPage, anchor: string, isRequest = false): SchemaContext {
  return { ...page, direction: isRequest ? 'request' : 'response', anchor };
}

function titleOf({ key, message }: Message): string {
  return string(message.title) ?? string(message.name) ?? key;
}

function tagNodes({ document, labels }: ChannelPage, given: unknown): MarkdownNode[] {
  const names = (Array.isArray(given) ? given : []).flatMap((one) => string(resolve(document, one)?.value.name) ?? []);
  if (names.length === 0) return [];
  return [paragraph([text(`${labels.tags}: `), ...codes(names)])];
}

function serverNodes({ document, labels }: ChannelPage, servers: readonly { name: string; server: Json }[]): MarkdownNode[] {
  if (servers.length === 0) return [];
  const shown = servers.map(({ name, server }) => {
    const { protocol, protocolVersion, host, pathname, title, summary, description } = server;
    const version = protocolVersion === undefined ? [] : [`${literal(protocol)} ${literal(protocolVersion)}`];
    const variables = Object.entries(objectOf(server.variables)).map(([key, one]) => [key, resolved(document, one)]);
    return {
      name,
      security: Array.isArray(server.security) ? server.security : [],
      url: `${string(protocol) ?? ''}://${string(host) ?? ''}${string(pathname) ?? ''}`,
      description: [...version, ...[title, summary, description].flatMap((one) => string(one) ?? [])].join(' · '),
      variables: Object.fromEntries(variables),
    };
  });
  const secured = shown.filter(({ security }) => security.length > 0);
  const [first] = secured;
  const isSame = secured.length === servers.length && new Set(secured.map(({ security }) => JSON.stringify(security))).size === 1;
  const nodes =
    first && isSame
      ? securityNodes(document, first.security, labels, '')
      : secured.flatMap(({ name, url, security }) => [
          paragraph([code(url)]),
          ...securityNodes(document, security, labels, `${name}-`),
        ]);
  return [...serverList(shown, labels), ...section(2, labels.authorization, nodes)];
}

/** Settings that several servers share are there once; others follow the names of their servers. */
function serverBindings(page: ChannelPage, servers: readonly { name: string; server: Json }[]): MarkdownNode[] {
  const settings = Map.groupBy(servers, ({ server }) => JSON.stringify(server.bindings ?? {}));
  return [...settings].flatMap(([key, its]) => {
    const nodes = bindingNodes(page, JSON.parse(key), `server-${its[0]!.name}`);
    const isNamed = settings.size > 1 && nodes.length > 0;
    return [...(isNamed ? [paragraph(codes(its.map(({ name }) => name)))] : []), ...nodes];
  });
}

/** Alternatives, each of which is enough. */
function securityNodes(document: Json, given: readonly unknown[], labels: ReferenceLabels, id: string): MarkdownNode[] {
  const schemes = new Map(
    given.flatMap((one) => {
      const found = resolve(document, one);
      return found ? [[found.reference ?? JSON.stringify(found.value), found] as const] : [];
    }),
  );
  return [...schemes.values()].flatMap(({ name, value }, index) => [
    ...(index > 0 ? [paragraph([text(labels.or)])] : []),
    schemeNode(`${id}${name ?? string(value.type) ?? ''}`, value, value.scopes, true, labels),
  ]);
}

function parameterNodes(page: ChannelPage, channel: Json, address = ''): MarkdownNode[] {
  const defined = objectOf(channel.parameters);
  const named = [...address.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const fields = [...new Set([...Object.keys(defined), ...named])].flatMap((name): MarkdownNode[] => {
    const found = resolved(page.document, defined[name]);
    const { enum: options, default: value, examples, location } = found;
    const schema = { type: 'string', enum: options, default: value, examples, ...objectOf(found.schema) };
    const place = string(location);
    const description = [string(found.description), place && `\`${place.replaceAll('`', '')}\``].filter(Boolean).join('\n\n');
    const facts = { required: true, location: 'path', ...(description && { description }) } as const;
    const node = fieldNode(name, schema, facts, contextOf(page, '', true));
    return node ? [node] : [];
  });
  return section(2, page.labels.parameters, fields);
}

function operationNodes(page: ChannelPage, { id, action, operation, messages, reply }: ChannelOperation): MarkdownNode[] {
  const { document, labels } = page;
  const { title, summary, description } = operation;
  const isTitle = title === undefined && (string(summary)?.length ?? 0) <= 120;
  const security = Array.isArray(operation.security) ? operation.security : [];
  return [
    heading(2, string(title) ?? (isTitle ? string(summary)?.replace(/\s+/g, ' ') : undefined) ?? id),
    component('Endpoint', { method: action.toUpperCase(), path: id }),
    ...deprecatedNodes(labels, operation),
    paragraph([text(action === 'send' ? labels.apiSends : labels.apiReceives)]),
    ...markdown(isTitle ? undefined : summary, description),
    ...externalDocs({ externalDocs: resolve(document, operation.externalDocs)?.value }),
    ...tagNodes(page, operation.tags),
    ...nameNodes(labels, page.areSeveral ? messages : []),
    ...expandable(labels.bindings, bindingNodes(page, operation.bindings, id)),
    ...section(3, labels.authorization, securityNodes(document, security, labels, `${id}-`)),
    ...(reply ? section(3, labels.reply, replyNodes(page, reply, id)) : []),
  ];
}

function deprecatedNodes(labels: ReferenceLabels, value: Json): MarkdownNode[] {
  return isDeprecated(value) ? [component('Badge', { color: 'orange' }, [text(labels.deprecated)])] : [];
}

function nameNodes(labels: ReferenceLabels, messages: readonly Message[]): MarkdownNode[] {
  return messages.length > 0 ? [paragraph([text(`${labels.messages}: `), ...codes(messages.map(titleOf))])] : [];
}

function replyNodes(page: ChannelPage, { channel, location, description, messages }: Reply, id: string): MarkdownNode[] {
  const { labels } = page;
  return [
    ...(channel ? [paragraph(filled(labels.replyChannel, code(channel.address ?? channel.key)))] : []),
    ...(location === undefined ? [] : [paragraph(filled(labels.replyAddress, code(location)))]),
    ...markdown(description),
    ...messages.flatMap((one) => expandable(titleOf(one), messageNodes(page, one, `${id}-reply-${one.key}`))),
  ];
}

const expandable = (title: string, nodes: MarkdownNode[]) => around('Expandable', { title }, nodes);

function messageNodes(page: ChannelPage, given: Message, anchor: string): MarkdownNode[] {
  const { document, labels } = page;
  const { message } = given;
  const isRequest = page.isReceived(given);
  const type = string(message.contentType) ?? string(document.defaultContentType);
  const correlation = resolve(document, message.correlationId)?.value;
  const location = string(correlation?.location);
  const headers =
    message.headers === undefined ? [] : shapeNodes(page, message.headers, anchor ? `${anchor}-header` : 'header', isRequest);
  return [
    ...deprecatedNodes(labels, message),
    ...markdown(message.summary, message.description),
    ...externalDocs({ externalDocs: resolve(document, message.externalDocs)?.value }),
    ...tagNodes(page, message.tags),
    ...(type === undefined ? [] : [paragraph([code(type)])]),
    ...(location === undefined ? [] : [paragraph(filled(labels.correlationId, code(location)))]),
    ...markdown(correlation?.description),
    ...(message.payload === undefined ? [] : shapeNodes(page, message.payload, anchor, isRequest)),
    ...expandable(labels.headers, [...headers, ...headerExamples(message)]),
    ...expandable(labels.bindings, bindingNodes(page, message.bindings, `${anchor}-bindings`)),
  ];
}

/** A payload or headers: fields of a JSON schema, code of any other. */
function shapeNodes(page: ChannelPage, given: unknown, anchor: string, isRequest: boolean): MarkdownNode[] {
  const { schema, format, code: source } = schemaOf(page.document, given);
  if (source === undefined || format === undefined) return fieldsOf(schema, contextOf(page, anchor, isRequest), false);
  const language =
    typeof source === 'string' ? (/protobuf/i.test(format) ? 'proto' : /raml|yaml/i.test(format) ? 'yaml' : 'text') : 'json';
  const text = typeof source === 'string' ? source : JSON.stringify(source, null, 2);
  return [paragraph(filled(page.labels.schemaFormat, code(format))), component('CodeBlock', { language, code: cut(text) })];
}

const jsonSchemas = /^application\/(?:vnd\.aai\.asyncapi|vnd\.oai\.openapi|schema)(?:\+(?:json|yaml))?\s*(?:;|$)/i;

/** The JSON schema of a payload, or what it is in another format. */
function schemaOf(document: Json, given: unknown): { schema?: unknown; format?: string; code?: unknown } {
  const { value } = resolve(document, given) ?? {};
  const format = string(value?.schemaFormat);
  // Without a format, it is one of ours if it has nothing that a schema would have.
  const isWrapped = value !== undefined && 'schema' in value && (format !== undefined || Object.keys(value).length === 1);
  if (!isWrapped) return { schema: given };
  if (format === undefined || jsonSchemas.test(format)) return { schema: value.schema };
  return { format, code: resolve(document, value.schema)?.value ?? value.schema };
}

const mostSettings = 100;

/** Settings of protocols: values as a table, schemas as fields. */
function bindingNodes(page: ChannelPage, given: unknown, anchor: string): MarkdownNode[] {
  const bindings = resolved(page.document, given);
  const rows: [string, unknown][] = [];
  const fields: MarkdownNode[] = [];
  const visit = (path: string[], value: unknown): void => {
    if (rows.length >= mostSettings || path.at(-1) === 'bindingVersion') return;
    const found = isRecord(value) ? resolve(page.document, value)?.value : undefined;
    if (found && isSchema(found)) {
      const node = fieldNode(path.join('.'), value, { required: false }, contextOf(page, `${anchor}-bindings`));
      if (node) fields.push(node);
    } else if (found && path.length < 8) for (const [key, inner] of Object.entries(found)) visit([...path, key], inner);
    else
      rows.push([
        path.join('.'),
        Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.map(literal).join(', ') : value,
      ]);
  };
  for (const [protocol, settings] of Object.entries(bindings)) if (!protocol.startsWith('x-')) visit([protocol], settings);
  return [...(rows.length > 0 ? [settingsTable(page.labels, rows)] : []), ...fields];
}

function isSchema(value: Json): boolean {
  return (
    typeof value.type === 'string' || Array.isArray(value.enum) || isRecord(value.properties) || objects(value.allOf).length > 0
  );
}

function settingsTable({ setting, value: valueLabel }: ReferenceLabels, rows: readonly [string, unknown][]): MarkdownNode {
  const cell = (node: MarkdownNode): MarkdownNode => ({ type: 'tableCell', children: [node] });
  const row = (nodes: MarkdownNode[]): MarkdownNode => ({ type: 'tableRow', children: nodes.map(cell) });
  return {
    type: 'table',
    align: [null, null],
    children: [row([text(setting), text(valueLabel)]), ...rows.map(([name, value]) => row([code(name), code(literal(value))]))],
  };
}
