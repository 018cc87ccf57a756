// What callers read about a request that is not valid, through the real API.
import { describe, expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';

const { request, adminKey, keyWith } = await openTestServer();
await request('PUT', '/v1/sites/docs.example.com', { source: { type: 'git', url: 'https://git.example.com/docs.git' } });
const { secret: assistantKey } = await keyWith({ kind: 'assistant', domains: ['docs.example.com'] });

async function errorOf(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const key = path.startsWith('/discovery/') ? assistantKey : adminKey;
  const answer = await request(method, path, body, key, headers);
  const { error, code, message } = (await answer.json()) as { error: string; code: string; message?: string };
  return { status: answer.status, code, error, message };
}

const jobs = '/v1/static-export/jobs';
const site = '/v1/sites/docs.example.com';
const message = '/discovery/v2/assistant/docs.example.com/message';
const git = { type: 'git', url: 'https://git.example.com/docs.git' };

test.each<[method: string, path: string, body: unknown, error: string]>([
  ['POST', message, {}, '"fp" is missing; it must be a string.'],
  ['POST', message, { fp: 7 }, '"fp" is 7; it must be a string.'],
  ['POST', message, { fp: '' }, '"fp" is ""; it must have at least 1 character.'],
  ['POST', message, { fp: 'x'.repeat(257) }, '"fp" has 257 characters; it must have at most 256 characters.'],
  ['POST', message, { fp: 'x', retrievalPageSize: 51 }, '"retrievalPageSize" is 51; it must be at most 50.'],
  ['POST', message, { fp: 'x', retrievalPageSize: 1.5 }, '"retrievalPageSize" is 1.5; it must be a whole number.'],
  ['POST', message, { fp: 'x', messages: 'hello' }, '"messages" is "hello"; it must be a list.'],
  [
    'POST',
    message,
    { fp: 'x', messages: [{ id: '1', role: 'tool', parts: [] }] },
    '"messages.0.role" is "tool"; it must be "system", "assistant" or "user".',
  ],
  [
    'POST',
    message,
    { fp: 'x', messages: [{ id: '1', role: 'user', parts: [{ type: 'text' }] }] },
    '"messages.0.parts.0.text" is missing; it must be a string.',
  ],
  ['POST', message, [], 'The body is a list; it must be an object.'],
  ['POST', `${message}?explain=yes`, { fp: 'x' }, 'The query parameter "explain" is "yes"; it must be "0" or "1".'],
  ['GET', `${jobs}?limit=200`, undefined, 'The query parameter "limit" is "200"; it must be at most 100.'],
  [
    'POST',
    jobs,
    { domain: 'docs.example.com', colour: 'red' },
    '"colour" is not a known field; remove it or correct its spelling.',
  ],
  ['POST', jobs, { domain: 7, paths: {} }, '"domain" is 7; it must be a string. "paths" is an object; it must be a list.'],
  ['PUT', site, { source: { type: 'svn' } }, '"source.type" is "svn"; it must be folder or git.'],
  ['PUT', site, { source: git, builder: 'hugo' }, '"builder" is "hugo"; it must be docs, astro or html.'],
  [
    'PUT',
    site,
    { source: { ...git, branch: 'main' } },
    '"source.branch" is not a known field; remove it or correct its spelling.',
  ],
  ['PUT', '/v1/sites/a_b', { source: git }, 'In the path, "domain" is "a_b"; it must be a host name'],
  ['PATCH', '/v1/organizations/default', {}, 'The body is an object; it must contain name or plan.'],
])('%s %s %j', async (method, path, body, error) => {
  const answer = await errorOf(method, path, body);
  expect(answer).toMatchObject({ status: 400, code: 'RequestInvalid' });
  expect(answer.error).toContain(`The request is not valid. ${error}`);
});

test('does not repeat what may be a secret', async () => {
  const password = 'https://me:hunter2@git.example.com/docs.git';
  const model = {
    baseUrl: 'http://me:hunter2@127.0.0.1/v1',
    model: 'm',
    apiKey: 'hunter2 hunter2',
    headers: { 'x-api': 'hunter2\n' },
  };
  const answer = await errorOf('PUT', site, { source: { ...git, url: password }, siteUrl: password, assistant: { model } });
  expect(answer.error).toContain('"assistant.model.apiKey" must not contain spaces.');
  expect(answer.error).not.toContain('hunter2');
});

describe('the error for a body that is not JSON has an example for the route', () => {
  test.each([
    [message, '{"fp":"anonymous","messages":'],
    ['/discovery/v1/search/docs.example.com', '{"query":"install with npm"'],
    ['/discovery/v1/page/docs.example.com', '{"path":"guides/install"}'],
    [jobs, '{"domain":"docs.example.com"}'],
    ['/v1/keys', '{"name":'],
    ['/v1/webhooks', '{"url":"https://'],
  ])('POST %s', async (path, example) => {
    const answer = await errorOf('POST', path, '{"domain"');
    expect(answer).toMatchObject({ status: 400, code: 'BodyInvalid', error: expect.stringContaining(`such as ${example}`) });
    // Clients of page errors read `message`.
    expect(answer.message).toBe(path.includes('/page/') ? answer.error : undefined);
  });
});

test('no error contains a message of the validation library', async () => {
  const { paths } = (await (await request('GET', '/openapi.json')).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content?: object } }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody?.content)
      .map(
        ([method]) =>
          [method.toUpperCase(), path.replace('{domain}', 'docs.example.com').replaceAll(/\{\w+\}/g, 'default')] as const,
      ),
  );
  const fields = [
    'source',
    'assistant',
    'kind',
    'name',
    'scopes',
    'addresses',
    'expiresAt',
    'domains',
    'origins',
    'organizationId',
    'plan',
  ];
  const more = [
    'fp',
    'messages',
    'filter',
    'context',
    'query',
    'pageSize',
    'scoreThreshold',
    'path',
    'groups',
    'url',
    'events',
    'rating',
    'paths',
  ];
  const values = [
    null,
    7,
    -1,
    1e9,
    true,
    '',
    'x'.repeat(5000),
    [],
    [7, null],
    {},
    { type: 'x', role: 'x', model: { timeouts: 7 } },
  ];
  const bodies = [
    [],
    7,
    'null',
    {},
    ...values.map((value) => Object.fromEntries([...fields, ...more].map((name) => [name, value]))),
  ];
  const errors: string[] = [];
  for (const [method, path] of operations)
    for (const body of bodies) errors.push((await errorOf(method, path, body)).error ?? '');
  const invalid = errors.filter((error) => error.startsWith('The request is not valid.'));
  expect(invalid.length).toBeGreaterThan(100);
  expect(
    invalid.filter((error) => /Invalid|Unrecognized|expected|received|Too (?:big|small)|undefined|\[object/.test(error)),
  ).toEqual([]);
});

test('the fields of a body that are not valid are listed, each with its reason', async () => {
  const fieldsOf = async (method: string, body: unknown, path = site) =>
    (await (await request(method, path, body)).json()).fields;
  const suggestions = ['Short?', 'x'.repeat(201)];
  expect(
    await fieldsOf('PATCH', { features: { assistant: { suggestions } }, source: { ...git, url: 'git@github.com:a/b' } }),
  ).toEqual([
    {
      path: 'source.url',
      message: 'must be an https:// or ssh:// URL: https://github.com/a/b or ssh://git@github.com/a/b',
    },
    { path: 'features.assistant.suggestions.1', message: 'has 201 characters; it must have at most 200 characters' },
  ]);
  expect(await fieldsOf('PATCH', { socialCards: true, siteUrl: null })).toEqual([
    { path: 'socialCards', message: 'needs siteUrl, because links to images must be absolute' },
  ]);
  expect(await fieldsOf('GET', undefined, `${jobs}?limit=200`)).toBeUndefined();
});
