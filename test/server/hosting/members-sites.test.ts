// Sites for members: the way to the dashboard and back, and what people see.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHostedSites } from '../../../server/hosting/hosted-sites.ts';
import { openServices } from '../../../server/services.ts';
import { completeJob, makeExport, registerSite, runJob, startJob } from '../storage/exports.ts';
import { openTestServer } from '../support/services.ts';

const { services, clock, request, keyOf, keyWith } = await openTestServer({ questionsPerMinute: 2 });
const handle = createHostedSites(services);
const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
type Headers = Record<string, string>;

const send = (path: string, headers: Headers = {}, init: RequestInit = {}) =>
  handle(new Request(`http://sites.example.com${path}`, { headers, redirect: 'manual', ...init }), {
    incoming: { socket: { remoteAddress: '192.0.2.1' } as never },
  });
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')!.split(';')[0]!;

let sites = 0;
async function openSite(readers: object = { visibility: 'members' }) {
  const domain = `docs${sites++}.test`;
  const base = `/sites/${domain}/`;
  await registerSite(services, domain);
  const files = { 'index.html': 'For all members', 'guides/index.html': 'Guides', 'a.js': 'secret()' };
  const { id: whole } = await runJob(services, domain, await makeExport(files));
  const set = async (change: object) => {
    const answer = await request('PATCH', `/v1/sites/${domain}`, change);
    clock.now += 1001;
    return answer;
  };
  expect((await set(readers)).status).toBe(200);
  const exportFor = async (groups: string[], html: string, paths: string[] = []) => {
    const { id } = await services.jobs.create({ organization: 'default', domain, request: { groups, whole } });
    const pages = paths.map((path) => ({ path, file: `${path}/index.html`, title: path, language: 'en' }));
    await completeJob(services, await startJob(services, id), await makeExport({ 'index.html': html }, 'v1', { pages }));
    clock.now += 1001;
  };
  /** Leaves the site for the dashboard: what the URL and the browser carry then. */
  const leave = async (to = '', headers: Headers = {}) => {
    const body = new URLSearchParams({ to }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
    const origin = 'http://sites.example.com';
    const answer = await send(base, { ...page, ...form, origin, ...headers }, { method: 'POST', body });
    expect(answer.status).toBe(303);
    const url = new URL(answer.headers.get('location')!);
    expect(url.origin + url.pathname).toBe('http://api.example.com/dashboard');
    const { read, ...asked } = Object.fromEntries(url.searchParams);
    return { asked: { domain: read!, state: asked.state!, to: asked.to!, from: asked.from! }, state: cookieOf(answer) };
  };
  const codeFor = (asked: object, headers: Headers) => request('POST', '/v1/reader-codes', asked, null, headers);
  const comeBack = (url: string, headers: Headers) => {
    const { pathname, search } = new URL(url);
    return send(pathname + search, { accept: 'text/html', ...headers });
  };
  /** The whole way of a person who has a session. */
  const signIn = async (session: Headers) => {
    const { asked, state } = await leave();
    const { url } = await (await codeFor(asked, session)).json();
    return { cookie: cookieOf(await comeBack(url, { cookie: state })) };
  };
  const see = async (headers: Headers, path = '') => {
    const answer = await send(base + path, headers);
    return answer.status === 200 ? answer.text() : answer.status;
  };
  return { domain, base, set, exportFor, leave, codeFor, comeBack, signIn, see };
}

let people = 0;
async function person(groups: string[] = [], organization = 'default') {
  if (organization !== 'default') await keyOf(organization);
  const invited = { email: `p${people++}@example.com`, groups, organization };
  const { member } = await (await request('POST', '/v1/members', invited)).json();
  const { token } = await services.sessions.create((await services.keys.get(organization, member.memberId))!, {
    address: '',
    agent: '',
  });
  const session = {
    host: 'api.example.com',
    'x-carrel-session': '1',
    cookie: `carrel-session=${token}`,
    'sec-fetch-site': 'same-origin',
  };
  const path = `/v1/members/${member.memberId}`;
  const change = async (body: object) => {
    const query = organization === 'default' ? '' : `?organization=${organization}`;
    expect((await request('PATCH', path + query, body)).status).toBe(200);
    clock.now += 1001;
  };
  return { id: member.memberId as string, session, path, change };
}

test('a member goes to the dashboard and comes back to the page that they opened', async () => {
  const { base, leave, codeFor, comeBack, see } = await openSite();
  const { session } = await person();
  const stranger = await send(`${base}guides/?tab=2`, page);
  expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([401, 'no-store']);
  const html = await stranger.text();
  expect(html).toContain('Sign in to read these docs');
  expect(html).not.toContain('type="password"');
  expect(stranger.headers.get('content-security-policy')).toContain("form-action 'self' http://api.example.com;");
  const { asked, state } = await leave('guides/?tab=2');
  expect(state).toMatch(/^carrel-reader-state=[\w-]{43}$/);
  expect(JSON.stringify(asked)).not.toContain(state.split('=')[1]);
  const answer = await codeFor(asked, session);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  const { url } = await answer.json();
  expect(url).toMatch(new RegExp(`^http://sites.example.com${base}\\?carrel-code=p[\\w-]{43}&to=guides`));
  const back = await comeBack(url, { cookie: state });
  expect([back.status, back.headers.get('location')]).toEqual([303, './guides/?tab=2']);
  expect(back.headers.get('set-cookie')).toMatch(
    /^carrel-reader=\d+\.mem_[0-9a-f]{16}\.[\w-]{43}; Max-Age=604800; HttpOnly; SameSite=Lax$/,
  );
  const reader = { cookie: cookieOf(back) };
  expect(await see(reader, 'guides/')).toBe('Guides');
  expect((await send(`${base}a.js`, reader)).headers.get('cache-control')).toBe('private, no-cache');
  expect(await see({}, 'a.js')).toBe(404);
});

test('a code works once, for a minute, in the browser and for the site that it was made for', async () => {
  const { leave, codeFor, comeBack, see } = await openSite();
  const other = await openSite();
  const { session } = await person();
  const { asked, state } = await leave();
  const urlFor = async (of = asked) => (await (await codeFor(of, session)).json()).url as string;
  const failed = async (url: string, headers: Headers) => {
    const answer = await comeBack(url, headers);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await answer.text()).toContain('Signing in did not work');
  };
  const url = await urlFor();
  await failed(url, {});
  await failed(url, { cookie: `carrel-reader-state=${'a'.repeat(43)}` });
  await failed(url.replace(/docs\d+/, other.domain.split('.')[0]!), { cookie: state });
  const both = await Promise.all([comeBack(url, { cookie: state }), comeBack(url, { cookie: state })]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401]);
  // Back in the history is no failure for who is signed in.
  const reader = cookieOf(both.find(({ status }) => status === 303)!);
  expect((await comeBack(url, { cookie: `${state}; ${reader}` })).status).toBe(303);
  const late = await urlFor();
  clock.now += 60_000;
  await failed(late, { cookie: state });
  // The cookie is of this site alone.
  expect(await other.see({ cookie: reader })).toBe(404);
  expect(await see({ cookie: reader })).toBe('For all members');
});

test('over https, neither way back can be begun in a browser by another host of the domain', async () => {
  const { domain, leave, codeFor, comeBack } = await openSite();
  const { session } = await person();
  const https = { host: domain, origin: `https://${domain}`, 'x-forwarded-proto': 'https' };
  const { asked, state } = await leave('', https);
  expect(state).toMatch(new RegExp(`^__Host-carrel-reader-state\\.${domain}=`));
  const urlFor = async () => (await (await codeFor(asked, session)).json()).url.replace(/.*[?]/, `http://x/sites/${domain}/?`);
  const planted = state.replace(/^[^=]+/, 'carrel-reader-state');
  expect((await comeBack(await urlFor(), { ...https, cookie: planted })).status).toBe(401);
  expect((await comeBack(await urlFor(), { ...https, cookie: state })).headers.get('set-cookie')).toMatch(
    new RegExp(`^__Host-carrel-reader\\.${domain}=.*; Path=/; Secure$`),
  );
});

test('the way back leads to no other site, and a form of another origin begins nothing', async () => {
  const { domain, base, set, leave, codeFor, comeBack } = await openSite();
  const { session } = await person();
  for (const to of ['https://evil.test/', '//evil.test/', '/\\evil.test', '../../other.test/', 'javascript:alert(1)']) {
    const { asked, state } = await leave(to);
    const { url } = await (await codeFor({ ...asked, to }, session)).json();
    const { headers } = await comeBack(url, { cookie: state });
    expect([to, new URL(headers.get('location')!, `http://sites.example.com${base}`).href]).toEqual([
      to,
      expect.stringContaining(`http://sites.example.com${base}`),
    ]);
  }
  const long = await (await send(`${base}guides/?q=${'a'.repeat(5000)}`, page)).text();
  expect(long).toContain('name="to" value=""');
  const { asked } = await leave();
  const originOf = async (from: string) => new URL((await (await codeFor({ ...asked, from }, session)).json()).url);
  for (const from of ['https://evil.test', 'null', '', `https://${domain}.evil.test`, `http://${domain}`])
    expect((await originOf(from)).href).toContain(`http://sites.example.com${base}?`);
  expect((await originOf(`https://${domain}`)).href).toContain(`https://${domain}/?`);
  await set({ siteUrl: 'https://help.example.com/docs' });
  const own = await originOf('https://help.example.com');
  expect(own.href).toContain('https://help.example.com/docs/?');
  const foreign = {
    ...page,
    'sec-fetch-site': 'cross-site',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': '3',
  };
  const answer = await send(base, foreign, { method: 'POST', body: 'to=' });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
});

describe('who may read', () => {
  test('people of other organizations may not, and learn nothing; nor does a public site need a code', async () => {
    const { domain, leave, codeFor, set } = await openSite();
    const { session } = await person([], 'other-team');
    const { asked } = await leave();
    const refusal = async (of: object, by: Headers) => {
      const answer = await codeFor(of, by);
      return [answer.status, JSON.stringify({ ...(await answer.json()), requestId: '' })];
    };
    const unknown = await refusal({ ...asked, domain: 'unknown.test' }, session);
    const [status, text] = await refusal(asked, session);
    expect([status, String(text).replaceAll(domain, 'unknown.test')]).toEqual(unknown);
    await set({ visibility: 'public' });
    expect((await refusal(asked, (await person()).session))[0]).toBe(404);
  });

  test('a member who is removed, or is no longer of a group, may not from the next second on', async () => {
    const { set, leave, codeFor, signIn, see } = await openSite();
    const [one, other] = [await person(['staff']), await person()];
    const [first, second] = [await signIn(one.session), await signIn(other.session)];
    expect([await see(first), await see(second)]).toEqual(['For all members', 'For all members']);
    expect((await set({ visibility: 'groups', groups: ['staff', 'board'] })).status).toBe(200);
    expect([await see(first), await see(second)]).toEqual(['For all members', 404]);
    const refused = await codeFor((await leave()).asked, other.session);
    expect([refused.status, (await refused.json()).code]).toEqual([403, 'SiteNotForYou']);
    await one.change({ groups: [] });
    expect(await see(first)).toBe(404);
    await one.change({ groups: ['board'] });
    expect(await see(first)).toBe('For all members');
    await request('DELETE', one.path);
    clock.now += 1001;
    expect(await see(first)).toBe(404);
  });

  test('another process knows of a removal within a second', async () => {
    const { signIn, base } = await openSite();
    const one = await person();
    const reader = await signIn(one.session);
    const elsewhere = createHostedSites(await openServices({ ...services }));
    const status = async () => (await elsewhere(new Request(`http://sites.example.com${base}`, { headers: reader }))).status;
    expect(await status()).toBe(200);
    await request('DELETE', one.path);
    clock.now += 1000;
    expect(await status()).toBe(404);
  });

  test('who signed in with a key of the organization may, until it is revoked', async () => {
    const { signIn, see } = await openSite();
    const { key } = await keyWith({ name: 'k' });
    const { token } = await services.sessions.create(key, { address: '', agent: '' });
    const reader = await signIn({ host: 'api.example.com', 'x-carrel-session': '1', cookie: `carrel-session=${token}` });
    expect(await see(reader)).toBe('For all members');
    await services.keys.revoke('default', key.id);
    clock.now += 1001;
    expect(await see(reader)).toBe(404);
  });
});

test('each member sees the export for the largest audience whose groups they have', async () => {
  const audiences = [{ groups: ['partner'] }, { groups: ['beta', 'partner'] }, { groups: ['staff'] }];
  const { exportFor, signIn, see } = await openSite({ visibility: 'members', audiences });
  await exportFor(['partner'], 'Partners');
  await exportFor(['beta', 'partner'], 'Beta partners');
  await exportFor(['staff'], 'Staff');
  const seen = async (...groups: string[]) => see(await signIn((await person(groups)).session));
  expect(await seen()).toBe('For all members');
  expect(await seen('beta')).toBe('For all members');
  expect(await seen('partner')).toBe('Partners');
  expect(await seen('partner', 'beta', 'unknown')).toBe('Beta partners');
  const one = await person(['staff']);
  const reader = await signIn(one.session);
  expect(await see(reader)).toBe('Staff');
  await one.change({ groups: ['partner'] });
  expect(await see(reader)).toBe('Partners');
});

test('the audiences of a site are listed with what their readers see, and why an export of one failed', async () => {
  const { domain, set } = await openSite({
    visibility: 'members',
    audiences: [{ groups: ['partner'] }, { groups: ['beta', 'a'] }],
  });
  const audiences = async () => {
    clock.now += 1001;
    return (await (await request('GET', `/v1/sites/${domain}/audiences`)).json()).audiences;
  };
  const [partner, beta] = await audiences();
  const queued = { export: null, lastJob: { status: 'queued', error: null } };
  expect([partner, beta]).toMatchObject([
    { groups: ['partner'], ...queued },
    { groups: ['a', 'beta'], ...queued },
  ]);
  await completeJob(services, await startJob(services, partner.lastJob.jobId), await makeExport({ 'index.html': 'Partners' }));
  const run = await startJob(services, beta.lastJob.jobId);
  await services.jobs.fail(run, { code: 'LimitedWordFound', message: 'A word of limited pages is in index.html.' });
  // One that someone downloads is not what the readers see.
  await services.jobs.create({ organization: 'default', domain, request: { groups: ['a', 'beta'] } });
  expect(await audiences()).toMatchObject([
    { export: { jobId: partner.lastJob.jobId, pages: 1, bytes: 1 }, lastJob: { status: 'completed', error: null } },
    { export: null, lastJob: { status: 'failed', error: 'A word of limited pages is in index.html.' } },
  ]);
  const seen = await (await request('GET', `/v1/sites/${domain}/exports`)).json();
  expect(seen.exports.map(({ jobId }: { jobId: string }) => jobId)).toContain(partner.lastJob.jobId);
  await set({ audiences: [] });
  expect(await audiences()).toEqual([]);
});

describe.each<object>([
  { visibility: 'groups', groups: ['staff'] },
  { visibility: 'password', password: 'correct horse' },
])('an editor looks at an audience of a site with %o', (readers) => {
  const passwords = 'password' in readers;
  const audience = (name: string) => ({ groups: [name], ...(passwords && { password: `the ${name} horse` }) });
  async function open() {
    const site = await openSite({ ...readers, audiences: [audience('partner'), audience('board')] });
    await site.exportFor(['partner'], 'Partners');
    await site.exportFor(['board'], 'Board');
    const look = async (group: string, headers: Headers) => {
      const begun = await send(`${site.base}?carrel-view=${group}`, { ...page, 'sec-fetch-site': 'cross-site' });
      expect(begun.status).toBe(303);
      const { searchParams } = new URL(begun.headers.get('location')!);
      const asked = { domain: site.domain, state: searchParams.get('state'), view: searchParams.getAll('view') };
      return { state: cookieOf(begun), answer: await site.codeFor(asked, headers) };
    };
    return { ...site, look };
  }

  test('for an hour, in this browser, and while they may change the site', async () => {
    const { domain, set, look, comeBack, see } = await open();
    const one = await person(['board']);
    await one.change({ role: 'editor' });
    const { state, answer } = await look('partner', one.session);
    const { url } = await answer.json();
    expect((await comeBack(url, {})).status).toBe(401);
    const back = await comeBack(url, { cookie: state });
    expect(back.headers.get('set-cookie')).toContain('; Max-Age=3600; HttpOnly');
    const reader = { cookie: cookieOf(back) };
    expect(await see(reader)).toBe('Partners');
    await one.change({ role: 'viewer' });
    expect(await see(reader)).toBe(404);
    await one.change({ role: 'editor' });
    expect(await see(reader)).toBe('Partners');
    expect((await set({ audiences: [audience('board')] })).status).toBe(200);
    expect(await see(reader)).toBe(404);
    await set({ audiences: [audience('partner')] });
    expect(await see(reader)).toBe('Partners');
    clock.now += 3_600_000;
    expect(await see(reader)).toBe(404);
    const log = await (await request('GET', `/v1/audit?event=site.view`)).json();
    expect(log.entries[0]).toMatchObject({ target: `${domain}/partner`, keyId: one.id });
  });

  test('whose pages ask as that audience, and not as the editor', async () => {
    const { domain, base, set, look, comeBack } = await open();
    await set({ features: { playground: { mode: 'proxy', hosts: ['api.example.com'] } } });
    const one = await person(['board']);
    await one.change({ role: 'editor' });
    const { state, answer } = await look('partner', one.session);
    const reader = { cookie: cookieOf(await comeBack((await answer.json()).url, { cookie: state })) };
    const token = /page_[^"]+/.exec(await (await send(`${base}carrel.config.js`, reader)).text())![0];
    const body = { query: 'Partners Board' };
    const search = () => request('POST', `/discovery/v1/search/${domain}`, body, token, { origin: 'http://sites.example.com' });
    expect((await search()).status).toBe(200);
    const key = services.pageTokens.keyOf(token, await services.sites.get(domain));
    expect(passwords ? key.groups : Buffer.from(key.id.split('~')[1]!, 'base64url').toString()).toEqual(
      passwords ? ['partner'] : '["partner"]',
    );
    expect((await send(`${base}carrel.config.js`, { cookie: reader.cookie.replace('~', '~a') })).status).toBe(404);
  });

  test('but no other groups, nor does who may not change the site', async () => {
    const { look } = await open();
    const viewer = await person(['partner', 'staff']);
    const refused = async (group: string, session: Headers) => {
      const { answer } = await look(group, session);
      return [answer.status, (await answer.json()).code];
    };
    expect(await refused('partner', viewer.session)).toEqual([403, 'ScopeMissing']);
    await viewer.change({ role: 'editor' });
    expect(await refused('staff', viewer.session)).toEqual([400, 'RequestInvalid']);
    const stranger = await person([], 'other-team');
    await services.database.query(`update carrel.keys set scopes = '{write}' where id = $1`, [stranger.id]);
    expect(await refused('partner', stranger.session)).toEqual([404, 'SiteUnknown']);
  });
});

test('readers of one export get their own token each, however many ask at once, and also while the database is away', async () => {
  const { set, signIn, base } = await openSite();
  await set({ features: { playground: { mode: 'proxy', hosts: ['api.example.com'] } } });
  const readers = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { id, session } = await person();
      return { id, cookie: (await signIn(session)).cookie };
    }),
  );
  const idFor = async ({ cookie }: Headers) => {
    const text = await (await send(`${base}carrel.config.js`, { cookie: cookie! })).text();
    return /page_\d+\.(mem_\w+)\./.exec(text)?.[1];
  };
  for (let round = 0; round < 20; round++) {
    const asked = Array.from({ length: 24 }, (_, at) => readers[at % readers.length]!);
    expect(await Promise.all(asked.map(idFor))).toEqual(asked.map(({ id }) => id));
    clock.now += 1001;
  }
  const [one, other] = readers;
  expect(await idFor(one!)).toBe(one!.id);
  clock.now += 600;
  expect(await idFor(other!)).toBe(other!.id);
  const { query } = services.database;
  services.database.query = async () => {
    throw new Error('away');
  };
  onTestFinished(() => void (services.database.query = query));
  // The site has to be read again by now, the person not yet.
  clock.now += 500;
  expect(await idFor(other!)).toBe(other!.id);
});

test('many cookies of one name cost no more than a few', async () => {
  const { base } = await openSite();
  const { query } = services.database;
  let queries = 0;
  services.database.query = (...args: Parameters<typeof query>) => {
    queries++;
    return query(...args);
  };
  onTestFinished(() => void (services.database.query = query));
  const cookie = Array.from({ length: 300 }, (_, at) => `carrel-reader-state=${String(at).padStart(43, 'a')}`).join('; ');
  const answer = await send(`${base}?carrel-code=p${'a'.repeat(43)}`, { accept: 'text/html', cookie });
  expect(answer.status).toBe(401);
  expect(queries).toBeLessThan(10);
});

test('questions are counted by person, whatever name a page sends', async () => {
  const { domain, set, signIn, base } = await openSite();
  await set({ features: { playground: { mode: 'proxy', hosts: ['api.example.com'] } } });
  const ask = async (token: string, fp: string) => {
    const body = { id: 'chat', fp, messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Members?' }] }] };
    const headers = { origin: 'http://sites.example.com' };
    const answer = await request('POST', `/discovery/v2/assistant/${domain}/message`, body, token, headers);
    await answer.text();
    return answer.status;
  };
  const tokenOf = async (groups: string[] = []) => {
    const reader = await signIn((await person(groups)).session);
    return /page_[^"]+/.exec(await (await send(`${base}carrel.config.js`, reader)).text())![0];
  };
  const [first, second] = [await tokenOf(), await tokenOf()];
  expect([await ask(first, 'a'), await ask(first, 'b'), await ask(first, 'c'), await ask(second, 'a')]).toEqual([
    200, 200, 429, 200,
  ]);
});

test('a page asks as its reader, and no longer than they may read', async () => {
  const { domain, set, signIn, base } = await openSite();
  await set({ features: { playground: { mode: 'proxy', hosts: ['api.example.com'] } } });
  const [one, other] = [await person(), await person()];
  const keyIn = async (reader: Headers) => {
    const text = await (await send(`${base}carrel.config.js`, reader)).text();
    return /"key": "(page_[^"]+)"/.exec(text)![1]!;
  };
  const [first, second] = await Promise.all([one, other].map(async ({ session }) => keyIn(await signIn(session))));
  expect(first).toContain(one.id);
  expect(second).toContain(other.id);
  const search = async (key: string) => {
    const answer = await request('POST', `/discovery/v1/search/${domain}`, { query: 'members' }, key, {
      origin: 'http://sites.example.com',
    });
    return [answer.status, answer.ok ? '' : (await answer.json()).code];
  };
  const open = await search(first!);
  expect(open).toEqual([200, '']);
  // Not by naming someone else.
  expect(await search(first!.replace(one.id, other.id))).toEqual([401, 'PageTokenInvalid']);
  await request('DELETE', one.path);
  clock.now += 1001;
  expect(await search(first!)).toEqual([401, 'PageTokenInvalid']);
  expect(await search(second!)).toEqual(open);
  await set({ visibility: 'public' });
  expect(await search(second!)).toEqual([401, 'PageTokenInvalid']);
});

test('what readers do is recorded of those who may read, without who they are', async () => {
  const audiences = [{ groups: ['partner'] }];
  const features = { analytics: { mode: 'own' } };
  const { domain, base, set, exportFor, signIn } = await openSite({ visibility: 'members', audiences, features });
  await exportFor(['partner'], 'Partners', ['prices']);
  const keyIn = async (session: Headers) => {
    const text = await (await send(`${base}carrel.config.js`, await signIn(session))).text();
    const { analytics } = JSON.parse(text.slice(text.indexOf('{'), -2)).features;
    expect(analytics).toMatchObject({ mode: 'own', url: 'http://api.example.com/discovery', domain });
    return analytics.key as string;
  };
  const record = async (key?: string, to = domain) => {
    const body = { events: [{ type: 'view', path: 'prices' }], key };
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const answer = await request('POST', `/discovery/v1/events/${to}`, body, null, headers);
    return [answer.status, JSON.stringify({ ...(await answer.json()), requestId: '' })];
  };
  const [partner, other] = [await person(['partner']), await person()];
  const [key, second] = [await keyIn(partner.session), await keyIn(other.session)];
  expect([await record(key), await record(second)]).toEqual([
    [202, '{"accepted":1,"requestId":""}'],
    [202, '{"accepted":1,"requestId":""}'],
  ]);
  await services.events.flush();
  // Only partners have the page.
  const { views } = await (await request('GET', `/v1/analytics/${domain}/views`)).json();
  expect(views).toMatchObject([
    { path: 'prices', found: false, views: 1 },
    { path: 'prices', found: true, views: 1 },
  ]);
  expect(JSON.stringify(await services.database.query('select * from carrel.events'))).not.toMatch(/mem_|page_|partner|@/);
  // To others, the site does not exist.
  const unknown = [404, String((await record(key, 'unknown.test'))[1]).replaceAll('unknown.test', domain)];
  const strangers = [undefined, 'x', second.replace(other.id, partner.id), await keyIn((await person()).session)];
  const { domain: elsewhere } = await openSite({ visibility: 'members', features });
  for (const given of strangers.slice(0, 3)) expect(await record(given)).toEqual(unknown);
  expect((await record(strangers[3], elsewhere))[0]).toBe(404);
  // A page stays open for longer than its token is good, but not for longer than a sign-in.
  clock.now += 24 * 3_600_000;
  expect((await record(key))[0]).toBe(202);
  await request('DELETE', partner.path);
  clock.now += 1001;
  expect(await record(key)).toEqual(unknown);
  clock.now += 7 * 24 * 3_600_000;
  expect(await record(second)).toEqual(unknown);
  await set({ visibility: 'public' });
  expect((await record())[0]).toBe(202);
  const open = await (await send(`${base}carrel.config.js`)).text();
  expect(open).toContain('"mode": "own"');
  expect(open).not.toContain('page_');
});

test.each<[string, object, string]>([
  ['a password', { visibility: 'members', password: 'correct horse' }, 'password'],
  ['groups for all members', { visibility: 'members', groups: ['staff'] }, 'groups'],
  ['no groups', { visibility: 'groups' }, 'groups'],
  ['an empty list of groups', { visibility: 'groups', groups: [] }, 'groups'],
  [
    'a password of an audience',
    { visibility: 'members', audiences: [{ groups: ['a'], password: 'correct horse' }] },
    'audiences.0.password',
  ],
  [
    'two audiences of the same groups',
    { visibility: 'members', audiences: [{ groups: ['a', 'b'] }, { groups: ['b', 'a'] }] },
    'audiences.1.groups',
  ],
  ['groups for a public site', { visibility: 'public', groups: ['staff'] }, 'groups'],
])('a site for members with %s is refused, and names the field', async (_what, body, path) => {
  const domain = `docs${sites++}.test`;
  await registerSite(services, domain);
  const answer = await request('PATCH', `/v1/sites/${domain}`, body);
  expect([answer.status, (await answer.json()).fields[0].path]).toEqual([400, path]);
});

test('the readers of a site stay with other changes, and each kind replaces the others', async () => {
  const { domain, set } = await openSite({ visibility: 'groups', groups: ['staff'], audiences: [{ groups: ['partner'] }] });
  const site = async () => (await request('GET', `/v1/sites/${domain}`)).json();
  const closed = { visibility: 'groups', groups: ['staff'], audiences: [{ groups: ['partner'] }] };
  expect((await set({ siteUrl: 'https://help.example.com' })).status).toBe(200);
  expect(await site()).toMatchObject(closed);
  await request('PUT', `/v1/sites/${domain}`, { source: { type: 'git', url: 'https://git.example.com/docs.git' } });
  expect(await site()).toMatchObject(closed);
  await set({ visibility: 'members' });
  expect(await site()).toMatchObject({ visibility: 'members', audiences: [{ groups: ['partner'] }] });
  expect(await site()).not.toHaveProperty('groups');
  const withoutPassword = await set({ visibility: 'password', password: 'correct horse' });
  expect([withoutPassword.status, (await withoutPassword.json()).fields[0].path]).toEqual([400, 'audiences.0.password']);
  expect((await set({ visibility: 'password', password: 'correct horse', audiences: [] })).status).toBe(200);
  await set({ visibility: 'members' });
  expect(JSON.stringify((await services.sites.load(domain))!.settings)).not.toContain('scrypt');
  expect(await services.sites.served()).not.toContain(domain);
});
