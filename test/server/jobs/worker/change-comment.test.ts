import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { createHostedSites } from '../../../../server/hosting/hosted-sites.ts';
import { createWorker } from '../../../../server/jobs/worker/worker.ts';
import { storeExport } from '../../../../server/storage/store-export.ts';
import { followJob } from '../../../support/server-process.ts';
import { place, startServer } from '../../faults/places.ts';
import { startGitServer } from '../../sources/git-server.ts';
import { openTestServer } from '../../support/services.ts';
import { carrelExport, quickExport } from '../exporters.ts';

const git = await startGitServer();
const gitCredentials = join(git.folder, 'credentials');
const { services, request, clock } = await openTestServer({
  privateHosts: ['127.0.0.1'],
  gitAuthorities: git.authorities,
  gitCredentials,
});

const hosted = createHostedSites(services);

interface Author {
  id: number;
  type?: string;
}

/** The routes of pull requests and comments of one repository, on the host of git, as services have them. */
interface Forge {
  /** What is open: a number and the IDs of the repositories of its branch and of its target. */
  open: [number: number, from: number, to: number][];
  comments: { id: number; body: string; user?: Author; author?: Author }[];
  /** Whose token it is; a token of an app does not have a user. */
  user: Author | undefined;
  requests: string[];
  token: unknown;
  status: number;
}
let forge: Forge;
let repository: string;
let secret: string;
const domain = 'docs.acme.com';
const path = `/v1/sites/${domain}`;
const about = `<!-- carrel changes http://sites.example.com/sites/${domain}/ -->\n`;

function resetForge() {
  forge = {
    ...{ open: [[7, 1, 1]], comments: [{ id: 1, body: 'Looks good.' }], user: { id: 42, type: 'User' } },
    ...{ requests: [], token: undefined, status: 200 },
  };
  writeFileSync(gitCredentials, `https://reader:s3cret-token@127.0.0.1:${git.port}`, { mode: 0o600 });
}

beforeEach(() => {
  resetForge();
  git.before = (request, response) => {
    const { method = '', url = '', headers } = request;
    if (!url.includes('/api/')) return false;
    // The statuses of commits have tests of their own.
    if (url.includes('/statuses/')) return (response.writeHead(201).end('{}'), true);
    forge.requests.push(`${method} ${decodeURIComponent(url)}`);
    forge.token = headers['private-token'] ?? headers.authorization;
    void answer(method, url, method === 'GET' ? undefined : (json(request) as Promise<{ body: string }>)).then((answered) =>
      response
        .writeHead(answered === undefined ? 403 : forge.status, { location: 'https://elsewhere.example.com/' })
        .end(JSON.stringify(answered)),
    );
    return true;
  };
});

async function answer(method: string, url: string, sent: Promise<{ body: string }> | undefined): Promise<unknown> {
  const body = (await sent)?.body;
  if (url.includes('source_branch='))
    return forge.open.map(([iid, source_project_id, target_project_id]) => ({ iid, source_project_id, target_project_id }));
  if (url.includes('head='))
    return forge.open.map(([number, from, to]) => ({ number, head: { repo: { id: from } }, base: { repo: { id: to } } }));
  if (url.endsWith('/user')) return forge.user;
  if (forge.status !== 200 || body === undefined) return forge.comments;
  const own = { [url.includes('/notes') ? 'author' : 'user']: forge.user ?? { id: 99, type: 'Bot' } };
  if (method === 'POST') forge.comments.push({ id: forge.comments.length + 1, body, ...own });
  else forge.comments.find(({ id }) => url.endsWith(`/${id}`))!.body = body;
  return {};
}

const config = (...pages: string[]) => ({ 'docs.json': JSON.stringify({ name: 'Birds', navigation: { pages } }) });
const main = {
  ...config('index', 'heron', 'stork'),
  'index.mdx': '# Birds\n',
  'heron.mdx': '# Heron\n\nHerons wade.\n',
  'stork.mdx': '# Stork\n\nStorks walk.\n',
};
const branch = {
  ...config('index', 'crane', 'stork'),
  'index.mdx': '# Birds\n\nMany.\n\n[Heron](/heron)\n',
  'crane.mdx': '# Crane @all [x] #3 !4\n\nCranes dance.\n',
  'stork.mdx': main['stork.mdx'],
};

/** A site with an export of its own branch, and with previews. */
async function addSite(name: string, { exporter = quickExport(), comment = true } = {}): Promise<string> {
  repository = name;
  await services.database.query('delete from carrel.sites');
  clock.now += 2000;
  const commit = git.commit(repository, main);
  const source = { type: 'git', url: `${git.address}/${repository}`, ref: 'main' };
  const { status } = await request('PUT', path, { source, previews: { branches: 'all', comment } });
  expect(status).toBe(200);
  ({ secret } = await (await request('PUT', `${path}/hooks/github`)).json());
  await run(await started(), exporter);
  return commit;
}

const started = async () => (await (await request('POST', '/v1/static-export/jobs', { domain })).json()).jobId as string;

/** Reports an event of GitHub. */
async function report(event: string, payload: object): Promise<{ jobId: string; reason: string; preview: string }> {
  clock.now += 1001;
  const body = JSON.stringify({ repository: { default_branch: 'main' }, ...payload });
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'x-github-event': event,
  };
  return (await request('POST', `${path}/hooks/github`, body, null, headers)).json();
}

/** Commits to a branch and reports the push. */
async function push(files: Record<string, string>, branchName = 'feature/a-b') {
  const commit = git.commit(repository, files, branchName);
  const answered = await report('push', { ref: `refs/heads/${branchName}`, after: commit });
  return { commit, ...answered };
}

/** Runs a job to its end, and gives what its log says about comments. */
async function run(jobId: string, exporter = quickExport()): Promise<string> {
  clock.now += 1001;
  const worker = createWorker(services, { exporter, workFolder: join(services.options.data, 'work'), storeExport });
  await worker.run(jobId, new AbortController().signal);
  clock.now += 1001;
  expect((await services.jobs.get(jobId))?.status).toBe('completed');
  const log = (await services.jobs.readLog(jobId)).map(({ text }) => text).join('');
  expect(log).not.toContain('s3cret-token');
  return log
    .split('\n')
    .filter((line) => line.includes('comment'))
    .join('\n');
}

test('a pull request on GitHub gets what the preview of its branch changes, and later pushes replace it', async () => {
  const base = await addSite('acme/birds', { exporter: carrelExport });
  forge.open.push([9, 2, 1]);
  // Branches of the test's git server have all files of main.
  git.git(repository, 'rm', '--quiet', 'heron.mdx');
  git.git(repository, 'commit', '--quiet', '--message', 'Remove');
  const { jobId, preview } = await push(branch);
  expect(await run(jobId, carrelExport)).toBe('');
  const url = `http://sites.example.com/sites/${preview}/`;
  expect(forge.comments[1]!.body).toBe(
    [
      `${about}### docs.acme.com: 1 page added, 1 changed, 1 removed`,
      `Compared with \`${base.slice(0, 12)}\`.`,
      '**New problems** (1)',
      '- `index.mdx:5` The link "/heron" is broken: the site does not have this page or file. Correct the link, or add the page or a redirect. (link-without-target)',
      '**Pages** (3)',
      [
        `- added: [Crane @\u2060all \\[x\\] \\#3 \\!4](${url}crane/) \`/crane\``,
        `- changed: [Birds](${url}) \`/\``,
        '- removed: Heron `/heron`, without a redirect',
      ].join('\n'),
    ].join('\n\n'),
  );
  for (const [, link = ''] of forge.comments[1]!.body.matchAll(/\]\((.+?)\)/g))
    expect((await hosted(new Request(link))).status, link).toBe(200);
  expect([forge.token, forge.requests]).toEqual([
    'Bearer s3cret-token',
    [
      'GET /api/v3/repos/acme/birds/pulls?state=open&head=acme:feature/a-b',
      'GET /api/v3/repos/acme/birds/issues/7/comments?per_page=100&page=1',
      'POST /api/v3/repos/acme/birds/issues/7/comments',
    ],
  ]);
  const again = await push(main);
  await run(again.jobId, carrelExport);
  expect(forge.requests.slice(-2)).toEqual(['GET /api/v3/user', 'PATCH /api/v3/repos/acme/birds/issues/comments/2']);
  expect(forge.comments).toMatchObject([{ body: 'Looks good.' }, { body: expect.stringContaining('no changes') }]);
});

test('a merge request on GitLab gets a note by a server that runs, and of two pushes in short order, the last one stays', async () => {
  forge.open.push([8, 2, 1]);
  repository = 'group/sub/birds';
  git.commit(repository, main);
  const environment = { CARREL_PRIVATE_HOSTS: '127.0.0.1', CARREL_GIT_AUTHORITIES: git.authorities };
  const more = { QUICK_EXPORT: '300', CARREL_GIT_CREDENTIALS: gitCredentials };
  const server = await startServer(place().data, { ...environment, ...more });
  const source = { type: 'git', url: `${git.address}/${repository}`, ref: 'main' };
  await server.request('PUT', path, { source, previews: { branches: 'all', comment: true } });
  const hook = await (await server.request('PUT', `${path}/hooks/gitlab`)).json();
  const { jobId } = await (await server.request('POST', '/v1/static-export/jobs', { domain })).json();
  expect((await followJob(server, jobId)).status).toBe('completed');
  const pushed = async (files: Record<string, string>) => {
    const body = { ref: 'refs/heads/next', after: git.commit(repository, files, 'next'), project: { default_branch: 'main' } };
    const headers = { 'x-gitlab-token': hook.secret, 'x-gitlab-event': 'Push Hook' };
    return (await (await server.request('POST', `${path}/hooks/gitlab`, body, headers)).json()).jobId as string;
  };
  await followJob(server, await pushed({ 'crane.md': '# Crane' }), ({ status }) => status === 'running');
  await pushed({ 'crane.md': '# Crane', 'owl.md': '# Owl' });
  const notes = '/api/v4/projects/group/sub/birds/merge_requests/7/notes';
  await expect.poll(() => forge.requests.at(-1)).toBe(`PUT ${notes}/2`);
  await expect.poll(() => forge.comments[1]!.body).toContain('2 pages added');
  expect([forge.token, forge.requests.slice(0, 3)]).toEqual([
    's3cret-token',
    [
      'GET /api/v4/projects/group/sub/birds/merge_requests?state=opened&source_branch=next',
      `GET ${notes}?per_page=100&page=1`,
      `POST ${notes}`,
    ],
  ]);
});

test('a pull request that is opened after the push is commented on as well, but none of a fork', async () => {
  await addSite('acme/late');
  forge.open = [];
  const { commit, jobId } = await push({ 'crane.md': '# Crane' }, 'late');
  expect(await run(jobId)).toBe('');
  expect(forge.comments).toHaveLength(1);
  forge.open = [[7, 1, 1]];
  const opened = (from: number, action = 'opened') =>
    report('pull_request', {
      action,
      pull_request: { head: { ref: 'late', sha: commit, repo: { id: from } }, base: { repo: { id: 1 } } },
    });
  expect(await opened(2)).toMatchObject({ jobId: null, reason: 'not-a-push' });
  expect(await opened(1, 'closed')).toMatchObject({ jobId: null, reason: 'not-a-push' });
  await run((await opened(1)).jobId);
  expect(forge.comments[1]!.body).toContain('added');
  await request('PATCH', path, { previews: { branches: 'all' } });
  expect(await opened(1)).toMatchObject({ jobId: null, reason: 'not-a-push' });
});

test('an older job never replaces the comment of a newer one', async () => {
  await addSite('acme/order');
  const older = await push({ 'crane.md': '# Crane' }, 'next');
  // It runs while the branch is pushed again, and ends last.
  await services.jobs.start(older.jobId);
  const newer = await push({ 'crane.md': '# Crane', 'owl.md': '# Owl' }, 'next');
  expect(newer.jobId).not.toBe(older.jobId);
  await run(newer.jobId);
  expect(forge.comments[1]!.body).toContain('2 pages added');
  const { length } = forge.requests;
  await run(older.jobId);
  expect(forge.comments[1]!.body).toContain('2 pages added');
  expect(forge.requests.slice(length).filter((one) => !one.startsWith('GET'))).toEqual([]);
});

test('a comment that another person begins like ours is not taken for ours', async () => {
  await addSite('acme/strangers');
  const stranger = { id: 1, body: `${about}Mine.`, user: { id: 5, type: 'User' } };
  const bodies = () => forge.comments.map(({ body }) => body.split('\n')[1]!);
  for (const [user, branchName] of [
    [{ id: 42, type: 'User' }, 'person'],
    // What a token of an app writes is by its bot.
    [undefined, 'app'],
  ] as const) {
    Object.assign(forge, { user, comments: [{ ...stranger }] });
    const files: Record<string, string> = {};
    for (const [name, added] of [
      ['crane', '1 page'],
      ['owl', '2 pages'],
    ] as const) {
      files[`${name}.md`] = `# ${name}`;
      await run((await push(files, branchName)).jobId);
      expect(bodies()).toEqual(['Mine.', `### docs.acme.com: ${added} added, 0 changed, 0 removed`]);
    }
  }
});

test('refusals fail no export, and its log says why there is no comment', async () => {
  await addSite('acme/refused');
  const refusals: [refuse: () => unknown, reason: string][] = [
    [() => (forge.status = 403), 'needs "Pull requests: write" (repo)'],
    [() => (forge.status = 302), 'answered with status 302.'],
    [() => (forge.comments = 'Hello' as never), 'the answer is not that of its API'],
    [() => writeFileSync(gitCredentials, ''), 'a token for its repository in the file of CARREL_GIT_CREDENTIALS'],
    [() => services.database.query('update carrel.sites set active_job = null'), 'no export to compare with'],
    [() => request('DELETE', `${path}/hooks/github`), 'needs a push hook of the site for github or gitlab'],
  ];
  for (const [refuse, reason] of refusals) {
    resetForge();
    const { jobId } = await push({ 'crane.md': `# Crane\n\n${reason}` }, 'next');
    await refuse();
    const log = await run(jobId);
    expect(log).toMatch(/^The comment on the pull request could not be written: /);
    expect(log).toContain(reason);
  }
});

test('nothing is sent unless the site asks for it, a pull request is open, and something has changed', async () => {
  await addSite('acme/quiet', { comment: false });
  expect(await run((await push({ 'crane.md': '# Crane' }, 'one')).jobId)).toBe('');
  expect(forge.requests).toEqual([]);
  await request('PATCH', path, { previews: { branches: 'all', comment: true } });
  forge.open = [];
  await run((await push({ 'crane.md': '# Crane' }, 'two')).jobId);
  expect(forge.requests).toHaveLength(1);
  forge.open = [[7, 1, 1]];
  await run((await push(main, 'three')).jobId);
  expect(forge.comments).toHaveLength(1);
});
