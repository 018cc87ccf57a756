import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createOrganizations } from '../../../server/organizations/organizations.ts';
import type { Database } from '../../../server/database/database.ts';
import { domainSchema } from '../../../server/http/field-schemas.ts';
import { createMembers } from '../../../server/members/members.ts';
import { createKeys } from '../../../server/organizations/keys.ts';
import { createSites, siteSettingsSchema, siteSourceSchema, type Sites, type SiteSource } from '../../../server/sites/sites.ts';
import { checkRef, gitUrl } from '../../../server/sources/git-url.ts';
import { emptiedDatabase } from '../support/databases.ts';

const start = Date.parse('2030-01-01T00:00:00Z');
const git: SiteSource = { type: 'git', url: 'https://git.example.com/docs.git', ref: 'main', folder: 'docs' };
const folder: SiteSource = { type: 'folder', path: '/srv/a "docs" folder' };
const settings = siteSettingsSchema.parse({ siteUrl: 'https://docs.example.com' });

const open = emptiedDatabase();
let database: Database;
let sites: Sites;
let clock: { now: number };
const put = (domain: string, organization: string, source: SiteSource = git) =>
  sites.put({ domain, organization, source, settings });

beforeEach(async () => {
  clock = { now: start };
  database = await open();
  const organizations = createOrganizations(database, () => clock.now);
  for (const id of ['team', 'rivals']) await organizations.create({ id, name: id, plan: 'enterprise' });
  sites = createSites(database, () => clock.now);
});

test('a site is there from the moment it is registered, and changes at once', async () => {
  expect(await sites.get('docs.example.com')).toBeUndefined();
  const site = await put('docs.example.com', 'team');
  expect(site).toEqual({
    domain: 'docs.example.com',
    organization: 'team',
    source: git,
    settings: { builder: 'docs', siteUrl: 'https://docs.example.com', deployment: 'client-hosted' },
    activeJob: null,
    createdAt: new Date(start),
    updatedAt: new Date(start),
    isUnproven: false,
  });
  expect(await sites.get('docs.example.com')).toEqual(site);
  await database.query(`update carrel.sites set active_job = 'se_1'`);
  clock.now += 5;
  await put('docs.example.com', 'team', folder);
  const changed = { ...site, source: folder, activeJob: 'se_1', updatedAt: new Date(start + 5) };
  expect(await sites.get('docs.example.com')).toEqual(changed);
});

test('each organization lists its own, by domain', async () => {
  await put('b.example.com', 'team');
  await put('a.example.com', 'team');
  await put('c.example.com', 'rivals');
  expect((await sites.list('team')).map(({ domain }) => domain)).toEqual(['a.example.com', 'b.example.com']);
});

test('a domain belongs to whom it was first registered for', async () => {
  await put('docs.example.com', 'team');
  await expect(put('docs.example.com', 'rivals')).rejects.toMatchObject({ status: 409, code: 'DomainTaken' });
  expect((await sites.get('docs.example.com'))?.organization).toBe('team');
});

test('of two who come at once, one gets the domain', async () => {
  const both = await Promise.allSettled([put('docs.example.com', 'team'), put('docs.example.com', 'rivals')]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('only its organization removes a site; then the domain is free', async () => {
  await put('docs.example.com', 'team');
  await database.query(`update carrel.sites set active_job = 'se_1'`);
  expect(await sites.remove('rivals', 'docs.example.com')).toBe(false);
  expect(await sites.remove('team', 'docs.example.com')).toBe(true);
  expect(await sites.get('docs.example.com')).toBeUndefined();
  expect(await sites.remove('team', 'docs.example.com')).toBe(false);
  expect((await put('docs.example.com', 'rivals'))!.activeJob).toBeNull();
});

test('a change of a site that was removed in between adds none', async () => {
  const { updatedAt: basedOn } = (await put('docs.example.com', 'team'))!;
  await sites.remove('team', 'docs.example.com');
  const change = { domain: 'docs.example.com', organization: 'team', source: git, settings };
  expect(await sites.put({ ...change, basedOn })).toBeUndefined();
  expect(await sites.load('docs.example.com')).toBeUndefined();
  expect(await sites.put({ ...change, basedOn: new Date(0) })).toMatchObject({ domain: 'docs.example.com' });
});

test('a site that is removed while a member becomes its editor has no editor left', async () => {
  await put('docs.example.com', 'team');
  const { key } = await createKeys(database, () => clock.now).create({
    ...{ organization: 'team', kind: 'admin', name: 'owner', scopes: ['read', 'write', 'owner'] },
  });
  const members = createMembers(database, () => clock.now);
  const wanted = { organization: 'team', email: 'eve@example.com', name: 'Eve', role: 'viewer' as const };
  let removing: Promise<boolean> | undefined;
  await members.invite(key, { ...wanted, editorOf: ['docs.example.com'] }, async () => {
    removing = sites.remove('team', 'docs.example.com');
    // The embedded database runs one transaction after the other.
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from carrel.sites%'
      and datname = current_database()`;
    await expect.poll(async () => (await database.query(waiting)).length).toBe(1);
  });
  expect(await removing).toBe(true);
  expect(await members.withEmail(wanted.email)).toMatchObject([{ editorOf: [] }]);
});

test('another process hears of a change within a second', async () => {
  const elsewhere = createSites(database, () => clock.now);
  await put('docs.example.com', 'team');
  await elsewhere.get('docs.example.com');
  await sites.remove('team', 'docs.example.com');
  clock.now += 1000;
  expect(await elsewhere.get('docs.example.com')).toBeUndefined();
});

test('another process has the new state of a site that it has loaded before, without being asked', async () => {
  const elsewhere = createSites(database, () => clock.now);
  await elsewhere.open();
  onTestFinished(() => elsewhere.close());
  await put('docs.example.com', 'team');
  expect(elsewhere.lastKnown('docs.example.com')).toBeUndefined();
  const load = () => elsewhere.load('docs.example.com');
  // The news of the first state may still be on its way.
  await expect.poll(async () => (await load()) === elsewhere.lastKnown('docs.example.com')).toBe(true);

  clock.now += 1000;
  await put('docs.example.com', 'team');
  await expect.poll(() => elsewhere.lastKnown('docs.example.com')?.updatedAt).toEqual(new Date(clock.now));
  expect(sites.lastKnown('docs.example.com')).toBeUndefined();
  // The news of the second of two changes comes while the first is being loaded.
  for (let round = 0; round < 20; round++) {
    for (const _ of [1, 2]) {
      clock.now += 1000;
      await put('docs.example.com', 'team');
    }
    await expect.poll(() => elsewhere.lastKnown('docs.example.com')?.updatedAt).toEqual(new Date(clock.now));
  }
  await sites.remove('team', 'docs.example.com');
  await expect.poll(() => elsewhere.lastKnown('docs.example.com')).toBeUndefined();
});

describe('domains', () => {
  const label = 'a'.repeat(63);

  test.each([
    ['manual', 'manual'],
    ['Docs.Example.COM', 'docs.example.com'],
    ['xn--mller-kva.example', 'xn--mller-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    [`${label}.${label}.${label}.${'a'.repeat(61)}`, `${label}.${label}.${label}.${'a'.repeat(61)}`],
  ])('%s', (text, domain) => {
    expect(domainSchema.parse(text)).toBe(domain);
  });

  test.each([
    '',
    '.',
    '..',
    'https://docs.example.com',
    'docs.example.com/',
    'docs.example.com/guides',
    'docs.example.com:443',
    'docs..example.com',
    '.example.com',
    'example.com.',
    '-docs.example.com',
    'docs-.example.com',
    'docs_example.com',
    'docs example.com',
    'müller.example',
    'docs.example.com\n',
    'docs.example.com\0',
    '../up',
    '*.example.com',
    'user@example.com',
    `${'a'.repeat(64)}.com`,
    `${label}.${label}.${label}.${'a'.repeat(62)}`,
  ])('%j is none', (text) => {
    expect(domainSchema.safeParse(text).error?.issues[0]?.message).toContain('must be a host name such as docs.example.com');
  });
});

describe('sources', () => {
  test.each([
    { type: 'git', url: 'https://git.example.com/docs.git', ref: undefined },
    { type: 'git', url: 'https://git.example.com:8443/team/docs', ref: 'release/2.x', folder: 'docs/site' },
    { type: 'git', url: 'ssh://git@git.example.com/docs.git', ref: 'v1.0.0' },
    { type: 'git', url: 'ssh://git.example.com:2222/~user/docs.git', folder: '' },
    { type: 'git', url: 'https://[2001:db8::1]/docs.git', ref: 'ünïcode' },
  ])('%j can be registered and fetched', (source) => {
    expect(siteSourceSchema.parse(source)).toEqual(source);
    expect(gitUrl(source.url).protocol).toMatch(/https|ssh/);
    expect(source.ref && checkRef(source.ref)).toBe(source.ref);
  });

  test('a folder can be registered', () => {
    const source = { type: 'folder', path: '/srv/docs' };
    expect(siteSourceSchema.parse(source)).toEqual(source);
  });

  test.each([
    ['./docs/', 'docs'],
    ['docs//site', 'docs/site'],
    ['.', ''],
  ])('the folder %j is %j', (text, expected) => {
    expect(siteSourceSchema.parse({ type: 'git', url: 'https://git.example.com/docs.git', folder: text })).toMatchObject({
      folder: expected,
    });
  });

  const fault = (source: unknown) =>
    siteSourceSchema
      .safeParse(source)
      .error?.issues.map(({ message }) => message)
      .join('; ');

  test.each([
    'http://git.example.com/docs.git',
    'git://git.example.com/docs.git',
    'git@git.example.com:docs.git',
    'file:///etc',
    '/srv/repository',
    'ext::sh -c touch% /tmp/x',
    '--upload-pack=touch /tmp/x',
    '-u',
    'https://',
    'https://git.example.com/do cs.git',
    'https://git.example.com/docs.git\n',
    'https://git.example.com\\docs.git',
    '',
  ])('the address %j is refused', (url) => {
    expect(fault({ type: 'git', url })).toContain('must be an https:// or ssh:// URL');
  });

  test.each([
    'https://user:s3cret@git.example.com/docs.git',
    'https://s3cret@git.example.com/docs.git',
    'ssh://git:s3cret@git.example.com/docs.git',
    'HTTPS://x:s3cret@git.example.com/docs.git',
  ])('credentials in an address are refused, told where they go, and not repeated (%#)', (url) => {
    expect(fault({ type: 'git', url })).toContain('CARREL_GIT_CREDENTIALS');
    expect(fault({ type: 'git', url })).not.toContain('s3cret');
  });

  test.each([
    ['https://git.example.com/docs.git?token=s3cret', '"?"'],
    ['https://git.example.com/docs.git#main', '"#"'],
    ['ssh://-oProxyCommand=x/docs.git', 'must'],
    ['ssh://%2doProxyCommand=x/docs.git', 'must'],
    ['ssh://-oProxyCommand=x@git.example.com/docs.git', 'must have a plain user name'],
    ['ssh://git.example.com', 'must name a repository'],
    ['https://git.example.com/', 'must name a repository'],
  ])('%j is rejected', (url, words) => {
    expect(fault({ type: 'git', url })).toContain(words);
  });

  test.each([
    '-b',
    '--upload-pack=x',
    '',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.',
    '@',
    'a@{1}',
    'a\nb',
    'a\0',
    '+a',
  ])('the ref %j is refused', (ref) => {
    expect(fault({ type: 'git', url: 'https://git.example.com/docs.git', ref })).toContain('must be a branch or a tag');
  });

  test.each(['..', '../up', 'docs/../../up', '/etc', '-x', 'docs/--x', 'docs\\..', 'docs\0', '.git', 'docs/.GIT/hooks'])(
    'the folder %j of a repository is refused',
    (path) => {
      expect(fault({ type: 'git', url: 'https://git.example.com/docs.git', folder: path })).toContain('must be a folder inside');
    },
  );

  test.each(['docs', './docs', '../docs', '', '/srv/../etc', '/srv/\0'])('the folder %j of the machine is refused', (path) => {
    expect(fault({ type: 'folder', path })).toContain('must be an absolute path');
  });

  test('other types and unknown keys are refused', () => {
    expect(fault({ type: 'svn', url: 'https://example.com' })).toContain('must be folder or git');
    expect(fault(undefined)).toBeTruthy();
    expect(fault({ type: 'folder', path: '/srv/docs', url: 'x' })).toContain('"url"');
  });
});

test.each([
  [{ builder: 'make' }, 'must be docs, astro or html'],
  [{ siteUrl: 'docs.example.com' }, 'must be an http(s) URL'],
  [{ siteUrl: 'javascript:alert(1)' }, 'must be an http(s) URL'],
  [{ siteUrl: 'https://user:pass@docs.example.com' }, 'must be a URL without a user name, query or fragment'],
  [{ siteUrl: 'https://docs.example.com/?utm=a' }, 'must be a URL without a user name, query or fragment'],
  [{ siteUrl: 'https://docs.example.com/#top' }, 'must be a URL without a user name, query or fragment'],
  [{ deployment: 'moon' }, 'must be one of cloud, client-hosted, air-gapped'],
  [{ command: 'x' }, '"command"'],
])('the settings %j are refused', (settings, words) => {
  expect(siteSettingsSchema.safeParse(settings).error?.message).toContain(words.replaceAll('"', '\\"'));
});
