import { expect, test } from 'vitest';
import { expectNoScript } from './expect-no-script.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { describedNodes } from '../../../src/openapi/described-nodes.ts';
import { readReference } from '../../../src/openapi/reference.ts';
import { buildSite } from '../../../src/site/build-site.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { describedPaths, outline } from '../site/site-of.ts';
import { options } from '../markdown/fixtures.ts';
import { docsFolder } from '../source/docs-folder.ts';

type Files = Parameters<typeof docsFolder>[0];

const events = {
  asyncapi: '3.0.0',
  channels: {
    orders: { title: 'All orders', address: 'orders.v1' },
    stock: { address: 'stock/{shelf}', parameters: { shelf: {} } },
    secret: { 'x-hidden': true },
  },
  operations: {
    sendOrder: { action: 'send', channel: { $ref: '#/channels/orders' } },
    receiveStock: { action: 'receive', channel: { $ref: '#/channels/stock' } },
  },
};

async function referenceOf(navigation: unknown, files: Files = {}, more: Record<string, unknown> = {}) {
  const config = { name: 'Docs', theme: 'mint', colors: { primary: '#000000' }, navigation, ...more };
  return readReference(
    await readSource(docsFolder({ 'docs.json': config, 'index.mdx': '# Home', 'events.json': events, ...files })),
  );
}

const site = async (...given: Parameters<typeof referenceOf>) => buildSite((await referenceOf(...given)).source);

/** What the page of a channel shows. */
async function render(specification: Record<string, unknown> | string, channel: string, files: Files = {}, language?: string) {
  const reference = await referenceOf(
    { pages: ['index'], groups: [{ group: 'E', asyncapi: 'a.yaml' }] },
    { 'a.yaml': specification, ...files },
  );
  const page = reference.source.pages.find(({ described }) => described?.name === channel)!;
  const { document, described } = reference.describedBy(page)!;
  const renderer = createRenderer({
    ...options,
    generated: (_, labels) => ({ after: describedNodes(document, described, labels, { shown: page.frontmatter.description }) }),
  });
  return { ...(await renderer.render(page, language)), page, problems: reference.source.problems };
}

test('each channel is a page in the navigation, at the path of its title, with what the API does as its tag', async () => {
  const docs = await site({
    tabs: [
      { tab: 'Docs', pages: ['index'] },
      { tab: 'Events', asyncapi: { source: '/events.json', directory: '/stream' } },
    ],
  });
  expect(outline(docs, 'Events')).toEqual(['All orders /stream/all-orders', 'stock/{shelf} /stream/stock']);
  expect(docs.pages.map(({ path, source }) => [path, source.frontmatter.tag])).toEqual([
    ['', undefined],
    ['stream/all-orders', 'SEND'],
    ['stream/stock', 'RECEIVE'],
  ]);
  expect(docs.navigation).toMatchObject({ listed: 3, exported: 3, missing: [] });
});

test.each<[string, Record<string, unknown>, string[]]>([
  [
    'a group of pages, after them',
    { groups: [{ group: 'E', pages: ['index'], asyncapi: 'events.json' }] },
    ['- E', '  Home /', '  All orders /api-reference/all-orders', '  stock/{shelf} /api-reference/stock'],
  ],
  [
    'groups, in the one without pages',
    { asyncapi: 'events.json', groups: [{ group: 'A', pages: ['index'] }, { group: 'B' }] },
    ['- A', '  Home /', '- B', '  All orders /api-reference/all-orders', '  stock/{shelf} /api-reference/stock'],
  ],
  [
    'a specification of operations',
    { groups: [{ group: 'A', openapi: 'api.json', asyncapi: 'events.json' }] },
    ['- A', '  List /api-reference/list', '  All orders /api-reference/all-orders', '  stock/{shelf} /api-reference/stock'],
  ],
])('channels are listed beside %s', async (_, navigation, expected) => {
  const docs = await site(navigation, { 'api.json': { openapi: '3.1.0', paths: { '/a': { get: { summary: 'List' } } } } });
  expect(outline(docs, 'site')).toEqual(expected);
  expect(docs.navigation.missing).toEqual([]);
});

test('the settings of the site can name the specification', async () => {
  const docs = await site(
    { tabs: [{ tab: 'Docs', pages: ['index'] }, { tab: 'Events' }] },
    {},
    { api: { asyncapi: ['events.json'] } },
  );
  expect(describedPaths(docs)).toEqual(['orders api-reference/all-orders', 'stock api-reference/stock']);
  expect(docs.problems).toEqual([]);
});

test.each([
  ['specification and channel', '/events.json orders'],
  ['channel alone', 'orders'],
  ['address', 'events orders.v1'],
])('a page names its channel by the %s, and the navigation lists the others', async (_, asyncapi) => {
  const docs = await site(
    { groups: [{ group: 'E', asyncapi: 'events.json', pages: ['own'] }] },
    { 'own.mdx': `---\nasyncapi: ${asyncapi}\n---\nOwn text.` },
  );
  expect(describedPaths(docs)).toEqual(['orders own', 'stock api-reference/stock']);
  expect(docs.pages.find(({ path }) => path === 'own')?.title).toBe('All orders');
  expect(docs.problems.filter(({ kind }) => kind === 'specification-page-missing')).toEqual([]);
});

test.each<[string, string, string, Files]>([
  ['that is not in the folder', 'gone.yaml', 'gone.yaml is not in the docs folder', {}],
  ['of another format', 'api.json', 'api.json is not an AsyncAPI specification', { 'api.json': { openapi: '3.1.0', paths: {} } }],
  ['without channels', 'a.json', 'a.json could not be read: it has no channels', { 'a.json': { asyncapi: '3.0.0' } }],
  [
    'of version 2',
    'old.yaml',
    'old.yaml could not be read: it is AsyncAPI 2.6.0, and version 3 is read: convert it with "npx @asyncapi/cli convert old.yaml --target-version=3.0.0"',
    { 'old.yaml': 'info: {}\nasyncapi: 2.6.0\nchannels: {}\n' },
  ],
])('a specification %s is missing with its reason, beside other pages too', async (_, name, reason, files) => {
  const docs = await site({ groups: [{ group: 'A', pages: ['index'], asyncapi: name }] }, files);
  expect(docs.navigation).toMatchObject({
    listed: 2,
    exported: 1,
    missing: [{ entry: `"asyncapi": "${name}"`, at: 'A', reason }],
  });
  const lines = docs.problems.filter(({ kind }) => kind === 'specification-not-read').map(({ line }) => line);
  expect(lines).toEqual(name === 'old.yaml' ? [2] : name === 'a.json' ? [undefined] : []);
});

test('a page shows servers, parameters, settings of protocols, operations with replies, and messages', async () => {
  const { markdown } = await render(
    `
asyncapi: 3.1.0
defaultContentType: application/json
servers:
  socket: { protocol: wss, host: '{region}.example.com', pathname: /v1, variables: { region: { enum: [eu, us], default: eu } }, security: [{ type: httpApiKey, name: token, in: query }] }
  broker: { protocol: kafka, protocolVersion: 3.7, host: 'kafka:9092', description: Inside }
channels:
  chat:
    address: /rooms/{room}/{user}
    description: Everything that is said in a room.
    externalDocs: { url: 'https://example.com/chat', description: About rooms }
    tags: [{ name: live }]
    parameters: { room: { description: Its name, enum: [lobby, bar], default: lobby, location: '$message.payload#/room' } }
    bindings: { ws: { method: GET, query: { type: object, properties: { since: { type: string } } } }, kafka: { partitions: 3, topicConfiguration: { retention.ms: 60 } } }
    messages:
      said: { $ref: '#/components/messages/Said' }
      typing: { name: typing, payload: { type: object, properties: { on: { type: boolean } } }, examples: [{ name: start, payload: { on: true } }] }
  answers: { address: answers, messages: { ok: { payload: { type: object, required: [id], properties: { id: { type: string } } } } } }
operations:
  say:
    action: receive
    title: Say something
    description: At most one a second.
    channel: { $ref: '#/channels/chat' }
    traits: [{ bindings: { kafka: { groupId: { type: string, const: chat } } } }]
    messages: [{ $ref: '#/channels/chat/messages/said' }]
    reply: { address: { location: '$message.header#/replyTo' }, channel: { $ref: '#/channels/answers' } }
  hear: { action: send, channel: { $ref: '#/channels/chat' } }
components:
  messages:
    Said:
      title: Message
      summary: What somebody said
      correlationId: { location: '$message.header#/trace' }
      traits: [{ headers: { properties: { trace: { type: string } } } }]
      headers: { type: object, required: [trace], properties: { room: { type: string } } }
      payload: { schemaFormat: application/schema+json;version=draft-07, schema: { type: object, required: [text], properties: { text: { type: string, examples: [Hello] } } } }
`,
    'chat',
  );
  expect(markdown).toMatchInlineSnapshot(`
    "\`CHANNEL /rooms/{room}/{user}\`

    [About rooms](https://example.com/chat)

    Tags: \`live\`

    \`\`\`json Message
    {
      "text": "Hello"
    }
    \`\`\`

    \`\`\`json typing
    {
      "on": true
    }
    \`\`\`

    ## Servers

    - \`wss://{region}.example.com/v1\`
    - \`kafka://kafka:9092\`: kafka 3.7 · Inside

    - \`region\` (string, default: eu): Options: \`eu\`, \`us\`

    ## Authorization

    \`wss://{region}.example.com/v1\`

    - \`token\` (API key, query, required)

    ## Parameters

    - \`room\` (string, path, required, default: lobby): Its name

      \`$message.payload#/room\`

      Options: \`lobby\`, \`bar\`

    - \`user\` (string, path, required)

    ## Protocol settings

    | Setting | Value |
    | --- | --- |
    | \`ws.method\` | \`GET\` |
    | \`kafka.partitions\` | \`3\` |
    | \`kafka.topicConfiguration.retention.ms\` | \`60\` |

    - \`ws.query\` (object): **fields**

      - \`since\` (string)

    ## Say something

    \`RECEIVE say\`

    The API receives these messages.

    At most one a second.

    Messages: \`Message\`

    **Protocol settings**

    - \`kafka.groupId\` (string): Constant: \`chat\`

    ### Reply

    The reply comes on \`answers\`.

    The address of the reply is in \`$message.header#/replyTo\`.

    **ok**

    \`application/json\`

    - \`id\` (string, required)

    ## hear

    \`SEND hear\`

    The API sends these messages.

    Messages: \`Message\`, \`typing\`

    ## Messages

    ### Message

    What somebody said

    \`application/json\`

    Correlation ID: \`$message.header#/trace\`

    - \`text\` (string, required): Example: \`Hello\`

    **Headers**

    - \`trace\` (string, required)

    - \`room\` (string)

    ### typing

    \`application/json\`

    - \`on\` (boolean)"
  `);
});

test('the example of a message that the API receives is that of a request, and of one that it sends that of a response', async () => {
  const ref = (path: string) => ({ $ref: `#/channels/chat${path}` });
  const payload = (word: string) => ({ type: 'object', examples: [{ word }] });
  const { html } = await render(
    {
      asyncapi: '3.0.0',
      channels: { chat: { messages: { asked: { payload: payload('a-question') }, said: { payload: payload('an-answer') } } } },
      operations: {
        ask: { action: 'receive', channel: ref(''), messages: [ref('/messages/asked')] },
        say: { action: 'send', channel: ref(''), messages: [ref('/messages/said')] },
      },
    },
    'chat',
  );
  expect(html.match(/c-example-(?:request|response)|a-question|an-answer/g)).toEqual([
    'c-example-request',
    'a-question',
    'c-example-response',
    'an-answer',
  ]);
});

test('the words of a page are in its language', async () => {
  const { headings, markdown } = await render(
    { ...events, channels: { orders: { messages: { one: { payload: { type: 'string' } } } } } },
    'orders',
    {},
    'de',
  );
  expect(headings.map(({ text }) => text)).toEqual(['sendOrder', 'Nachrichten', 'one']);
  expect(markdown).toContain('Die API sendet diese Nachrichten.');
});

test('fields have anchors by their message where there are several', async () => {
  const message = { payload: { properties: { id: { properties: { part: {} } } } }, headers: { properties: { trace: {} } } };
  const idsOf = async (messages: unknown) => {
    const { html } = await render({ asyncapi: '3.0.0', channels: { a: { messages } } }, 'a');
    return [...html.matchAll(/ id="(param-[^"]+)"/g)].map(([, id]) => id);
  };
  expect(await idsOf({ one: message })).toEqual(['param-id', 'param-id-part', 'param-header-trace']);
  expect(await idsOf({ one: message, two: { payload: { properties: { id: {} } } } })).toEqual([
    ...['param-one-id', 'param-one-id-part', 'param-one-header-trace'],
    'param-two-id',
  ]);
});

test.each([
  ['application/vnd.apache.avro;version=1.9.0', { type: 'record', name: 'Scan', fields: [] }, '```json\n{\n  "type": "record",'],
  ['application/vnd.google.protobuf;version=3', 'message Scan {}', '```proto\nmessage Scan {}\n```'],
])('a schema in the format %s is shown as code', async (schemaFormat, schema, code) => {
  const payload = { schemaFormat, schema };
  const { markdown } = await render({ asyncapi: '3.0.0', channels: { a: { messages: { one: { payload } } } } }, 'a');
  expect(markdown).toContain(`The schema is in the format \`${schemaFormat}\`.\n\n${code}`);
});

test('a schema in a file of another language is shown as code', async () => {
  const payload = (file: string) => ({ payload: { schemaFormat: 'application/x', schema: { $ref: file } } });
  const { markdown, problems } = await render(
    { asyncapi: '3.0.0', channels: { a: { messages: { one: payload('a/scan.proto'), two: payload('a/scan.avsc') } } } },
    'a',
    { 'a/scan.proto': 'message Scan { string id = 1; }\n', 'a/scan.avsc': '{"type":"record","name":"Scan"}' },
  );
  expect(problems).toEqual([]);
  expect(markdown).toContain('```text\nmessage Scan { string id = 1; }\n```');
  expect(markdown).toContain('```json\n{\n  "type": "record",\n  "name": "Scan"\n}\n```');
});

test('settings that servers share are shown once, and others by the name of their server', async () => {
  const server = (retention: number) => ({ protocol: 'kafka', host: 'a', bindings: { kafka: { retention } } });
  const tables = async (...servers: unknown[]) => {
    const { markdown } = await render(
      { asyncapi: '3.0.0', servers: Object.fromEntries(servers.entries()), channels: { a: {} } },
      'a',
    );
    return markdown.match(/^`\d`.*|`kafka\.retention`.*/gm);
  };
  expect(await tables(server(1), server(1))).toEqual(['`kafka.retention` | `1` |']);
  expect(await tables(server(1), server(2), server(1))).toEqual([
    ...['`0`, `2`', '`kafka.retention` | `1` |'],
    ...['`1`', '`kafka.retention` | `2` |'],
  ]);
});

test('headers in the examples of a message are shown with its headers', async () => {
  const message = { payload: { type: 'string' }, examples: [{ name: 'short', headers: { trace: 'a' }, payload: 'b' }] };
  const { markdown } = await render({ asyncapi: '3.0.0', channels: { a: { messages: { one: message } } } }, 'a');
  expect(markdown).toContain('**Headers**\n\n```json short\n{\n  "trace": "a"\n}\n```');
});

test('a specification of another host is downloaded', async () => {
  const url = 'https://example.com/events.json';
  const config = { name: 'Docs', navigation: { groups: [{ group: 'E', asyncapi: url, pages: ['own'] }] } };
  const folder = docsFolder({ 'docs.json': config, 'own.mdx': `---\nasyncapi: ${url} orders\n---\n` });
  const download = async () => Buffer.from(JSON.stringify(events));
  const docs = buildSite((await readReference(await readSource(folder), { download })).source);
  expect(describedPaths(docs)).toEqual(['orders own', 'stock api-reference/stock']);
});

const split: Files = {
  'parts/channels.yaml':
    'Orders: { address: orders, messages: { placed: { $ref: "messages.yaml#/Placed" }, lost: { $ref: "gone.yaml" } } }\n',
  'parts/messages.yaml':
    'Placed: { title: Placed, payload: { $ref: "#/Order" } }\nOrder: { properties: { id: { type: string }, parent: { $ref: "#/Order" }, other: { $ref: "../../outside.json" } } }\n',
  'parts/operations.yaml':
    'Send: { action: send, channel: { $ref: "channels.yaml#/Orders" }, messages: [{ $ref: "messages.yaml#/Placed" }] }\n',
  '../outside.json': '{"properties":{"secret":{}}}',
};

test('files refer to each other, also through a channel, and broken references are reported with their place', async () => {
  const { markdown, problems } = await render(
    `asyncapi: 3.0.0
operations:
  send: { $ref: 'parts/operations.yaml#/Send' }
  again: { action: send, channel: { $ref: '#/channels/orders' }, messages: [{ $ref: '#/channels/orders/messages/placed' }] }
channels:
  orders: { $ref: 'parts/channels.yaml#/Orders' }
`,
    'orders',
    split,
  );
  expect(markdown.slice(markdown.indexOf('## send'))).toMatchInlineSnapshot(`
    "## send

    \`SEND send\`

    The API sends these messages.

    Messages: \`Placed\`

    ## again

    \`SEND again\`

    The API sends these messages.

    Messages: \`Placed\`

    ## Messages

    ### Placed

    - \`id\` (string)

    - \`parent\` (Order): Contains the same fields again.

    - \`other\` (any)

    ### lost

    Its schema could not be read."
  `);
  expect(problems.map(({ page, line, message }) => `${page}:${line} ${message}`)).toMatchInlineSnapshot(`
    [
      "parts/channels.yaml:1 "$ref": "gone.yaml" at #/Orders/messages/lost is broken: parts/gone.yaml is not in the docs folder.",
      "parts/messages.yaml:2 "$ref": "../../outside.json" at #/Order/properties/other is broken: it is outside the docs folder.",
    ]
  `);
});

test('mistakes are reported with file, line and pointer, and the rest is shown', async () => {
  const docs = await site(
    { asyncapi: 'wrong.yaml' },
    {
      'wrong.yaml': `asyncapi: 3.0.0
channels:
  a:
    address: /a/{id}
    messages:
      one:
        payload: { type: object, required: [n], properties: { n: { type: integer } } }
        examples:
          - payload: { n: 1 }
          - payload: { n: many }
operations:
  lost: { action: send, channel: { $ref: '#/channels/b' } }
  none: { action: send, channel: orders }
  odd:
    action: publish
    channel: { $ref: '#/channels/a' }
`,
    },
  );
  expect(describedPaths(docs)).toEqual(['a api-reference/a']);
  expect(docs.problems.map(({ kind, page, line, message }) => `${kind} ${page}:${line} ${message}`)).toMatchInlineSnapshot(`
    [
      "specification-reference-broken wrong.yaml:12 "$ref": "#/channels/b" at #/operations/lost/channel is broken: wrong.yaml does not have it.",
      "specification-invalid wrong.yaml:13 The operation at #/operations/none does not name a channel of the specification.",
      "specification-invalid wrong.yaml:14 The "action" of #/operations/odd is neither "send" nor "receive".",
      "specification-invalid wrong.yaml:4 The address at #/channels/a/address has a parameter "id" that the channel does not define.",
      "specification-example-invalid wrong.yaml:10 The example at #/channels/a/messages/one/examples/1/payload does not fit its schema: /n must be integer.",
    ]
  `);
});

test('a change changes only the pages of the channels that show it', async () => {
  const given = {
    asyncapi: '3.0.0',
    servers: { one: { protocol: 'ws', host: 'a.example' }, two: { protocol: 'ws', host: 'b.example' } },
    channels: {
      a: { servers: [{ $ref: '#/servers/one' }], messages: { x: { payload: { $ref: '#/components/schemas/X' } } } },
      b: { messages: { y: { payload: { type: 'string' } } } },
    },
    operations: { sendB: { action: 'send', channel: { $ref: '#/channels/b' }, summary: 'One' } },
    components: { schemas: { X: { type: 'string' }, Unused: {} } },
  };
  const digests = async (change?: (specification: typeof given) => void) => {
    const specification = structuredClone(given);
    change?.(specification);
    const { source } = await referenceOf({ asyncapi: 'c.json' }, { 'c.json': specification });
    return source.pages.flatMap(({ described, digest }) =>
      described?.specification === 'c.json' ? [[described.name, digest]] : [],
    );
  };
  const before = await digests();
  expect(before.map(([name]) => name)).toEqual(['a', 'b']);
  const changed = async (change: (specification: typeof given) => void) =>
    (await digests(change)).filter(([, digest], i) => digest !== before[i]![1]).map(([name]) => name);
  expect(await changed(({ components }) => void Object.assign(components.schemas.Unused, { type: 'string' }))).toEqual([]);
  expect(await changed(({ components }) => void (components.schemas.X.type = 'number'))).toEqual(['a']);
  expect(await changed(({ operations }) => void (operations.sendB.summary = 'Two'))).toEqual(['b']);
  expect(await changed(({ servers }) => void (servers.two.host = 'c.example'))).toEqual(['b']);
  expect(await changed(({ servers }) => void (servers.one.host = 'c.example'))).toEqual(['a', 'b']);
});

test('no string of a specification becomes a script', async () => {
  const text = '<script>boom()</script><img src=x onerror=boom()>[a](javascript:boom())\n\n{boom()}\n\n<boom onclick="x()">';
  const schema = {
    title: text,
    description: text,
    type: 'object',
    required: [text],
    properties: { [text]: { type: text, format: text, description: text, enum: [text], default: text, examples: [text] } },
  };
  const bindings = { [text]: { [text]: text, query: schema }, ws: { method: text, list: [text] } };
  const tags = [{ name: text, description: text }];
  const externalDocs = { url: 'javascript:boom()', description: text };
  const about = { title: text, summary: text, description: text, tags, externalDocs, bindings };
  const correlationId = { location: text, description: text };
  const security = [
    { type: text, description: text },
    { type: 'httpApiKey', name: text, in: 'query', description: text },
    { type: 'oauth2', scopes: [text], flows: { [text]: { availableScopes: { [text]: text } } } },
  ];
  const messages = {
    [text]: {
      ...about,
      name: text,
      contentType: text,
      correlationId,
      headers: schema,
      payload: schema,
      examples: [{ name: text, summary: text, payload: text }],
    },
    avro: { ...about, payload: { schemaFormat: text, schema: text } },
  };
  const variables = { [text]: { default: text, enum: [text], description: text } };
  const { html } = await render(
    {
      asyncapi: '3.0.0',
      servers: { [text]: { ...about, protocol: text, protocolVersion: text, host: text, pathname: text, variables, security } },
      channels: {
        a: {
          ...about,
          address: `/${text}/{x}`,
          parameters: { [text]: { description: text, enum: [text], location: text } },
          messages,
        },
      },
      operations: {
        [text]: {
          ...about,
          action: 'send',
          channel: { $ref: '#/channels/a' },
          security,
          reply: { address: correlationId, channel: { $ref: '#/channels/a' } },
        },
      },
    },
    'a',
  );
  expectNoScript(html);
});
