// A site that asks an API for its links, and the bundles that it stores.
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refuse, send, type Answer } from '../active-exports/bundle-server.ts';
import { bundleOf, setUp, sitesIn } from './served-bundle.ts';

const key = 'svc_SECRETKEY';
const job = 'se_0123456789abcdef';

interface Api {
  activeJob: string | null;
  /** Answers a request for a link; by default, with one. */
  link?: Answer;
  bundle: Answer;
}

/** Serves from an API as ours: a site with an active job, links that are never the same, and their bundle. */
async function withApi(bundle: Answer, of: { domain: string } | { jobId: string } = { domain: 'docs.test' }) {
  const api: Api = { activeJob: job, bundle };
  const asked: string[] = [];
  /** The keys that were sent with requests for bundles. */
  const sentToBundles = new Set<string | undefined>();
  const answer: Answer = (request, response) => {
    const path = request.url!.replace(/\?.*/, '');
    asked.push(`${request.method} ${path}`);
    const { authorization, host } = request.headers;
    if (path.startsWith('/v1/bundles/')) {
      sentToBundles.add(authorization);
      return api.bundle(request, response);
    }
    if (authorization !== `Bearer ${key}`)
      return refuse(401, '{"error":"This key is unknown.","code":"KeyUnknown"}')(request, response);
    if (path === '/v1/sites/docs.test')
      return void response.end(JSON.stringify({ domain: 'docs.test', activeJob: api.activeJob }));
    if (api.link) return api.link(request, response);
    const jobId = /^\/v1\/static-export\/jobs\/(se_\w+)\/bundle$/.exec(path)![1]!;
    const bundleUrl = `http://${host}/v1/bundles/${jobId}?expires=1&nonce=${asked.length}&signature=SECRET`;
    response.end(JSON.stringify({ jobId, bundleUrl, version: '1' }));
  };
  const made = await setUp(answer);
  const source = { api: new URL(made.server.link).origin, of, key };
  const told = () => [...made.lines, ...made.warnings].join('\n');
  return { ...made, api, asked, sentToBundles, source, told };
}

test('a site: the link to its active export is requested at each start, and leads to the next export', async () => {
  const { api, asked, sentToBundles, home, source, keep, told } = await withApi(send(await bundleOf('1')));
  expect(await home({ refresh: source })).toContain('Version 1');
  const requests = ['GET /v1/sites/docs.test', `POST /v1/static-export/jobs/${job}/bundle`, `GET /v1/bundles/${job}`];
  expect(asked).toEqual(requests);
  expect(await home({ refresh: source })).toContain('Version 1');
  expect(told()).toContain('The stored bundle is current: Docs, version 1.');
  expect(asked).toEqual([...requests, ...requests]);
  api.activeJob = 'se_00000000000000ff';
  api.bundle = send(await bundleOf('2'), { tag: '"2"' });
  expect(await home({ refresh: source })).toContain('Version 2');
  expect([...sentToBundles]).toEqual([undefined]);
  expect(`${told()}${readFileSync(join(keep, 'kept.json'), 'utf8')}`).not.toMatch(/SECRET/);
});

test('a job: its link is requested without looking up a site; a stored pinned version needs none', async () => {
  const { asked, home, source } = await withApi(send(await bundleOf('1')), { jobId: job });
  expect(await home({ refresh: source, version: '1' })).toContain('Version 1');
  const requests = [`POST /v1/static-export/jobs/${job}/bundle`, `GET /v1/bundles/${job}`];
  expect(asked).toEqual(requests);
  expect(await home({ refresh: source, version: '1' })).toContain('Version 1');
  expect(asked).toEqual(requests);
});

describe('an API that does not give a link', () => {
  const json = (status: number, body: object) => refuse(status, JSON.stringify(body));
  const cases: [string, (api: Api) => void, string, RegExp, limit?: number][] = [
    ['hangs', (api) => (api.link = () => {}), 'BundleLinkNotReceived', /it did not answer within 0\.2 seconds/, 200],
    ['is unavailable', (api) => (api.link = refuse(503)), 'BundleLinkNotReceived', /it answered 503/],
    [
      'breaks off',
      (api) => (api.link = (_, response) => void response.destroy()),
      'BundleLinkNotReceived',
      /did not send a link/,
    ],
    [
      'is another server',
      (api) => (api.link = refuse(200, '<p>Log in</p>')),
      'BundleLinkNotReceived',
      /not that of a Carrel server/,
    ],
    [
      'gives a link to a file',
      (api) => (api.link = json(200, { bundleUrl: 'file:///etc/passwd' })),
      'BundleLinkNotReceived',
      /not that of a Carrel server/,
    ],
    [
      'redirects',
      (api) => (api.link = refuse(302, '', { location: 'http://127.0.0.1:9/' })),
      'BundleLinkNotReceived',
      /it answered 302, a redirect, which is not followed/,
    ],
    [
      'has no export yet',
      (api) => (api.activeJob = null),
      'BundleLinkRefused',
      /"docs\.test" at \S+ does not have an export yet/,
    ],
    [
      'refuses the key and repeats it',
      (api) => (api.link = json(403, { error: `The key ${key} does not have the scope write.` })),
      'BundleLinkRefused',
      /it answered 403 \(The key svc_… does not have the scope write\.\)/,
    ],
    [
      'does not have the job',
      (api) => (api.link = json(404, { error: 'There is no such job.' })),
      'BundleLinkRefused',
      /it answered 404 \(There is no such job\.\)/,
    ],
  ];
  test.each(cases)(
    '%s: the start fails without a stored bundle, and serves one with a warning',
    async (_, harm, code, message, linkTimeLimit) => {
      const { api, home, source, warnings, told, asked } = await withApi(send(await bundleOf('1')));
      const whole = { ...api };
      const options = { refresh: source, linkTimeLimit };
      harm(api);
      await expect(home(options)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
        hint: expect.any(String),
      });
      expect(asked).not.toContain(`GET /v1/bundles/${job}`);
      Object.assign(api, { link: undefined }, whole);
      expect(await home({ refresh: source })).toContain('Version 1');
      harm(api);
      expect(await home(options)).toContain('Version 1');
      expect(warnings).toEqual([expect.stringMatching(message)]);
      expect(told()).not.toContain('SECRET');
    },
  );

  test('an unknown key: the message has the reason of the API, not the key', async () => {
    const { home, source, told } = await withApi(send(await bundleOf('1')));
    const error: Error & { hint?: string } = await home({ refresh: { ...source, key: 'svc_OTHERKEY' } }).catch((error) => error);
    expect(error).toMatchObject({ code: 'BundleLinkRefused', message: expect.stringContaining('401 (This key is unknown.)') });
    expect(`${error.message}${error.hint}${error.stack}${told()}`).not.toContain('OTHERKEY');
    expect(error.hint).toContain('CARREL_BUNDLE_KEY');
  });

  test('the given link is used meanwhile', async () => {
    const { api, home, source, server, warnings } = await withApi(send(await bundleOf('1')));
    api.link = refuse(503);
    expect(await home({ refresh: source, url: server.link })).toContain('Version 1');
    expect(warnings).toEqual([expect.stringMatching(/it answered 503\.[\s\S]*Using the given link instead\.$/)]);
  });
});

test('an expired link is replaced by the API, not by the stored bundle', async () => {
  const { api, home, source, server, warnings } = await withApi(refuse(410));
  await expect(home({ url: server.link })).rejects.toMatchObject({ code: 'BundleLinkDead' });
  api.bundle = send(await bundleOf('2'));
  expect(await home({ refresh: source, url: server.link })).toContain('Version 2');
  expect(warnings).toEqual([]);
});

test('an interval finds a newer export by itself, without losing a request', async () => {
  const { api, start, source } = await withApi(send(await bundleOf('1')));
  const served = await start({ refresh: source, refreshEvery: 20 });
  api.activeJob = 'se_00000000000000ff';
  api.bundle = send(await bundleOf('2'), { tag: '"2"' });
  const seen = new Set<string>();
  while (!seen.has('2')) {
    const page = await fetch(served.address);
    seen.add(page.status === 200 ? /Version (\d)/.exec(await page.text())![1]! : String(page.status));
  }
  expect([...seen].sort().join()).toMatch(/^(1,)?2$/);
  expect(served.version).toBe('2');
});

describe('the stored bundles', () => {
  /** Serves versions 1 to 3 one after another. */
  async function three(keepLast?: number) {
    const made = await setUp(refuse(503));
    for (const version of ['1', '2', '3']) {
      made.server.answer = send(await bundleOf(version), { tag: `"${version}"` });
      expect(await made.home({ keepLast })).toContain(`Version ${version}`);
    }
    made.server.answer = refuse(403);
    const current = () => JSON.parse(readFileSync(join(made.keep, 'kept.json'), 'utf8')) as { folder: string; version: string };
    const damage = () => truncateSync(join(made.keep, 'sites', current().folder, 'index.html'), 3);
    return { ...made, current, damage };
  }

  test.each([
    [undefined, 2],
    [1, 2],
    [3, 3],
  ])('at most as many are on the disk as are to be stored (%s)', async (keepLast, folders) => {
    const { keep } = await three(keepLast);
    expect(sitesIn(keep)).toHaveLength(folders);
    expect(existsSync(join(keep, 'previous.json'))).toBe(keepLast !== 1);
  });

  test('a damaged one is replaced by the one before, again and again, while the link is dead', async () => {
    const { home, damage, warnings, current } = await three(3);
    for (const version of ['2', '1']) {
      damage();
      expect(await home()).toContain(`Version ${version}`);
      expect(warnings).toEqual([
        expect.stringContaining('is damaged'),
        expect.stringContaining(`Serving the stored copy instead: Docs, version ${version}`),
      ]);
      expect(current().version).toBe(version);
      expect(await home()).toContain(`Version ${version}`);
      expect(warnings).toHaveLength(1);
    }
    damage();
    await expect(home()).rejects.toMatchObject({ code: 'BundleLinkDead', message: expect.stringContaining('is damaged') });
  });

  test('with one to store, a damaged one has no other', async () => {
    const { home, damage } = await three(1);
    damage();
    await expect(home()).rejects.toMatchObject({ code: 'BundleLinkDead', message: expect.stringContaining('is damaged') });
  });

  test('an earlier version can be pinned without a link', async () => {
    const { home, warnings, requests } = await three();
    const before = requests();
    expect(await home({ version: '2' })).toContain('Version 2');
    await expect(home({ version: '1' })).rejects.toMatchObject({ code: 'BundleLinkDead' });
    expect(await home({ version: '3' })).toContain('Version 3');
    expect([requests() - before, warnings]).toEqual([1, []]);
  });

  test('a bundle that is damaged after the swap began is not shown, and the one before is the current one again', async () => {
    const { server, start, home, keep, warnings, current } = await three();
    const served = await start();
    warnings.length = 0;
    server.answer = send(await bundleOf('4'), { tag: '"4"' });
    // The new bundle is the current one on the disk, and not shown yet.
    const spoil = (line: string) => {
      if (!/version 4 is unpacked/.test(line)) return;
      expect(current().version).toBe('4');
      truncateSync(join(keep, 'sites', current().folder, 'index.html'), 3);
    };
    const second = await start({ say: spoil });
    expect(await (await fetch(second.address)).text()).toContain('Version 3');
    expect(warnings.join()).toMatch(
      /was rejected\. The stored copy of version "4" in ".*" is damaged: [\s\S]*Serving the stored copy instead: Docs, version 3/,
    );
    expect(current().version).toBe('3');
    expect(await (await fetch(served.address)).text()).toContain('Version 3');
    server.answer = refuse(403);
    expect(await home()).toContain('Version 3');
  });

  test('a process that ended in the middle of the swap leaves one that is whole', async () => {
    const { home, keep, current, warnings } = await three();
    // The new folder is there as far as it was written, and named as the current one.
    const { folder } = current();
    truncateSync(join(keep, 'sites', folder, 'big.txt'), 0);
    truncateSync(join(keep, 'sites', folder, 'carrel.json'), 10);
    expect(await home()).toContain('Version 2');
    expect(warnings[0]).toContain('version "3"');
  });

  test('a bundle that cannot have the settings is refused before the swap', async () => {
    const { server, start, home, current, warnings } = await three();
    const settings = { deployment: undefined, features: { analytics: { mode: 'providers' } } } as never;
    const served = await start({ settings });
    warnings.length = 0;
    const bundle = await bundleOf('4', { deployment: 'air-gapped' });
    server.answer = send(bundle, { tag: '"4"' });
    await served.reload();
    await served.reload();
    expect(warnings).toEqual([expect.stringMatching(/air-gapped/), expect.stringMatching(/air-gapped/)]);
    expect(warnings[0]).toContain('Docs, version 3');
    expect(server.requests.at(-1)!.range).toMatch(/^bytes=[1-9]/);
    expect(current().version).toBe('3');
    expect(await (await fetch(served.address)).text()).toContain('Version 3');
    server.answer = refuse(403);
    expect(await home({ settings })).toContain('Version 3');
  });
});

test('two replicas of one volume request one link after another, and download once', async () => {
  const { start, source, asked, keep, lines } = await withApi(send(await bundleOf('1')));
  const [first, second] = await Promise.all([start({ refresh: source }), start({ refresh: source })]);
  expect([first.version, second.version]).toEqual(['1', '1']);
  expect(lines).toContain('The stored bundle is current: Docs, version 1.');
  const turn = ['GET /v1/sites/docs.test', `POST /v1/static-export/jobs/${job}/bundle`, `GET /v1/bundles/${job}`];
  expect(asked).toEqual([...turn, ...turn]);
  expect(sitesIn(keep)).toHaveLength(1);
});
