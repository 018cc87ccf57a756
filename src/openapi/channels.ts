// The channels of an AsyncAPI specification, each of which is a page with its messages and operations.
import { isRecord, objectOf } from '../../integration/text/json.ts';
import { extensionsOf, textsOf, type Described } from './described.ts';
import { createDigests } from './digests.ts';
import { decodeSegment, objects, pointerOf, resolve, resolved, string, type Json } from './json.ts';
import type { Specification } from './specification.ts';

/** A channel: one page. */
export interface Channel extends Described {
  kind: 'channel';
  badge: string;
  channel: Json;
  messages: Message[];
  operations: ChannelOperation[];
}

export interface Message {
  key: string;
  /** With what its traits add. */
  message: Json;
}

/** What the API does with a channel. */
export interface ChannelOperation {
  id: string;
  action: 'send' | 'receive';
  /** With what its traits add. */
  operation: Json;
  messages: Message[];
  reply?: Reply;
}

export interface Reply {
  /** Key and address of its channel, if it is known before the request. */
  channel?: { key: string; address?: string };
  /** Where a message says the address. */
  location?: string;
  description?: string;
  messages: Message[];
}

/** The channels in the order of the file, without those that have no page. */
export function channelsOf({ document }: Pick<Specification, 'document'>): Channel[] {
  const digestOf = createDigests(document, [document.defaultContentType]);
  const operations = operationsByChannel(document);
  return [...knownChannels(document).values()].flatMap((known): Channel[] => {
    const { key, channel, messages } = known;
    if (channel['x-excluded'] === true) return [];
    const extensions = extensionsOf(channel);
    const title = string(channel.title);
    const address = string(channel.address);
    const texts = textsOf(title === undefined ? channel : { summary: title });
    const description = title === undefined ? texts.description : joined(texts.description, channel.summary, channel.description);
    const its = operations.get(key) ?? [];
    return [
      {
        kind: 'channel',
        ...{ name: key, channel, messages: [...messages.values()], ...extensions },
        title: string(extensions.metadata.title) ?? texts.summary ?? address ?? key,
        ...(texts.summary !== undefined && { summary: texts.summary }),
        ...(description !== undefined && { description }),
        ...(address !== undefined && { address }),
        badge: badgeOf(its),
        deprecated: isDeprecated(channel),
        operations: its.map((one) => operationOf(document, one, known)),
        digest: () => digestOf([key, channel, its, serversOfChannel(document, channel)]),
      },
    ];
  });
}

function joined(...texts: unknown[]): string | undefined {
  return texts.flatMap((text) => string(text) ?? []).join('\n\n') || undefined;
}

function badgeOf(operations: readonly { action: string }[]): string {
  const [action, ...others] = new Set(operations.map((one) => one.action.toUpperCase()));
  return action === undefined || others.length > 0 ? 'CHANNEL' : action;
}

/** The format itself has this only for schemas; generators write it elsewhere, too. */
export function isDeprecated(value: Json): boolean {
  return value.deprecated === true || value['x-deprecated'] === true;
}

interface KnownChannel {
  key: string;
  channel: Json;
  /** By what identifies them, and by their keys. */
  messages: Map<string, Message>;
}

const channelsByDocument = new WeakMap<Json, Map<string, KnownChannel>>();

/** The channels by what identifies them. */
function knownChannels(document: Json): Map<string, KnownChannel> {
  let channels = channelsByDocument.get(document);
  if (!channels) channelsByDocument.set(document, (channels = readChannels(document)));
  return channels;
}

function readChannels(document: Json): Map<string, KnownChannel> {
  return new Map(
    Object.entries(objectOf(document.channels)).flatMap(([key, given]) => {
      const found = resolve(document, given);
      if (!found) return [];
      const reference = found.reference ?? pointerOf(['channels', key]);
      const messages = Object.entries(objectOf(found.value.messages)).map(([name, one]): [string, Message] => {
        const message = resolve(document, one);
        const identity = message?.reference ?? `${reference}/messages/${pointerOf([name]).slice(2)}`;
        return [normal(identity), { key: name, message: message ? withTraits(document, message.value) : { payload: one } }];
      });
      return [[normal(reference), { key, channel: found.value, messages: new Map(messages) }]];
    }),
  );
}

/** A reference without escapes. */
function normal(reference: string): string {
  return reference.split('/').map(decodeSegment).join('\0');
}

interface GivenOperation {
  id: string;
  action: 'send' | 'receive';
  operation: Json;
}

/** The operations of each channel, by its key. */
function operationsByChannel(document: Json): Map<string, GivenOperation[]> {
  const channels = knownChannels(document);
  const operations = new Map<string, GivenOperation[]>();
  for (const [id, given] of Object.entries(objectOf(document.operations))) {
    const operation = resolve(document, given)?.value;
    const action = operation?.action;
    const channel = operation && channelAt(document, channels, operation.channel);
    if (!operation || !channel || (action !== 'send' && action !== 'receive') || operation['x-excluded'] === true) continue;
    operations.set(channel.key, [...(operations.get(channel.key) ?? []), { id, action, operation }]);
  }
  return operations;
}

function channelAt(document: Json, channels: Map<string, KnownChannel>, given: unknown): KnownChannel | undefined {
  const reference = resolve(document, given)?.reference;
  return reference === undefined ? undefined : channels.get(normal(reference));
}

/** Whether an operation names a channel of the specification. */
export function hasChannel(document: Json, operation: Json): boolean {
  return channelAt(document, knownChannels(document), operation.channel) !== undefined;
}

function operationOf(document: Json, { id, action, operation: given }: GivenOperation, known: KnownChannel): ChannelOperation {
  const operation = withTraits(document, given);
  const reply = resolve(document, operation.reply)?.value;
  return {
    ...{ id, action, operation },
    messages: messagesAt(document, operation.messages, known),
    ...(reply && { reply: replyOf(document, reply, known) }),
  };
}

function replyOf(document: Json, reply: Json, own: KnownChannel): Reply {
  const channel = reply.channel === undefined ? undefined : channelAt(document, knownChannels(document), reply.channel);
  const { location, description } = resolved(document, reply.address);
  const address = string(channel?.channel.address);
  return {
    ...(channel && { channel: { key: channel.key, ...(address !== undefined && { address }) } }),
    ...(string(location) !== undefined && { location: string(location) }),
    ...(string(description) !== undefined && { description: string(description) }),
    messages: channel || reply.messages !== undefined ? messagesAt(document, reply.messages, channel ?? own) : [],
  };
}

/** The messages that an operation names, with those of its channel where it names none. */
function messagesAt(document: Json, given: unknown, { messages }: KnownChannel): Message[] {
  if (!Array.isArray(given)) return [...messages.values()];
  return given.flatMap((one) => {
    const found = resolve(document, one);
    if (!found) return [];
    const known = found.reference === undefined ? undefined : messages.get(normal(found.reference));
    return [known ?? { key: found.name ?? string(found.value.name) ?? '', message: withTraits(document, found.value) }];
  });
}

/** The servers that a channel is available on: those that it names, else all. */
export function serversOfChannel(document: Json, channel: Json): { name: string; server: Json }[] {
  const named = objects(channel.servers);
  const given = named.length > 0 ? named.map((one) => ['', one] as const) : Object.entries(objectOf(document.servers));
  return given.flatMap(([key, one]) => {
    const found = resolve(document, one);
    return found ? [{ name: key || (found.name ?? ''), server: found.value }] : [];
  });
}

/** An operation or message with what its traits add. */
function withTraits(document: Json, value: Json): Json {
  const { traits, ...own } = value;
  if (!Array.isArray(traits)) return value;
  const parts = traits.flatMap((one): Json[] => {
    const found = resolve(document, one);
    return found ? [found.value] : [];
  });
  return [...parts, own].reduce<Json>((all, part) => merged(document, all, part, deepestMerge), {});
}

const deepestMerge = 5;

function merged(document: Json, a: Json, b: Json, depth: number): Json {
  const result: Json = { ...a };
  for (const [key, value] of Object.entries(b)) {
    if (key === '__proto__') continue;
    const both = depth > 0 && isRecord(a[key]) && isRecord(value);
    const x = both ? resolve(document, a[key])?.value : undefined;
    const y = both ? resolve(document, value)?.value : undefined;
    result[key] = x && y ? merged(document, x, y, depth - 1) : value;
  }
  return result;
}
