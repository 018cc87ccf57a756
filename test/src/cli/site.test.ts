import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { listenForAccess } from './access-listener.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { findPassword } from '../../../server/sites/site-password.ts';
import { startGitServer } from '../../server/sources/git-server.ts';
import { carrel, startCarrel } from './carrel.ts';
import { openRemoteServer, type RemoteServer } from './remote-server.ts';

const { services, request, run, newKey } = await listenForAccess();

test('a site is added, shown, listed and removed', async () => {
  const source = '--git https://git.example.com/docs.git --ref main --subfolder docs'.split(' ');
  const settings = '--site-url https://docs.example.com --deployment air-gapped --no-export'.split(' ');
  const added = await run(['site', 'add', 'Docs.example.com', ...source, ...settings]);
  expect(added.code).toBe(0);
  const text = `domain:       docs.example.com
organization: default
source:       https://git.example.com/docs.git @ main in docs
builder:      docs
siteUrl:      https://docs.example.com
deployment:   air-gapped
visibility:   public
activeJob:    none: not exported yet
address:      http://sites.example.com/sites/docs.example.com/ (after the first export)
`;
  expect(added.stdout.replace(/^(?:created|updated)At: {4}\d{4}-.*Z\n/gm, '')).toBe(text);
  expect(added.stderr).toBe('');
  expect((await run(['site', 'show', 'docs.example.com'])).stdout).toBe(added.stdout);
  expect((await run(['site', 'list'])).stdout).toBe(
    'DOMAIN            BUILDER  ACTIVE JOB  SOURCE\ndocs.example.com  docs     none        https://git.example.com/docs.git @ main in docs\n',
  );
  expect(JSON.parse((await run(['site', 'show', 'docs.example.com', '--json'])).stdout)).toMatchObject({ activeJob: null });
  expect((await run(['site', 'remove', 'docs.example.com'])).stdout).toBe('Removed the site docs.example.com.\n');
  const gone = await run(['site', 'show', 'docs.example.com']);
  expect(gone.code).toBe(1);
  expect(gone.stderr).toContain('SiteUnknown');
});

test('a site is listed and shown with every field of the answer of the API', async () => {
  const path = '/v1/sites/full.example.com';
  const body = {
    source: { type: 'git', url: 'https://git.example.com/docs.git', ref: 'main', folder: 'docs' },
    ...{ builder: 'docs', trust: true, siteUrl: 'https://full.example.com', socialCards: true, deployment: 'client-hosted' },
    schedule: { cron: '0 6 * * *', timezone: 'Europe/Paris' },
    previews: { branches: ['next'], days: 3, most: 4 },
    assistant: { model: { baseUrl: 'https://models.example.com/v1', model: 'small' }, answersPerDay: 7, tools: true },
    features: { search: { enabled: false } },
  };
  const site = (await request('PUT', path, { body })).body as Record<string, unknown>;
  expect(Object.keys(site)).toEqual(expect.arrayContaining(Object.keys(body)));
  expect(JSON.parse((await run(['site', 'show', 'full.example.com', '--json'])).stdout)).toEqual(site);
  const { sites } = (await request('GET', '/v1/sites')).body;
  expect(JSON.parse((await run(['site', 'list', '--json'])).stdout)).toEqual(sites);

  const { stdout } = await run(['site', 'show', 'full.example.com']);
  const { settings: _, ...fields } = site;
  expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([...Object.keys(fields), '']);
  for (const value of ['Europe/Paris', 'next', 'small', '"answersPerDay":7', '"enabled":false', 'main in docs'])
    expect(stdout).toContain(value);
  await run(['site', 'remove', 'full.example.com']);
});

test('a site gets a password from a file, and is public again', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'password.txt');
  writeFileSync(file, 'open sesame\n');
  const from = ['--password-file', file];
  const set = (...options: string[]) => run(['site', 'set', 'private', ...options]);
  const stored = async () => (await services.sites.get('private'))!.settings.password;
  const added = await run(['site', 'add', 'private', '--git', 'https://git.example.com/docs.git', '--no-export', ...from]);
  expect(added.stdout).toContain('visibility:   password\n');
  expect(added.stdout).not.toContain('sesame');
  expect(await findPassword('open sesame', [(await stored())!])).toBe(0);
  const audiences = ['--audiences', '[{ "groups": ["partner"], "password": "for partners" }]'];
  const more = await set(...audiences);
  expect(more.stdout).toContain('audiences:    [{"groups":["partner"]}]\n');
  expect((await set('--audiences', '[]')).stdout).not.toContain('audiences');
  expect((await set('--visibility', 'public')).stdout).toContain('visibility:   public\n');
  expect(await stored()).toBeUndefined();
  for (const [options, message] of [
    [['--visibility', 'password'], 'password is missing'],
    [['--visibility', 'public', ...from], '--password-file excludes --visibility public.'],
    [['--password-file', join(folder, 'none.txt')], 'of --password-file cannot be read'],
    [['--visibility', 'everyone'], 'must be public, password, members or groups'],
    [['--visibility', 'members', ...from], '--password-file excludes --visibility members.'],
    [['--visibility', 'groups'], 'groups is missing'],
    [['--audiences', '[{ "groups": "partner" }]'], '0.groups'],
  ] as const) {
    const refused = await set(...options);
    expect([refused.code, refused.stdout]).toEqual([expect.any(Number), '']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(message);
  }
  expect((await set('--visibility', 'members')).stdout).toContain('visibility:   members\n');
  expect((await set('--groups', 'staff,board')).stdout).toMatch(/visibility: +groups\ngroups: +\["staff","board"\]\n/);
  await run(['site', 'remove', 'private']);
});

test('a branch whose name changes the direction of text is shown with escapes', async () => {
  await run(['site', 'add', 'reversed', '--git', 'https://git.example.com/docs.git', '--ref', 'a\u202eb', '--no-export']);
  for (const command of [['list'], ['show', 'reversed']]) {
    const { stdout } = await run(['site', ...command]);
    expect(stdout).toContain('@ a\\u{202e}b');
    expect(stdout).not.toContain('\u202e');
  }
  await run(['site', 'remove', 'reversed']);
});

test('the features of a site come from a file or the option, and stay when a site is changed without them', async () => {
  const add = (...more: string[]) =>
    run(['site', 'add', 'features', '--git', 'https://git.example.com/docs.git', '--no-export', ...more]);
  const features = { playground: { mode: 'proxy', hosts: ['api.example.com'] } };
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, JSON.stringify({ features }));
  expect((await add('--settings', file)).stdout).toContain(`features:     ${JSON.stringify(features)}\n`);
  expect((await add()).stdout).toContain('"proxy"');
  expect((await add('--settings', '{ "features": { "assistant": { "mode": "off" } } }')).stdout).toContain(
    'features:     {"assistant":{"mode":"off"}}',
  );
  const wrong = await add('--settings', '{ "features": { "playground": { "mode": "on" } } }');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('must be off, mock, direct or proxy')]);
});

test('one setting of a site changes, and the others stay', async () => {
  const set = (...more: string[]) => run(['site', 'set', 'changing', ...more]);
  const unknown = await set('--answers-per-day', '5');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('SiteUnknown')]);
  await run(['site', 'add', 'changing', '--git', 'https://git.example.com/docs.git', '--no-export', '--every', '15']);
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, JSON.stringify({ deployment: 'air-gapped', features: { assistant: { mode: 'quotes' } } }));
  const changed = (await set('--settings', file, '--site-url', 'https://docs.example.com')).stdout;
  for (const line of [
    'source:       https://git.example.com/docs.git',
    'deployment:   air-gapped',
    'siteUrl:      https://docs.example.com',
    'schedule:     every 15 min',
    'features:     {"assistant":{"mode":"quotes"}}',
  ])
    expect(changed).toContain(`${line}\n`);
  expect((await set('--answers-per-day', '0')).stdout).toContain('assistant:    {"answersPerDay":0,"panel":true}\n');
  expect((await set('--answers-per-day', 'unlimited', '--cron', '0 6 * * *')).stdout).not.toContain('answersPerDay');
  expect((await set('--settings', '{ "features": { "search": { "enabled": false } } }')).stdout).toContain(
    'features:     {"search":{"enabled":false},"assistant":{"mode":"quotes"}}\n',
  );
  expect((await set('--previews', 'next')).stdout).toContain('previews:');
  const plain = (await set('--no-previews', '--no-schedule')).stdout;
  expect(plain).toContain('siteUrl:      https://docs.example.com\n');
  for (const gone of ['previews:', 'schedule:']) expect(plain).not.toContain(gone);
  expect(await set()).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to change') });
  expect(await set('--no-schedule', '--every', '5')).toMatchObject({ code: 2, stderr: expect.stringContaining('--no-schedule') });
  expect(await set('--answers-per-day', 'many')).toMatchObject({ code: 2 });
});

test('a site has a schedule', async () => {
  const add = (...more: string[]) =>
    run(['site', 'add', 'fresh', '--git', 'https://git.example.com/docs.git', '--no-export', ...more]);
  expect((await add('--every', '15')).stdout).toContain('schedule:     every 15 min\n');
  expect((await add('--cron', '0 6 * * 1-5', '--timezone', 'Europe/Paris')).stdout).toContain(
    'schedule:     at "0 6 * * 1-5" (Europe/Paris)\n',
  );
  expect((await add()).stdout).not.toContain('schedule:');
  expect(await add('--every', '15', '--cron', '0 6 * * *')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('mutually exclusive'),
  });
  expect(await add('--timezone', 'Europe/Paris')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--timezone requires --cron'),
  });
  expect(await add('--cron', 'daily')).toMatchObject({ code: 1, stderr: expect.stringContaining('five fields of cron') });
});

test('the absolute path of a folder is sent to the server', async () => {
  expect((await run(['site', 'add', 'fixtures', '--folder', 'fixtures/plain-folder', '--organization', 'other'])).code).toBe(0);
  expect(await services.sites.get('fixtures')).toMatchObject({
    organization: 'other',
    source: { type: 'folder', path: resolve('fixtures/plain-folder') },
  });
});

test.each([
  [['site', 'add'], 2, 'Missing argument: DOMAIN'],
  [['site', 'add', 'x'], 2, 'Missing option: --folder or --git'],
  [
    ['site', 'add', 'x', '--folder', 'a', '--git', 'https://git.example.com/a.git'],
    2,
    '--folder and --git are mutually exclusive.',
  ],
  [['site', 'add', 'x', '--folder', 'a', '--ref', 'main'], 2, '--ref and --subfolder require --git.'],
  [['site', 'add', 'x', '--folder', ''], 2, '--folder: must not be empty'],
  [['site', 'add', 'x', '--folder', 'a', '--builder', 'make'], 2, '--builder: must be docs, astro or html'],
  [['site', 'add', 'https://x', '--folder', 'a'], 1, 'must be a host name such as docs.example.com'],
  [['site', 'add', 'x', '--git', 'https://git.example.com/a.git', '--ref=--x'], 1, 'must be a branch or a tag'],
  [['site', 'remove', '../keys'], 1, 'must be a host name'],
])('%j exits with %s: %s', async (args, code, words) => {
  const ended = await run(args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toContain(words);
});

test('a password in a URL is refused, and not repeated', async () => {
  const ended = await run(['site', 'add', 'x', '--git', 'https://user:s3cret@git.example.com/a.git']);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('CARREL_GIT_CREDENTIALS');
  expect(ended.stdout + ended.stderr).not.toContain('s3cret');
});

test('folders require the scope operator', async () => {
  const ended = await run(['site', 'add', 'x', '--folder', '.'], await newKey({ scopes: ['write'] }));
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('FolderNeedsOperator');
});

describe('the first export', () => {
  let server: RemoteServer;
  beforeAll(async () => {
    server = await openRemoteServer();
  });
  const env = () => ({ ...process.env, CARREL_URL: server.url, CARREL_KEY: server.adminKey });
  const add = ['site', 'add', 'manual', '--folder', 'fixtures/plain-folder'];
  const starts = () => server.asked.filter((request) => request === 'POST /v1/static-export/jobs').length;

  test('that fails ends the command with its reason', async () => {
    server.work = (job) => server.services.jobs.fail(job, { code: 'ConfigNotJson', message: 'docs.json is not JSON.' });
    const { code, stdout, stderr } = await carrel(add, { env: env() });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('RemoteJobFailed');
    expect(stderr).toContain('docs.json is not JSON.');
  });

  test('continues on the server when the command is stopped', async () => {
    server.work = (job) => server.services.jobs.advance(job, { stage: 'render', progress: 30, pageCount: 3 });
    const { child, ended } = startCarrel(add, { env: env() });
    await new Promise<void>((resolve) =>
      child.stderr!.on('data', (text: Buffer) => String(text).includes('Rendering') && resolve()),
    );
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    const id = /The export of "manual" \((se_[0-9a-f]{16})\) continues on the server/.exec(stderr)![1]!;
    expect(await server.services.jobs.get(id)).toMatchObject({ status: 'running' });
    await server.services.jobs.cancel(id);
  });

  test('is awaited, and then the printed URL serves the site', async () => {
    server.work = server.complete;
    const before = starts();
    const { code, stdout, stderr } = await carrel(add, { env: env() });
    expect(stderr).toContain('Waiting\n');
    expect(stdout).toMatch(/activeJob: {4}se_[0-9a-f]{16}\naddress: {6}\S+\/sites\/manual\/\n/);
    expect([code, starts()]).toEqual([0, before + 1]);
    // A site that has an export is only changed.
    expect((await carrel(add, { env: env() })).code).toBe(0);
    expect(starts()).toBe(before + 1);
  });

  test('a hook prints what the service needs, and can be removed', async () => {
    const hook = await carrel(['site', 'hook', 'manual', 'github'], { env: env() });
    expect(hook.stdout).toMatch(/^URL: {5}\S+\/v1\/sites\/manual\/hooks\/github\nSecret: {2}[\w-]{43}\n\nRepository → Settings/);
    expect((await carrel(['site', 'hook', 'manual', 'github', '--remove'], { env: env() })).stdout).toBe(
      'Pushes from github no longer export manual.\n',
    );
    expect(await carrel(['site', 'hook', 'manual', 'github', '--remove'], { env: env() })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PushHookUnknown'),
    });
  });

  test('previews of branches are set, listed and removed', async () => {
    const git = ['site', 'add', 'branches', '--git', 'https://git.example.com/docs.git', '--no-export'];
    const days = await carrel([...git, '--preview-days', '3'], { env: env() });
    expect([days.code, days.stderr]).toEqual([2, expect.stringContaining('--preview-days requires --previews.')]);
    const added = await carrel([...git, '--previews', 'next,docs/*', '--preview-days', '3', '--preview-comments'], {
      env: env(),
    });
    expect(added.stdout).toContain(
      'previews:     next, docs/*; at most 10, for 3 days after the last push; with comments on pull requests\n',
    );
    const site = (await server.services.sites.get('branches'))!;
    const { domain } = (await server.services.previews.put(site, 'next', site.settings.previews!))!;
    const listed = await carrel(['site', 'previews', 'branches'], { env: env() });
    expect(listed.stdout).toMatch(/^NAME +BRANCH +STATUS +EXPIRES +ADDRESS\nbranches--next +next .+\/sites\/branches--next\/\n$/);
    const remove = ['site', 'previews', 'branches', '--remove', domain];
    expect((await carrel(remove, { env: env() })).stdout).toBe('Removed the preview branches--next.\n');
    expect(await carrel(remove, { env: env() })).toMatchObject({ code: 1, stderr: expect.stringContaining('PreviewUnknown') });
  });

  test('finds the docs of a repository, unless an option says where they are', async () => {
    const git = await startGitServer();
    server.work = server.complete;
    const { options } = server.services;
    Object.assign(options, { privateHosts: ['127.0.0.1'], gitAuthorities: git.authorities });
    git.commit('program', { 'a.ts': '', 'docs/docs.json': '{}', 'docs/index.md': '# Home' });
    const addGit = (name: string, ...more: string[]) =>
      carrel(['site', 'add', name, '--git', `${git.address}/program`, ...more], { env: env() });
    const found = await addGit('found');
    expect(found).toMatchObject({ code: 0, stderr: expect.stringContaining('A docs.json with 1 page in "docs".\n') });
    expect(found.stdout).toContain(`source:       ${git.address}/program in docs\n`);
    const missing = await addGit('missing', '--ref', 'nowhere');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('has no branch or tag "nowhere"')]);
    expect(await server.services.sites.get('missing')).toBeUndefined();
    git.git('program', 'rm', '--quiet', '-r', 'docs');
    git.commit('program', {});
    expect(await addGit('none')).toMatchObject({ code: 1, stderr: expect.stringContaining('DocsNotFound') });
    expect(await addGit('none', '--builder', 'docs')).toMatchObject({ code: 0 });
  });
});
