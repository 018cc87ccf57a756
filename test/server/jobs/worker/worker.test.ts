import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../../server/database/unavailable.ts';
import { checkSignature, readPublicKeys } from '../../../../integration/output/signature.ts';
import type { Exporter } from '../../../../server/jobs/worker/run-export.ts';
import type { Job } from '../../../../server/jobs/model/job.ts';
import { removeOldExports } from '../../../../server/jobs/retention.ts';
import type { BundleObject } from '../../../../server/jobs/routes/bundle-routes.ts';
import { createWorker, type WorkerOptions } from '../../../../server/jobs/worker/worker.ts';
import { archiveKey } from '../../../../server/storage/storage-keys.ts';
import { storeExport } from '../../../../server/storage/store-export.ts';
import { StorageUnavailable } from '../../../../server/storage/storage.ts';
import type { ServerOptions } from '../../../../server/platform/options.ts';
import { openStoredSite } from '../../../../server/active-exports/active-exports.ts';
import { textOf } from '../../../../server/active-exports/open-site.ts';
import { siteSettingsSchema, type SiteSettings, type SiteSource } from '../../../../server/sites/sites.ts';
import { newSigningKey } from '../../../../src/signing/signing-key.ts';
import { temporaryFolder } from '../../../integration/export/folder.ts';
import { startGitServer } from '../../sources/git-server.ts';
import { openTestServer } from '../../support/services.ts';
import { carrelExport, quickExport } from '../exporters.ts';
import { completeJob, jobThat } from '../job-support.ts';

const fixtures = join(import.meta.dirname, '../../../../fixtures');
const never = new AbortController().signal;

const { services, clock, api, request } = await openTestServer({ keepExports: 1 });
let workFolder: string;
beforeEach(() => {
  workFolder = join(temporaryFolder(), 'work');
});

let sites = 0;
async function newJob(
  source: SiteSource,
  { sshByOperator, ...settings }: Partial<SiteSettings> = {},
  request: Job['request'] = {},
  organization = 'default',
): Promise<Job> {
  const domain = `site-${++sites}`;
  const parsed = { ...siteSettingsSchema.parse(settings), ...(sshByOperator && { sshByOperator }) };
  await services.sites.put({ domain, organization, source, settings: parsed });
  return services.jobs.create({ organization, domain, request });
}

function docs(files: Record<string, string> = { 'index.md': '# Home' }): SiteSource {
  const path = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return { type: 'folder', path };
}

const page = (title: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><body><nav>Harbor</nav><main><h1>${title}</h1></main>`;
const builtSite = () => docs({ 'index.html': page('Home'), 'guide.html': page('Guide') });

function worker(change: Partial<WorkerOptions> = {}, options: Partial<ServerOptions> = {}) {
  return createWorker(
    { ...services, options: { ...services.options, ...options } },
    { exporter: quickExport(), workFolder, storeExport, ...change },
  );
}

/** An exporter that says how far it is, then works on for ever, with a child that does too. */
function endless(marker: string): Exporter {
  const wait = 'setInterval(() => {}, 1000);';
  const code = `import { spawn } from 'node:child_process'; import { appendFileSync, writeSync } from 'node:fs';
    const child = spawn(process.execPath, ['--eval', ${JSON.stringify(wait)}]);
    appendFileSync(${JSON.stringify(marker)}, process.pid + ' ' + child.pid + '\\n');
    writeSync(3, '{"type":"progress","stage":"render","done":5,"total":10}\\n'); ${wait}`;
  return { command: process.execPath, args: ['--input-type=module', '--eval', code, '--'] };
}

/** Nothing can be stored for some minutes of a clock that moves only while the worker waits. */
function outageOf(error: Error, minutes: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let waited = 0;
  return {
    storeExport: ((...given) =>
      waited < minutes * 60_000 ? Promise.reject(error) : storeExport(...given)) as typeof storeExport,
    pause: async (milliseconds: number) => {
      waited += milliseconds;
      await vi.advanceTimersByTimeAsync(milliseconds);
    },
  };
}

const failing = (code: string): Exporter => ({ command: process.execPath, args: ['--input-type=module', '--eval', code, '--'] });

async function stateOf({ id }: Job): Promise<Job> {
  return (await services.jobs.get(id))!;
}

async function logOf({ id }: Job): Promise<string> {
  return (await services.jobs.readLog(id)).map(({ text }) => text).join('');
}

const atRender = ({ stage, progress }: Job) => stage === 'render' && progress > 5;

async function expectDead(marker: string): Promise<void> {
  const ids = readFileSync(marker, 'utf8').trim().split(/\s+/).map(Number);
  expect(ids.every((id) => id > 0)).toBe(true);
  for (const id of ids) {
    await vi.waitFor(() => {
      const status = existsSync(`/proc/${id}/status`) ? readFileSync(`/proc/${id}/status`, 'utf8') : '';
      expect(status === '' || /^State:\s+Z/m.test(status)).toBe(true);
    }, 60_000);
  }
}

describe('a job is completed', () => {
  test('from a folder: stored, active, logged, counted, and nothing stays in the work folder', async () => {
    const job = await newJob({ type: 'folder', path: join(fixtures, 'plain-folder') }, {}, { version: 'v14' });
    const seen: [string | null, number, number][] = [];
    const unwatch = services.jobs.watch(job.id, ({ stage, progress, pageCount }) => seen.push([stage, progress, pageCount]));
    const key = newSigningKey({ now: new Date() });
    const signingKey = join(temporaryFolder(), 'a.key');
    writeFileSync(signingKey, key.secretFile, { mode: 0o600 });
    await worker({ exporter: carrelExport }, { signingKey }).run(job.id, never);
    unwatch();
    const done = await stateOf(job);
    const { opened } = (await openStoredSite(services.storage, job.domain, done.result!.manifest))!;
    const [manifest, signature] = await Promise.all(
      ['carrel.json', 'carrel.json.minisig'].map(async (path) => textOf((await opened.file(path))!)),
    );
    const trusted = { keys: readPublicKeys(key.publicKey, 'the key'), where: 'site' };
    expect(checkSignature(Buffer.from(manifest!), signature!, trusted).keyId).toBe(key.id);
    expect(done).toMatchObject({ status: 'completed', progress: 100, stage: null, attempt: 1, error: null });
    expect(done.result).toEqual({
      version: 'v14',
      pages: done.pageCount,
      files: expect.any(Number),
      bytes: expect.any(Number),
      manifest: expect.stringMatching(/^[0-9a-f]{64}$/),
      archive: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), sizeBytes: expect.any(Number) },
      warnings: expect.any(Object),
      problems: { errors: expect.any(Number), warnings: expect.any(Number), notes: expect.any(Number) },
    });
    const numbers = seen.map(([, progress]) => progress);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    // Sites are answered from memory for a second.
    clock.now += 2000;
    expect((await services.sites.get(job.domain))?.activeJob).toBe(job.id);
    expect(await logOf(job)).toContain('Archived');
    expect(readdirSync(workFolder)).toEqual([]);
    expect(await services.metrics.registry.metrics()).toContain('carrel_jobs_total{status="completed"} 1');
  });

  test('as a whole: then for each audience of the site, once, beside what everybody may see, which the site goes on serving', async () => {
    const job = await newJob(docs({ 'index.md': '# Home', 'prices.md': '---\ngroups: [partner]\n---\n# Prices' }));
    const { organization, domain } = job;
    const site = (await services.sites.get(domain))!;
    const audiences = [['beta', 'partner'], ['staff']].map((groups) => ({ groups, password: 'a hash' }));
    await services.sites.put({ ...site, settings: { ...site.settings, password: 'a hash', audiences } });
    const { run } = worker({ exporter: carrelExport });
    const others = async () =>
      (await services.jobs.list({ organization, domain, limit: 10 })).jobs.filter(({ id }) => id !== job.id);
    await run(job.id, never);
    // A process that was killed before it announced the job announces it again.
    await run(job.id, never);
    const queued = await others();
    const groupsOf = queued.map(({ request }) => request.groups!.join());
    expect(groupsOf).toHaveLength(2);
    expect(groupsOf).toEqual(expect.arrayContaining(['beta,partner', 'staff']));
    const forPartners = queued.find(({ request }) => request.groups!.includes('partner'))!;
    for (const { id } of queued) await (id === forPartners.id ? run(id, never) : worker().run(id, never));
    const pages = (await others()).map(({ status, pageCount, request }) => [request.groups![0], status, pageCount]);
    expect(Object.fromEntries(pages.map(([group, ...rest]) => [group, rest]))).toEqual({
      beta: ['completed', 2],
      staff: ['completed', 2],
    });
    clock.now += 2000;
    expect((await services.sites.get(domain))?.activeJob).toBe(job.id);
    const titlesOf = async (one: Job) => {
      const opened = await openStoredSite(services.storage, domain, (await stateOf(one)).result!.manifest);
      return opened!.manifest.pages.map(({ title }) => title);
    };
    expect([await titlesOf(job), await titlesOf(forPartners)]).toEqual([['Home'], ['Home', 'Prices']]);
  });

  test('with its pages as an EPUB, which can be downloaded as long as the export', async () => {
    const job = await newJob(docs(), {}, { formats: ['epub'] });
    await worker({ exporter: carrelExport }).run(job.id, never);
    const link = (query: string, id = job.id) => request('POST', `/v1/static-export/jobs/${id}/bundle${query}`);
    const { bundleUrl, sha256, sizeBytes } = (await (await link('?format=epub')).json()) as BundleObject;
    const { pathname, search } = new URL(bundleUrl);
    const download = () => api.request(pathname + search);
    const answer = await download();
    expect(answer.headers.get('content-type')).toBe('application/epub+zip');
    expect(answer.headers.get('content-disposition')).toMatch(/filename="site-\d+-\w+\.epub"$/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.length, hash('sha256', bytes)]).toEqual([sizeBytes, sha256]);
    expect(new AdmZip(bytes).readAsText('EPUB/page-1.xhtml')).toContain('Home');
    const bundle = (await (await link('')).json()) as BundleObject;
    expect(bundle.bundleUrl).not.toContain(sha256);

    // The next export has no book.
    const next = await services.jobs.create({ organization: 'default', domain: job.domain, request: {} });
    await worker().run(next.id, never);
    expect(await (await link('?format=epub', next.id)).json()).toMatchObject({ code: 'FormatNotMade' });
    await removeOldExports(services, job.domain);
    expect((await download()).status).toBe(410);
    const key = archiveKey(job.domain, sha256);
    expect(await services.storage.get(key)).toBeUndefined();
  });

  test('with all its issues counted and listed in its report', async () => {
    const config = { name: 'X', color: {}, navigaton: {}, colors: { primary: '#336699' } };
    const links = Array.from({ length: 60 }, (_, at) => `[a](/gone-${at})`).join('\n\n');
    const job = await newJob(docs({ 'docs.json': JSON.stringify(config), 'index.mdx': `# Home\n\n${links}` }));
    await worker({ exporter: carrelExport }).run(job.id, never);
    const { result } = await stateOf(job);
    expect(result!.problems).toEqual({ errors: 0, warnings: 63, notes: 0 });
    const report = (await services.jobs.readReport(job.id))!;
    expect(report).not.toContain(workFolder);
    const { version, warnings } = JSON.parse(report) as { version: string; warnings: { message: string; page: string }[] };
    expect(version).toBe(result!.version);
    expect(warnings).toHaveLength(63);
    expect(warnings.filter(({ page }) => page === 'docs.json').map(({ message }) => message)).toEqual([
      expect.stringContaining('"color"'),
      expect.stringContaining('"navigaton"'),
      expect.stringContaining('"navigation"'),
    ]);
    expect(await logOf(job)).toContain('… and 13 more (13 link-without-target): the report lists all of them.');
  });

  test('from git, with the commit in its log', async () => {
    const server = await startGitServer();
    const commit = server.commit('docs', { 'manual/index.md': '# From git' });
    const job = await newJob({ type: 'git', url: `${server.address}/docs`, folder: 'manual' });
    await worker({}, { gitAuthorities: server.authorities, privateHosts: ['127.0.0.1'] }).run(job.id, never);
    expect(await stateOf(job)).toMatchObject({ status: 'completed', result: { pages: 1 } });
    expect(await logOf(job)).toContain(commit);
  });

  // No one listens there: `GitHostUnreachable` shows that git was started.
  const outcomeOverSsh = async (
    organization: string,
    settings: Partial<SiteSettings> = {},
    gitSshOrganizations: string[] = [],
  ): Promise<string | null | undefined> => {
    const job = await newJob({ type: 'git', url: 'ssh://git@127.0.0.1:1/docs' }, settings, {}, organization);
    await worker({}, { gitSshOrganizations, privateHosts: ['127.0.0.1'] }).run(job.id, never);
    return (await stateOf(job)).errorCode;
  };

  test('from an ssh repository of the only organization', async () => {
    expect(await outcomeOverSsh('default')).toBe('GitHostUnreachable');
  });

  test('from a repository that asks for a password, for the organization that its credentials are for', async () => {
    const server = await startGitServer();
    server.commit('docs', { 'index.md': '# Private' });
    const password = Buffer.from('robot:p4ssw0rd').toString('base64');
    server.before = ({ headers }, response) => {
      if (headers.authorization === `Basic ${password}`) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return true;
    };
    const entry = `https://robot:p4ssw0rd@127.0.0.1:${server.port}`;
    const gitCredentials = join(temporaryFolder(), 'credentials');
    const exported = async (organization: string, text: string) => {
      writeFileSync(gitCredentials, text);
      const job = await newJob({ type: 'git', url: `${server.address}/docs` }, {}, {}, organization);
      await worker({}, { gitCredentials, gitAuthorities: server.authorities, privateHosts: ['127.0.0.1'] }).run(job.id, never);
      const { status, errorCode } = await stateOf(job);
      return errorCode ?? status;
    };
    expect(await exported('default', entry)).toBe('completed');
    await services.organizations.create({ id: 'rivals', name: 'Rivals', plan: 'enterprise' });
    expect(await exported('rivals', `${entry} organization=default`)).toBe('GitAccessDenied');
    expect(await exported('rivals', entry)).toBe('GitAccessDenied');
    expect(await exported('default', `${entry} organization=default`)).toBe('completed');
  });

  test('from an ssh repository of one of several organizations only if an operator allows it the ssh keys of the server', async () => {
    await services.organizations.create({ id: 'friends', name: 'Friends', plan: 'enterprise' });
    expect(await outcomeOverSsh('friends')).toBe('SshNeedsOperator');
    expect(await outcomeOverSsh('friends', {}, ['default'])).toBe('SshNeedsOperator');
    expect(await outcomeOverSsh('friends', {}, ['friends'])).toBe('GitHostUnreachable');
    expect(await outcomeOverSsh('friends', { sshByOperator: true })).toBe('GitHostUnreachable');
  });

  test('from a folder of built HTML, with its own layout', async () => {
    const job = await newJob(builtSite(), { builder: 'html' }, { version: 'v3' });
    await worker({ exporter: carrelExport }).run(job.id, never);
    const done = await stateOf(job);
    expect([done.status, done.error]).toEqual(['completed', null]);
    expect(done.result).toMatchObject({ version: 'v3', pages: 2, archive: { sizeBytes: expect.any(Number) } });
    const opened = await openStoredSite(services.storage, job.domain, done.result!.manifest);
    expect(await textOf((await opened!.opened.file('guide.html'))!)).toContain('<nav>Harbor</nav>');
  });

  test('only once: neither a finished nor an unknown job is run', async () => {
    const job = await newJob(docs());
    await worker().run(job.id, never);
    const before = await stateOf(job);
    await worker({ exporter: failing('process.exitCode = 1') }).run(job.id, never);
    await worker().run('se_0000000000000000', never);
    expect(await stateOf(job)).toEqual(before);
  });

  test('and webhooks learn of it, also when the process of its run ended before it could notify them', async () => {
    const job = await newJob(docs());
    await completeJob(services.jobs, job.id);
    const notified: string[] = [];
    const away = new Error('The database is away.');
    const notify = async ({ id, status }: Job) => void (notified.push(`${id} ${status}`) === 1 && (await Promise.reject(away)));
    const { run } = createWorker({ ...services, webhooks: { notify } }, { exporter: quickExport(), workFolder, storeExport });
    await expect(run(job.id, never)).rejects.toThrow(away);
    await run(job.id, never, 1);
    expect(notified).toEqual([`${job.id} completed`, `${job.id} completed`]);
  });

  test('also when the storage is unavailable for half an hour, which is longer than the job may take', async () => {
    const job = await newJob(docs());
    const outage = outageOf(new StorageUnavailable('The bucket is away.'), 30);
    await worker(outage, { jobMinutes: 1 }).run(job.id, never);
    expect(await stateOf(job)).toMatchObject({ status: 'completed', attempt: 1 });
    expect((await logOf(job)).match(/The bucket is away. The job waits for up to an hour/g)).toHaveLength(1);
  });
});

describe('a job fails at once, with a human-readable reason', () => {
  test.each<[string, () => SiteSource, string, string]>([
    ['docs that cannot be exported', () => docs({ 'docs.json': '{' }), 'ConfigNotJson', 'docs.json'],
    ['a folder that does not exist', () => ({ type: 'folder', path: '/nowhere/docs' }), 'SourceNotReadable', '"/nowhere/docs"'],
    ['a git URL that may not be', () => ({ type: 'git', url: 'file:///etc' }), 'GitAddressInvalid', 'file:///etc'],
    ['a git host in a private network', () => ({ type: 'git', url: 'https://127.0.0.1/x' }), 'AddressPrivate', '127.0.0.1'],
  ])('%s', async (_, source, code, words) => {
    const job = await newJob(source());
    await worker({ exporter: carrelExport }).run(job.id, never);
    const failed = await stateOf(job);
    expect(failed).toMatchObject({ status: 'failed', errorCode: code, error: expect.stringContaining(words) });
    expect(readdirSync(workFolder)).toEqual([]);
  });

  test('the earlier output of the exporter stays in the log', async () => {
    const job = await newJob(docs());
    await worker({ exporter: failing(`console.log('so far so good'); process.exit(4)`) }).run(job.id, never);
    expect(await stateOf(job)).toMatchObject({ status: 'failed', errorCode: 'RunFailed' });
    expect(await logOf(job)).toContain('so far so good');
  });

  test('a site that was removed in the meantime', async () => {
    const job = await newJob(docs());
    await services.sites.remove('default', job.domain);
    await worker().run(job.id, never);
    expect(await stateOf(job)).toMatchObject({ status: 'failed', errorCode: 'SiteNotFound' });
  });

  test('an Astro project with a request for only some pages', async () => {
    const source: SiteSource = { type: 'folder', path: join(fixtures, 'astro-project') };
    const job = await newJob(source, { builder: 'astro' }, { paths: ['guides/sowing'] });
    await worker().run(job.id, never);
    expect(await stateOf(job)).toMatchObject({ status: 'failed', errorCode: 'NotForAstro' });
  });

  test.each<[string, Job['request']]>([
    ['for one of its languages', { language: 'fr' }],
    ['as a book', { formats: ['epub'] }],
  ])('built HTML with a request %s', async (_, request) => {
    const job = await newJob(builtSite(), { builder: 'html' }, request);
    await worker().run(job.id, never);
    expect(await stateOf(job)).toMatchObject({ status: 'failed', errorCode: 'NotForHtml' });
  });

  test('built HTML of a site that expects a docs folder, whose pages run no scripts', async () => {
    const job = await newJob(builtSite());
    await worker({ exporter: carrelExport }).run(job.id, never);
    const failed = await stateOf(job);
    expect(failed).toMatchObject({ status: 'failed', errorCode: 'NotADocsFolder' });
    expect(failed.error).toMatch(/is a folder of built HTML, not a docs folder.*builder html/);
  });

  const noSpace = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  test.each([noSpace, new StorageUnavailable('The disk is full.', { cause: noSpace })])('a full disk: %s', async (error) => {
    const job = await newJob(docs());
    await worker({ storeExport: () => Promise.reject(error) }).run(job.id, never);
    expect(await stateOf(job)).toMatchObject({
      status: 'failed',
      errorCode: 'DiskFull',
      error: expect.stringContaining('Free some'),
    });
  });

  test('a run that takes too long', async () => {
    const marker = join(temporaryFolder(), 'ids');
    // On a busy machine, the exporter may not have begun by then.
    for (let jobMinutes = 0.03; !existsSync(marker); jobMinutes *= 3) {
      const job = await newJob(docs());
      await worker({ exporter: endless(marker) }, { jobMinutes }).run(job.id, never);
      expect(await stateOf(job)).toMatchObject({
        status: 'failed',
        errorCode: 'TimeLimit',
        error: expect.stringContaining('jobMinutes in CARREL_LIMITS'),
      });
    }
    await expectDead(marker);
  });
});

describe('a run that must stop', () => {
  test('ends with all its processes when the job is canceled', async () => {
    const marker = join(temporaryFolder(), 'ids');
    const job = await newJob(docs());
    const running = worker({ exporter: endless(marker) }).run(job.id, never);
    await jobThat(services.jobs, job.id, atRender);
    await services.jobs.cancel(job.id);
    await running;
    expect(await stateOf(job)).toMatchObject({ status: 'canceled', pageCount: 5 });
    expect(readdirSync(workFolder)).toEqual([]);
    await expectDead(marker);
  });

  test('returns the job to the queue when the server stops; another run completes it', async () => {
    const marker = join(temporaryFolder(), 'ids');
    const job = await newJob(docs());
    const stop = new AbortController();
    const running = worker({ exporter: endless(marker) }).run(job.id, stop.signal);
    const outcome = running.catch((error: unknown) => error);
    await jobThat(services.jobs, job.id, atRender);
    stop.abort(new Error('The server stops.'));
    expect(await outcome).toHaveProperty('message', 'The server stops.');
    expect(await stateOf(job)).toMatchObject({ status: 'queued', attempt: 1 });
    await expectDead(marker);
    await worker().run(job.id, never);
    expect(await stateOf(job)).toMatchObject({ status: 'completed', attempt: 2 });
  });

  test('ends when the job was restarted elsewhere, and changes nothing', async () => {
    const marker = join(temporaryFolder(), 'ids');
    const job = await newJob(docs());
    const running = worker({ exporter: endless(marker) }).run(job.id, never);
    await jobThat(services.jobs, job.id, atRender);
    await services.jobs.start(job.id);
    await running;
    expect(await stateOf(job)).toMatchObject({ status: 'running', attempt: 2 });
    await expectDead(marker);
    await services.jobs.cancel(job.id);
  });

  test('returns the job when the server stops while the run begins', async () => {
    const marker = join(temporaryFolder(), 'ids');
    const job = await newJob(docs());
    const stop = new AbortController();
    const jobs: typeof services.jobs = {
      ...services.jobs,
      async start(id) {
        const started = await services.jobs.start(id);
        stop.abort(new Error('The server stops.'));
        return started;
      },
    };
    const options = { exporter: endless(marker), workFolder, storeExport };
    await expect(createWorker({ ...services, jobs }, options).run(job.id, stop.signal)).rejects.toThrow('The server stops.');
    expect(await stateOf(job)).toMatchObject({ status: 'queued', attempt: 1 });
    await services.jobs.cancel(job.id);
  });

  test('does not start after the signal', async () => {
    const job = await newJob(docs());
    await expect(worker().run(job.id, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(await stateOf(job)).toMatchObject({ status: 'queued', attempt: 0 });
    await services.jobs.cancel(job.id);
  });
});

test.each([new StorageUnavailable('The bucket is away.'), new DatabaseUnavailable(new Error('password hunter2'))])(
  'an outage of hours fails the job with its cause, of which webhooks learn: %s',
  async (error) => {
    const job = await newJob(docs());
    const notified: Job[] = [];
    const webhooks = { notify: async (ended: Job) => void notified.push(ended) };
    const options = { exporter: quickExport(), workFolder, ...outageOf(error, 600) };
    await createWorker({ ...services, webhooks }, options).run(job.id, never);
    const failed = { status: 'failed', errorCode: error.name, error: `${error.message} Start the job again when that is fixed.` };
    expect(await stateOf(job)).toMatchObject(failed);
    expect(notified).toMatchObject([failed]);
  },
);

test('an internal failure is retried twice, then reported without its cause', async () => {
  const job = await newJob(docs());
  const odd = worker({ storeExport: () => Promise.reject(new TypeError('secret of the inside')) });
  // A run of a process that died is not one of the three.
  await services.jobs.start(job.id);
  for (const rejected of [0, 1]) {
    await expect(odd.run(job.id, never, rejected)).rejects.toThrow('secret of the inside');
    expect(await stateOf(job)).toMatchObject({ status: 'running', attempt: rejected + 2 });
  }
  await odd.run(job.id, never, 2);
  const failed = await stateOf(job);
  expect(failed).toMatchObject({ status: 'failed', errorCode: 'RunFailed', error: expect.stringContaining('3 times') });
  expect(failed.error).not.toContain('inside the');
});

test('a worker receives jobs through the queue', async () => {
  const { run } = worker();
  await services.queue.work(1, run, () => Promise.resolve());
  const job = await newJob(docs());
  await services.queue.send(job);
  expect(await jobThat(services.jobs, job.id, ({ status }) => status !== 'queued' && status !== 'running')).toMatchObject({
    status: 'completed',
  });
});

test('folders of dead processes are removed at the start; those of living ones stay', async () => {
  const left = (name: string, owner?: string) => {
    mkdirSync(join(workFolder, name, 'site'), { recursive: true });
    if (owner !== undefined) writeFileSync(join(workFolder, name, 'owner.json'), owner);
  };
  const { hostname } = await import('node:os');
  const host = hostname();
  left('se_dead-1', JSON.stringify({ host, process: 2 ** 22 + 1, started: '1' }));
  left('se_number-taken-1', JSON.stringify({ host, process: process.pid, started: '1' }));
  left('se_broken-1', '{');
  left('se_alive-1', JSON.stringify({ host, process: process.pid, started: '' }));
  left('se_elsewhere-1', JSON.stringify({ host: 'another', process: 1, started: '1' }));
  left('se_just-begun-1');
  await worker().open();
  expect(readdirSync(workFolder).sort()).toEqual(['se_alive-1', 'se_elsewhere-1', 'se_just-begun-1']);
  const later = { ...services, now: () => Date.now() + 3 * 24 * 60 * 60 * 1000 };
  await createWorker(later, { exporter: quickExport(), workFolder, storeExport }).open();
  expect(readdirSync(workFolder)).toEqual(['se_alive-1']);
});
