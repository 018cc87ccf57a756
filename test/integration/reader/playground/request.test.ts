import { describe, expect, test } from 'vitest';
import type { Operation, Parameter } from '../../../../integration/reader/playground/operation.ts';
import { requestOf, type Values } from '../../../../integration/reader/playground/request.ts';
import { Texts } from '../../../../integration/reader/playground/texts.ts';
import { english, playgroundLabels } from '../../../../integration/texts/index.ts';

const texts = new Texts(playgroundLabels(english), 'en');

const values: Values = {
  ...{ server: 0, variables: {}, security: 0, secrets: {}, parameters: {}, content: 0, body: '', fields: {}, files: {} },
};
const operation: Operation = {
  ...{ method: 'GET', path: '/things', title: 'Things', servers: [{ url: 'https://api.example/v1/', variables: [] }] },
  ...{ security: [], parameters: [], answers: [] },
};
const parameter = (given: Partial<Parameter>): Parameter => ({
  name: 'a',
  in: 'query',
  required: false,
  schema: {},
  isJson: false,
  ...given,
});

/** The URL for one parameter, and what is wrong with it. */
function urlOf(given: Partial<Parameter>, text: string, path = '/things') {
  const one = parameter(given);
  const parameters = { [`${one.in} ${one.name}`]: text };
  const { request, faults } = requestOf({ ...operation, path, parameters: [one] }, { ...values, parameters }, 'file:///a.html');
  return [request.url.replace('https://api.example/v1', ''), ...[...faults.values()].map((fault) => texts.ofFault(fault))];
}

test.each<[Partial<Parameter>, string, string[]]>([
  [{}, 'x&y=1', ['/things?a=x%26y%3D1']],
  [{}, '', ['/things']],
  [{ required: true }, '', ['/things', 'A value is required.']],
  [{ schema: { type: 'integer', maximum: 9 } }, '10', ['/things?a=10', 'Must be at most 9.']],
  [{ schema: { type: 'integer' } }, 'ten', ['/things?a=ten', 'Must be of type integer.']],
  [{ schema: { type: 'array' } }, '1\n2', ['/things?a=1&a=2']],
  [{ schema: { type: 'array' }, explode: false }, '1\n2', ['/things?a=1,2']],
  [{ schema: { type: 'array' }, style: 'pipeDelimited' }, '1\n2', ['/things?a=1%7C2']],
  [{ schema: { type: 'object' }, style: 'deepObject' }, '{"b":1}', ['/things?a%5Bb%5D=1']],
  [{ schema: { type: 'object' } }, '{', ['/things?a=%7B', expect.stringMatching(/^Is not valid JSON: ./)]],
  [{ isJson: true }, '[1]', ['/things?a=%5B1%5D']],
])('a query parameter %j with %j', (given, text, expected) => {
  expect(urlOf(given, text)).toEqual(expected);
});

test('a value in a path stays one segment of it', () => {
  const path = { in: 'path' as const, required: true };
  expect(urlOf(path, '../b?c#d', '/things/{a}')).toEqual(['/things/..%2Fb%3Fc%23d']);
  expect(urlOf(path, '..', '/things/{a}')).toEqual(['/things/{a}', 'Must not be “.” or “..”.']);
});

describe('headers', () => {
  const send = (more: Partial<Operation>, given: Partial<Values>) =>
    requestOf({ ...operation, ...more }, { ...values, ...given }, 'file:///a.html');

  test('a line break does not become another header', () => {
    const { request, faults } = send(
      { parameters: [parameter({ in: 'header', name: 'X-A' })] },
      { parameters: { 'header X-A': 'a\r\nX-Admin: 1' } },
    );
    expect(request.headers).toEqual([]);
    expect([...faults]).toEqual([['header X-A', { path: '', text: ['faultHeader'] }]]);
  });

  test('credentials are sent as their scheme says', () => {
    const security = [
      [{ name: 'login', kind: 'basic' as const }],
      [{ name: 'key', kind: 'query' as const, field: 'api key' }],
      [{ name: 'token', kind: 'bearer' as const }],
    ];
    const secrets = { login: { user: 'ada', secret: 'ü' }, key: { secret: 'k&k' }, token: { secret: 't' } };
    expect(send({ security }, { secrets }).request.headers).toEqual([['Authorization', 'Basic YWRhOsO8']]);
    expect(send({ security }, { secrets, security: 1 }).request.url).toBe('https://api.example/v1/things?api%20key=k%26k');
    expect(send({ security }, { secrets, security: 2 }).request.headers).toEqual([['Authorization', 'Bearer t']]);
  });
});

test('a variable of a server does not become another host', () => {
  const servers = [{ url: 'https://{region}.api.example', variables: [{ name: 'region', value: 'eu' }] }];
  const faultsOf = (region: string) => [
    ...requestOf({ ...operation, servers }, { ...values, variables: { region } }, 'file:///a.html').faults,
  ];
  expect(faultsOf('us')).toEqual([]);
  expect(faultsOf('evil.example/?')).toHaveLength(1);
  expect(faultsOf('evil.example#')).toHaveLength(1);
});

test('a JSON body is checked', () => {
  const body = { required: true, contents: [{ type: 'application/json', schema: { type: 'object', required: ['to'] } }] };
  const faultOf = (text: string) => {
    const fault = requestOf({ ...operation, body }, { ...values, body: text }, 'file:///a.html').faults.get('body');
    return fault && texts.ofFault(fault);
  };
  expect(faultOf('{"to":1}')).toBeUndefined();
  expect(faultOf('{}')).toBe('to: A value is required.');
  expect(faultOf('')).toBe('A value is required.');
  expect(faultOf('{')).toMatch(/^Is not valid JSON: ./);
});
