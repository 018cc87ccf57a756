import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ErrorBody } from '../../../server/platform/errors.ts';
import type { JobObject } from '../../../server/jobs/model/job-object.ts';
import { listen } from '../../../server/http/listen.ts';
import { jobsPath, openJobServer } from './job-server.ts';
import { completeJob } from './job-support.ts';

const server = await openJobServer();
const { clock, folder, keyOf, request, services } = server;
const domain = 'docs.acme.com';

const refusal = async (response: Response): Promise<ErrorBody & { status: number }> => ({
  status: response.status,
  ...((await response.json()) as ErrorBody),
});

describe('starting a job', () => {
  test('responds with 202, the whole job and its URL, and queues the job', async () => {
    const response = await request('POST', jobsPath, {
      domain: 'Docs.Acme.com',
      version: 'v14',
      paths: ['/guides/install/', 'guides/install.mdx', 'index', 'reference'],
      language: 'en',
      groups: [' partner ', 'a,b', 'partner', '🍀'],
      formats: ['epub', 'epub'],
    });
    expect(response.status).toBe(202);
    const job = (await response.json()) as JobObject;
    const at = new Date(clock.now).toISOString();
    expect(job).toEqual({
      jobId: expect.stringMatching(/^se_[0-9a-f]{16}$/),
      domain,
      status: 'queued',
      stage: null,
      progress: 0,
      pageCount: 0,
      version: 'v14',
      language: 'en',
      paths: ['guides/install', '', 'reference'],
      groups: ['partner', 'a,b', '🍀'],
      formats: ['epub'],
      site: domain,
      branch: null,
      commit: null,
      startedBy: 'test',
      createdAt: at,
      updatedAt: at,
      startedAt: null,
      finishedAt: null,
      expiredAt: null,
      error: null,
      errorCode: null,
      problems: null,
      activeUrl: null,
    });
    expect(response.headers.get('location')).toBe(`http://api.example.com${jobsPath}/${job.jobId}`);
    expect((await services.queue.counts()).queued).toBeGreaterThan(0);
  });

  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['what is not JSON', '{"domain":'],
    ['a list', []],
    ['null', 'null'],
    ['a text', '"docs.acme.com"'],
    ['no domain', {}],
    ['a domain of wrong type', { domain: 7 }],
    ['a domain with a scheme', { domain: 'https://docs.acme.com' }],
    ['a domain with a path', { domain: 'docs.acme.com/docs' }],
    ['a domain with a slash', { domain: 'docs.acme.com/' }],
    ['a domain with a port', { domain: 'docs.acme.com:80' }],
    ['a domain with ..', { domain: '../docs' }],
    ['an empty domain', { domain: '' }],
    ['a domain without end', { domain: 'a'.repeat(300) }],
    ['an unknown key', { domain, pages: ['index'] }],
    ['an empty version', { domain, version: '' }],
    ['a version with a slash', { domain, version: '../v1' }],
    ['a long version', { domain, version: 'v'.repeat(65) }],
    ['a version of wrong type', { domain, version: 14 }],
    ['a language that is none', { domain, language: 'en; rm' }],
    ['a language that nobody speaks', { domain, language: 'xx' }],
    ['a language without a letter', { domain, language: '-1' }],
    ['an empty language', { domain, language: '' }],
    ['a language of one letter', { domain, language: 'e' }],
    ['no paths', { domain, paths: [] }],
    ['paths of wrong type', { domain, paths: 'guides' }],
    ['a path of wrong type', { domain, paths: [null] }],
    ['too many paths', { domain, paths: Array.from({ length: 1001 }, (_, index) => `page-${index}`) }],
    ['a path that leads out', { domain, paths: ['../secret'] }],
    ['a path that leads out further in', { domain, paths: ['guides/../../secret'] }],
    ['an address', { domain, paths: ['https://docs.acme.com/guides'] }],
    ['an address without scheme', { domain, paths: ['//docs.acme.com/guides'] }],
    ['a drive', { domain, paths: ['C:/docs'] }],
    ['a backslash', { domain, paths: ['guides\\install'] }],
    ['a query', { domain, paths: ['guides/install?x=1'] }],
    ['an anchor', { domain, paths: ['guides/install#npm'] }],
    ['a NUL', { domain, paths: ['guides/\0'] }],
    ['half a character', { domain, paths: ['guides/\ud800'] }],
    ['an endless path', { domain, paths: ['a'.repeat(1025)] }],
    ['no groups', { domain, groups: [] }],
    ['groups of wrong type', { domain, groups: 'partner' }],
    ['a group of wrong type', { domain, groups: [1] }],
    ['too many groups', { domain, groups: Array.from({ length: 101 }, (_, index) => `group-${index}`) }],
    ['a group without a name', { domain, groups: [' '] }],
    ['a group of two lines', { domain, groups: ['a\nb'] }],
    ['half a character as a group', { domain, groups: ['\ud800'] }],
    ['no formats', { domain, formats: [] }],
    ['a format that a job cannot make', { domain, formats: ['pdf'] }],
    ['an endless name of a group', { domain, groups: ['a'.repeat(301)] }],
  ])('refuses %s', async (_what, body) => {
    const refused = await refusal(await request('POST', jobsPath, body, undefined, { 'content-type': 'application/json' }));
    expect(refused).toMatchObject({ status: 400, code: expect.stringMatching(/^(RequestInvalid|BodyInvalid)$/) });
  });

  test('reports all errors at once', async () => {
    const { error } = await refusal(await request('POST', jobsPath, { domain: 'a b', version: '/', paths: ['..'] }));
    expect(error).toContain('"domain" is "a b"; it must be a host name');
    expect(error).toContain('"version" is "/"; it must be 1 to 64');
    expect(error).toContain('"paths.0": ".." is not the path of a page');
  });

  test('refuses another content type, and a large body', async () => {
    expect((await request('POST', jobsPath, '<x/>', undefined, { 'content-type': 'text/xml' })).status).toBe(415);
    expect((await request('POST', jobsPath, { domain, paths: ['a'.repeat(70_000)] })).status).toBe(413);
  });

  test.each(['nowhere.acme.com', 'docs.other.com'])('does not know the site %s', async (domain) => {
    expect(await refusal(await request('POST', jobsPath, { domain }))).toMatchObject({
      status: 404,
      code: 'SiteUnknown',
      error: expect.stringContaining(`"${domain}"`),
    });
  });

  test('requires a key, its scope and the plan', async () => {
    const body = { domain };
    expect(await refusal(await request('POST', jobsPath, body, null))).toMatchObject({ status: 401, code: 'KeyMissing' });
    expect(await refusal(await request('POST', jobsPath, body, 'svc_unknown'))).toMatchObject({
      status: 401,
      code: 'KeyUnknown',
    });
    const reader = await keyOf('default', ['read']);
    expect(await refusal(await request('POST', jobsPath, body, reader))).toMatchObject({ status: 403, code: 'ScopeMissing' });
    await services.organizations.create({ id: 'small', name: 'Small', plan: 'standard' });
    const small = await keyOf('small');
    expect(await refusal(await request('POST', jobsPath, body, small))).toMatchObject({ status: 403, code: 'PlanWithoutExport' });
  });

  test('loses no job that cannot be queued, and queues it with the next request of its key', async () => {
    const { send } = services.queue;
    services.queue.send = () => Promise.reject(new Error('The queue is away.'));
    const headers = { 'idempotency-key': 'away' };
    const response = await request('POST', jobsPath, { domain }, undefined, headers);
    services.queue.send = send;
    expect(response.status).toBe(202);
    const { jobId } = (await response.json()) as JobObject;
    expect(await services.jobs.unfinished()).toContainEqual({ id: jobId, domain });
    const before = (await services.queue.counts()).queued;
    await request('POST', jobsPath, { domain }, undefined, headers);
    expect((await services.queue.counts()).queued).toBe(before + 1);
  });
});

describe('an Idempotency-Key', () => {
  const post = (body: object, key: string) => request('POST', jobsPath, body, undefined, { 'idempotency-key': key });

  test('accepts the same request in another spelling, and refuses a different one', async () => {
    const first = (await (await post({ domain, paths: ['guides/install'] }, 'spelling')).json()) as JobObject;
    const same = (await (
      await post({ paths: ['/guides/install.mdx', 'guides/install'], domain: 'DOCS.acme.com' }, 'spelling')
    ).json()) as JobObject;
    expect(same.jobId).toBe(first.jobId);
    expect(await refusal(await post({ domain }, 'spelling'))).toMatchObject({ status: 409, code: 'IdempotencyKeyReused' });
  });

  test.each([
    ['empty', '', 400],
    ['too long', 'k'.repeat(256), 400],
    ['with a tab', 'a\tb', 400],
    ['as long as may be', 'k'.repeat(255), 202],
    ['with spaces', 'deploy 47 11', 202],
  ])('that is %s', async (_what, key, status) => {
    expect((await post({ domain }, key)).status).toBe(status);
  });

  test('that is empty is refused over a connection too', async () => {
    const listener = await listen(0, '127.0.0.1');
    onTestFinished(() => listener.close(0));
    listener.answer(server.api.fetch);
    const headers = { authorization: `Bearer ${server.adminKey}`, 'content-type': 'application/json', 'idempotency-key': '' };
    const answer = await fetch(`${listener.address}${jobsPath}`, { method: 'POST', headers, body: JSON.stringify({ domain }) });
    expect(await refusal(answer)).toMatchObject({
      status: 400,
      error: 'The request is not valid. The header "idempotency-key" must be 1 to 255 printable ASCII characters.',
    });
  });
});

describe('a language', () => {
  afterEach(() => rm(join(folder, 'docs.json'), { force: true }));

  test.each([
    ['that the docs name', { languages: [{ language: 'en' }, { language: 'pt-BR' }] }, 'pt-br'],
    ['that the docs call by its country', { languages: [{ language: 'en' }, { language: 'jp' }] }, 'ja'],
    ['of docs that name none', { pages: ['index'] }, 'de'],
    ['of docs whose configuration goes on in another file', { $ref: './navigation.json' }, 'de'],
  ])('%s', async (_what, navigation, language) => {
    await writeFile(join(folder, 'docs.json'), JSON.stringify({ name: 'Acme', navigation }));
    expect((await request('POST', jobsPath, { domain, language })).status).toBe(202);
  });

  test('that the docs do not have', async () => {
    const navigation = { languages: [{ language: 'en' }, { language: 'pt-BR' }] };
    await writeFile(join(folder, 'docs.json'), JSON.stringify({ name: 'Acme', navigation }));
    const refused = await refusal(await request('POST', jobsPath, { domain, language: 'de' }));
    expect(refused).toMatchObject({ status: 400, code: 'LanguageUnknown', error: expect.stringContaining('"en", "pt-BR"') });
  });

  test('is checked by the job if the configuration cannot be read here', async () => {
    expect((await request('POST', jobsPath, { domain: 'git.acme.com', language: 'de' })).status).toBe(202);
    await writeFile(join(folder, 'docs.json'), '{ "navigation": [');
    expect((await request('POST', jobsPath, { domain, language: 'de' })).status).toBe(202);
  });
});

describe('paths', () => {
  async function expectUnknown(path: string): Promise<void> {
    const error = expect.stringContaining(`"${path}"`);
    const refused = await refusal(await request('POST', jobsPath, { domain, paths: ['', path] }));
    expect(refused).toMatchObject({ status: 400, code: 'PathUnknown', error });
  }

  test('are known from the folder of a site that was never exported', async () => {
    await writeFile(join(folder, 'guides/Readme.md'), '# Guides\n');
    for (const path of ['', 'guides/install', 'guides', 'reference'])
      expect((await request('POST', jobsPath, { domain, paths: [path] })).status).toBe(202);
    for (const path of ['nowhere', 'images/logo.svg', 'guides/Install', 'Guides', 'images']) await expectUnknown(path);
    await rm(join(folder, 'guides/Readme.md'));
  });

  test('are checked by the job for git, and if an API specification that was never exported could create them', async () => {
    expect((await request('POST', jobsPath, { domain: 'git.acme.com', paths: ['nowhere'] })).status).toBe(202);
    await writeFile(join(folder, 'docs.json'), '{ "name": "Acme", "navigation": { "openapi": "api.json" } }');
    expect((await request('POST', jobsPath, { domain, paths: ['api/list-users'] })).status).toBe(202);
    await writeFile(join(folder, 'docs.json'), '{ "name": "Acme", "navigation": { "pages": ["index"] } }');
    expect((await request('POST', jobsPath, { domain, paths: ['api/list-users'] })).status).toBe(400);
    await rm(join(folder, 'docs.json'));
  });

  test('are known from the active export and from the folder', async () => {
    const manifest = await server.keepManifest(domain, 'c'.repeat(64), ['', 'guides/install', 'api/list-users']);
    await completeJob(services.jobs, await server.start(), { manifest });
    clock.now += 1000;
    const paths = ['api/list-users', 'guides/new', 'reference', ''];
    expect((await request('POST', jobsPath, { domain, paths })).status).toBe(202);
    for (const path of ['guides/nowhere', 'images/logo.svg', 'guides', '%2e%2e/secret']) await expectUnknown(path);
  });

  test('are not known from an export of some pages', async () => {
    const manifest = await server.keepManifest(domain, 'd'.repeat(64), ['']);
    await completeJob(services.jobs, await server.start({ domain, paths: [''] }), { manifest });
    clock.now += 1000;
    expect((await request('POST', jobsPath, { domain, paths: ['guides/new'] })).status).toBe(202);
  });

  test('are known from the folder if the export cannot be read, and checked by the job if neither can', async () => {
    await completeJob(services.jobs, await server.start(), { manifest: 'e'.repeat(64) });
    clock.now += 1000;
    expect((await request('POST', jobsPath, { domain, paths: ['guides/new'] })).status).toBe(202);
    expect((await request('POST', jobsPath, { domain, paths: ['nowhere'] })).status).toBe(400);
    const manifest = await server.keepManifest(domain, 'f'.repeat(64), ['']);
    await completeJob(services.jobs, await server.start(), { manifest });
    clock.now += 1000;
    expect((await request('POST', jobsPath, { domain, paths: ['nowhere'] })).status).toBe(400);
    await rm(folder, { recursive: true });
    expect((await request('POST', jobsPath, { domain, paths: ['nowhere'] })).status).toBe(202);
  });
});
