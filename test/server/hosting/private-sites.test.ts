import { expect, test } from 'vitest';
import { createHostedSites } from '../../../server/hosting/hosted-sites.ts';
import { createPrivateSites } from '../../../server/hosting/private-sites.ts';
import { settingsOfPreview } from '../../../server/sites/sites.ts';
import type { NewKey } from '../../../server/organizations/keys.ts';
import { hashOfPassword } from '../../../server/sites/site-password.ts';
import { activateExport } from '../../../server/jobs/model/active-export.ts';
import { removeOldExports } from '../../../server/jobs/retention.ts';
import { completeJob, makeExport, registerSite, runJob, startJob } from '../storage/exports.ts';
import { openLinkServer } from '../storage/services.ts';

const password = 'correct horse ñandú';
const passwordHash = await hashOfPassword(password);
const browser = { accept: 'text/html,application/xhtml+xml' };

async function openPrivateSite(more: { sitesUrl?: string } = {}) {
  const server = await openLinkServer();
  const services = { ...server.services, ...more };
  const { clock } = server;
  await registerSite(services, 'docs.test');
  const files = {
    'index.html': '<p>Home of secrets</p>',
    'guides/index.html': '<p>Guides</p>',
    'guides.md': '# Guides',
    'a.js': 'secret()',
  };
  await runJob(services, 'docs.test', await makeExport(files));
  const handle = createHostedSites(services);
  const setHash = async (hash: string | undefined) => {
    const known = (await services.sites.get('docs.test'))!;
    await services.sites.put({ ...known, settings: { ...known.settings, password: hash } });
    clock.now += 1001;
  };
  const setPassword = async (text: string | undefined) => setHash(text === undefined ? undefined : await hashOfPassword(text));
  await setHash(passwordHash);
  const send = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}, socket = '192.0.2.1') =>
    handle(new Request(`http://sites.test${path}`, { headers, redirect: 'manual', ...init }), {
      incoming: { socket: { remoteAddress: socket } as never },
    });
  const signIn = (fields: Record<string, string>, headers: Record<string, string> = {}, socket?: string) => {
    const body = new URLSearchParams(fields).toString();
    const form = {
      ...browser,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      ...headers,
    };
    return send('/sites/docs.test/', form, { method: 'POST', body }, socket);
  };
  const cookie = async (headers?: Record<string, string>) => {
    const set = (await signIn({ password }, headers)).headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^carrel-reader=\d+\.[\w-]{43}; Max-Age=604800; HttpOnly; SameSite=Lax/);
    return { all: set, cookie: set.split(';')[0]! };
  };
  /** Starts a job for groups, beside the active export. */
  const startFor = async (groups: string[]) => {
    const whole = (await services.sites.load('docs.test'))!.activeJob!;
    const { id } = await services.jobs.create({ organization: 'default', domain: 'docs.test', request: { groups, whole } });
    return startJob(services, id);
  };
  const exportFor = async (groups: string[], html: string, path = 'index.html') => {
    await completeJob(services, await startFor(groups), await makeExport({ 'index.html': html, [path]: html }));
    clock.now += 1001;
  };
  const exportAll = async (html: string) => {
    const { id } = await runJob(services, 'docs.test', await makeExport({ 'index.html': html }));
    clock.now += 1001;
    return id;
  };
  return { ...server, services, setPassword, send, signIn, cookie, startFor, exportFor, exportAll };
}

type Answer = [status: number, headers: Record<string, string>, body: string];

async function whole(answer: Promise<Response>): Promise<Answer> {
  const { status, headers } = await answer;
  return [status, Object.fromEntries(headers), await (await answer).text()];
}

test('to strangers, a private site is one that does not exist, whatever they ask for', async () => {
  const { send } = await openPrivateSite();
  const paths = [
    '',
    'guides/',
    'guides.md',
    'a.js',
    'carrel.json',
    'carrel.config.js',
    'nowhere',
    '_carrel/ask?q=secrets',
    'guides.md?ask=secrets',
  ];
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'])
    for (const path of paths) {
      const [asked, unknown] = await Promise.all([
        whole(send(`/sites/docs.test/${path}`, {}, { method })),
        whole(send(`/sites/unknown.test/${path}`, {}, { method })),
      ]);
      expect([method, path, ...asked]).toEqual([method, path, ...unknown]);
      expect(asked[0]).toBe(404);
    }
});

test('a browser gets the same sign-in page at every path, which no cache or page of another site keeps', async () => {
  const { send } = await openPrivateSite();
  const pages = await Promise.all(
    ['', 'guides/', 'nowhere/', 'a.js'].map((path) => whole(send(`/sites/docs.test/${path}`, browser))),
  );
  for (const [status, headers, body] of pages) {
    expect(status).toBe(401);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(body).toContain('<h1>Enter the password to read these docs</h1>');
    expect(body).not.toMatch(/secret|Guides<|docs\.test/);
  }
  const shapes = pages.map(([, , body]) => body.replace(/action="[^"]*"/, '').replace(/name="to" value="[^"]*"/, ''));
  expect(new Set(shapes).size).toBe(1);
  const german = await send('/sites/docs.test/', { ...browser, 'accept-language': 'de-AT,en;q=0.5' });
  expect(await german.text()).toMatch(/<html lang="de-AT" dir="ltr">[^]*Passwort/);
  for (const [header, language] of [
    ['fi', 'en'],
    ['fi, pt-BR;q=0.9, de;q=0.5', 'pt-BR'],
    ['en-GB, de;q=0.5', 'en'],
    ['fi,'.repeat(20) + 'de', 'en'],
  ])
    expect(await (await send('/sites/docs.test/', { ...browser, 'accept-language': header! })).text()).toContain(
      `<html lang="${language}"`,
    );
  expect((await send('/sites/docs.test', browser)).headers.get('location')).toBe('./docs.test/');
});

test.each<[string, string, string?]>([
  ['#0a6b3d', '#5fd39a', 'background: light-dark(#0a6b3d, #5fd39a); color: light-dark(#ffffff, #0b0d11)'],
  // White on it is nearly legible.
  ['#e65100', '#4f8cff', 'background: light-dark(#cf4900, #4174d2); color: light-dark(#ffffff, #ffffff)'],
  ['#FFF', '#000', 'background: light-dark(#FFF, #000); color: light-dark(#0b0d11, #ffffff)'],
  ['red}</style><script>alert(1)</script>', '#000'],
  ['#0a6b3d80', '#000'],
])('the sign-in page has the name of the site, and the colors %s and %s where they are legible', async (light, dark, button) => {
  const { services, clock, send } = await openPrivateSite();
  const look = { site: '<b>Tidewater</b>', accent: { light, dark } };
  await runJob(services, 'docs.test', await makeExport({ 'index.html': 'x' }, 'v1', look));
  clock.now += 1001;
  const page = await send('/sites/docs.test/', browser);
  const html = await page.text();
  expect(html).toContain('<title>Sign in - &lt;b&gt;Tidewater&lt;/b&gt;</title>');
  expect(html).toContain('<p><bdi>&lt;b&gt;Tidewater&lt;/b&gt;</bdi></p>\n<h1>');
  expect(html).toContain(button ?? 'background: light-dark(#18181b, #ededef); color: light-dark(#ffffff, #0b0d11)');
  expect(html).not.toMatch(/alert\(|80,/);
});

test('who knows the password reads the site, and no cache shared with others keeps it', async () => {
  const { send, signIn, cookie } = await openPrivateSite();
  const page = await (await send('/sites/docs.test/guides/deep/?a="1"&b', browser)).text();
  expect(page).toContain('action="../../"');
  expect(page).toContain('name="to" value="guides/deep/?a=%221%22&amp;b"');
  const signedIn = await signIn({ password, to: 'guides/deep/?a=1' });
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, './guides/deep/?a=1']);
  const reader = await cookie();
  // Its path is the folder that the browser sees.
  expect(reader.all).not.toMatch(/Secure|Path|Domain/i);
  for (const path of ['', 'guides/', 'guides.md', 'a.js', 'carrel.json']) {
    const answer = await send(`/sites/docs.test/${path}`, { cookie: `other=1; ${reader.cookie}` });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('vary')).toContain('cookie');
    expect(answer.headers.get('referrer-policy')).toBe('same-origin');
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  }
  // Keyboards compose letters in different ways.
  expect((await signIn({ password: password.normalize('NFD') })).status).toBe(303);
});

test.each<[string, string, Record<string, string>]>([
  ['at the URL of all sites', 'sites.test', {}],
  ['at the URL of the site', 'help.test', {}],
  ['behind a proxy that says so', 'docs.lan', { 'x-forwarded-proto': 'https' }],
])('over https %s, no other host of the domain signs a reader in', async (_where, host, headers) => {
  const { services, clock, send, signIn } = await openPrivateSite({ sitesUrl: 'https://sites.test' });
  const site = (await services.sites.get('docs.test'))!;
  await services.sites.put({ ...site, settings: { ...site.settings, siteUrl: 'https://help.test/' } });
  await services.sites.put({ ...site, domain: 'other.test' });
  await runJob(services, 'other.test', await makeExport({ 'index.html': '<p>Other</p>' }));
  clock.now += 1001;
  const status = async (cookie: string, path = '/sites/docs.test/') => (await send(path, { host, ...headers, cookie })).status;
  const set = (await signIn({ password }, { host, ...headers })).headers.get('set-cookie')!;
  expect(set).toMatch(/^__Host-carrel-reader\.docs\.test=[^;]+; Max-Age=604800; HttpOnly; SameSite=Lax; Path=\/; Secure$/);
  const [own] = set.split(';') as [string];
  expect(await status(own)).toBe(200);
  // The token of somebody else: what the reader asks would be in that person's conversations.
  const planted = own.replace(/^[^=]+/, 'carrel-reader');
  expect(await status(planted)).toBe(404);
  const [expired] = own.split('.test=');
  expect(await status(`${expired}.test=1.${'A'.repeat(43)}; ${planted}`)).toBe(404);
  // Each site of a host has a cookie of its own.
  expect(await status(own.replace('docs', 'other'), '/sites/other.test/')).toBe(404);
  expect(await status(`__Host-carrel-reader.other.test=x; ${own}`)).toBe(200);
});

test('the way back leads to no other site', async () => {
  const { signIn } = await openPrivateSite();
  const ways = [
    '//evil.test/',
    'https://evil.test/',
    '\\\\evil.test',
    '../../evil',
    '/evil',
    'javascript:alert(1)',
    '%2e%2e/%2e%2e/x',
    'a\r\nset-cookie: x=1',
  ];
  for (const to of ways) {
    const location = (await signIn({ password, to })).headers.get('location')!;
    expect(new URL(location, 'http://sites.test/sites/docs.test/').href).toMatch(/^http:\/\/sites\.test\/sites\/docs\.test\//);
    expect(location).toMatch(/^\.\/[^\r\n]*$/);
  }
});

test('a session ends with its time, with the password, and is good for no other site', async () => {
  const { services, clock, setPassword, send, cookie } = await openPrivateSite();
  const reader = await cookie();
  const status = async () => (await send('/sites/docs.test/', { cookie: reader.cookie })).status;
  expect(await status()).toBe(200);
  await registerSite(services, 'other.test');
  const other = (await services.sites.get('other.test'))!;
  await services.sites.put({
    ...other,
    settings: { ...other.settings, password: (await services.sites.get('docs.test'))!.settings.password! },
  });
  await runJob(services, 'other.test', await makeExport({ 'index.html': '<p>Other</p>' }));
  clock.now += 1001;
  expect((await send('/sites/other.test/', { cookie: reader.cookie })).status).toBe(404);
  for (const forged of ['', '0.', `9999999999.${'A'.repeat(43)}`, reader.cookie.replace(/=\d/, '=9').split('=')[1]!])
    expect((await send('/sites/docs.test/', { cookie: `carrel-reader=${forged}` })).status).toBe(404);

  const started = clock.now;
  clock.now += 7 * 24 * 3600 * 1000;
  expect(await status()).toBe(404);
  clock.now = started;
  expect(await status()).toBe(200);
  await setPassword(password);
  expect(await status()).toBe(404);
  await setPassword(undefined);
  expect(await status()).toBe(200);
  expect((await send('/sites/docs.test/')).headers.get('cache-control')).not.toContain('private');
});

test('wrong passwords are limited by address, right ones are not', async () => {
  const { services, clock, signIn } = await openPrivateSite();
  for (let readers = 0; readers < 11; readers++) expect((await signIn({ password })).status).toBe(303);
  const tries: number[] = [];
  while (tries.length < 12) tries.push((await signIn({ password: 'a guess' })).status);
  expect(tries).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  const refused = await signIn({ password });
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  expect(await refused.text()).toContain('Too many tries');
  expect((await signIn({ password }, {}, '192.0.2.9')).status).toBe(303);
  // The preview of a branch has the same password.
  const site = (await services.sites.get('docs.test'))!;
  const preview = { ...site, domain: 'docs.test--next', previewOf: 'docs.test' };
  const answerPrivately = createPrivateSites(services);
  const body = 'password=a+guess';
  const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  const request = new Request('http://sites.test/sites/docs.test--next/', { method: 'POST', headers: form, body });
  const base = '/sites/docs.test--next/';
  const answer = async () => new Response();
  expect(
    (await answerPrivately({ request, socket: '192.0.2.1' }, preview, { base, look: { name: 'Docs' }, answer }))!.status,
  ).toBe(429);
  clock.now += 600_000;
  expect((await signIn({ password })).status).toBe(303);
});

test('a form of another origin, and one that is too large or not a form, sign no one in', async () => {
  const { send, signIn } = await openPrivateSite();
  const foreign = await signIn({ password }, { 'sec-fetch-site': 'cross-site' });
  expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
  expect((await signIn({ password }, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  expect((await signIn({ password, to: 'x'.repeat(9000) })).status).toBe(404);
  const json = { 'content-type': 'application/json', 'content-length': '30' };
  expect((await send('/sites/docs.test/', json, { method: 'POST', body: JSON.stringify({ password }) })).status).toBe(404);
  expect((await signIn({})).status).toBe(401);
});

test('no address can keep the others waiting', async () => {
  const { signIn } = await openPrivateSite();
  const flood = Array.from({ length: 40 }, () => signIn({ password: 'a guess' }));
  expect((await signIn({ password }, {}, '192.0.2.9')).status).toBe(303);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(37);
  // Nor many of them: more than twenty wait for no one.
  const many = await Promise.all(Array.from({ length: 30 }, (_, at) => signIn({ password: 'a guess' }, {}, `198.51.100.${at}`)));
  expect(many.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('a reader who signs in twice, and a form at a path beside the site', async () => {
  const { send, signIn, cookie } = await openPrivateSite();
  const reader = await cookie();
  expect((await signIn({ password, to: 'guides/' }, { cookie: reader.cookie })).headers.get('location')).toBe('./guides/');
  const body = `password=${encodeURIComponent(password)}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  for (const [path, headers] of [
    ['/sites/docs.test', { ...form, ...browser }],
    ['/sites/docs.test/guides/', { ...form, ...browser }],
    ['/sites/docs.test/', form],
  ] as const)
    expect((await send(path, headers, { method: 'POST', body })).status).toBe(404);
});

test('programs read a private site with an assistant key of it', async () => {
  const { services, clock, send } = await openPrivateSite();
  await registerSite(services, 'docs.other', 'other');
  const read = async (key: Partial<NewKey>, path = 'guides.md') => {
    const { secret } = await services.keys.create(
      { organization: 'default', kind: 'assistant', name: 'x', ...key },
      { unlimited: true },
    );
    const answer = await send(`/sites/docs.test/${path}`, { authorization: `Bearer ${secret}` });
    return [answer.status, answer.headers.get('cache-control')];
  };
  const domains = ['docs.test'];
  expect(await read({ domains })).toEqual([200, 'private, no-cache']);
  expect(await read({ domains, addresses: ['192.0.2.0/24'] })).toEqual([200, 'private, no-cache']);
  const refused: Partial<NewKey>[] = [
    { domains: ['docs.other'] },
    { domains, addresses: ['198.51.100.0/24'] },
    { domains, organization: 'other' },
    { kind: 'admin' },
    { domains, expiresAt: new Date(clock.now) },
  ];
  for (const key of refused) expect([key, ...(await read(key))]).toEqual([key, 404, 'no-cache']);
  expect((await send('/sites/docs.test/', { authorization: 'Bearer svc_dsc_unknown' })).status).toBe(404);
});

test('private sites are not listed, and a token of their pages ends with the password', async () => {
  const { services, send, setPassword } = await openPrivateSite();
  await registerSite(services, 'open.test');
  await runJob(services, 'open.test', await makeExport({ 'index.html': '<p>Open</p>' }));
  expect(await services.sites.served()).toEqual(['open.test']);
  expect(await (await send('/', { host: 'sites.test' })).text()).not.toContain('docs.test');
  const before = (await services.sites.get('docs.test'))!;
  const token = services.pageTokens.create(before);
  expect(services.pageTokens.keyOf(token, before).domains).toEqual(['docs.test']);
  await setPassword('another password');
  const after = await services.sites.get('docs.test');
  expect(() => services.pageTokens.keyOf(token, after)).toThrow('Reload the page');
});

test('previews of a private site are private', async () => {
  const { services } = await openPrivateSite();
  const { settings } = (await services.sites.get('docs.test'))!;
  expect(settings.password).toMatch(/^scrypt:/);
  expect(settingsOfPreview(settings).password).toBe(settings.password);
});

test('each audience sees its own export, and none that of another', async () => {
  const { services, clock, send, signIn, startFor, exportFor, exportAll } = await openPrivateSite();
  const site = (await services.sites.get('docs.test'))!;
  const passwords = { partner: 'for partners', staff: 'for the staff' };
  const audiences = await Promise.all(
    Object.entries(passwords).map(async ([group, text]) => ({ groups: [group], password: await hashOfPassword(text) })),
  );
  await services.sites.put({ ...site, settings: { ...site.settings, audiences } });
  clock.now += 1001;
  const cookieOf = async (text: string) => (await signIn({ password: text })).headers.get('set-cookie')!.split(';')[0]!;
  const readers = {
    everybody: await cookieOf(password),
    partner: await cookieOf(passwords.partner),
    staff: await cookieOf(passwords.staff),
  };
  const seenBy = async (path = '') =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(readers).map(async ([name, cookie]) => {
          const answer = await send(`/sites/docs.test/${path}`, { cookie });
          return [name, answer.status === 200 ? await answer.text() : answer.status];
        }),
      ),
    );
  const all = '<p>Home of secrets</p>';
  // Before they have an export, they see what everybody sees.
  expect(await seenBy()).toEqual({ everybody: all, partner: all, staff: all });
  // One that was made by hand belongs to no export of the whole site.
  const { id } = await services.jobs.create({ organization: 'default', domain: 'docs.test', request: { groups: ['partner'] } });
  await completeJob(services, await startJob(services, id), await makeExport({ 'index.html': 'by hand' }));
  await exportFor(['partner'], 'Partners 1', 'prices/index.html');
  await exportFor(['staff'], 'Staff 1', 'salaries/index.html');
  // Neither an audience.
  await exportFor(['partner', 'staff'], 'Both');
  const first = { everybody: all, partner: 'Partners 1', staff: 'Staff 1' };
  expect(await seenBy()).toEqual(first);
  expect(await seenBy('prices/')).toEqual({ everybody: 404, partner: 'Partners 1', staff: 404 });
  expect(await seenBy('salaries/')).toEqual({ everybody: 404, partner: 404, staff: 'Staff 1' });

  const { activeJob: before } = (await services.sites.get('docs.test'))!;
  await exportAll('All 2');
  const [partner, staff] = [await startFor(['partner']), await startFor(['staff'])];
  clock.now += 1001;
  // While the next one is being made, the one before is still there; not when it has failed.
  expect(await seenBy()).toEqual({ everybody: 'All 2', partner: 'Partners 1', staff: 'Staff 1' });
  await services.jobs.fail(partner, { code: 'RunFailed', message: 'x' });
  await completeJob(services, staff, await makeExport({ 'index.html': 'Staff 2' }));
  clock.now += 1001;
  expect(await seenBy()).toEqual({ everybody: 'All 2', partner: 'All 2', staff: 'Staff 2' });
  await exportFor(['partner'], 'Partners 2');
  expect(await seenBy()).toEqual({ everybody: 'All 2', partner: 'Partners 2', staff: 'Staff 2' });

  // A rollback is one for all.
  const rollBack = async () => {
    const choice = { domain: 'docs.test', organization: 'default', jobId: before! };
    expect(await activateExport(services.database, choice)).toBe('activated');
    clock.now += 1001;
  };
  await removeOldExports(services, 'docs.test');
  await rollBack();
  expect(await seenBy()).toEqual(first);
  // Retention keeps what belongs to an export that it keeps.
  for (let exports = 3; exports < 9; exports++) await exportAll(`All ${exports}`);
  await removeOldExports(services, 'docs.test');
  expect(await seenBy()).toEqual({ everybody: 'All 8', partner: 'All 8', staff: 'All 8' });
  const stored = await services.jobs.stored('docs.test');
  expect(stored.map(({ request }) => request.groups)).toEqual(Array.from({ length: 5 }, () => undefined));
  await exportFor(['staff'], 'Staff 8');

  // Another password, or other groups, end the session.
  const [ofPartners, ofStaff] = audiences;
  const { settings } = (await services.sites.get('docs.test'))!;
  await services.sites.put({ ...site, settings: { ...settings, audiences: [{ ...ofPartners!, groups: ['staff'] }, ofStaff!] } });
  clock.now += 1001;
  expect(await seenBy()).toEqual({ everybody: 'All 8', partner: 404, staff: 'Staff 8' });
});
