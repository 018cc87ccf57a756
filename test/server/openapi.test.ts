// The API's description as tools for such documents see it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { errorStatuses } from '../../server/platform/errors.ts';
import { temporaryFolder } from '../integration/export/folder.ts';
import { permanentNames } from '../support/problem-names.ts';
import { openTestServer } from './support/services.ts';

interface Operation {
  operationId?: string;
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
      MessageStream: { description: string };
    };
    headers: Record<string, { description: string }>;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
);

test(
  'redocly lint finds no error in it, and no warning but of the address that the tests have',
  { timeout: 60_000 },
  async () => {
    const file = join(temporaryFolder(), 'openapi.json');
    writeFileSync(file, text);
    const program = join(dirname(fileURLToPath(import.meta.resolve('@redocly/cli/package.json'))), 'bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'lint', file, '--format=json'], {
      env,
      cwd: dirname(file),
      timeout: 50_000,
    });
    const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      totals: { errors: number };
      problems: { ruleId: string; location: { pointer: string }[] }[];
    };
    expect(totals.errors).toBe(0);
    expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]!.pointer}`)).toEqual([
      'no-server-example.com #/servers/0/url',
    ]);
  },
);

test('every operation has an id, its own keys or none, one tag that is described, and described headers', () => {
  expect(operations.length).toBeGreaterThan(30);
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { name, operationId, security, tags: own = [], responses } of operations) {
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
    { adminKey: [] },
  ]);
});

test('the codes of errors are a list, and it has each code that the server answers with', () => {
  expect(document.components.schemas.Error.properties.code.enum).toEqual(Object.keys(errorStatuses));
  expect(Object.keys(errorStatuses).sort()).toEqual(permanentNames('.', ['src', 'server', 'integration']).apiCodes);
});

test('the parts of a message are types that can be checked, and the stream says what it holds', () => {
  const { items } = document.components.schemas.Message.properties.parts;
  expect(items.anyOf.map(({ properties }) => properties.type.const)).toEqual([
    'text',
    'reasoning',
    'source-url',
    'file',
    'step-start',
  ]);
  expect(Object.keys(items).sort()).toEqual(['anyOf', 'description', 'type']);
  const { content } = document.paths['/discovery/v2/assistant/{domain}/message']!.post!.responses['200']!;
  expect(content!['text/event-stream']!.schema.$ref).toBe('#/components/schemas/MessageStream');
  const { description } = document.components.schemas.MessageStream;
  for (const type of ['start', 'text-delta', 'source-url', 'data-thread', 'error', 'finish'])
    expect(description).toContain(`\`${type}\``);
});
