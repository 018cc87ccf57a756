// Whose a domain is, on a server with several organizations.
import { beforeEach, expect, test } from 'vitest';
import { createHostedSites } from '../../../server/hosting/hosted-sites.ts';
import { makeExport, runJob } from '../storage/exports.ts';
import { openTestServer } from '../support/services.ts';
import { openDnsServer } from './dns-server.ts';

const records = new Map<string, string[]>();
const { address } = await openDnsServer(records);
const { services, clock, request, keyOf, adminKey, keyWith } = await openTestServer({ dnsServers: [address], sitesIndex: 'on' });
const handle = createHostedSites(services);
const one = await keyOf('team-a');
const body = { source: { type: 'git', url: 'https://git.example.com/docs.git' } };
const domain = 'docs.acme.test';

beforeEach(async () => {
  await services.database.query('delete from carrel.sites');
  records.clear();
  clock.now += 1001;
});

const put = async (name: string, key: string, more = {}) => {
  const answer = await request('PUT', `/v1/sites/${name}`, { ...body, ...more }, key);
  return { status: answer.status, body: await answer.json() };
};
const prove = async (key: string, name = domain) => {
  const answer = await request('POST', `/v1/sites/${name}/proof`, undefined, key);
  return { status: answer.status, body: await answer.json() };
};
const served = async (path = `/sites/${domain}/`) => {
  clock.now += 1001;
  const answer = await handle(new Request(`http://sites.example.com${path}`));
  return [answer.status, await answer.text()];
};
const exportSite = async (name = domain) => {
  const { organization } = (await services.sites.load(name))!;
  return runJob(services, name, await makeExport({ 'index.html': 'Docs' }), organization);
};

test('a host is served when the DNS has the record of its organization, and stays served', async () => {
  const { proof } = (await put(domain, one)).body;
  expect(proof).toEqual({ type: 'TXT', name: `_carrel-challenge.${domain}`, value: expect.stringMatching(/^carrel=[\w-]{43}$/) });
  await exportSite();
  expect(await served()).toMatchObject([404, expect.stringContaining('no such site')]);
  expect((await served('/'))[1]).not.toContain(domain);
  const wrong = await prove(one);
  expect(wrong).toMatchObject({ status: 409, body: { code: 'DomainNotProven' } });
  expect(wrong.body.error).toContain(`(ENOTFOUND). Add the TXT record "${proof.value}" at ${proof.name}`);
  records.set(proof.name, ['v=spf1 -all', `${proof.value}x`]);
  expect((await prove(one)).body.error).toContain('(it has other TXT records)');
  records.set(proof.name, ['v=spf1 -all', proof.value]);
  const proven = await prove(one);
  expect([proven.status, proven.body.proof]).toEqual([200, undefined]);
  expect(await served()).toEqual([200, 'Docs']);
  expect((await served('/'))[1]).toContain(domain);
  records.clear();
  expect((await put(domain, one, { deployment: 'air-gapped' })).body.proof).toBeUndefined();
  expect((await prove(one)).status).toBe(200);
  expect(await served()).toEqual([200, 'Docs']);
});

test('a preview is served when its site is', async () => {
  const { proof } = (await put(domain, one)).body;
  const preview = await services.previews.put((await services.sites.get(domain))!, 'next', { branches: 'all', days: 1, most: 1 });
  await exportSite(preview!.domain);
  expect((await served(`/sites/${preview!.domain}/`))[0]).toBe(404);
  records.set(proof.name, [proof.value]);
  await prove(one);
  expect(await served(`/sites/${preview!.domain}/`)).toEqual([200, 'Docs']);
});

test.each(['manual', 'docs.sites.example.com', 'sites.example.com'])('%s needs no proof', async (name) => {
  expect((await put(name, one)).body.proof).toBeUndefined();
  await exportSite(name);
  expect(await served(`/sites/${name}/`)).toEqual([200, 'Docs']);
});

test('an operator may set a domain, also one that an organization has not proven', async () => {
  expect((await put(domain, adminKey)).body.proof).toBeUndefined();
  const other = 'handbook.acme.test';
  expect((await put(other, one)).body.proof).toBeDefined();
  const answer = await request('PATCH', `/v1/sites/${other}?organization=team-a`, { siteUrl: `https://${other}` });
  expect((await answer.json()).proof).toBeUndefined();
});

test('who proves a domain takes it from an organization that has not; nobody takes a proven one', async () => {
  const two = await keyOf('team-b');
  const first = (await put(domain, one)).body.proof;
  const taken = await put(domain, two);
  expect(taken).toMatchObject({ status: 409, body: { code: 'DomainTaken' } });
  const [value] = /carrel=[\w-]{43}/.exec(taken.body.error)!;
  expect(value).not.toBe(first.value);
  expect(taken.body.error).not.toContain('team-a');
  // The record of one organization is of no use to another, and changing is not registering.
  records.set(first.name, [first.value]);
  expect((await put(domain, two)).status).toBe(409);
  records.set(first.name, [value]);
  expect((await request('PATCH', `/v1/sites/${domain}`, body, two)).status).toBe(404);
  expect((await put(domain, two)).body).toMatchObject({ organization: 'team-b' });
  expect((await services.sites.load(domain))!.isUnproven).toBe(false);
  const log = await (await request('GET', '/v1/audit?event=site.delete', undefined, one)).json();
  expect(log.entries).toMatchObject([{ target: domain, keyId: null, name: 'Proof of the domain by its holder' }]);
  records.set(first.name, [first.value, value]);
  const again = await put(domain, one);
  expect([again.status, again.body.error]).toEqual([409, expect.not.stringContaining('carrel=')]);
});

test('a site that is proven while the DNS answers another organization stays, and so does a preview', async () => {
  const two = await keyOf('team-b');
  await put(domain, one);
  const preview = await services.previews.put((await services.sites.get(domain))!, 'next', { branches: 'all', days: 1, most: 1 });
  const [value] = /carrel=[\w-]{43}/.exec((await put(preview!.domain, two)).body.error)!;
  records.set(`_carrel-challenge.${preview!.domain}`, [value]);
  const before = await services.database.query(`select id from carrel.audit where event = 'site.delete'`);
  expect(await put(preview!.domain, two)).toMatchObject({ status: 409, body: { code: 'DomainTaken' } });
  expect(await services.database.query(`select id from carrel.audit where event = 'site.delete'`)).toEqual(before);
  await services.sites.prove('team-a', domain);
  expect(await services.sites.remove('team-a', domain, { onlyUnproven: true })).toBe(false);
  expect((await services.sites.load(domain))!.organization).toBe('team-a');
});

test('a domain that became free is not served for another organization', async () => {
  await put(domain, adminKey);
  expect((await request('DELETE', `/v1/sites/${domain}`)).status).toBe(204);
  await put(domain, one);
  await exportSite();
  expect((await served())[0]).toBe(404);
});

test('sites of a server with one organization are served, also when it gets a second one', async () => {
  const removed = await services.database.query<{ id: string }>(
    `delete from carrel.organizations where id <> 'default' returning id`,
  );
  expect(removed).toHaveLength(2);
  const { secret } = (await keyWith({ name: 'editor' })) as { secret: string };
  expect((await put(domain, secret)).body.proof).toBeUndefined();
  await keyOf('team-c');
  await exportSite();
  expect((await put(domain, secret)).body.proof).toBeUndefined();
  expect(await served()).toEqual([200, 'Docs']);
});
