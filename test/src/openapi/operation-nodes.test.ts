import { describe, expect, test } from 'vitest';
import { expectNoScript } from './expect-no-script.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import type { Json } from '../../../src/openapi/json.ts';
import { operationNodes } from '../../../src/openapi/operation-nodes.ts';
import { operationsOf } from '../../../src/openapi/operations.ts';
import { separateVariants } from '../../../src/openapi/variants.ts';
import { options, page } from '../markdown/fixtures.ts';

let document: Json = {};

/** Describes the first operation of the document on each page. */
const renderer = createRenderer({
  ...options,
  generated: (_, labels) => ({ after: operationNodes(document, operationsOf({ document })[0]!, labels) }),
});

/** The page of a specification's first operation. */
async function render(given: Json, language?: string) {
  document = structuredClone(given);
  separateVariants(document);
  return renderer.render(page(''), language);
}

const withBody = (schema: unknown, schemas: Json = {}): Json => ({
  openapi: '3.1.0',
  paths: { '/things': { post: { summary: 'Create', requestBody: { content: { 'application/json': { schema } } } } } },
  components: { schemas },
});

/** The Markdown of the body of a request. */
async function body(schema: unknown, schemas?: Json): Promise<string> {
  const { markdown } = await render(withBody(schema, schemas));
  return markdown.slice(markdown.indexOf('## Body')).replace('## Body\n\n`application/json`\n\n', '');
}

const of = (properties: Json, more: Json = {}) => ({ type: 'object', properties, ...more });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const pet = (more: Json) => of({ kind: { type: 'string' }, name: { type: 'string' } }, { required: ['kind'], ...more });
const both = [ref('Cat'), ref('Dog')];
const cat = { allOf: [ref('Pet'), of({ lives: { type: 'integer' } })] };
const dog = { allOf: [ref('Pet'), of({ tricks: { type: 'integer' } })] };
const petFields = 'Type: `Cat | Dog`\n\n- `kind` (string, body, required)\n\n- `name` (string, body)\n\n';
const lives = '- `lives` (integer)';
const tricks = '- `tricks` (integer)';
const mapping = { tom: '#/components/schemas/Cat', kitten: 'Cat', rex: 'Dog' };
const byKind = '**Cat**\n\n`kind`: `Cat`\n\n- `lives` (integer)\n\n**Dog**\n\n`kind`: `Dog`\n\n- `tricks` (integer)';

/** A base and its variants, which contain each other. */
const variants: [string, unknown, Json, string][] = [
  [
    'of a base come once, with the value and the own fields of each variant',
    ref('Pet'),
    { Pet: pet({ oneOf: both, discriminator: { propertyName: 'kind', mapping } }), Cat: cat, Dog: dog },
    petFields + `**Cat**\n\n\`kind\`: \`tom\`, \`kitten\`\n\n${lives}\n\n**Dog**\n\n\`kind\`: \`rex\`\n\n${tricks}`,
  ],
  [
    'of a base with anyOf come once, and its variants are chosen by their names',
    ref('Pet'),
    { Pet: pet({ anyOf: both, discriminator: { propertyName: 'kind' } }), Cat: cat, Dog: dog },
    petFields + byKind,
  ],
  [
    'of a base without a discriminator come once',
    ref('Pet'),
    { Pet: pet({ oneOf: both }), Cat: cat, Dog: dog },
    `${petFields}**Cat**\n\n${lives}\n\n**Dog**\n\n${tricks}`,
  ],
  [
    'of a base come once where a schema stands between it and its variant',
    ref('Pet'),
    {
      Pet: pet({ oneOf: both, discriminator: { propertyName: 'kind' } }),
      Cat: { allOf: [ref('Furry'), of({ lives: { type: 'integer' } })] },
      Furry: { allOf: [ref('Pet'), of({ fur: { type: 'string' } })] },
      Dog: dog,
    },
    petFields + byKind.replace('- `lives`', '- `fur` (string)\n\n- `lives`'),
  ],
  [
    'of a base come once where its variants are written within it',
    ref('Pet'),
    {
      Pet: pet({
        oneOf: [
          { title: 'Cat', ...cat },
          { title: 'Dog', ...dog },
        ],
      }),
    },
    `${petFields}**Cat**\n\n${lives}\n\n**Dog**\n\n${tricks}`,
  ],
  [
    'of a base come once where its alternatives are a part of it',
    ref('Pet'),
    { Pet: { allOf: [pet({}), { oneOf: both, discriminator: { propertyName: 'kind' } }] }, Cat: cat, Dog: dog },
    petFields + byKind,
  ],
  [
    'of a base come again where a variant requires them',
    ref('Pet'),
    { Pet: pet({ oneOf: both }), Cat: { ...cat, required: ['name'] }, Dog: { allOf: [ref('Pet')] } },
    `${petFields}**Cat**\n\n- \`name\` (string, required)\n\n${lives}\n\n**Dog**`,
  ],
  [
    'of a variant by itself are those of its base, too',
    ref('Cat'),
    { Pet: pet({ oneOf: both, discriminator: { propertyName: 'kind', mapping: { tom: 'Cat' } } }), Cat: cat, Dog: dog },
    '- `kind` (string, body, required): Constant: `tom`\n\n- `name` (string, body)\n\n- `lives` (integer, body)',
  ],
];

describe('the fields of a body', () => {
  test.each<[string, unknown, Json | undefined, string]>([
    [
      'say what is required',
      of({ a: { type: 'string' }, b: { type: 'integer' } }, { required: ['a'] }),
      undefined,
      '- `a` (string, body, required)\n\n- `b` (integer, body)',
    ],
    [
      'name formats, null and lists',
      of({ at: { type: ['string', 'null'], format: 'date-time' }, ids: { type: 'array', items: { type: 'integer' } } }),
      undefined,
      '- `at` (string<date-time> | null, body)\n\n- `ids` (integer[], body)',
    ],
    [
      'have defaults, limits and options',
      of({ n: { type: 'integer', default: 5, minimum: 1, maximum: 9 }, o: { enum: ['x', 'y'] } }),
      undefined,
      '- `n` (integer, body, default: 5): Minimum: `1` · Maximum: `9`\n\n- `o` (string, body): Options: `x`, `y`',
    ],
    [
      'include those of the JSON in a text',
      of({
        events: { type: 'string', contentMediaType: 'text/event-stream', contentSchema: { $ref: '#/components/schemas/E' } },
      }),
      { E: of({ delta: { type: 'string' } }, { required: ['delta'] }) },
      '- `events` (string, body): Content: `text/event-stream`\n\n  **fields**\n\n  - `delta` (string, required)',
    ],
    [
      'explain options',
      of({ o: { type: 'string', enum: ['x'], 'x-enumDescriptions': { x: 'The first.' } } }),
      undefined,
      '- `o` (string, body): - `x`: The first.',
    ],
    [
      'leave out what is only read',
      of({ id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } }),
      undefined,
      '- `secret` (string, body, write-only)',
    ],
    [
      'are those of all parts of an allOf',
      { allOf: [of({ a: { type: 'string' } }, { required: ['a'] }), of({ b: { type: 'string' } })] },
      undefined,
      '- `a` (string, body, required)\n\n- `b` (string, body)',
    ],
    [
      'are named by a map',
      of({ m: { type: 'object', additionalProperties: { type: 'number' } } }),
      undefined,
      '- `m` (map<string, number>, body): **fields**\n\n  - `{key}` (number)',
    ],
    [
      'are alternatives by their titles',
      of({ pet: { oneOf: [{ title: 'Cat', ...of({ lives: { type: 'integer' } }) }, { $ref: '#/components/schemas/Dog' }] } }),
      { Dog: of({ tricks: { type: 'integer' } }) },
      '- `pet` (Cat | Dog, body): **fields**\n\n  **Cat**\n\n  - `lives` (integer)\n\n  **Dog**\n\n  - `tricks` (integer)',
    ],
    [
      'say which value of a discriminator chooses which alternative',
      {
        oneOf: ['Cat', 'Dog', 'Fish'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
        discriminator: {
          propertyName: 'kind',
          mapping: { tom: '#/components/schemas/Cat', kitten: 'Cat', rex: '#/components/schemas/Dog' },
        },
      },
      { Cat: of({ lives: {} }), Dog: of({ tricks: {} }), Fish: of({ depth: {} }) },
      'Type: `Cat | Dog | Fish`\n\n**Cat**\n\n`kind`: `tom`, `kitten`\n\n- `lives` (any)\n\n' +
        '**Dog**\n\n`kind`: `rex`\n\n- `tricks` (any)\n\n**Fish**\n\n`kind`: `Fish`\n\n- `depth` (any)',
    ],
    ...variants,
    [
      'list the schemas that a discriminator without alternatives chooses',
      of(
        { kind: { type: 'string' } },
        { discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/Cat', b: 'Dog' } } },
      ),
      {},
      '- `kind` (string, body): - `a`: Cat\n  - `b`: Dog',
    ],
    [
      'have the words of the author before and after their types',
      of({ a: { type: 'string', readOnly: false, 'x-mint': { pre: ['beta'], post: ['pro', 7] } } }),
      undefined,
      '- `a` (string, body, beta, pro)',
    ],
    [
      'name the type of a body without fields',
      { type: 'string', description: 'A note', maxLength: 5 },
      undefined,
      'Type: `string`\n\nA note\n\nMaximum length: `5`',
    ],
    [
      'end where a schema contains itself',
      { $ref: '#/components/schemas/Node' },
      { Node: of({ next: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } }) },
      '- `next` (Node, body): Contains the same fields again.\n\n- `name` (string, body)',
    ],
    [
      'name the items of a tuple',
      of({ pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] } }),
      undefined,
      '- `pair` (any[], body): **fields**\n\n  - `[0]` (string)\n\n  - `[1]` (integer)',
    ],
  ])('%s', async (_, schema, schemas, expected) => {
    expect(await body(schema, schemas)).toBe(expected);
  });
});

test('the sample of a base is its first variant with its fields and its value', async () => {
  const schemas = { Pet: pet({ oneOf: both, discriminator: { propertyName: 'kind', mapping } }), Cat: cat, Dog: dog };
  const { markdown } = await render(withBody(ref('Pet'), { ...schemas, Cat: { ...cat, required: ['lives', 'name'] } }));
  const [, sample = ''] = /--data '(\{.*?\})'/su.exec(markdown) ?? [];
  expect(JSON.parse(sample)).toEqual({ kind: 'tom', name: 'string', lives: 0 });
});

test('several servers and their variables are shown, and path parameters that are not defined', async () => {
  const { markdown } = await render({
    openapi: '3.1.0',
    servers: [
      { url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
      { url: 'https://test.example.com', description: 'For tests' },
    ],
    paths: { '/a/{id}': { get: {} } },
  });
  expect(markdown.slice(markdown.indexOf('## Servers'))).toMatchInlineSnapshot(`
    "## Servers

    - \`https://{region}.example.com\`
    - \`https://test.example.com\`: For tests

    - \`region\` (string, default: eu): Options: \`eu\`, \`us\`

    ## Path parameters

    - \`id\` (string, path, required)"
  `);
});

test("the reference is in the page's language", async () => {
  const document = withBody({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string', default: 'x', minLength: 1 } },
  });
  const { html, markdown, headings } = await render(document, 'de');
  expect(headings.map(({ text }) => text)).toEqual(['Body']);
  expect(markdown).toContain('- `a` (string, body, erforderlich, Standard: x): Mindestlänge: `1`');
  expect(html).toContain('erforderlich');
  const french = await render(
    {
      openapi: '3.1.0',
      paths: { '/a/{id}': { get: { security: [{ key: [] }], responses: { 200: { description: 'Bien' } } } } },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    },
    'fr-CA',
  );
  expect(french.headings.map(({ text }) => text)).toEqual(['Autorisation', 'Paramètres de chemin', 'Réponses', '200']);
  expect(french.markdown).toContain('Envoyé sous la forme `Authorization: Bearer <token>`.');
});

test('several examples of a body are shown by their names; of a single one, the samples show enough', async () => {
  const post = (examples: Json) => ({
    openapi: '3.1.0',
    paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema: {}, examples } } } } } },
  });
  const [short, long] = [{ summary: 'Short', value: { to: 'Ada' } }, { value: { to: 'Bob', via: ['Eve'] } }];
  const several = (await render(post({ short, long }))).markdown;
  expect(several).toContain('```json Short\n{\n  "to": "Ada"\n}\n```');
  expect(several).toMatch(/^```json long\n.*"Bob"/ms);
  const single = (await render(post({ short }))).markdown;
  expect(single).not.toContain('```json');
  expect(single).toContain('"Ada"');
});

test.each([
  [{ lang: 'cURL' }, 'curl cURL', ['bash cURL']],
  [{ lang: 'Shell' }, 'shell Shell', ['bash cURL']],
  [{ lang: 'bash', label: 'curl' }, 'bash curl', ['bash cURL']],
  [{ lang: 'Node.js' }, 'node.js Node.js', ['js JavaScript']],
  [{ lang: 'python', label: 'Python SDK' }, 'python Python SDK', []],
  [{ lang: 'brainfuck' }, 'brainfuck brainfuck', []],
])(
  'a sample of the specification, %j, replaces the one in its language if it is not called otherwise',
  async (own, title, gone) => {
    const samples = async (get: object) => {
      const { html } = await render({ openapi: '3.1.0', paths: { '/a': { get } } });
      const titles = html.matchAll(/data-language="([^"]*)"><figcaption [^>]*>([^<]*)/g);
      return [...titles].map(([, language, name]) => `${language} ${name}`);
    };
    const made = await samples({});
    expect(made).toHaveLength(10);
    expect(made).toEqual(expect.arrayContaining(gone));
    const shown = await samples({ 'x-codeSamples': [{ ...own, source: 'mine' }] });
    expect(shown).toEqual([title, ...made.filter((name) => !gone.includes(name))]);
  },
);

test('a schema of many fields that comes again refers to its first fields', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const User = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
  const user = { $ref: '#/components/schemas/User' };
  const { html, markdown } = await render(
    withBody({ type: 'object', properties: { owner: user, reviewers: { type: 'array', items: user } } }, { User }),
  );
  expect(markdown).toContain('- `reviewers` (User[], body): The same fields as in [`owner`](#param-owner).');
  expect(markdown.match(/`h` \(string\)/g)).toHaveLength(1);
  expect(html).toContain('id="param-owner"');
});

test('links to fields work by the anchors of the hosted format', async () => {
  const { html } = await render(
    withBody({ type: 'object', properties: { showRank: { type: 'object', properties: { 'max.depth': {} } } } }),
  );
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual(expect.arrayContaining(['param-showrank', 'body-show-rank', 'param-showrank-max-depth']));
});

const ping = (name: string) =>
  `<script>${name}()</script><img src=x onerror=${name}()>[a](javascript:${name}())\n\n{${name}()}\n\n<${name} onclick="x()">`;

test('no string of a specification becomes a script', async () => {
  const text = ping('boom');
  const schema = {
    title: text,
    description: text,
    type: 'object',
    required: [text],
    properties: {
      [text]: { type: text, format: text, description: text, enum: [text], default: text, example: text, pattern: text },
    },
    oneOf: [
      { title: text, properties: { a: { description: text } } },
      { title: text, properties: { b: { description: text } } },
    ],
  };
  const media = {
    [text]: { schema, example: text, examples: { [text]: { summary: text, value: text } } },
    'application/json': { schema },
  };
  const operation = {
    summary: text,
    description: text,
    externalDocs: { url: 'javascript:boom()', description: text },
    parameters: ['path', 'query', 'header', 'cookie'].map((location) => ({
      name: text,
      in: location,
      description: text,
      schema,
      example: text,
    })),
    requestBody: { description: text, content: media },
    responses: { [text]: { description: text, headers: { [text]: { description: text, schema } }, content: media } },
    callbacks: { [text]: { [text]: { post: { description: text, requestBody: { content: media } } } } },
    security: [{ [text]: [text] }, { key: [] }],
    'x-codeSamples': [{ lang: text, label: text, source: text }],
  };
  const { html } = await render({
    openapi: '3.1.0',
    servers: [{ url: `https://example.com/${text}` }],
    paths: { [`/${text}`]: { get: operation } },
    components: {
      securitySchemes: {
        [text]: { type: 'oauth2', flows: { [text]: { scopes: { [text]: text } } }, description: text },
        key: { type: 'apiKey', in: 'header', name: text, description: text },
      },
    },
  });
  expectNoScript(html);
});

/** Schemas of which each is made of the next one; the last one has a required field. */
function levels(schemaOf: (next: { $ref: string }, level: number) => unknown) {
  const end = { properties: { end: { type: 'string' } }, required: ['end'] };
  return Object.fromEntries(
    Array.from({ length: 23 }, (_, i) => [
      i === 0 ? 'A' : `S${i}`,
      i === 22 ? end : schemaOf({ $ref: `#/components/schemas/S${i + 1}` }, i),
    ]),
  );
}

test.each<[string, Json, string]>([
  [
    'that contains itself through others',
    {
      A: { properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { properties: { c: { $ref: '#/components/schemas/C' } } },
      C: { properties: { a: { $ref: '#/components/schemas/A' }, end: { type: 'string' } }, required: ['end'] },
    },
    '`end` (string, required)',
  ],
  [
    'whose allOf contains itself',
    { A: { allOf: [{ $ref: '#/components/schemas/A' }, { properties: { end: { type: 'string' } }, required: ['end'] }] } },
    '`end` (string, body, required)',
  ],
  ['that refers to itself alone', { A: { $ref: '#/components/schemas/A' } }, 'Its schema could not be read.'],
  ['that refers to nothing', { A: { $ref: '#/components/schemas/Gone' } }, 'Its schema could not be read.'],
  [
    'of forty that all contain each other',
    Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        i === 0 ? 'A' : `S${i}`,
        {
          required: ['end'],
          properties: {
            end: { type: 'string' },
            ...Object.fromEntries(
              Array.from({ length: 39 }, (_, j) => [`p${j + 1}`, { $ref: `#/components/schemas/S${j + 1}` }]),
            ),
          },
        },
      ]),
    ),
    '`end` (string, body, required)',
  ],
  [
    'of allOfs that double at each of thirty levels',
    Object.fromEntries(
      Array.from({ length: 31 }, (_, i) => [
        i === 0 ? 'A' : `S${i}`,
        i === 30
          ? { properties: { end: { type: 'string' } }, required: ['end'] }
          : {
              allOf: [
                { $ref: `#/components/schemas/S${i + 1}` },
                { $ref: `#/components/schemas/S${i + 1}` },
                { allOf: [{ $ref: `#/components/schemas/S${i + 1}` }] },
              ],
            },
      ]),
    ),
    '`end` (string, body, required)',
  ],
  [
    'of two allOfs that both double at each level',
    levels((next, i) => ({ allOf: [{ allOf: [next, { title: `a${i}` }] }, { allOf: [{ title: `b${i}` }, next] }] })),
    '`end` (string, body, required)',
  ],
  [
    'of two lists of alternatives at each level',
    levels((next, i) => ({ oneOf: [next, { title: `a${i}` }], anyOf: [next, { properties: { [`b${i}`]: next } }] })),
    '`end` (string, required)',
  ],
  [
    'of an allOf of alternatives at each level',
    levels((next, i) => ({
      allOf: [{ oneOf: [next, { title: `a${i}` }] }, { oneOf: [next, { properties: { [`b${i}`]: next } }] }],
    })),
    '`end` (string, required)',
  ],
  [
    'of two lists of a single alternative at each level',
    levels((next) => ({ allOf: [{ oneOf: [next] }, { anyOf: [next] }] })),
    '`end` (string, body, required)',
  ],
  [
    'of six alternatives with an allOf at each level',
    levels((next) => ({ oneOf: Array.from({ length: 6 }, (_, i) => ({ allOf: [next, { maxItems: i }] })) })),
    '`end` (string, required)',
  ],
])('a schema %s has an end, and its required field', async (_, schemas, expected) => {
  const { html, markdown } = await render(withBody({ $ref: '#/components/schemas/A' }, schemas));
  expect(markdown).toContain(expected);
  expect(html.length).toBeLessThan(3_000_000);
});

test('a webhook shows the examples of its payload beside its fields', async () => {
  const webhook = (media: Json): Json => ({
    openapi: '3.1.0',
    webhooks: { moved: { post: { requestBody: { content: { 'application/json': media } }, responses: { 204: {} } } } },
  });
  const schema = { type: 'object', properties: { parcel: { type: 'string', example: 'p1' } } };
  const made = await render(webhook({ schema }), 'de');
  expect(made.html).toMatch(/c-examples[^]*Nutzdaten/);
  expect(made.markdown).toContain('"parcel": "p1"');
  const examples = { first: { value: { parcel: 'p2' } }, second: { summary: 'Second', value: { parcel: 'p3' } } };
  const own = await render(webhook({ schema, examples }));
  for (const part of ['```json first', '"p2"', '```json Second', '"p3"']) expect(own.markdown).toContain(part);
});
