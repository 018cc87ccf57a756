import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createCommitStatus } from '../../../../server/jobs/worker/commit-status.ts';
import { createWorker } from '../../../../server/jobs/worker/worker.ts';
import type { ServerOptions } from '../../../../server/platform/options.ts';
import { siteSettingsSchema } from '../../../../server/sites/sites.ts';
import { storeExport } from '../../../../server/storage/store-export.ts';
import { startGitServer } from '../../sources/git-server.ts';
import { openTestServer } from '../../support/services.ts';
import { exporterOf, quickExport } from '../exporters.ts';

const git = await startGitServer();
const { services, clock } = await openTestServer();
const host = `127.0.0.1:${git.port}`;

interface Received {
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}
let received: Received[];
let answer: (response: ServerResponse) => void;

beforeEach(() => {
  received = [];
  answer = (response) => response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
  // The same host answers for git and for the API, as services do.
  git.before = (request, response) => {
    if (!request.url!.includes('/api/')) return false;
    let text = '';
    request.on('data', (piece: Buffer) => (text += String(piece)));
    request.on('end', () => {
      received.push({ url: request.url!, headers: request.headers, body: JSON.parse(text) });
      answer(response);
    });
    return true;
  };
});

interface Options {
  credentials?: string;
  hook?: 'github' | 'gitlab' | 'gitea' | 'generic';
  request?: object;
  options?: Partial<ServerOptions>;
  exporter?: ReturnType<typeof exporterOf>;
  repository?: string;
}

let sites = 0;
async function addSite({
  credentials = `https://reader:s3cret-token@${host}`,
  hook = 'github',
  repository = 'acme/docs',
}: Options) {
  const domain = `site-${++sites}`;
  writeFileSync(join(services.options.data, 'credentials'), credentials, { mode: 0o600 });
  const source = { type: 'git', url: `${git.address}/${repository}`, ref: 'main' } as const;
  await services.sites.put({ domain, organization: 'default', source, settings: siteSettingsSchema.parse({}) });
  await services.pushHooks.put(domain, hook);
  return domain;
}

async function exportOnce({ request, options, exporter, repository = 'acme/docs', ...more }: Options = {}) {
  const domain = await addSite({ repository, ...more });
  const commit = git.commit(repository, { 'index.md': `# Home ${sites}` });
  return { commit, ...(await exportAgain(domain, { request, options, exporter })) };
}

/** Shows that an export of a commit begins and is completed; gives what the log of the job then says. */
async function statusLog({ request = {}, ...more }: Options = {}): Promise<string> {
  const domain = await addSite(more);
  const job = await services.jobs.create({ organization: 'default', domain, request });
  let log = '';
  const status = createCommitStatus(partsOf(), job, async (text) => void (log += text));
  status.begin((await services.sites.get(domain))!, 'a'.repeat(40));
  await status.end('success', '1 page exported.');
  return log;
}

/** Another job of a site. `request` has the commit that a push reported, if there was one. */
async function exportAgain(domain: string, { request = {}, options = {}, exporter = quickExport() }: Options = {}) {
  const { id } = await services.jobs.create({ organization: 'default', domain, request });
  const worker = workerOf(options, exporter);
  await worker.run(id, new AbortController().signal);
  clock.now += 1001;
  const job = (await services.jobs.get(id))!;
  const log = (await services.jobs.readLog(id)).map(({ text }) => text).join('');
  return { domain, job, log };
}

const partsOf = (options: Partial<ServerOptions> = {}) => ({
  ...services,
  options: {
    ...services.options,
    privateHosts: ['127.0.0.1'],
    gitAuthorities: git.authorities,
    gitCredentials: join(services.options.data, 'credentials'),
    ...options,
  },
});

function workerOf(options: Partial<ServerOptions> = {}, exporter = quickExport()) {
  return createWorker(partsOf(options), { exporter, workFolder: join(services.options.data, 'work'), storeExport });
}

test.each([
  ['github', (commit: string) => `/api/v3/repos/acme/docs/statuses/${commit}`, { authorization: 'Bearer s3cret-token' }],
  ['gitea', (commit: string) => `/api/v1/repos/acme/docs/statuses/${commit}`, { authorization: 'token s3cret-token' }],
] as const)('an export is shown at its commit on %s: pending, then its result', async (hook, path, headers) => {
  const { domain, commit, job, log } = await exportOnce({ hook });
  expect(job.status).toBe('completed');
  const common = { context: `carrel/${domain}`, target_url: `http://sites.example.com/sites/${domain}/` };
  expect(received).toEqual([
    {
      url: path(commit),
      headers: expect.objectContaining(headers),
      body: { state: 'pending', description: 'The docs are being exported.', ...common },
    },
    {
      url: path(commit),
      headers: expect.objectContaining(headers),
      body: { state: 'success', description: '1 page exported.', ...common },
    },
  ]);
  expect(log).not.toContain('s3cret-token');
});

test('GitLab gets the whole path of a project, and its own names of states', async () => {
  const exporter = exporterOf('--input-type=module', '--eval', 'process.exit(1)', '--');
  const { domain, commit, job } = await exportOnce({ hook: 'gitlab', repository: 'group/sub/docs', exporter });
  expect(job.status).toBe('failed');
  expect(received.map(({ url }) => url)).toEqual(Array(2).fill(`/api/v4/projects/group%2Fsub%2Fdocs/statuses/${commit}`));
  expect(received[1]).toMatchObject({
    headers: { 'private-token': 's3cret-token' },
    body: { state: 'failed', name: `carrel/${domain}`, target_url: 'http://api.example.com/dashboard' },
  });
});

test('a failure has the first sentence of its error, in at most 140 characters', async () => {
  const fail = (message: string) => {
    const sent = JSON.stringify({ type: 'error', code: 'ConfigNotJson', message });
    return exporterOf(
      '--input-type=module',
      '--eval',
      `import { writeSync } from 'node:fs'; writeSync(3, ${JSON.stringify(`${sent}\n`)}); process.exit(1);`,
      '--',
    );
  };
  const { job } = await exportOnce({ exporter: fail('docs.json is not JSON. Correct line 3.') });
  expect(job.error).toContain('docs.json is not JSON. Correct line 3.');
  expect(received.at(-1)?.body).toMatchObject({ state: 'failure', description: 'docs.json is not JSON.' });
  await exportOnce({ exporter: fail(`${'long '.repeat(50)}.`) });
  const { description } = received.at(-1)!.body as { description: string };
  expect(description).toHaveLength(140);
});

/** Git answers with this status; the API of the same host goes on. */
function refuseGit(status: number): void {
  const { before } = git;
  git.before = (request, response) => {
    if (!request.url!.includes('/api/')) response.writeHead(status).end();
    else before!(request, response);
    return true;
  };
}

test('a repository that cannot be fetched is a failure at the pushed commit, and the last export stays', async () => {
  const { domain, commit, job: first } = await exportOnce();
  const pushed = 'c'.repeat(40);
  const repository = `${git.address}/acme/docs`;
  for (const [status, why] of [
    [503, `${repository} cannot be fetched: `],
    [403, `${repository} requires a user name and password; this server sent none, or wrong ones.`],
    [404, `There is no repository at ${repository}, or this server's credentials do not give access to it.`],
  ] as const) {
    received = [];
    refuseGit(status);
    const { job } = await exportAgain(domain, { request: { commit: pushed } });
    expect(job.status).toBe('failed');
    expect(received).toMatchObject([
      {
        url: `/api/v3/repos/acme/docs/statuses/${pushed}`,
        body: { state: 'failure', description: expect.stringContaining(why), target_url: 'http://api.example.com/dashboard' },
      },
    ]);
  }
  expect((await services.sites.get(domain))?.activeJob).toBe(first.id);
  expect(first.result?.commit).toBe(commit);
});

test('a branch that was deleted is a failure at the pushed commit', async () => {
  const { domain } = await exportOnce({ repository: 'acme/deleted' });
  git.git('acme/deleted', 'branch', '--move', 'main', 'trunk');
  received = [];
  const { job } = await exportAgain(domain, { request: { commit: 'd'.repeat(40) } });
  expect(job.errorCode).toBe('GitRefNotFound');
  expect(received).toMatchObject([{ url: `/api/v3/repos/acme/deleted/statuses/${'d'.repeat(40)}`, body: { state: 'failure' } }]);
  expect((received[0]!.body as { description: string }).description).toMatch(/has no branch or tag "main"\.$/);
});

test('a commit that vanished before the fetch gets no status, since another one is exported', async () => {
  const { commit, job } = await exportOnce({ request: { commit: 'e'.repeat(40) } });
  expect(job.result?.commit).toBe(commit);
  expect(received.map(({ url }) => url)).toEqual(Array(2).fill(`/api/v3/repos/acme/docs/statuses/${commit}`));
});

test('a folder that the commit does not have is a failure at this commit, also without a push', async () => {
  const { domain } = await exportOnce({ repository: 'acme/folders' });
  const source = { type: 'git', url: `${git.address}/acme/folders`, ref: 'main', folder: 'manual' } as const;
  await services.sites.put({ domain, organization: 'default', source, settings: siteSettingsSchema.parse({}) });
  clock.now += 1001;
  const commit = git.commit('acme/folders', { 'index.md': '# Moved' });
  received = [];
  const { job } = await exportAgain(domain);
  expect(job.errorCode).toBe('GitFolderNotFound');
  expect(received.map(({ url, body }) => [url, (body as { state: string }).state])).toEqual(
    ['pending', 'failure'].map((state) => [`/api/v3/repos/acme/folders/statuses/${commit}`, state]),
  );
});

test('a job whose runs were lost does not stay pending', async () => {
  const { domain } = await exportOnce();
  const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
  const commit = git.commit('acme/docs', { 'index.md': '# Lost' });
  const stop = new AbortController();
  // The server ends once the export has begun.
  answer = (response) => {
    response.writeHead(201).end('{}');
    stop.abort();
  };
  received = [];
  await expect(workerOf().run(id, stop.signal)).rejects.toThrow();
  answer = (response) => response.writeHead(201).end('{}');
  await workerOf().giveUp(id);
  expect(received.map(({ url, body }) => [url, (body as { state: string }).state])).toEqual(
    ['pending', 'failure'].map((state) => [`/api/v3/repos/acme/docs/statuses/${commit}`, state]),
  );
});

test.each([
  ['a token that may not', (response: ServerResponse) => response.writeHead(403).end(), 'answered with status 403. The token'],
  [
    'a redirect',
    (response: ServerResponse) => response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end(),
    'answered with status 302.',
  ],
  ['a broken connection', (response: ServerResponse) => response.destroy(), 'The status of the commit could not be set: '],
])('%s fails no export, and its log says why', async (_, refuse, message) => {
  answer = refuse;
  const log = await statusLog();
  expect(log.match(/The status of the commit could not be set/g)).toHaveLength(2);
  expect(log).toContain(message);
  expect(log).not.toContain('s3cret-token');
  expect(received).toHaveLength(2);
});

test.each<[string, Options]>([
  ['a credential of another port', { credentials: `https://reader:s3cret-token@127.0.0.1:${git.port + 1}` }],
  ['a credential of another organization', { credentials: `https://reader:s3cret-token@${host} organization=other` }],
  ['a hook that names no service', { hook: 'generic' }],
  ['an export of some pages', { request: { paths: ['index'] } }],
])('%s sets no status', async (_, options) => {
  expect(await statusLog(options)).toBe('');
  expect(received).toEqual([]);
});
