import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { openAccessServer } from './access-server.ts';

const { services, clock, newKey, request } = await openAccessServer();
const create = (body: unknown) => request('POST', '/v1/organizations', { body });

test('an operator adds an organization, reads it and changes its plan', async () => {
  const made = await create({ organizationId: 'my-team', name: 'My team' });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    organizationId: 'my-team',
    name: 'My team',
    plan: 'enterprise',
    createdAt: new Date(clock.now).toISOString(),
  });
  expect((await request('GET', '/v1/organizations/my-team')).body).toEqual(made.body);
  const ids = (await request('GET', '/v1/organizations')).body.organizations.map(
    (one: { organizationId: string }) => one.organizationId,
  );
  expect(ids).toEqual(['default', 'my-team', 'other']);

  const key = await newKey({ organization: 'my-team' });
  const staticExport = async () => (await request('GET', '/v1/account', { key })).body.features.staticExport;
  expect(await staticExport()).toBe(true);
  const changed = await request('PATCH', '/v1/organizations/my-team', { body: { plan: 'standard' } });
  expect(changed.body).toEqual({ ...made.body, plan: 'standard' });
  expect(await staticExport()).toBe(false);
  expect((await request('PATCH', '/v1/organizations/my-team', { body: { name: 'We' } })).body).toMatchObject({
    name: 'We',
    plan: 'standard',
  });
});

test('rejects an organization that could use existing git credentials', async () => {
  const gitCredentials = join(temporaryFolder(), 'credentials');
  const { options } = services;
  options.gitCredentials = gitCredentials;
  onTestFinished(() => void delete options.gitCredentials);
  writeFileSync(gitCredentials, 'https://robot:p4ssw0rd@git.example.com\n');
  const refused = await create({ organizationId: 'third' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'GitCredentialsShared' } });
  expect(refused.body.error).toContain('organization=acme');
  expect(refused.body.error).not.toContain('p4ssw0rd');
  expect((await create({ organizationId: 'default' })).body.code).toBe('OrganizationExists');
  writeFileSync(gitCredentials, 'https://robot:p4ssw0rd@git.example.com organization=default\n');
  expect((await create({ organizationId: 'third' })).status).toBe(201);
});

test('the name is optional', async () => {
  expect((await create({ organizationId: 'nameless', plan: 'standard' })).body).toMatchObject({
    name: 'nameless',
    plan: 'standard',
  });
});

test('an ID is unique', async () => {
  const answer = await create({ organizationId: 'default', name: 'Again' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'OrganizationExists' } });
});

test('reports an unknown organization', async () => {
  const unknown = { status: 404, body: { code: 'OrganizationUnknown' } };
  expect(await request('GET', '/v1/organizations/nobody')).toMatchObject(unknown);
  expect(await request('PATCH', '/v1/organizations/nobody', { body: { plan: 'standard' } })).toMatchObject(unknown);
});

test.each([
  [{}, 'organizationId'],
  [{ organizationId: '' }, 'lower-case letters'],
  [{ organizationId: 'My-Team' }, 'lower-case letters'],
  [{ organizationId: 'my_team' }, 'lower-case letters'],
  [{ organizationId: '-team' }, 'lower-case letters'],
  [{ organizationId: 'team-' }, 'lower-case letters'],
  [{ organizationId: '../team' }, 'lower-case letters'],
  [{ organizationId: 'team\n' }, 'lower-case letters'],
  [{ organizationId: 'a'.repeat(64) }, 'lower-case letters'],
  [{ organizationId: 'team', name: '' }, 'must not be empty'],
  [{ organizationId: 'team', plan: 'gold' }, 'must be one of enterprise, standard'],
  [{ organizationId: 'team', owner: 'x' }, '"owner"'],
])('%j is rejected', async (body, words) => {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'RequestInvalid' } });
  expect(answer.body.error).toContain(words);
});

test.each([
  [{}, 'must contain name or plan'],
  [{ plan: 'gold' }, 'must be one of enterprise, standard'],
  [{ organizationId: 'new' }, '"organizationId"'],
])('the change %j is rejected', async (body, words) => {
  const answer = await request('PATCH', '/v1/organizations/default', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain(words);
});
