import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findPassword } from '../../../server/sites/site-password.ts';
import { openAccessServer } from '../organizations/access-server.ts';

const { services, clock, newKey, request } = await openAccessServer();
const writer = await newKey({ scopes: ['write'] });
const foreign = await newKey({ organization: 'other', scopes: ['write'] });
const git = { type: 'git', url: 'https://git.example.com/docs.git' };
const put = (domain: string, body: unknown, key = writer) => request('PUT', `/v1/sites/${domain}`, { body, key });

beforeEach(async () => {
  await services.database.query('delete from carrel.sites');
  clock.now += 1000;
});

test('a site is registered, read, listed, changed and removed', async () => {
  const made = await put('Docs.Example.com', {
    source: { ...git, ref: 'main', folder: './docs/' },
    siteUrl: 'https://docs.example.com',
    deployment: 'air-gapped',
  });
  expect(made.status).toBe(200);
  expect(made.body).toEqual({
    domain: 'docs.example.com',
    organization: 'default',
    source: { ...git, ref: 'main', folder: 'docs' },
    builder: 'docs',
    siteUrl: 'https://docs.example.com',
    deployment: 'air-gapped',
    settings: { deployment: 'air-gapped', features: {} },
    visibility: 'public',
    proof: { type: 'TXT', name: '_carrel-challenge.docs.example.com', value: expect.stringMatching(/^carrel=/) },
    activeJob: null,
    address: 'http://sites.example.com/sites/docs.example.com/',
    createdAt: new Date(clock.now).toISOString(),
    updatedAt: new Date(clock.now).toISOString(),
  });
  expect((await request('GET', '/v1/sites/docs.example.com')).body).toEqual(made.body);
  expect((await request('GET', '/v1/sites')).body).toEqual({ sites: [made.body] });

  await services.database.query(`update carrel.sites set active_job = 'se_0123456789abcdef'`);
  clock.now += 1000;
  const changed = await put('docs.example.com', { source: git });
  const { siteUrl: _, ...rest } = made.body;
  expect(changed.body).toEqual({
    ...rest,
    source: git,
    deployment: 'client-hosted',
    settings: { deployment: 'client-hosted', features: {} },
    activeJob: 'se_0123456789abcdef',
    updatedAt: new Date(clock.now).toISOString(),
  });

  expect((await request('DELETE', '/v1/sites/docs.example.com', { key: writer })).status).toBe(204);
  const gone = { status: 404, body: { code: 'SiteUnknown' } };
  expect(await request('DELETE', '/v1/sites/docs.example.com', { key: writer })).toMatchObject(gone);
  expect(await request('GET', '/v1/sites/docs.example.com')).toMatchObject(gone);
});

test('the features of a site stay when they are left out, and {} removes them', async () => {
  const features = { playground: { mode: 'proxy', hosts: ['api.example.com', '[::1]:8080'] }, assistant: { mode: 'quotes' } };
  expect((await put('docs.example.com', { source: git, features })).body).toMatchObject({ features });
  expect((await put('docs.example.com', { source: git })).body).toMatchObject({ features });
  expect((await request('GET', '/v1/sites/docs.example.com')).body).toMatchObject({ features });
  expect((await put('docs.example.com', { source: git, features: {} })).body).toMatchObject({ features: {} });
  expect((await services.sites.get('docs.example.com'))!.settings.features).toEqual({});
});

test('a site stays private until it is made public, and no answer shows its password', async () => {
  const password = 'a secret of readers';
  const path = '/v1/sites/docs.example.com';
  const patch = (body: object) => request('PATCH', path, { body, key: writer });
  const stored = async () => (await services.sites.get('docs.example.com'))!.settings.password;
  const answers = [await put('docs.example.com', { source: git, visibility: 'password', password })];
  const hash = (await stored())!;
  expect(await findPassword(password, [hash])).toBe(0);
  expect(await findPassword('a secret of writers', [hash])).toBe(-1);
  // What does not speak of readers changes nothing for them.
  answers.push(await put('docs.example.com', { source: { ...git, ref: 'next' } }), await patch({ builder: 'docs' }));
  answers.push(await patch({ visibility: 'password' }), await request('GET', path));
  for (const { body } of answers) {
    expect(body).toMatchObject({ visibility: 'password' });
    expect(JSON.stringify(body)).not.toMatch(/secret of readers|scrypt|"password":/);
  }
  expect(await stored()).toBe(hash);
  expect((await patch({ password: 'another secret' })).body).toMatchObject({ visibility: 'password' });
  expect(await findPassword('another secret', [(await stored())!])).toBe(0);
  expect((await patch({ visibility: 'public' })).body).toMatchObject({ visibility: 'public' });
  expect(await stored()).toBeUndefined();
});

test('changes at the same time lose nothing of each other', async () => {
  const path = '/v1/sites/docs.example.com';
  const patch = (body: object) => request('PATCH', path, { body, key: writer });
  await put('docs.example.com', { source: git });
  const urls = Array.from({ length: 8 }, (_, at) => patch({ siteUrl: `https://d${at}.example.com` }));
  const others = [patch({ visibility: 'password', password: 'open sesame' }), patch({ schedule: { everyMinutes: 7 } })];
  const answers = await Promise.all([
    ...urls,
    ...others,
    put('docs.example.com', { source: git, schedule: { everyMinutes: 7 } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const site = (await request('GET', path)).body;
  expect(site).toMatchObject({ visibility: 'password', schedule: { everyMinutes: 7 } });
});

test('two that add a site at the same time both keep what they say', async () => {
  const answers = await Promise.all([
    put('docs.example.com', { source: git, visibility: 'password', password: 'open sesame' }),
    ...Array.from({ length: 4 }, () => put('docs.example.com', { source: git })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await request('GET', '/v1/sites/docs.example.com')).body.visibility).toBe('password');
});

test('audiences have passwords of their own, which stay, and need no hash each', async () => {
  const path = '/v1/sites/docs.example.com';
  const patch = (body: object) => request('PATCH', path, { body, key: writer });
  const stored = async () => (await services.sites.get('docs.example.com'))!.settings;
  const partner = { groups: ['partner', 'beta'], password: 'for partners' };
  const readers = { visibility: 'password', password: 'for everyone', audiences: [partner] };
  const made = await put('docs.example.com', { source: git, ...readers });
  expect(made.body).toMatchObject({ visibility: 'password', audiences: [{ groups: ['beta', 'partner'] }] });
  expect(JSON.stringify(made.body)).not.toMatch(/for partners|scrypt/);
  const before = await stored();
  const salts = [before.password!, before.audiences![0]!.password].map((hash) => hash!.split(':')[1]);
  expect(new Set(salts).size).toBe(1);
  await put('docs.example.com', { source: git });
  expect(await stored()).toMatchObject({ password: before.password, audiences: before.audiences });
  // The groups name an audience, in any order.
  const more = await patch({ audiences: [{ groups: ['beta', 'partner'] }, { groups: ['staff'], password: 'for the staff' }] });
  expect(more.body).toMatchObject({ audiences: [{ groups: ['beta', 'partner'] }, { groups: ['staff'] }] });
  expect((await stored()).audiences![0]).toEqual(before.audiences![0]);

  const refused: [object, string, string][] = [
    [{ audiences: [{ groups: ['new'] }] }, 'audiences.0.password', 'is missing'],
    [{ audiences: [{ groups: ['new'], password: 'for everyone' }] }, 'audiences.0.password', 'that of other readers'],
    [{ password: 'for partners' }, 'password', 'that of other readers'],
    [{ audiences: [partner, { ...partner, password: 'another one' }] }, 'audiences.1.groups', 'those of another audience'],
    [{ audiences: [{ groups: [], password: 'for nobody' }] }, 'audiences.0.groups', 'at least one group'],
    [{ audiences: Array.from({ length: 17 }, (_, at) => ({ groups: [`g${at}`] })) }, 'audiences', 'at most 16'],
    [{ builder: 'html' }, 'audiences', 'need the builder docs'],
    [{ visibility: 'public', audiences: [] }, 'audiences', 'is for the visibility'],
  ];
  const operator = await newKey({ scopes: ['operator'] });
  for (const [body, field, message] of refused) {
    const { status, body: answer } = await request('PATCH', path, { body, key: operator });
    expect([status, answer]).toEqual([400, expect.objectContaining({ fields: [expect.objectContaining({ path: field })] })]);
    expect(answer.error).toContain(message);
  }
  expect((await patch({ audiences: [] })).body.audiences).toBeUndefined();
  expect((await stored()).audiences).toBeUndefined();
  await patch({ audiences: [partner] });
  await patch({ visibility: 'public' });
  expect((await stored()).audiences).toBeUndefined();
});

test.each([
  [{ visibility: 'password' }, 'password', 'is missing'],
  [{ password: 'long enough' }, 'password', 'is for the visibility "password"'],
  [{ visibility: 'public', password: 'long enough' }, 'password', 'is for the visibility "password"'],
  [{ visibility: 'password', password: 'short' }, 'password', 'must have at least 8 characters'],
  [{ visibility: 'password', password: 'x'.repeat(201) }, 'password', 'must have at most 200 characters'],
  [{ visibility: 'secret' }, 'visibility', 'must be one of public, password'],
])('%j is refused for a public site', async (fields, path, message) => {
  for (const answer of [
    await put('docs.example.com', { source: git, ...fields }),
    (await put('docs.example.com', { source: git })) &&
      (await request('PATCH', '/v1/sites/docs.example.com', { body: fields, key: writer })),
  ]) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'RequestInvalid', fields: [{ path }] } });
    expect(JSON.stringify(answer.body)).toContain(message.replaceAll('"', '\\"'));
  }
});

test.each([
  [{ playground: { mode: 'on' } }, 'must be off, mock, direct or proxy'],
  [{ playground: { mode: 'proxy', hosts: ['https://api.example.com'] } }, 'must be a host with or without a port'],
  [{ playground: { mode: 'proxy', hosts: ["a;script-src 'unsafe-inline'"] } }, 'must be a host with or without a port'],
  [{ assistant: { mode: 'on' } }, 'must be off, quotes or model'],
  [{ search: {} }, 'search'],
  [{ analytics: { mode: 'on' } }, 'must be off, own, providers or both'],
  [{ analytics: { mode: 'own', url: '/discovery' } }, 'url'],
  [{ analytics: { mode: 'off', hosts: ['a.example; script-src *'] } }, 'must be a host such as tags.example.com'],
])('the features %j are refused', async (features, message) => {
  const answer = await put('docs.example.com', { source: git, features });
  expect(answer).toMatchObject({ status: 400, body: { code: 'RequestInvalid', error: expect.stringContaining(message) } });
});

test('PATCH changes what it names and nothing else; null removes it', async () => {
  const patch = (body: object) => request('PATCH', '/v1/sites/docs.example.com', { body });
  const features = { playground: { mode: 'proxy' }, assistant: { mode: 'quotes' } };
  const whole = { source: git, siteUrl: 'https://docs.example.com', deployment: 'cloud', features };
  await put('docs.example.com', whole);
  expect((await patch({})).body).toMatchObject(whole);
  const direct = { ...whole, features: { ...features, playground: { mode: 'direct' } } };
  expect((await patch({ features: { playground: { mode: 'direct' } } })).body).toMatchObject(direct);
  const { body } = await patch({ siteUrl: null, features: { assistant: null }, source: { ...git, ref: 'v2' } });
  expect(body).toMatchObject({ source: { ...git, ref: 'v2' }, deployment: 'cloud' });
  expect(body).not.toHaveProperty('siteUrl');
  expect(body.features).toEqual({ playground: { mode: 'direct' } });
  expect((await patch({ features: null })).body).not.toHaveProperty('features');
  expect(await patch({ feature: {} })).toMatchObject({ status: 400, body: { code: 'RequestInvalid' } });
  expect(await request('PATCH', '/v1/sites/none.example.com', { body: {} })).toMatchObject({ status: 404 });
});

test('a file of settings is a field of PUT and PATCH, and what it sets is answered in the same form', async () => {
  const features = {
    search: { enabled: true },
    assistant: { mode: 'quotes', suggestions: ['How do I begin?'] },
    analytics: { mode: 'own', consent: 'required' },
    playground: { mode: 'mock', hosts: ['api.example.com'] },
  };
  const settings = { deployment: 'air-gapped', features };
  const { body } = await put('docs.example.com', { source: git, settings });
  expect(body).toMatchObject({ ...settings, settings });
  const patch = (changes: object) => request('PATCH', '/v1/sites/docs.example.com', { body: changes });
  const { body: changed } = await patch({ settings: { features: { playground: null, assistant: { mode: 'off' } } } });
  const { playground: _, ...left } = features;
  expect(changed.settings).toEqual({ deployment: 'air-gapped', features: { ...left, assistant: { mode: 'off' } } });
  // What a site has can be sent again.
  expect((await put('docs.example.com', { source: git, settings: changed.settings })).body.settings).toEqual(changed.settings);
  expect((await patch({ settings: { features: null } })).body.settings).toEqual({ deployment: 'air-gapped', features: {} });
});

test.each<[object, string]>([
  [{ settings: { features: {} }, features: {} }, 'settings.features is the same as features'],
  [{ settings: { deployment: 'cloud' }, deployment: 'cloud' }, 'settings.deployment is the same as deployment'],
  [{ settings: { features: { assistant: { mode: 'on' } } } }, 'must be off, quotes or model'],
  [{ settings: { feature: {} } }, 'feature'],
  [
    { settings: { deployment: 'air-gapped', features: { analytics: { mode: 'providers' } } } },
    'features.analytics.mode cannot be "providers" in an air-gapped export',
  ],
])('settings %j are refused', async (body, message) => {
  await put('docs.example.com', { source: git });
  for (const [method, sent] of [
    ['PUT', { source: git, ...body }],
    ['PATCH', body],
  ] as const) {
    const { status, text } = await request(method, '/v1/sites/docs.example.com', { body: sent });
    expect([status, text]).toEqual([400, expect.stringContaining(JSON.stringify(message).slice(1, -1))]);
  }
});

test('a key without the scope operator can change the features of a site that needs it, but not its code', async () => {
  const body = { source: { type: 'folder', path: '/srv/docs' }, builder: 'astro' };
  await request('PUT', '/v1/sites/docs.example.com', { body });
  const patch = (changes: object) => request('PATCH', '/v1/sites/docs.example.com', { body: changes, key: writer });
  expect(await patch({ features: { assistant: { mode: 'off' } } })).toMatchObject({ status: 200, body });
  expect(await patch({ source: { ...git, ref: 'evil' } })).toMatchObject({ status: 403, body: { code: 'AstroNeedsOperator' } });
  expect(await patch({ builder: 'docs' })).toMatchObject({ status: 403, body: { code: 'FolderNeedsOperator' } });
});

test('the scripts of analytics providers ask for an operator, also when the source changes', async () => {
  const features = { analytics: { mode: 'providers', providers: { fathom: { siteId: 'ABCDEFGH' } } } };
  const refused = { status: 403, body: { code: 'ProvidersNeedOperator' } };
  const patch = (body: object, key?: string) => request('PATCH', '/v1/sites/docs.example.com', { body, key });
  expect(await put('docs.example.com', { source: git, features })).toMatchObject(refused);
  expect((await put('docs.example.com', { source: git })).status).toBe(200);
  expect(await patch({ features }, writer)).toMatchObject(refused);
  expect(await patch({ features: { analytics: { mode: 'both' } } }, writer)).toMatchObject(refused);
  expect((await patch({ features: { analytics: { mode: 'own' } } }, writer)).status).toBe(200);
  expect((await patch({ features })).body).toMatchObject({ features });
  expect(await patch({ source: { ...git, ref: 'evil' } }, writer)).toMatchObject(refused);
  expect((await patch({ features: { search: { enabled: false } } }, writer)).body.features).toEqual({
    ...features,
    search: { enabled: false },
  });
  expect((await patch({ features: { analytics: null } }, writer)).body.features).toEqual({ search: { enabled: false } });
});

test('features that the deployment type cannot have are refused with the reason', async () => {
  const features = { analytics: { mode: 'providers' } };
  const body = { source: git, deployment: 'air-gapped', features };
  const refused = {
    status: 400,
    body: {
      code: 'RequestInvalid',
      error: expect.stringContaining('features.analytics.mode cannot be "providers" in an air-gapped'),
    },
  };
  expect(await request('PUT', '/v1/sites/docs.example.com', { body })).toMatchObject(refused);
  expect((await request('PUT', '/v1/sites/docs.example.com', { body: { ...body, deployment: 'cloud' } })).status).toBe(200);
  expect(await request('PATCH', '/v1/sites/docs.example.com', { body: { deployment: 'air-gapped' } })).toMatchObject(refused);
});

test('social cards need the URL of the site and the builder docs', async () => {
  const refused = (reason: string) => ({ status: 400, body: { code: 'RequestInvalid', error: expect.stringContaining(reason) } });
  const withUrl = { source: git, socialCards: true, siteUrl: 'https://docs.example.com' };
  const path = '/v1/sites/docs.example.com';
  expect(await request('PUT', path, { body: { source: git, socialCards: true } })).toMatchObject(
    refused('socialCards needs siteUrl'),
  );
  expect(await request('PUT', path, { body: { ...withUrl, builder: 'astro' } })).toMatchObject(refused('needs the builder docs'));
  expect(await request('PUT', path, { body: withUrl })).toMatchObject({ status: 200, body: { socialCards: true } });
  expect(await request('PATCH', path, { body: { siteUrl: null } })).toMatchObject(refused('socialCards needs siteUrl'));
  const off = { siteUrl: null, socialCards: false };
  expect(await request('PATCH', path, { body: off })).toMatchObject({ status: 200, body: { socialCards: false } });
});

test('a key without the scope operator can end trust in components and change other settings, but not the source of a trusted site', async () => {
  await request('PUT', '/v1/sites/docs.example.com', { body: { source: git, trust: true } });
  const patch = (changes: object) => request('PATCH', '/v1/sites/docs.example.com', { body: changes, key: writer });
  expect(await patch({ siteUrl: 'https://docs.example.com' })).toMatchObject({ status: 200, body: { trust: true } });
  const refused = { status: 403, body: { code: 'TrustNeedsOperator' } };
  for (const changes of [{ source: { ...git, ref: 'evil' } }, { trust: true }])
    expect(await patch(changes)).toMatchObject(refused);
  expect(await patch({ trust: false })).toMatchObject({ status: 200, body: { trust: false } });
  expect(await patch({ trust: true })).toMatchObject(refused);
  expect(await patch({ trust: 'yes' })).toMatchObject({ status: 400, body: { code: 'RequestInvalid' } });
});

describe('what reaches the machine or runs code asks for an operator', () => {
  test.each([
    [{ source: { type: 'folder', path: '/srv/docs' } }, 'FolderNeedsOperator'],
    [{ source: git, builder: 'astro' }, 'AstroNeedsOperator'],
    [{ source: git, builder: 'html' }, 'HtmlNeedsOperator'],
    [{ source: git, trust: true }, 'TrustNeedsOperator'],
    [{ source: { type: 'git', url: 'ssh://git@git.example.com/docs.git' } }, 'SshNeedsOperator'],
    [{ source: { type: 'git', url: 'SSH://git@git.example.com/docs.git' } }, 'SshNeedsOperator'],
    [{ source: { type: 'folder', path: '/srv/docs' }, builder: 'astro' }, 'FolderNeedsOperator'],
  ])('%j', async (body, code) => {
    expect(await put('docs.example.com', body)).toMatchObject({ status: 403, body: { code } });
    const allowed = await request('PUT', '/v1/sites/docs.example.com', { body });
    expect(allowed).toMatchObject({ status: 200, body });
    // Nor may a site that an operator allowed be changed to other code.
    expect((await put('docs.example.com', { source: { ...git, ref: 'evil' }, builder: 'astro' })).status).toBe(403);
    // Back to what runs nothing, anybody may.
    expect((await put('docs.example.com', { source: git })).body).toMatchObject({ builder: 'docs' });
  });
});

test('an organization that an operator named may register ssh repositories', async () => {
  const body = { source: { type: 'git', url: 'ssh://git@git.example.com/docs.git' } };
  services.options.gitSshOrganizations = ['other'];
  onTestFinished(() => void (services.options.gitSshOrganizations = []));
  expect(await put('docs.example.com', body)).toMatchObject({ status: 403, body: { code: 'SshNeedsOperator' } });
  expect(await put('docs.example.com', body, foreign)).toMatchObject({ status: 200, body });
  expect((await services.sites.get('docs.example.com'))!.settings).not.toHaveProperty('sshByOperator');
});

test('an ssh repository that an operator registers is recorded as such, and the answer does not say so', async () => {
  const body = { source: { type: 'git', url: 'ssh://git@git.example.com/docs.git' } };
  const answer = await request('PUT', '/v1/sites/docs.example.com', { body });
  expect(answer).toMatchObject({ status: 200, body });
  expect(answer.body).not.toHaveProperty('sshByOperator');
  expect((await services.sites.get('docs.example.com'))!.settings).toMatchObject({ sshByOperator: true });
});

describe('other organizations', () => {
  test('their sites are not there', async () => {
    await put('docs.example.com', { source: git });
    const gone = { status: 404, body: { code: 'SiteUnknown' } };
    expect(await request('GET', '/v1/sites/docs.example.com', { key: foreign })).toMatchObject(gone);
    expect(await request('DELETE', '/v1/sites/docs.example.com', { key: foreign })).toMatchObject(gone);
    expect((await request('GET', '/v1/sites', { key: foreign })).body).toEqual({ sites: [] });
    expect((await request('GET', '/v1/sites/docs.example.com')).status).toBe(200);
  });

  test('a domain that one has is taken', async () => {
    await put('docs.example.com', { source: git });
    expect(await put('DOCS.example.com', { source: git }, foreign)).toMatchObject({ status: 409, body: { code: 'DomainTaken' } });
  });

  test('an operator acts for them by name', async () => {
    const body = { source: { type: 'folder', path: '/srv/docs' } };
    const made = await request('PUT', '/v1/sites/docs.example.com?organization=other', { body });
    expect(made.body.organization).toBe('other');
    expect((await request('GET', '/v1/sites/docs.example.com', { key: foreign })).body).toEqual(made.body);
    expect((await request('GET', '/v1/sites?organization=other')).body.sites).toHaveLength(1);
    expect((await request('GET', '/v1/sites/docs.example.com')).status).toBe(404);
    expect((await request('DELETE', '/v1/sites/docs.example.com?organization=other', { key: writer })).body.code).toBe(
      'ScopeMissing',
    );
    expect((await request('DELETE', '/v1/sites/docs.example.com?organization=other')).status).toBe(204);
    expect((await request('GET', '/v1/sites?organization=nobody')).body.code).toBe('OrganizationUnknown');
  });
});

test.each([
  encodeURIComponent('https://docs.example.com'),
  encodeURIComponent('docs.example.com/'),
  encodeURIComponent('docs.example.com/guides'),
  'docs.example.com:443',
  encodeURIComponent('müller.example'),
  encodeURIComponent('../keys'),
  `${'a.'.repeat(126)}aa`,
  'docs..example.com',
])('the domain %s is refused', async (domain) => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await request(method, `/v1/sites/${domain}`, { body: method === 'PUT' ? { source: git } : undefined });
    expect(answer).toMatchObject({ status: 400, body: { code: 'RequestInvalid' } });
    expect(answer.body.error).toContain('must be a host name such as docs.example.com');
  }
});

test('a domain with a NUL is none', async () => {
  const { status, body } = await request('GET', '/v1/sites/%00');
  expect([status, body.code]).toEqual([404, 'RouteUnknown']);
  expect(body.error).toContain('NUL');
});

test.each([
  [{}, 'source'],
  [{ source: null }, 'source'],
  [{ source: 'https://git.example.com/docs.git' }, 'source'],
  [{ source: git, active: true }, '"active"'],
  [{ source: git, activeJob: 'se_0123456789abcdef' }, '"activeJob"'],
  [{ source: { ...git, password: 'x' } }, '"source.password" is not a known field'],
  [{ source: { ...git, ref: '--upload-pack=x' } }, '"source.ref" is "--upload-pack=x"; it must be a branch or a tag'],
  [{ source: { ...git, folder: '../up' } }, '"source.folder" is "../up"; it must be a folder inside'],
  [
    { source: { type: 'git', url: 'git@github.com:team/docs.git' } },
    'must be an https:// or ssh:// URL: https://github.com/team/docs.git or ssh://git@github.com/team/docs.git',
  ],
  [{ source: { type: 'git', url: 'http://git.example.com/docs.git' } }, '"source.url" must be an https:// or ssh:// URL'],
  [{ source: { type: 'folder', path: 'docs' } }, '"source.path" is "docs"; it must be an absolute path'],
  [{ source: git, builder: 'make' }, '"builder" is "make"; it must be docs, astro or html'],
  [{ source: git, siteUrl: 'ftp://docs.example.com' }, '"siteUrl" must be an http(s) URL'],
  [{ source: git, deployment: 'moon' }, '"deployment" is "moon"; it must be one of'],
])('the body %j is refused', async (body, words) => {
  const answer = await request('PUT', '/v1/sites/docs.example.com', { body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'RequestInvalid' } });
  expect(answer.body.error).toContain(words);
});

test('credentials in an address are refused with the place where they go, and not repeated', async () => {
  const answer = await put('docs.example.com', { source: { type: 'git', url: 'https://user:s3cret@git.example.com/docs.git' } });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('CARREL_GIT_CREDENTIALS');
  expect(answer.text).not.toContain('s3cret');
});
