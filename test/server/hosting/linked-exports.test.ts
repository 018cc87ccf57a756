// Links to stored exports, which open them whether or not they are served.
import { beforeAll, expect, test } from 'vitest';
import { createHostedSites } from '../../../server/hosting/hosted-sites.ts';
import { removeOldExports } from '../../../server/jobs/retention.ts';
import { makeExport, runJob } from '../storage/exports.ts';
import { openTestServer } from '../support/services.ts';

const { services, clock, keyOf, request, keyWith } = await openTestServer({ keepExports: 2 });
const handle = createHostedSites(services);
const domain = 'docs.example.com';
const source = { type: 'git', url: 'https://git.example.com/docs.git' };
beforeAll(async () => {
  expect((await request('PUT', `/v1/sites/${domain}`, { source })).status).toBe(200);
});

async function exportSite(text: string): Promise<string> {
  clock.now += 1001;
  const made = await makeExport({
    'index.html': `<p>${text}</p><a href="guide/index.html">`,
    'guide/index.html': `<p>guide ${text}</p>`,
  });
  const { id } = await runJob(services, domain, made);
  clock.now += 1001;
  return id;
}
const linkOf = async (id: string, key?: string) => {
  const answer = await request('POST', `/v1/sites/${domain}/exports/${id}/link`, undefined, key);
  return { status: answer.status, ...(await answer.json()) };
};
const get = async (url: string) => {
  const answer = await handle(new Request(url));
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

test('a link opens an export that is not served, with its pages, for an hour, and no cache or search engine keeps it', async () => {
  const [first, second] = [await exportSite('old'), await exportSite('new')];
  expect((await get(`${services.sitesUrl}/sites/${domain}/`)).text).toContain('new');
  const { url, expiresAt } = await linkOf(first);
  expect(url.startsWith(`${services.sitesUrl}/exports/${first}/`)).toBe(true);
  expect(Date.parse(expiresAt)).toBe(Math.floor(clock.now / 1000) * 1000 + services.options.linkSeconds * 1000);
  const home = await get(url);
  expect([home.status, home.text]).toEqual([200, expect.stringContaining('<p>old</p>')]);
  expect(Object.fromEntries(home.headers)).toMatchObject({
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringContaining("default-src 'self'"),
  });
  expect((await get(`${url}guide/`)).text).toContain('guide old');
  expect((await get(`${url}guide/index.html`)).status).toBe(308);
  expect((await get(`${url}gone/`)).status).toBe(404);
  expect((await get(`${url}../../../sites/`)).status).toBe(404);
  expect((await get((await linkOf(second)).url)).text).toContain('<p>new</p>');

  clock.now = Date.parse(expiresAt) - 1;
  expect((await get(url)).status).toBe(200);
  clock.now += 1;
  expect(await get(url)).toMatchObject({ status: 410, text: 'This link has expired. Create a new one.\n' });
});

test('a changed link opens nothing', async () => {
  const [first, second] = [await exportSite('a'), await exportSite('b')];
  const { url } = await linkOf(first);
  const [, seconds, signature] = /\/(\d+)\.([\w-]+)\/$/.exec(url)!;
  const other = `${signature!.startsWith('A') ? 'B' : 'A'}${signature!.slice(1)}`;
  expect((await get(url)).status).toBe(200);
  for (const changed of [
    url.replace(first, second),
    url.replace(seconds!, String(Number(seconds) + 1)),
    url.replace(signature!, other),
    url.replace(signature!, ''),
    `${services.sitesUrl}/exports/${first}/`,
    `${services.sitesUrl}/exports/`,
  ])
    expect((await get(changed)).status, changed).toBe(404);
});

test('a link ends with the files of its export, also while it is open', async () => {
  const first = await exportSite('1');
  const { url } = await linkOf(first);
  expect((await get(url)).status).toBe(200);
  await exportSite('2');
  await exportSite('3');
  await removeOldExports(services, domain);
  clock.now += 1001;
  expect(await get(url)).toMatchObject({ status: 410, text: 'The files of this export were removed.\n' });
  expect(await linkOf(first)).toMatchObject({ status: 410, code: 'ExportExpired' });
});

test('only a key of the organization that may write creates one, for a completed export', async () => {
  const id = await exportSite('own');
  const reader = await keyWith({ name: 'reader', scopes: ['read'] });
  expect(await linkOf(id, reader.secret)).toMatchObject({ status: 403, code: 'ScopeMissing' });
  expect(await linkOf(id, await keyOf('strangers'))).toMatchObject({ status: 404, code: 'JobUnknown' });
  const queued = await services.jobs.create({ organization: 'default', domain, request: {} });
  expect(await linkOf(queued.id)).toMatchObject({ status: 409, code: 'JobNotFinished' });
});
