import { expect, test } from 'vitest';
import type { Operation as PlaygroundOperation } from '../../../integration/reader/playground/operation.ts';
import type { Json } from '../../../src/openapi/json.ts';
import { operationsOf } from '../../../src/openapi/operations.ts';
import { hasPlayground } from '../../../src/render/operation-pages.ts';
import { operationScript, operationOrigins } from '../../../src/openapi/playground-data.ts';

/** What the script of the first operation hands over. */
function dataOf(document: Json) {
  const [operation] = operationsOf({ document });
  const script = operationScript(document, operation!);
  // What is JSON without "<" is the same value in a script.
  const data: PlaygroundOperation = JSON.parse(script.slice('__carrel_operation('.length, -');\n'.length));
  return { script, data };
}

const withBody = (schema: unknown, schemas: Json = {}): Json => ({
  openapi: '3.1.0',
  paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
  components: { schemas },
});

test('a schema that contains itself has an end', () => {
  const tree = { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#/components/schemas/Tree' } } };
  const { data } = dataOf(withBody({ $ref: '#/components/schemas/Tree' }, { Tree: tree }));
  expect(data.body?.contents[0]?.schema).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, child: {} },
  });
});

test('schemas that multiply have an end', () => {
  const wide = (next: string) => ({
    properties: Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`p${index}`, { $ref: `#/components/schemas/${next}` }]),
    ),
  });
  const schemas = { A: wide('B'), B: wide('C'), C: wide('D'), D: wide('E'), E: { type: 'string' } };
  expect(dataOf(withBody({ $ref: '#/components/schemas/A' }, schemas)).script.length).toBeLessThan(200_000);
});

test('what only the server sets is not required of a request', () => {
  const schema = { type: 'object', required: ['id', 'to'], properties: { id: { readOnly: true }, to: { type: 'string' } } };
  expect(dataOf(withBody(schema)).data.body?.contents[0]?.schema?.required).toEqual(['to']);
});

test('texts of the specification are data', () => {
  const hostile = '</script><script>alert(1)</script>\u2028`${1}\\';
  const { script, data } = dataOf({ openapi: '3.1.0', paths: { [`/${hostile}`]: { get: { summary: hostile } } } });
  expect(data.title).toBe(hostile);
  expect(script).not.toContain('<');
  expect(script.trimEnd().split(/[\n\u2028]/)).toHaveLength(1);
});

test('x-default fills in what readers try, before examples and defaults', () => {
  const { data } = dataOf({
    openapi: '3.1.0',
    paths: {
      '/a': {
        post: {
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', 'x-default': 5, example: 7, default: 9 } },
            { name: 'sort', in: 'query', 'x-default': 'name', example: 'date', schema: { type: 'string' } },
            { name: 'page', in: 'query', schema: { type: 'integer', example: 7, default: 9 } },
          ],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } },
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } } },
        },
      },
    },
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', 'x-default': 'sandbox' } },
      schemas: {
        Parcel: {
          type: 'object',
          properties: {
            to: { type: 'string', 'x-default': 'Grace', example: 'Ada', default: 'Alan' },
            from: { $ref: '#/components/schemas/Name' },
            'x-default': { type: 'boolean', example: true },
          },
        },
        Name: { type: 'string', 'x-default': 'Edsger' },
      },
    },
  });
  expect(data.parameters.map(({ name, example, isPrefilled }) => [name, example, isPrefilled])).toEqual([
    ['limit', 5, true],
    ['sort', 'name', true],
    ['page', 7, undefined],
  ]);
  expect(data.body?.contents[0]?.example).toEqual({ to: 'Grace', from: 'Edsger', 'x-default': true });
  expect(data.answers[0]?.example).toMatchObject({ to: 'Ada' });
  expect(data.security).toEqual([[{ name: 'key', kind: 'header', field: 'X-Key', secret: 'sandbox' }]]);
});

test.each([
  [undefined, {}, true],
  ['interactive', {}, true],
  ['auth', {}, true],
  ['simple', {}, false],
  ['none', {}, false],
  ['none', { playground: 'interactive' }, true],
  ['interactive', { playground: 'none' }, false],
])('api.playground.display %j with the frontmatter %j: a playground is %j', (display, frontmatter, expected) => {
  expect(hasPlayground({ playground: { display } }, frontmatter)).toBe(expected);
});

test('tokens come from absolute URLs only, which nobody can read on the way', () => {
  const flowsOf = (tokenUrl: unknown, authorizationUrl: unknown) => {
    const flows = { authorizationCode: { tokenUrl, authorizationUrl, scopes: {} }, clientCredentials: { tokenUrl, scopes: {} } };
    const document = {
      ...{ openapi: '3.1.0', paths: { '/a': { get: { security: [{ login: ['read', 'write'] }] } } } },
      components: { securitySchemes: { login: { type: 'oauth2', flows } } },
    };
    const [[scheme] = []] = dataOf(document).data.security;
    expect(scheme).toMatchObject({ name: 'login', kind: 'bearer' });
    return { scopes: scheme?.scopes, grants: scheme?.flows?.map(({ grant }) => grant) };
  };
  expect(flowsOf('https://login.example/token', 'https://login.example/authorize')).toEqual({
    scopes: 'read write',
    grants: ['authorization_code', 'client_credentials'],
  });
  expect(flowsOf('http://localhost:8080/token', 'javascript:alert(1)').grants).toEqual(['client_credentials']);
  for (const url of ['http://login.example/token', '/token', 'javascript:alert(1)', 'http://127.0.0.1.evil.example/', 7])
    expect(flowsOf(url, 'https://login.example/authorize').grants).toBeUndefined();
});

test('cookies are never parameters', () => {
  const parameters = [
    { name: 'session', in: 'cookie' },
    { name: 'q', in: 'query' },
  ];
  const { data } = dataOf({ openapi: '3.1.0', paths: { '/a': { get: { parameters } } } });
  expect(data.parameters.map(({ name }) => name)).toEqual(['q']);
});

test('the origins of an operation contain those of each value of a variable', () => {
  const servers = [
    { url: 'https://{region}.api.example/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
    { url: '/v2' },
    { url: 'javascript:alert(1)' },
  ];
  const document = { openapi: '3.1.0', servers, paths: { '/a': { get: {} } } };
  expect(operationOrigins(document, operationsOf({ document })[0]!)).toEqual({
    servers: ['https://eu.api.example', 'https://us.api.example'],
    tokens: [],
  });
});
