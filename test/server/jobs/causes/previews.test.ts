import { createHmac } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHostedSites } from '../../../../server/hosting/hosted-sites.ts';
import { createWorker, type WorkerOptions } from '../../../../server/jobs/worker/worker.ts';
import { storeExport } from '../../../../server/storage/store-export.ts';
import { startGitServer } from '../../sources/git-server.ts';
import { completeJob, makeExport, startJob } from '../../storage/exports.ts';
import { openTestServer } from '../../support/services.ts';
import { carrelExport, quickExport } from '../exporters.ts';

const git = await startGitServer();
const { services, request, keyOf, clock } = await openTestServer({
  privateHosts: ['127.0.0.1'],
  gitAuthorities: git.authorities,
});
const workerWith = (options: Partial<WorkerOptions>) =>
  createWorker(services, { exporter: quickExport(), workFolder: join(services.options.data, 'work'), storeExport, ...options });
const handle = createHostedSites(services);
const get = (path: string) => handle(new Request(`http://sites.test${path}`));

const domain = 'docs.acme.com';
const path = `/v1/sites/${domain}`;
const zeros = '0'.repeat(40);
let repository: string;
let repositories = 0;
let secret: string;
let deliveries = 0;

beforeEach(async () => {
  await services.database.query('delete from carrel.idempotency_keys');
  await services.database.query('delete from carrel.jobs');
  await services.database.query('delete from carrel.sites');
  clock.now += 2000;
  repository = `docs-${++repositories}`;
  git.commit(repository, { 'index.md': '# Main\n' });
  await change({ branches: 'all' }, 'PUT');
  ({ secret } = await (await request('PUT', `${path}/hooks/github`)).json());
});

async function change(previews: object | null, method = 'PATCH'): Promise<Response> {
  const source = { type: 'git', url: `${git.address}/${repository}`, ref: 'main' };
  const answer = await request(method, path, { source, previews });
  clock.now += 1001;
  return answer;
}

interface Push {
  after?: string;
  delivery?: string;
  event?: string;
  key?: string;
  more?: object;
}

async function push(ref: string, { after = 'c'.repeat(40), delivery, event = 'push', key = secret, more }: Push = {}) {
  const body = JSON.stringify({ ref, after, repository: { default_branch: 'main' }, ...more });
  const response = await request('POST', `${path}/hooks/github`, body, null, {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
    'x-github-delivery': delivery ?? `delivery-${++deliveries}`,
    'x-github-event': event,
  });
  clock.now += 1001;
  return { status: response.status, ...(await response.json()) };
}

const pushed = (branch: string, more?: Push) => push(`refs/heads/${branch}`, more);

/** Commits to a branch and pushes. */
async function pushCommit(branch: string, files: Record<string, string>, more?: Push) {
  const after = git.commit(repository, files, branch);
  return { commit: after, ...(await pushed(branch, { after, ...more })) };
}

async function run(jobId: string, options: Partial<WorkerOptions> = {}) {
  await workerWith(options).run(jobId, new AbortController().signal);
  clock.now += 1001;
  return (await services.jobs.get(jobId))!;
}

const made = await makeExport({ 'index.html': 'Made' });

/** Completes a job without a clone and an exporter, where they are not the subject. */
async function keep(jobId: string): Promise<void> {
  await completeJob(services, await startJob(services, jobId), made);
  clock.now += 1001;
}

async function previews(): Promise<{ name: string; branch: string; commit: string | null; status: string; expiresAt: string }[]> {
  return (await (await request('GET', `${path}/previews`)).json()).previews;
}

test('a push to another branch is exported as a preview, which robots do not index and no list shows', async () => {
  const { jobId, commit, ...answer } = await pushCommit('feature/Login', { 'index.md': '# Login page\n' });
  const { name } = (await previews())[0]!;
  expect(name).toMatch(/^docs\.acme\.com--feature-login-[0-9a-f]{8}$/);
  expect(answer).toEqual({ status: 202, reason: 'pushed', preview: name });
  expect((await get(`/sites/${name}/`)).status).toBe(404);
  expect(await run(jobId)).toMatchObject({ status: 'completed', domain: name, result: { commit } });
  expect(existsSync(join(services.options.data, 'git')), 'It left a clone.').toBe(false);

  const page = await get(`/sites/${name}/`);
  expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
  expect(await page.text()).toContain('Login page');
  expect((await get(`/sites/${name}/nowhere`)).headers.get('x-robots-tag')).toBe('noindex');
  expect(await previews()).toMatchObject([
    { name, branch: 'feature/Login', commit, status: 'completed', address: `http://sites.example.com/sites/${name}/` },
  ]);

  const main = await run((await push('refs/heads/main')).jobId);
  expect(main).toMatchObject({ status: 'completed', domain });
  expect((await get(`/sites/${domain}/`)).headers.get('x-robots-tag')).toBeNull();
  const list = await (await get('/')).text();
  expect(list).toContain(`sites/${domain}/`);
  expect(list).not.toContain('--');
  const { sites } = await (await request('GET', '/v1/sites')).json();
  expect(sites.map((site: { domain: string }) => site.domain)).toEqual([domain]);
});

test('the jobs of a preview name its site and its branch, also when it is gone', async () => {
  const { jobId, preview } = await pushCommit('feature/Login', { 'index.md': '# Login\n' });
  const job = async (id: string) => (await request('GET', `/v1/static-export/jobs/${id}`)).json();
  const named = { domain: preview, site: domain, branch: 'feature/Login' };
  expect(await job(jobId)).toMatchObject({ status: 'queued', ...named });
  const started = await (await request('POST', '/v1/static-export/jobs', { domain: preview })).json();
  expect(started).toMatchObject(named);
  await request('DELETE', `${path}/previews/${preview}`);
  clock.now += 1001;
  expect(await job(jobId)).toMatchObject({ status: 'canceled', ...named });
  const main = await push('refs/heads/main');
  expect(await job(main.jobId)).toMatchObject({ domain, site: domain, branch: null });
});

test('a preview gets no key of the assistant and no analytics, and follows the settings of its site', async () => {
  const features = { analytics: { mode: 'own' }, playground: { mode: 'proxy' }, assistant: { mode: 'model' } };
  await request('PATCH', path, { features, assistant: { model: { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' } } });
  clock.now += 1001;
  await run((await push('refs/heads/main')).jobId, { exporter: carrelExport });
  const [, token] = /"key": "(page_[^"]+)"/.exec(await (await get(`/sites/${domain}/carrel.config.js`)).text())!;
  const { jobId, preview } = await pushed('next');
  await keep(jobId);
  const settings = await (await get(`/sites/${preview}/carrel.config.js`)).text();
  expect(settings).toContain('"quotes"');
  expect(settings).not.toMatch(/svc_|page_|discovery|"own"|"proxy"/);
  const search = (name: string) =>
    request('POST', `/discovery/v1/search/${name}`, { query: 'Next' }, token, { origin: 'http://sites.example.com' });
  expect((await search(domain)).status).toBe(200);
  expect((await search(preview)).status).toBe(401);
  await request('PATCH', path, { features: { assistant: { mode: 'off' } } });
  clock.now += 1001;
  expect(await (await get(`/sites/${preview}/carrel.config.js`)).text()).toContain('"off"');
});

test.each([
  ['a push of zeros', (branch: string) => pushed(branch, { after: zeros })],
  ['a push that says so', (branch: string) => pushed(branch, { more: { deleted: true } })],
  ['the event delete', (branch: string) => push(branch, { event: 'delete', more: { ref_type: 'branch' } })],
])('the preview of a branch goes with it, with its files and its queued jobs: %s', async (_, remove) => {
  const { jobId, preview } = await pushed('next');
  await keep(jobId);
  const waiting = await pushed('next', { after: 'd'.repeat(40) });
  const folder = join(services.options.data, 'storage', 'sites', preview);
  expect(readdirSync(folder).length).toBeGreaterThan(0);
  expect(await remove('next')).toMatchObject({ status: 200, reason: 'preview-removed', jobId: null });
  expect(await previews()).toEqual([]);
  expect((await get(`/sites/${preview}/`)).status).toBe(404);
  expect((await services.jobs.get(waiting.jobId))?.status).toBe('canceled');
  expect(
    existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()) : [],
  ).toEqual([]);
  expect(await remove('next')).toMatchObject({ status: 200, reason: 'other-branch' });
});

test('a preview expires some days after the last push', async () => {
  await change({ branches: ['docs/*'], days: 3 });
  const { jobId, preview } = await pushed('docs/a');
  await keep(jobId);
  const day = 86_400_000;
  clock.now += 2 * day;
  await services.previews.removeOld();
  expect(await previews()).toHaveLength(1);
  expect((await pushed('docs/a')).reason).toBe('unchanged');
  clock.now += 2 * day;
  await services.previews.removeOld();
  expect((await get(`/sites/${preview}/`)).status).toBe(200);
  clock.now += day;
  await services.previews.removeOld();
  expect(await previews()).toEqual([]);
  expect((await get(`/sites/${preview}/`)).status).toBe(404);
  expect((await services.jobs.get(jobId))?.expiredAt).toBeInstanceOf(Date);
  // The same commit is pushed again: its export is gone, so it is made again.
  expect((await pushed('docs/a')).reason).toBe('pushed');
});

test('previews go with their site, with the setting, and when the site has another repository', async () => {
  const exported = async () => {
    const { jobId, preview } = await pushed('next');
    await keep(jobId);
    return { jobId, preview };
  };
  const { jobId } = await exported();
  await change(null);
  await services.previews.removeOld();
  expect(await previews()).toEqual([]);
  expect((await services.jobs.get(jobId))?.expiredAt).toBeInstanceOf(Date);
  expect((await pushed('next')).reason).toBe('other-branch');

  await change({ branches: 'all' });
  await exported();
  repository = `docs-${++repositories}`;
  await change({ branches: 'all' });
  await services.previews.removeOld();
  expect(await previews()).toEqual([]);

  const last = await exported();
  expect((await request('DELETE', path)).status).toBe(204);
  await expect.poll(async () => (await services.jobs.get(last.jobId))?.expiredAt).toBeInstanceOf(Date);
  expect((await get(`/sites/${last.preview}/`)).status).toBe(404);
});

describe.each<[string, () => Promise<unknown>]>([
  ['expires', () => ((clock.now += 15 * 86_400_000), services.previews.removeOld())],
  ['is removed', async () => request('DELETE', `${path}/previews/${(await previews())[0]!.name}`)],
  ['loses its branch', () => pushed('next', { after: zeros })],
  ['loses its site', () => request('DELETE', path)],
])('a preview that %s while its export runs leaves nothing behind', (_, end) => {
  test.each(['before its files are stored', 'after its files are stored'])('%s', async (moment) => {
    await keep((await pushed('next')).jobId);
    const { jobId, preview } = await pushCommit('next', { 'index.md': '# Second\n' });
    const files = () => {
      const folder = join(services.options.data, 'storage', 'sites', preview);
      const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    };
    expect(files().length).toBeGreaterThan(0);
    await run(jobId, {
      storeExport: async (...args) => {
        if (moment.startsWith('before')) await end();
        const stored = await storeExport(...args);
        if (moment.startsWith('after')) await end();
        return stored;
      },
    });
    await services.previews.removeOld();
    await expect.poll(files).toEqual([]);
    expect((await get(`/sites/${preview}/`)).status).toBe(404);
    const state = async () => {
      const { status, expiredAt } = (await services.jobs.get(jobId))!;
      return expiredAt === null ? status : `${status} and expired`;
    };
    await expect.poll(state).toMatch(/^(?:completed and expired|canceled)$/);
    expect(readdirSync(join(services.options.data, 'work'))).toEqual([]);
  });
});

test('a site has a limited number of previews, even if branches are pushed at the same time', async () => {
  await change({ branches: 'all', most: 3 });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => pushed(`branch-${index}`)));
  expect(answers.filter(({ reason }) => reason === 'pushed')).toHaveLength(3);
  expect(answers.filter(({ reason }) => reason === 'previews-full')).toHaveLength(5);
  const [first] = await previews();
  expect((await request('DELETE', `${path}/previews/${first!.name}`)).status).toBe(204);
  expect((await pushed('branch-9')).reason).toBe('pushed');
  expect(await previews()).toHaveLength(3);
});

test('names that become the same get previews of their own', async () => {
  const branches = ['a-b', 'a/b', 'a.b', 'A-B', 'ä-b'];
  for (const branch of branches) expect((await pushed(branch)).reason).toBe('pushed');
  const listed = await previews();
  expect(listed.map(({ branch }) => branch).toSorted()).toEqual(branches.toSorted());
  expect(new Set(listed.map(({ name }) => name)).size).toBe(branches.length);
});

test('names that are not branches, tags and the branches that no pattern matches have no previews', async () => {
  await change({ branches: ['docs/*'] });
  for (const ref of ['refs/heads/next', 'refs/tags/docs/a', 'docs/a', 'refs/heads/', 'refs/heads/docs/..', 'refs/heads/docs/a b'])
    expect(await push(ref), ref).toMatchObject({ status: 200, reason: 'other-branch' });
  expect(await previews()).toEqual([]);
  const long = `docs/${'ü'.repeat(245)}`;
  expect((await pushed(long)).reason).toBe('pushed');
  expect((await previews())[0]).toMatchObject({ branch: long, name: expect.stringMatching(/^docs\.acme\.com--.{1,58}$/) });
});

test('a preview never takes the name of a site, and nobody else takes that of a preview', async () => {
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  const other = await keyOf('other');
  const put = async (name: string, key?: string) => (await request('PUT', `/v1/sites/${name}`, { source }, key)).status;
  await services.database.query('delete from carrel.sites');
  expect(await put(`${domain}--next`, other)).toBe(200);
  await change({ branches: 'all' }, 'PUT');
  ({ secret } = await (await request('PUT', `${path}/hooks/github`)).json());
  expect(await put(`${domain}--mine`)).toBe(200);
  for (const branch of ['next', 'mine', 'free']) await pushed(branch);
  const names = (await previews()).map(({ name }) => name);
  expect(names).toEqual([
    `${domain}--free`,
    expect.stringMatching(/--mine-[0-9a-f]{8}$/),
    expect.stringMatching(/--next-[0-9a-f]{8}$/),
  ]);
  // Neither the name of a preview, nor one that could be that of the next.
  for (const name of [...names, `${domain}--later`]) expect(await put(name, other), name).toBe(409);
  for (const name of names) expect(await put(name), name).toBe(409);
  expect(await put(`${domain}--next`, other)).toBe(200);
  expect(await put('xn--bcher-kva', other)).toBe(200);
});

test('a preview is not a site that can be changed, and belongs to the organization of its site', async () => {
  const { preview } = await pushed('next');
  const other = await keyOf('other');
  expect((await request('GET', `/v1/sites/${preview}`)).status).toBe(404);
  expect((await request('PATCH', `/v1/sites/${preview}`, { deployment: 'cloud' })).status).toBe(404);
  expect((await request('DELETE', `/v1/sites/${preview}`)).status).toBe(404);
  // No model answers in a preview, so there is none to check.
  expect((await request('GET', `/v1/sites/${preview}/model`)).status).toBe(404);
  expect((await request('GET', `${path}/model`)).status).toBe(200);
  expect((await request('PUT', `/v1/sites/${preview}/hooks/github`)).status).toBe(404);
  expect((await request('GET', `${path}/previews`, undefined, other)).status).toBe(404);
  expect((await request('DELETE', `${path}/previews/${preview}`, undefined, other)).status).toBe(404);
  expect((await request('DELETE', `${path}/previews/${domain}--nothing`)).status).toBe(404);
  expect((await request('DELETE', `${path}/previews/${preview}`, undefined, await keyOf('default', ['read']))).status).toBe(403);
  expect(await previews()).toHaveLength(1);
  expect((await request('DELETE', `${path}/previews/${preview}`)).status).toBe(204);
  expect((await services.audit.list({ organization: 'default', event: 'preview.delete', limit: 1 })).entries).toMatchObject([
    { target: `${domain}/${preview}` },
  ]);
});

test('previews need a repository and a domain with room, and code that runs needs an operator', async () => {
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  const put = async (name: string, body: object, key?: string) => {
    const answer = await request('PUT', `/v1/sites/${name}`, { source, previews: { branches: 'all' }, ...body }, key);
    return { status: answer.status, ...(await answer.json()) };
  };
  expect(await put('a.test', {})).toMatchObject({ status: 200, previews: { branches: 'all', days: 14, most: 10 } });
  expect(await put('a.test', { source: { type: 'folder', path: '/docs' } })).toMatchObject({
    status: 400,
    error: expect.stringContaining('a folder has no branches'),
  });
  expect((await put('d'.repeat(60), {})).error).toContain('need a shorter domain');
  const writer = await keyOf('default', ['read', 'write']);
  const patch = async (body: object) => (await request('PATCH', '/v1/sites/a.test', body, writer)).status;
  expect(await patch({ previews: { branches: ['next'] } })).toBe(200);
  expect(await patch({ previews: null })).toBe(200);
  for (const builder of ['astro', 'html']) {
    expect((await put('a.test', { builder, previews: undefined })).status).toBe(200);
    expect(await patch({ previews: { branches: 'all' } })).toBe(403);
  }
});

test('a forged push, a replayed one and a replayed deletion do nothing', async () => {
  expect(await pushed('next', { key: 'forged' })).toMatchObject({ status: 401, code: 'PushRefused' });
  expect(await previews()).toEqual([]);
  const made = await pushed('next', { delivery: 'made' });
  expect(await pushed('next', { delivery: 'removed', after: zeros })).toMatchObject({ reason: 'preview-removed' });
  expect((await pushed('next', { delivery: 'made' })).jobId).toBe(made.jobId);
  expect(await previews()).toEqual([]);
  await pushed('next');
  expect(await pushed('next', { delivery: 'removed', after: zeros })).toMatchObject({ reason: 'other-branch' });
  expect(await previews()).toHaveLength(1);
  clock.now += 25 * 3_600_000;
  expect(await pushed('next', { delivery: 'removed', after: zeros })).toMatchObject({ reason: 'preview-removed' });
});

test('a push that a waiting job covered starts nothing when it is replayed after that job', async () => {
  const first = await push('refs/heads/main', { delivery: 'one' });
  const second = await push('refs/heads/main', { delivery: 'two', after: 'd'.repeat(40) });
  expect(second.jobId).toBe(first.jobId);
  await run(first.jobId);
  expect((await push('refs/heads/main', { delivery: 'two', after: 'd'.repeat(40) })).jobId).toBe(first.jobId);
});

test('of a push each second, the last commit is shown, by one job that runs and one that waits', async () => {
  let last = await pushCommit('next', { 'index.md': '# Push 0\n' });
  const jobs = [last.jobId];
  const { promise: allPushed, resolve: goOn } = Promise.withResolvers<void>();
  const running = run(last.jobId, { storeExport: async (...args) => (await allPushed, storeExport(...args)) });
  await expect.poll(async () => (await services.jobs.get(jobs[0]))?.status).toBe('running');
  for (let count = 1; count <= 3; count++) {
    last = await pushCommit('next', { 'index.md': `# Push ${count}\n` });
    if (!jobs.includes(last.jobId)) jobs.push(last.jobId);
  }
  goOn();
  await running;
  expect(jobs).toHaveLength(2);
  await run(jobs[1]);
  expect(await previews()).toMatchObject([{ commit: last.commit, status: 'completed' }]);
  expect(await (await get(`/sites/${last.preview}/`)).text()).toContain('Push 3');
  expect((await pushed('next', { after: last.commit })).reason).toBe('unchanged');
});

test('a commit that vanished before the fetch is not exported, but what the branch has now', async () => {
  const { jobId, preview } = await pushCommit('next', { 'index.md': '# Vanishing\n' });
  git.git(repository, 'branch', '--force', 'next', 'main');
  const now = git.commit(repository, { 'index.md': '# Instead\n' }, 'next');
  git.git(repository, 'reflog', 'expire', '--expire=now', '--all');
  git.git(repository, 'gc', '--quiet', '--prune=now');
  expect((await run(jobId)).result?.commit).toBe(now);
  expect(await (await get(`/sites/${preview}/`)).text()).toContain('Instead');

  const gone = await pushCommit('gone', { 'index.md': '# Gone\n' });
  git.git(repository, 'branch', '--delete', '--force', 'gone');
  expect(await run(gone.jobId)).toMatchObject({
    status: 'failed',
    errorCode: 'GitRefNotFound',
    error: expect.stringContaining('has no branch "gone"'),
  });
});
