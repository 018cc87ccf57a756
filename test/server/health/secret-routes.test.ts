// What the server stores encrypted, and what becomes of it when its secret is replaced.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../../../server/database/migrate.ts';
import { examineSealed } from '../../../server/database/sealed-texts.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { finishRotation } from '../../../server/health/secret-routes.ts';
import { createKeys } from '../../../server/organizations/keys.ts';
import { createOrganizations } from '../../../server/organizations/organizations.ts';
import { createLog } from '../../../server/platform/log.ts';
import { readSecrets, renewSecret, seal, storedSecrets } from '../../../server/platform/secrets.ts';
import { openedModel } from '../../../server/sites/model-settings.ts';
import { carrel } from '../../src/cli/carrel.ts';
import { place, startServer } from '../faults/places.ts';
import { addEmptyDatabase } from '../support/embedded.ts';
import { openTestServer } from '../support/services.ts';
import { receiver } from '../webhooks/receiver.ts';

const { services, clock, request } = await openTestServer({ privateHosts: ['127.0.0.1'] });
const { database, secrets } = services;
const [first] = secrets;
const domain = 'docs.example.com';
const model = (path: string, secret: string) => ({
  baseUrl: `https://93.184.215.14/${path}`,
  model: 'small',
  apiKey: `key-${secret}`,
  headers: { 'x-team': `header-${secret}` },
});
const json = async (method: string, path: string, body?: unknown) => {
  const answer = await request(method, path, body);
  expect(answer.ok, `${method} ${path} ${answer.status}`).toBe(true);
  return answer.json();
};
const rotate = async () => (await request('POST', '/v1/secret/rotate')).json();
const finding = async () =>
  (await json('GET', '/v1/findings')).findings.find(({ check }: { check: string }) => check === 'secrets');

/** A site with two models, a push hook and a webhook. */
async function plant() {
  const assistant = { model: model('v1', 'planted-1'), fallback: model('v2', 'planted-2') };
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  await json('PUT', `/v1/sites/${domain}`, { source, assistant, visibility: 'password', password: 'planted-password' });
  const { secret: hook } = await json('PUT', `/v1/sites/${domain}/hooks/generic`);
  const target = await receiver((_call, response) => response.writeHead(204).end());
  const { webhookId, secret: webhook } = await json('POST', '/v1/webhooks', { url: target.url, events: ['job.failed'] });
  return { hook, webhook, webhookId, received: target.received };
}

/** Whether everything that `plant` stored still works. */
async function expectUsable({ hook, webhook, webhookId, received }: Awaited<ReturnType<typeof plant>>) {
  await json('POST', `/v1/webhooks/${webhookId}/test`);
  const { body, headers } = received.at(-1)!;
  expect(new Webhook(webhook).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'webhook.test' });
  expect(await services.pushHooks.secretOf(domain, 'generic')).toBe(hook);
  const { assistant } = (await services.sites.load(domain))!.settings;
  expect(openedModel(assistant!.model!, domain, secrets).apiKey).toBe('key-planted-1');
  expect(openedModel(assistant!.fallback!, domain, secrets).headers).toEqual({ 'x-team': 'header-planted-2' });
}

beforeEach(async () => {
  secrets.splice(0, secrets.length, first);
  await database.query('delete from carrel.sites; delete from carrel.webhooks');
  clock.now += 1001;
});

test('no row of any table and no response contains a secret that was given or shown once', async () => {
  const { hook, webhook, webhookId } = await plant();
  const { secret: key } = await json('POST', '/v1/keys', { kind: 'admin', name: 'test', scopes: ['read'] });
  const { token } = await services.sessions.create((await services.keys.find(key))!, { address: '', agent: '' });
  await json('POST', `/v1/webhooks/${webhookId}/test`);
  const planted = ['planted', hook, webhook.slice('whsec_'.length), key, token, ...secrets];

  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('carrel', 'pgboss')`,
  );
  expect(tables.length).toBeGreaterThan(25);
  for (const { name } of tables) {
    const rows = JSON.stringify(await database.query(`select to_jsonb(t) as row from ${name} t`));
    expect(
      planted.filter((text) => rows.includes(text)),
      name,
    ).toEqual([]);
  }

  const { paths } = await json('GET', '/openapi.json');
  const names: Record<string, string> = { domain, webhookId, organizationId: 'default', id: 'default' };
  const readable = Object.keys(paths).filter((path) => paths[path].get && !path.includes('/dashboard'));
  expect(readable.length).toBeGreaterThan(30);
  for (const path of readable) {
    const text = await (
      await request(
        'GET',
        path.replaceAll(/\{(\w+)\}/g, (_, name) => names[name] ?? 'x'),
      )
    ).text();
    expect(
      planted.filter((secret) => text.includes(secret)),
      path,
    ).toEqual([]);
  }
});

test('what a previous secret encrypted works, and is encrypted again by a rotation, which can be repeated', async () => {
  const planted = await plant();
  const alone = await request('POST', '/v1/secret/rotate');
  expect([alone.status, (await alone.json()).code]).toEqual([409, 'SecretNotGenerated']);

  // As a start does with CARREL_SECRET_PREVIOUS.
  secrets.unshift('a new secret of the tests, long enough');
  await expectUsable(planted);
  expect(await finding()).toMatchObject({ state: 'warn', message: expect.stringContaining('a previous secret: 6.') });
  // A rotation that was killed has encrypted some of them.
  await database.query(`create function carrel.stop() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger stop before update on carrel.sites for each row execute function carrel.stop()`);
  expect((await request('POST', '/v1/secret/rotate')).status).toBe(500);
  await database.query('drop function carrel.stop cascade');
  await expectUsable(planted);
  expect(await rotate()).toEqual({ generated: false, encrypted: 4, lost: [] });
  expect(await rotate()).toEqual({ generated: false, encrypted: 0, lost: [] });

  secrets.pop();
  await expectUsable(planted);
  expect(await finding()).toMatchObject({ state: 'ok', message: expect.stringMatching(/: 6$/) });
});

test('two rotations at once, and a change in between, leave everything readable', async () => {
  const planted = await plant();
  secrets.unshift('a new secret of the tests, long enough');
  const changed = { assistant: { answersPerDay: 7 } };
  await Promise.all([rotate(), rotate(), json('PATCH', `/v1/sites/${domain}`, changed)]);
  await rotate();
  secrets.pop();
  await expectUsable(planted);
});

test('a change of a site that began before a rotation does not bring back what the previous secret encrypted', async () => {
  await plant();
  secrets.unshift('a new secret of the tests, long enough');
  const { organization, source, settings, updatedAt } = (await services.sites.load(domain))!;
  await rotate();
  expect(await services.sites.put({ domain, organization, source, settings, basedOn: updatedAt })).toBeUndefined();
});

test('with another secret, everything else works, and the server names what is lost and what to do', async () => {
  const planted = await plant();
  secrets.splice(0, 1, 'a secret of another server, long enough');
  const lost = [`webhook ${planted.webhookId}`, `push hook generic of ${domain}`, `model of ${domain}`];
  expect(await finding()).toMatchObject({
    state: 'warn',
    message: expect.stringContaining(lost.join(', ')),
    next: expect.stringContaining('CARREL_SECRET_PREVIOUS'),
  });
  const sent = await json('POST', `/v1/webhooks/${planted.webhookId}/test`);
  expect(sent).toMatchObject({ status: null, error: expect.stringContaining('another secret') });
  expect((await json('GET', `/v1/sites/${domain}/model`)).state).toBe('rejected');
  expect((await request('GET', '/readyz')).status).toBe(200);
  secrets.push(first);
  expect(await rotate()).toEqual({ generated: false, encrypted: 6, lost: [] });
  await expectUsable(planted);
});

test('an encrypted text that was moved to another row, or changed, is lost', async () => {
  const { webhookId } = await plant();
  const { webhookId: other } = await json('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['job.failed'] });
  await database.query('update carrel.webhooks set secret = (select secret from carrel.webhooks where id = $1) where id = $2', [
    ...[webhookId, other],
  ]);
  await database.query(`update carrel.push_hooks set secret = reverse(secret)`);
  await database.query(
    `update carrel.sites set settings = jsonb_set(settings, '{assistant,fallback,sealedKey}', settings #> '{assistant,model,sealedKey}')`,
  );
  expect((await examineSealed(database, secrets)).lost.sort()).toEqual([
    ...[`model of ${domain}`, `push hook generic of ${domain}`, `webhook ${other}`],
  ]);
});

test('a data folder that moved to PostgreSQL during a rotation does not keep the previous secret', async () => {
  const options = { ...services.options, secret: undefined, data: place().root };
  const stored = readSecrets(options);
  renewSecret(stored, options);
  await finishRotation({ database, options, secrets: stored });
  expect([database.kind, stored, storedSecrets(options)]).toEqual(['postgresql', [stored[0]], [stored[0]]]);
});

test('links and tokens of a previous secret work as long as the server has it', async () => {
  const site = { domain, organization: 'default', createdAt: new Date(), settings: {} };
  const token = services.pageTokens.create(site);
  secrets.unshift('a new secret of the tests, long enough');
  expect(services.pageTokens.keyOf(token, site).domains).toEqual([domain]);
  secrets.pop();
  expect(() => services.pageTokens.keyOf(token, site)).toThrow(expect.objectContaining({ code: 'PageTokenInvalid' }));
});

test('a server that generated its secret replaces it, also if it is killed on the way', { timeout: 300_000 }, async () => {
  const { data } = place();
  await addEmptyDatabase(data);
  const stored = readSecrets({ data });
  const [before] = stored;
  const embedded = await openDatabase({ dataFolder: data, log: createLog('silent') });
  await migrate(embedded);
  await createOrganizations(embedded, Date.now).create({ id: 'default', name: 'Default', plan: 'enterprise' });
  const admin = { organization: 'default', kind: 'admin', name: 'test', scopes: ['write', 'operator'] } as const;
  const { secret: adminKey } = await createKeys(embedded, Date.now).create({ ...admin, scopes: [...admin.scopes] });
  const { url, received } = await receiver((_call, response) => response.writeHead(204).end());
  const ids = Array.from({ length: 500 }, () => `wh_${randomBytes(8).toString('hex')}`);
  const webhook = `whsec_${randomBytes(32).toString('base64')}`;
  await embedded.query(
    `insert into carrel.webhooks select id, 'default', $3, '{job.failed}', sealed, now()
     from unnest($1::text[], $2::text[]) as made (id, sealed)`,
    [ids, ids.map((id) => seal(webhook, id, stored)), url],
  );
  await embedded.close();
  writeFileSync(join(data, 'keys.json'), JSON.stringify({ adminKey }));
  const environment = { CARREL_PRIVATE_HOSTS: '127.0.0.1' };

  const first = await startServer(data, environment);
  const rotating = first.request('POST', '/v1/secret/rotate').catch(() => undefined);
  await vi.waitFor(() => expect(storedSecrets({ data })[0]).not.toBe(before), { interval: 1, timeout: 30_000 });
  await first.kill();
  await rotating;
  const [second] = storedSecrets({ data });
  expect(storedSecrets({ data })).toEqual([second, before]);

  const server = await startServer(data, environment);
  expect(storedSecrets({ data })).toEqual([second]);
  const { findings } = (await (await server.request('GET', '/v1/findings')).json()) as { findings: object[] };
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'secrets', state: 'ok', message: expect.stringMatching(/: 500$/) }),
  );
  const { stdout } = await carrel(['secret', 'rotate'], { env: { CARREL_URL: server.address, CARREL_KEY: adminKey } });
  expect(stdout).toContain('Encrypted 500 stored secrets with the new secret.');
  expect(storedSecrets({ data })).toEqual([expect.not.stringMatching(second!), second]);
  await server.request('POST', `/v1/webhooks/${ids[0]}/test`);
  const { body, headers } = received[0]!;
  expect(new Webhook(webhook).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'webhook.test' });
});
