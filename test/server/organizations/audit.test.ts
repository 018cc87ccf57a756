// Every route of the whole API that changes something, as its description lists them, leaves its entry in the audit log.
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../../server/routes.ts';
import { completeJob } from '../jobs/job-support.ts';
import { openTestServer } from '../support/services.ts';

const oidc = { oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'carrel' };
const { api, services, clock, adminKey, keyOf, request, keyWith } = await openTestServer(oidc);
const host = 'api.example.com';
const dashboard = { host, 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
const source = { type: 'git', url: 'https://git.example.com/docs.git' };

interface Entry {
  event: string;
  target: string;
  keyId: string | null;
  name: string;
  sessionId: string | null;
  requestId: string;
}
const entries = async (query = '', key = adminKey): Promise<Entry[]> => {
  const answer = await request('GET', `/v1/audit?limit=100${query}`, undefined, key);
  expect(answer.status).toBe(200);
  return (await answer.json()).entries;
};
const count = async () => (await services.database.query<{ id: string }>('select id from carrel.audit')).length;
const bearer = (secret = adminKey) => ({ authorization: `Bearer ${secret}` });

interface Call {
  method: string;
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** Of the key that is named in the entry; null for the push of a service. */
  name?: string;
  event: string;
  /** By default the last part of the path. */
  target?: unknown;
  /** Sessions are not refused for a missing scope. */
  anyScope?: true;
}

const domain = 'docs.example.com';
const site = `/v1/sites/${domain}`;
const jobs = '/v1/static-export/jobs';
const call = (line: `${string} ${string}`, event: string, more: Partial<Call> = {}): Call => {
  const [method, path] = line.split(' ') as [string, string];
  return { method, path, event, ...more };
};
/** A request of each operation that succeeds, by what was made before it. */
const calls: Record<string, () => Call | Promise<Call>> = {
  putSite: () => call(`PUT ${site}`, 'site.put', { body: { source } }),
  changeSite: () => call(`PATCH ${site}`, 'site.change', { body: { siteUrl: 'https://docs.example.com' } }),
  proveSite: () => call(`POST ${site}/proof`, 'site.prove', { target: domain }),
  putPushHook: () => call(`PUT ${site}/hooks/generic`, 'hook.put', { target: `${domain}/generic` }),
  receivePush: async () =>
    call(`POST ${site}/hooks/generic`, 'job.start', {
      headers: bearer(await services.pushHooks.secretOf(domain, 'generic')),
      target: expect.stringMatching(/^docs\.example\.com\/se_/),
      name: 'Push hook generic',
    }),
  deletePushHook: () => call(`DELETE ${site}/hooks/generic`, 'hook.delete', { target: `${domain}/generic` }),
  startStaticExportJob: () =>
    call(`POST ${jobs}`, 'job.start', { body: { domain }, target: expect.stringMatching(/^docs\.example\.com\/se_/) }),
  cancelStaticExportJob: async () => {
    const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
    return call(`POST ${jobs}/${id}/cancel`, 'job.cancel', { target: `${domain}/${id}` });
  },
  generateStaticExportBundle: async () => {
    const id = await completed();
    return call(`POST ${jobs}/${id}/bundle`, 'bundle.link', { target: `${domain}/${id}` });
  },
  activateSiteExport: async () => {
    const id = await completed();
    return call(`POST ${site}/exports/${id}/activate`, 'export.activate', { target: `${domain}/${id}` });
  },
  linkSiteExport: async () => {
    const id = await completed();
    return call(`POST ${site}/exports/${id}/link`, 'export.link', { target: `${domain}/${id}` });
  },
  pinSiteExport: async () => {
    const id = await completed();
    return call(`PUT ${site}/exports/${id}/pin`, 'export.pin', { target: `${domain}/${id}` });
  },
  unpinSiteExport: async () => {
    const { jobId: id } = (await (await request('GET', `${site}/exports`)).json()).exports.find(
      ({ pinned }: { pinned: boolean }) => pinned,
    );
    return call(`DELETE ${site}/exports/${id}/pin`, 'export.unpin', { target: `${domain}/${id}` });
  },
  deletePreview: async () => {
    const registered = (await services.sites.get(domain))!;
    const preview = await services.previews.put(registered, 'next', { branches: 'all', days: 1, most: 1 });
    return call(`DELETE ${site}/previews/${preview!.domain}`, 'preview.delete', { target: `${domain}/${preview!.domain}` });
  },
  deleteSite: () => call(`DELETE ${site}`, 'site.delete'),
  createKey: async () => {
    // The limit of keys an hour also counts those of this test.
    clock.now += 3_600_000;
    return call('POST /v1/keys', 'key.create', { body: { kind: 'admin', name: 'new' }, target: expect.stringMatching(/^key_/) });
  },
  revokeKey: async () => {
    const { key } = await keyWith({ name: 'x' });
    return call(`DELETE /v1/keys/${key.id}`, 'key.revoke');
  },
  createWebhook: () =>
    call('POST /v1/webhooks', 'webhook.create', {
      body: { url: 'https://93.184.215.14/hook', events: ['job.completed'] },
      target: expect.stringMatching(/^wh_/),
    }),
  testWebhook: async () => {
    const [webhook] = await services.webhooks.list('default');
    // Refused before it is sent.
    await services.database.query(`update carrel.webhooks set url = 'http://10.0.0.1/'`);
    return call(`POST /v1/webhooks/${webhook!.id}/test`, 'webhook.send', { target: webhook!.id });
  },
  retryWebhookDelivery: async () => {
    const [webhook] = await services.webhooks.list('default');
    const { id } = (await services.webhooks.test('default', webhook!.id))!;
    return call(`POST /v1/webhooks/${webhook!.id}/deliveries/${id}/retry`, 'webhook.send', { target: `${webhook!.id}/${id}` });
  },
  deleteWebhook: async () => {
    const [webhook] = await services.webhooks.list('default');
    return call(`DELETE /v1/webhooks/${webhook!.id}`, 'webhook.delete');
  },
  createOrganization: () =>
    call('POST /v1/organizations', 'organization.create', { body: { organizationId: 'made' }, target: 'made' }),
  deleteOrganization: () => call('DELETE /v1/organizations/made', 'organization.delete', { target: 'made' }),
  updateOrganization: () => call('PATCH /v1/organizations/default', 'organization.update', { body: { name: 'Renamed' } }),
  updateOidc: () => call('PATCH /v1/oidc/settings', 'oidc.update', { body: { required: false }, target: 'optional' }),
  inviteMember: () =>
    call('POST /v1/members', 'member.invite', { body: { email: 'ada@example.com' }, target: 'ada@example.com' }),
  updateMember: async () =>
    call(`PATCH ${await memberPath()}`, 'member.update', { body: { name: 'Ada' }, target: 'ada@example.com' }),
  createMemberLink: async () => call(`POST ${await memberPath()}/session-links`, 'member.link', { target: 'ada@example.com' }),
  removeMember: async () => call(`DELETE ${await memberPath()}`, 'member.remove', { target: 'ada@example.com' }),
  createSessionLink: () => call('POST /v1/session-links', 'session-link.create', { target: '', anyScope: true }),
  createSession: async () =>
    call('POST /v1/session', 'session.create', {
      headers: { 'x-carrel-session-link': (await link()).split('#link=')[1]! },
      target: expect.stringMatching(/^ses_/),
      anyScope: true,
    }),
  endSession: async () => {
    const { id } = await newSession();
    return call(`DELETE /v1/sessions/${id}`, 'session.end');
  },
  endOtherSessions: async () => {
    await services.sessions.endByIds((await services.sessions.list('default')).map(({ id }) => id));
    const { id } = await newSession();
    return call('DELETE /v1/sessions', 'session.end', { target: id });
  },
  deleteSession: async () => {
    const { id, token } = await newSession();
    const headers = { ...dashboard, cookie: `carrel-session=${token}` };
    return call('DELETE /v1/session', 'session.end', { headers, target: id, anyScope: true });
  },
  rotateSecret: async () => {
    services.secrets.push('the secret of before the rotation');
    return call('POST /v1/secret/rotate', 'secret.replace', { target: '' });
  },
  getBackup: () => call('GET /v1/backup', 'backup.read', { target: '' }),
};

const memberPath = async () => {
  const { members } = await services.members.list({ organization: 'default', limit: 1 });
  return `/v1/members/${members[0]!.id}`;
};
const ownKey = async () => (await services.keys.find(adminKey))!;
const link = async () => (await services.sessionLinks.create(await ownKey(), '')).url;
const newSession = async () => services.sessions.create(await ownKey(), { address: '', agent: '' });
async function completed(): Promise<string> {
  const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
  await completeJob(services.jobs, id);
  return id;
}

interface Operation {
  operationId: string;
  tags: string[];
}
const description = (await (await request('GET', '/openapi.json', undefined, null)).json()) as {
  paths: Record<string, Record<string, Operation>>;
};
// What readers send is not part of the log: questions, searches, events and requests of the playground.
const ofReaders = ['Assistant', 'Analytics', 'Playground'];
const writing = Object.values(description.paths)
  .flatMap((operations) => Object.entries(operations))
  // Only looks at a source, or a provider, which takes a body; passkeys need a browser (passkeys.test.ts); a code and a mailed link are for who asks.
  .filter(
    ([, { operationId }]) =>
      !['detectSource', 'checkOidc', 'readOidcTest', 'createReaderCode', 'mailSessionLink'].includes(operationId) &&
      !operationId.includes('Passkey'),
  )
  .filter(([method, { tags }]) => method !== 'get' && !tags.some((tag) => ofReaders.includes(tag)))
  .map(([, { operationId }]) => operationId);

test('the log covers every operation that changes something, and the backup', () => {
  expect(writing.length).toBeGreaterThan(15);
  expect(Object.keys(calls).sort()).toEqual([...writing, 'getBackup'].sort());
});

const send = ({ method, path, body, headers }: Call, key: string | null) =>
  request(method, path, body, headers && key === adminKey ? null : key, key === adminKey ? headers : undefined);

test.each(Object.entries(calls))('%s leaves one entry when it succeeds, and none when it is refused', async (_, prepare) => {
  const call = await prepare();
  const reader = await keyWith({ name: 'reader', scopes: ['read'] });
  const before = await count();
  expect((await send(call, null)).status).toBe(401);
  const { status } = call.anyScope ? { status: 403 } : await send(call, reader.secret);
  expect([401, 403]).toContain(status);
  const elsewhere = { ...call, path: `${call.path}/nowhere` };
  expect((await send(elsewhere, adminKey)).ok).toBe(false);
  expect(await count()).toBe(before);

  const answer = await send(call, adminKey);
  expect([200, 201, 202, 204]).toContain(answer.status);
  const text = await answer.text();
  expect(await count()).toBe(before + 1);
  const [entry] = await entries();
  const target = call.target ?? call.path.split('/').at(-1)!;
  expect(entry).toEqual({
    at: new Date(clock.now).toISOString(),
    event: call.event,
    target,
    keyId: call.name === undefined ? (await ownKey()).id : null,
    name: call.name ?? 'test',
    sessionId: call.path === '/v1/session' && call.method === 'DELETE' ? target : null,
    address: '',
    requestId: answer.headers.get('x-request-id'),
  });
  for (const secret of text.match(/"(?:secret|url)":"[^"]+/g) ?? []) {
    const stored = JSON.stringify(await services.database.query('select * from carrel.audit'));
    expect(stored).not.toContain(secret.split(/":"|#link=/).at(-1));
  }
});

test('a push that starts nothing leaves no entry', async () => {
  expect((await request('PUT', site, { source })).status).toBe(200);
  const { secret } = await services.pushHooks.put(domain, 'github');
  const before = await count();
  const body = JSON.stringify({ zen: 'Design for failure.' });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'x-github-event': 'ping', 'x-hub-signature-256': signature, 'content-type': 'application/json' };
  expect((await request('POST', `${site}/hooks/github`, body, null, headers)).status).toBe(200);
  expect(await count()).toBe(before);
});

test('an entry names the session and the IP address of its request', async () => {
  const { id, token } = await newSession();
  const headers = { ...dashboard, cookie: `carrel-session=${token}`, 'content-type': 'application/json' };
  const init = { method: 'PUT', headers, body: JSON.stringify({ source }) };
  const answer = await api.request('/v1/sites/second.example.com', init, {
    incoming: { socket: { remoteAddress: '192.0.2.7' } },
  });
  expect(answer.status).toBe(200);
  expect(await entries()).toMatchObject({ 0: { event: 'site.put', sessionId: id, address: '192.0.2.7' } });
});

describe('the log of an organization', () => {
  let own: string;
  beforeAll(async () => {
    own = await keyOf('own');
    for (const name of ['a', 'b', 'c']) {
      expect((await request('PUT', `/v1/sites/${name}.example.com`, { source }, own)).status).toBe(200);
      clock.now += 1000;
    }
    expect((await request('DELETE', '/v1/sites/b.example.com', undefined, own)).status).toBe(204);
  });

  test('is filtered by event, target and key, and read in pages', async () => {
    const targets = async (query: string) => (await entries(query, own)).map(({ event, target }) => `${event} ${target}`);
    const all = ['site.delete b.example.com', 'site.put c.example.com', 'site.put b.example.com', 'site.put a.example.com'];
    expect(await targets('')).toEqual(all);
    expect(await targets('&event=site.put')).toEqual(all.slice(1));
    expect(await targets('&target=b.example.com')).toEqual([all[0], all[2]]);
    const { id } = (await services.keys.find(own))!;
    expect([await targets(`&key=${id}`), await targets('&key=key_0')]).toEqual([all, []]);
    const paged: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const answer = await request('GET', `/v1/audit?limit=3${cursor && `&cursor=${cursor}`}`, undefined, own);
      const page: { entries: Entry[]; cursor?: string } = await answer.json();
      paged.push(...page.entries.map(({ event, target }) => `${event} ${target}`));
      ({ cursor } = page);
    }
    expect(paged).toEqual(all);
  });

  test('belongs to it: others read nothing of it, except operators', async () => {
    expect(await entries('', await keyOf('others'))).toEqual([]);
    const asked = await request('GET', '/v1/audit?organization=own', undefined, await keyOf('others'));
    expect(asked.status).toBe(403);
    expect(await entries('&organization=own')).toHaveLength(4);
    expect((await request('PUT', '/v1/sites/d.example.com?organization=own', { source })).status).toBe(200);
    expect(await entries('', own)).toMatchObject({ 0: { target: 'd.example.com', keyId: (await ownKey()).id } });
  });

  test.each([
    ['event=site.steal', 'RequestInvalid'],
    ['limit=0', 'RequestInvalid'],
    ['cursor=zzz', 'CursorInvalid'],
    [`cursor=${Buffer.from("1' or 1=1").toString('base64url')}`, 'CursorInvalid'],
    [`cursor=${Buffer.from('9'.repeat(30)).toString('base64url')}`, 'CursorInvalid'],
  ])('refuses %s', async (query, code) => {
    const answer = await request('GET', `/v1/audit?${query}`);
    expect([answer.status, (await answer.json()).code]).toEqual([400, code]);
  });

  test('cannot be changed, outlives its organization, and is kept for 365 days', async () => {
    await services.database.query(`update carrel.audit set event = 'changed'`);
    await services.database.query(`delete from carrel.organizations where id = 'own'`);
    expect((await services.database.query(`select event from carrel.audit where organization = 'own'`)).length).toBe(5);
    expect(await services.database.query(`select event from carrel.audit where event = 'changed'`)).toEqual([]);
    clock.now += 365 * 86_400_000 - 5000;
    await services.audit.removeOld();
    expect(await count()).toBeGreaterThan(5);
    clock.now += 5000;
    await services.audit.removeOld();
    expect(await count()).toBe(0);
  });
});

test('an effect whose entry cannot be written still answers, since it may contain a secret', async () => {
  const logged: object[] = [];
  const log = { ...services.log, info: () => {}, error: (entry: object) => void logged.push(entry) };
  const own = createApi({ ...services, log: log as never });
  await services.database.query('alter table carrel.audit rename to audit_gone');
  onTestFinished(async () => void (await services.database.query('alter table carrel.audit_gone rename to audit')));
  const { secret } = await keyWith({ name: 'late', scopes: ['operator'] });
  const answer = await own.request('/v1/keys', {
    method: 'POST',
    headers: { ...bearer(secret), 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'admin', name: 'shown once' }),
  });
  expect([answer.status, (await answer.json()).secret]).toEqual([201, expect.stringMatching(/^svc_/)]);
  expect(logged).toMatchObject([{ audit: { event: 'key.create', name: 'late' } }]);
});
