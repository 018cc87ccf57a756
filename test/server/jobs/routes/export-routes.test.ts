// The history of a site: which export is served, and what differs.
import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { removeOldExports } from '../../../../server/jobs/retention.ts';
import { readManifest } from '../../../../server/storage/read-manifest.ts';
import { fileKey } from '../../../../server/storage/storage-keys.ts';
import { completeJob as completeOnly } from '../job-support.ts';
import { completeJob, makeExport, runJob, startJob, type MadeExport } from '../../storage/exports.ts';
import { openTestServer } from '../../support/services.ts';

const { services, clock, keyOf, request, keyWith } = await openTestServer({ keepExports: 2 });
const host = 'api.example.com';
let domain: string;
let count = 0;

beforeEach(async () => {
  domain = `docs-${count++}.example.com`;
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  expect((await request('PUT', `/v1/sites/${domain}`, { source })).status).toBe(200);
});

async function made(texts: Record<string, string>): Promise<MadeExport> {
  const files = Object.entries(texts).flatMap(([path, text]) => [
    [`${path}/index.html`, `<p>${text}</p>`],
    [`${path}.md`, text],
  ]);
  const made = await makeExport(Object.fromEntries(files));
  const pages = Object.keys(texts).map((path) => ({ path, file: `${path}/index.html`, title: path, language: 'en' }));
  const manifest = { ...made.manifest, pages };
  await writeFile(`${made.folder}/carrel.json`, JSON.stringify(manifest));
  return { ...made, manifest };
}

async function exportSite(text: string): Promise<string> {
  clock.now += 1001;
  return (await runJob(services, domain, await made({ page: text }))).id;
}
const exports = async () => (await (await request('GET', `/v1/sites/${domain}/exports`)).json()).exports;
const active = async () => (await exports()).filter((stored: { active: boolean }) => stored.active).map(idOf);
const idOf = ({ jobId, pinned }: { jobId: string; pinned: boolean }) => (pinned ? `${jobId} pinned` : jobId);
const send = async (method: string, id: string, action: string, key?: string) => {
  const answer = await request(method, `/v1/sites/${domain}/exports/${id}/${action}`, undefined, key);
  return answer.ok ? answer.status : [answer.status, (await answer.json()).code];
};
const activate = (id: string, key?: string) => send('POST', id, 'activate', key);
const pin = (id: string) => send('PUT', id, 'pin');
const unpin = (id: string) => send('DELETE', id, 'pin');

test('a site is rolled back and forward, and the next export is served again', async () => {
  expect(await exports()).toEqual([]);
  const [first, second] = [await exportSite('1'), await exportSite('2')];
  expect(await exports()).toMatchObject([
    { jobId: second, version: 'v1', commit: null, pages: 1, partial: false, groups: null, bytes: 1, active: true, pinned: false },
    { jobId: first, active: false, pinned: false },
  ]);
  expect([await activate(first), await active()]).toEqual([200, [first]]);
  expect([await activate(second), await active()]).toEqual([200, [second]]);
  expect([await activate(first), await activate(first), await active()]).toEqual([200, 200, [first]]);
  const third = await exportSite('3');
  expect(await active()).toEqual([third]);
});

test('a pinned export stays, until it is unpinned', async () => {
  const [first, second] = [await exportSite('1'), await exportSite('2')];
  expect([await pin(first), await active()]).toEqual([200, [`${first} pinned`]]);
  const third = await exportSite('3');
  expect(await active()).toEqual([`${first} pinned`]);
  expect(await activate(third)).toEqual([409, 'SitePinned']);
  await removeOldExports(services, domain);
  expect((await exports()).map(idOf)).toEqual([third, second, `${first} pinned`]);
  expect(await unpin(third)).toEqual([404, 'ExportNotPinned']);
  expect([await pin(third), await active()]).toEqual([200, [`${third} pinned`]]);
  expect([await unpin(third), await unpin(third), await active()]).toEqual([204, [404, 'ExportNotPinned'], [third]]);
  const fourth = await exportSite('4');
  expect(await active()).toEqual([fourth]);
});

describe('is refused', () => {
  test('an export whose files were removed, or are being removed', async () => {
    const ids = [await exportSite('1'), await exportSite('2'), await exportSite('3')];
    await services.database.query('update carrel.jobs set removing_at = now() where id = $1', [ids[0]]);
    expect(await activate(ids[0]!)).toEqual([410, 'ExportExpired']);
    await removeOldExports(services, domain);
    clock.now += 1001;
    expect([await activate(ids[0]!), await pin(ids[0]!)]).toEqual([
      [410, 'ExportExpired'],
      [410, 'ExportExpired'],
    ]);
    expect(await active()).toEqual([ids[2]]);
  });

  test('a partial export, and a job without an export', async () => {
    const whole = await exportSite('1');
    const make = async (more: object) => (await services.jobs.create({ organization: 'default', domain, request: more })).id;
    const partial = await make({ language: 'fr' });
    await completeJob(services, await startJob(services, partial), await made({ page: 'fr' }));
    expect([await activate(partial), await pin(partial)]).toEqual([
      [409, 'ExportPartial'],
      [409, 'ExportPartial'],
    ]);
    expect((await exports()).find(({ jobId }: { jobId: string }) => jobId === partial)).toMatchObject({ partial: true });
    const queued = await make({});
    expect(await activate(queued)).toEqual([409, 'JobNotFinished']);
    await services.jobs.cancel(queued);
    expect(await activate(queued)).toEqual([409, 'JobCanceled']);
    const failed = (await services.jobs.start(await make({})))!;
    await services.jobs.fail(failed, { code: 'ConfigNotJson', message: 'x' });
    expect(await activate(failed.id)).toEqual([409, 'JobFailed']);
    expect(await active()).toEqual([whole]);
  });

  test('an export of another site or organization', async () => {
    const own = await exportSite('1');
    const stranger = await keyOf('strangers');
    expect(await activate(own, stranger)).toEqual([404, 'JobUnknown']);
    expect((await request('GET', `/v1/sites/${domain}/exports`, undefined, stranger)).status).toBe(404);
    expect(await activate('se_0000000000000000')).toEqual([404, 'JobUnknown']);
    domain = 'docs-0.example.com';
    expect(await activate(own)).toEqual([404, 'JobUnknown']);
  });

  test.each([
    ['POST', 'activate'],
    ['PUT', 'pin'],
    ['DELETE', 'pin'],
  ])('%s %s from a page of another origin', async (method, action) => {
    const [first, second] = [await exportSite('1'), await exportSite('2')];
    await pin(second);
    const key = (await keyWith({ name: 'x' })).key;
    const { token } = await services.sessions.create(key, { address: '', agent: '' });
    const id = method === 'DELETE' ? second : first;
    const cookie = `carrel-session=${token}`;
    const from = (headers: Record<string, string>) =>
      request(method, `/v1/sites/${domain}/exports/${id}/${action}`, undefined, null, { host, cookie, ...headers });
    expect((await from({ 'x-carrel-session': '1', origin: `http://${host}:4401` })).status).toBe(403);
    expect((await from({ 'x-carrel-session': '1', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await from({})).status).toBe(401);
    expect(await active()).toEqual([`${second} pinned`]);
  });
});

test('of many activations at once, each succeeds or is refused, and one export is active', async () => {
  const ids = [await exportSite('1'), await exportSite('2')];
  const results = await Promise.all(Array.from({ length: 20 }, (_, at) => activate(ids[at % 2]!)));
  expect(new Set(results)).toEqual(new Set([200]));
  expect(await active()).toHaveLength(1);
});

test('an activation and a removal at once leave an export that is served whole', async () => {
  for (let round = 0; round < 10; round++) {
    await exportSite(`${round} a`);
    const old = (await exports()).at(-1).jobId;
    await exportSite(`${round} b`);
    await exportSite(`${round} c`);
    const [result] = await Promise.all([activate(old), removeOldExports(services, domain)]);
    expect([200, 410]).toContain(Array.isArray(result) ? result[0] : result);
    const [served] = await active();
    clock.now += 1001;
    const { result: stored, expiredAt } = (await services.jobs.get(served))!;
    expect(expiredAt).toBeNull();
    const manifest = await readManifest(services.storage, domain, stored!.manifest);
    const files = Object.values(manifest!.files);
    expect(files.length).toBeGreaterThan(0);
    for (const { sha256 } of files) expect(await services.storage.get(fileKey(domain, sha256))).toBeDefined();
  }
});

describe('two exports are compared', () => {
  const diff = async (a: string, b: string) => {
    const answer = await request('GET', `/v1/sites/${domain}/exports/${a}/diff/${b}`);
    return { status: answer.status, ...(await answer.json()) };
  };
  const withReport = async (texts: Record<string, string>, messages: string[]) => {
    clock.now += 1001;
    const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
    const job = await startJob(services, id);
    const warnings = messages.map((message, line) => ({ kind: 'x-y', severity: 'warning', page: 'a.md', line, message }));
    await services.jobs.saveReport(job, JSON.stringify({ warnings }));
    await completeJob(services, job, await made(texts));
    return id;
  };

  test('by their pages and their warnings', async () => {
    const first = await withReport({ same: '1', changed: '1', removed: '1' }, ['old', 'both']);
    const second = await withReport({ same: '1', changed: '2', added: '1' }, ['both', 'new']);
    const page = (path: string) => [{ path, title: path }];
    expect(await diff(first, second)).toMatchObject({
      status: 200,
      pages: { added: page('added'), changed: page('changed'), removed: page('removed') },
      warnings: { added: [{ message: 'new' }], removed: [{ message: 'old' }] },
    });
    expect(await diff(second, first)).toMatchObject({ pages: { added: page('removed'), removed: page('added') } });
  });

  test('without their warnings, if a report is missing, and not at all without their files', async () => {
    const [first, second] = [await exportSite('1'), await exportSite('2')];
    expect(await diff(first, second)).toMatchObject({ pages: { changed: [{ path: 'page' }] }, warnings: null });
    await exportSite('3');
    await removeOldExports(services, domain);
    clock.now += 1001;
    expect(await diff(first, second)).toMatchObject({ status: 410, code: 'ExportExpired' });
    const { id } = await services.jobs.create({ organization: 'default', domain, request: {} });
    expect(await diff(second, id)).toMatchObject({ status: 409, code: 'JobNotFinished' });
    await completeOnly(services.jobs, id);
    clock.now += 1001;
    expect(await diff(second, id)).toMatchObject({ status: 410, code: 'ExportExpired' });
  });
});
