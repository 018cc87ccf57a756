// Every route of the API, with every kind of credential of another organization: none reads or changes what is not its own.
import { expect, test } from 'vitest';
import { dump } from '../../../server/database/backup.ts';
import { insertSomeRows } from '../database/some-rows.ts';
import { openTestServer } from '../support/services.ts';

const { services, request, keyOf, keyWith } = await openTestServer({
  ...{ oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'carrel', oidcOrganization: 'alpha' },
});
await insertSomeRows(services.database);
const source = { type: 'git', url: 'https://git.example.com/docs.git' };
const write = await keyOf('team-b', ['write']);
await request('PUT', '/v1/sites/own.example.com', { source }, write);

const make = async (more: object) => (await keyWith({ organization: 'team-b', name: 'b', ...more })).secret;
const signIn = async (key: string) => {
  const answer = await request('POST', '/v1/session', undefined, key, { host: 'api.example.com' });
  return answer.headers.get('set-cookie')!.split(';')[0]!;
};
const dashboard = { host: 'api.example.com', 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
const revoked = await keyWith({ organization: 'team-b', name: 'b' });
const ended = await signIn(revoked.secret);
await services.keys.revoke('team-b', revoked.key.id);

// Of a session, for each request another one: some routes end them.
const session = async (headers: Record<string, string>) => ({ cookie: await signIn(write), ...headers });
interface Credential {
  key: string | null;
  headers?: Record<string, string> | (() => Promise<Record<string, string>>);
}
const memberOf = async (role: string) => {
  const body = { email: `${role}${Math.random()}@example.com`, role, organization: 'team-b' };
  const { member } = await (await request('POST', '/v1/members', body)).json();
  const key = (await services.keys.get('team-b', member.memberId))!;
  const { token } = await services.sessions.create(key, { address: '', agent: '' });
  return { ...dashboard, cookie: `carrel-session=${token}` };
};
const credentials: Record<string, Credential> = {
  'a viewer': { key: null, headers: () => memberOf('viewer') },
  'an owner': { key: null, headers: () => memberOf('owner') },
  'a key that owns': { key: await make({ scopes: ['owner'] }) },
  none: { key: null },
  'a key that reads': { key: await make({ scopes: ['read'] }) },
  'a key that writes': { key: write },
  'an assistant key': { key: await make({ kind: 'assistant', domains: ['own.example.com'] }) },
  'the token of a page': {
    key: services.pageTokens.create((await services.sites.get('own.example.com'))!),
    headers: { origin: services.sitesUrl },
  },
  'a session': { key: null, headers: () => session(dashboard) },
  'a session of another page': { key: null, headers: () => session({ host: dashboard.host, 'sec-fetch-site': 'same-site' }) },
  'a session without its header': {
    key: null,
    headers: () => session({ host: dashboard.host, 'sec-fetch-site': 'same-origin' }),
  },
  'a session whose key was revoked': { key: null, headers: { cookie: ended, ...dashboard } },
};

const alpha = { email: 'alpha@example.com', name: 'drop schema carrel', organization: 'alpha' };
const { member: alphas } = await (await request('POST', '/v1/members', alpha)).json();
const thread = '01JD6Z0000ABCDEFGHJKMNPQRS';
const response = { clientDataJSON: '', attestationObject: '', authenticatorData: '', signature: '' };
const credential = { id: 'pk_1', rawId: 'pk_1', type: 'public-key', clientExtensionResults: {}, response };
const theirs: Record<string, string> = {
  memberId: alphas.memberId,
  passkeyId: 'pk_1',
  organizationId: 'alpha',
  keyId: 'key_1',
  sessionId: 'ses_1',
  domain: 'manual',
  service: 'github',
  jobId: 'se_1',
  otherJobId: 'se_2',
  webhookId: 'wh_1',
  deliveryId: 'del_1',
  name: 'manual--next',
  chatId: thread,
  threadId: thread,
};
/** What a route takes; those whose body is optional are sent an empty object. */
const bodies: Record<string, object> = {
  'POST /v1/keys': { kind: 'admin', name: 'taken', organization: 'alpha' },
  'PUT /v1/sites/{domain}': { source },
  'PATCH /v1/sites/{domain}': { source },
  'POST /v1/static-export/jobs': { domain: 'manual' },
  'POST /v1/webhooks': { url: 'https://93.184.215.14/hook' },
  'POST /v1/organizations': { organizationId: 'alpha', name: 'taken', plan: 'standard' },
  'POST /v1/members': { email: 'new@example.com', organization: 'alpha' },
  'PATCH /v1/oidc/settings': { required: false },
  'PATCH /v1/members/{memberId}': { role: 'editor' },
  'POST /v1/reader-codes': { domain: 'manual', state: '0'.repeat(64) },
  'PATCH /v1/organizations/{organizationId}': { plan: 'standard' },
  'POST /v1/session-links/mail': { email: 'alpha@example.com' },
  'POST /v1/passkeys': { name: 'taken', credential },
  'POST /v1/session/passkey': { credential },
  'POST /v1/detect': { source: { type: 'folder', path: '/etc' } },
  'POST /discovery/v2/assistant/{domain}/message': { fp: 'anonymous', threadId: thread },
  'POST /discovery/v1/assistant/{domain}/message': { fp: 'anonymous', threadId: thread },
  'POST /discovery/v2/assistant/{domain}/feedback': { messageId: 'msg_1', rating: 'up' },
  'POST /discovery/v1/search/{domain}': { query: 'schema' },
  'POST /discovery/v1/page/{domain}': { path: '' },
  'POST /v1/playground/{domain}': { method: 'GET', url: 'https://93.184.215.14/' },
};
// What anybody may send: a push needs the hook's secret, a bundle a signature; events of readers are for all.
const open = new Set(['GET /readyz', 'GET /metrics', 'POST /discovery/v1/events/{domain}']);

const { paths } = (await (await request('GET', '/openapi.json', undefined, null)).json()) as {
  paths: Record<string, Record<string, { requestBody?: { required?: boolean } }>>;
};
const operations = Object.entries(paths)
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
  .filter((operation) => !open.has(operation));

/** All that is not of team B. */
async function rows(): Promise<string[]> {
  let text = '';
  await dump(services.database, async (piece) => void (text += piece));
  return text.split('\n').filter((line) => line.startsWith('insert into') && !line.includes('team-b'));
}

test('the rows of another organization are there, and its own key reads them', async () => {
  expect(operations.length).toBeGreaterThan(50);
  expect(operations).toContain('DELETE /v1/sessions');
  const own = await keyWith({ organization: 'alpha', name: 'a', scopes: ['read'] });
  for (const path of ['/v1/sites/manual', '/v1/keys', '/v1/assistant/manual/threads', '/v1/audit']) {
    const answer = await request('GET', path, undefined, own.secret);
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, expect.stringContaining('drop schema carrel')]);
  }
});

test('each parameter of a path names a row of another organization, and each required body is one', () => {
  const parameters = operations.flatMap((operation) => [...operation.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  expect(parameters.filter((name) => theirs[name] === undefined)).toEqual([]);
  const needed = operations.filter((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    return paths[path]![method.toLowerCase()]!.requestBody?.required && bodies[operation] === undefined;
  });
  expect(needed).toEqual([]);
});

test.each(Object.keys(credentials))('%s opens nothing of another organization', async (name) => {
  const { key, headers } = credentials[name]!;
  const before = await rows();
  expect(before.length).toBeGreaterThan(400);
  const leaks: string[] = [];
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    const address = path.replaceAll(/\{(\w+)\}/g, (_whole, parameter: string) => theirs[parameter]!);
    for (const query of ['', '?organization=alpha', '?domain=manual']) {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? (bodies[operation] ?? {}) : undefined;
      const sentHeaders = typeof headers === 'function' ? await headers() : headers;
      const answer = await request(method, address + query, body, key, sentHeaders);
      const text = await answer.text();
      const sent = `${address}${query}${JSON.stringify(body)}`;
      const named = Object.values(theirs).filter((id) => !sent.includes(id) && id !== 'github');
      const told = ['drop schema carrel', ...named.map((id) => `"${id}"`)].filter((secret) => text.includes(secret));
      const isOpened = answer.ok && path.includes('{');
      // What is not valid is refused before anybody asks whose it is.
      const isInvalid = bodies[operation] !== undefined && text.includes('"RequestInvalid"');
      if (isOpened || isInvalid || told.length > 0 || answer.status >= 500)
        leaks.push(`${operation}${query}: ${answer.status} ${told.join(' ')} ${text.slice(0, 100)}`);
    }
  }
  expect(leaks).toEqual([]);
  expect(await rows()).toEqual(before);
});
