// The API's description as tools for such documents see it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { statusMeanings } from '../../server/http/error-answers.ts';
import errorCodes from '../../server/platform/error-codes.json' with { type: 'json' };
import { temporaryFolder } from '../integration/export/folder.ts';
import { openTestServer } from './support/services.ts';

interface Union {
  oneOf: { properties: { type: { enum: string[] } } }[];
}

interface Operation {
  operationId?: string;
  description?: string;
  security?: object[];
  tags?: string[];
  responses: Record<
    string,
    { headers?: Record<string, { $ref?: string }>; content?: Record<string, { schema: { $ref?: string } }> }
  >;
}

const { api } = await openTestServer();
const text = await (await api.request('/openapi.json')).text();
const document = JSON.parse(text) as {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: {
      Error: { properties: { code: { enum: string[] } } };
      Message: { properties: { parts: { items: { anyOf: { properties: { type: { const: string } } }[] } } } };
      MessageChunk: Union;
      PlaygroundEvent: Union;
    };
    headers: Record<string, { description: string }>;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
);

test('redocly lint finds no error in it, and no warning but of the address that the tests have', async () => {
  const file = join(temporaryFolder(), 'openapi.json');
  writeFileSync(file, text);
  const program = join(dirname(fileURLToPath(import.meta.resolve('@redocly/cli/package.json'))), 'bin/cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'lint', file, '--format=json'], {
    env,
    cwd: dirname(file),
    timeout: 240_000,
  });
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    totals: { errors: number };
    problems: { ruleId: string; location: { pointer: string }[] }[];
  };
  expect(totals.errors).toBe(0);
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]!.pointer}`)).toEqual([
    'no-server-example.com #/servers/0/url',
  ]);
});

test('every operation has an id, a description, its own keys or none, one tag that is described, and described headers', () => {
  expect(operations.length).toBeGreaterThan(30);
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { name, operationId, description, security, tags: own = [], responses } of operations) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z]+([A-Z]\w*)?$/)]);
    expect([name, security]).toEqual([name, expect.any(Array)]);
    expect([name, own.map((tag) => tags.get(tag))]).toEqual([name, [expect.stringMatching(/\.$/)]]);
    for (const [status, { headers = {} }] of Object.entries(responses)) {
      expect([name, status, headers['X-Request-Id']]).toEqual([name, status, { $ref: '#/components/headers/RequestId' }]);
    }
  }
  const busy = operations.flatMap(({ name, responses }) =>
    ['429', '503'].flatMap((status) => (responses[status] ? [{ name, headers: responses[status].headers }] : [])),
  );
  expect(busy.filter(({ headers }) => !headers?.['Retry-After'])).toEqual([]);
  expect(Object.keys(document.components.headers).sort()).toEqual(['RateLimit', 'RateLimitPolicy', 'RequestId', 'RetryAfter']);
  expect(document.paths['/discovery/v1/search/{domain}']!.post!.responses['200']!.headers).toHaveProperty('RateLimit');
});

test('the keys that open nothing, the numbers, and an explanation are told apart', () => {
  expect(document.paths['/healthz']!.get!.security).toEqual([]);
  expect(document.paths['/metrics']!.get!.security).toEqual([{}, { metricsToken: [] }]);
  expect(document.paths['/discovery/v2/assistant/{domain}/message']!.post!.security).toEqual([
    { assistantKey: [] },
    { pageToken: [] },
    { adminKey: [] },
  ]);
});

test('the codes of errors are a list, and it has each code that the server answers with', () => {
  expect(document.components.schemas.Error.properties.code.enum).toEqual(Object.keys(errorCodes));
  expect(Object.values(errorCodes).filter(({ status }) => !(status in statusMeanings))).toEqual([]);
});

test('the parts of a message are types that can be checked', () => {
  const { items } = document.components.schemas.Message.properties.parts;
  expect(items.anyOf.map(({ properties }) => properties.type.const)).toEqual([
    'text',
    'reasoning',
    'source-url',
    'file',
    'step-start',
  ]);
  expect(Object.keys(items).sort()).toEqual(['anyOf', 'description', 'type']);
});

test('each stream names the schema of its events, and each event its type', () => {
  const { schemas } = document.components;
  const streams = operations.flatMap(({ responses }) => responses['200']?.content?.['text/event-stream']?.schema.$ref ?? []);
  const names = [...new Set(streams)].map((ref) => ref.replace('#/components/schemas/', ''));
  expect(names.sort()).toEqual(['JobStream', 'MessageStream', 'PlaygroundAnswer']);
  const events = names.map((name) => (schemas as Record<string, { contentSchema?: object }>)[name]!.contentSchema);
  expect(events).toEqual(['Job', 'MessageChunk', 'PlaygroundEvent'].map((name) => ({ $ref: `#/components/schemas/${name}` })));
  const types = ({ oneOf }: Union) => oneOf.flatMap(({ properties }) => properties.type.enum);
  expect(types(schemas.PlaygroundEvent)).toEqual(['head', 'bytes', 'end', 'error']);
  expect(types(schemas.MessageChunk)).toEqual([
    ...['start', 'data-thread', 'start-step', 'data-reading', 'text-start', 'text-delta', 'source-url', 'text-end', 'error'],
    ...['finish-step', 'finish'],
  ]);
});

test('only what clients, browsers and models define is open', () => {
  const open: string[] = [];
  const isEmpty = (value: unknown) => JSON.stringify(value) === '{}' || value === true;
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if ((key === 'additionalProperties' || key === 'items') && isEmpty(inner)) open.push(path);
      if (key !== 'example') visit(inner, `${path}/${key.replaceAll('/', '~1')}`);
    }
  };
  visit(document, '#');
  expect(open.map((path) => path.replace('#/components/schemas/', '')).sort()).toEqual([
    'Message/properties/metadata',
    'Message/properties/parts/items/anyOf/1/properties/providerMetadata/anyOf/0',
    'Message/properties/parts/items/anyOf/2/properties/providerMetadata/anyOf/0',
    'MessageVersion1/properties/annotations',
    'NewPasskey/properties/credential',
    'NewPasskey/properties/credential/properties/clientExtensionResults',
    'NewPasskey/properties/credential/properties/response',
    'NewSite/properties/assistant/properties/fallback/properties/body',
    'NewSite/properties/assistant/properties/model/properties/body',
    'OidcTest/properties/claims/anyOf/0',
    'PasskeyOptions',
    'PasskeySignIn/properties/credential',
    'PasskeySignIn/properties/credential/properties/clientExtensionResults',
    'PasskeySignIn/properties/credential/properties/response',
    'SiteChanges/properties/assistant/properties/fallback/properties/body',
    'SiteChanges/properties/assistant/properties/model/anyOf/0/properties/body',
    'SiteModel/properties/body',
  ]);
});

test('a named schema admits no null, which only some of the places that refer to it do', () => {
  const named = Object.entries(document.components.schemas as Record<string, { type?: string | string[] }>);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(([, { type }]) => Array.isArray(type) && type.includes('null')).map(([name]) => name)).toEqual([]);
});
