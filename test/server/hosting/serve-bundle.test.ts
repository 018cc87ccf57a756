import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostile, manifestOf } from '../../integration/output/archives.ts';
import { refuse, send, type Answer } from '../active-exports/bundle-server.ts';
import { bundleOf, noise, setUp, sitesIn } from './served-bundle.ts';
import { makeFolder } from './small-site.ts';
import { freePort } from '../../support/listen.ts';
import { writeFiles } from '../../support/write-files.ts';

/** Longer than a connection takes at once. */
const large = 3_000_000;

test('downloads a bundle, stores it, and serves it as a site', async () => {
  const { keep, lines, warnings, start } = await setUp(send(await bundleOf('1')));
  const served = await start({ base: 'docs' });
  expect([served.name, served.version]).toEqual(['Docs', '1']);
  const page = await fetch(served.address);
  expect(await page.text()).toContain('Version 1');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const { files } = JSON.parse(readFileSync(join(keep, 'sites', sitesIn(keep)[0]!, 'carrel.json'), 'utf8'));
  expect(page.headers.get('etag')).toContain(files['index.html'].sha256.slice(0, 16));
  expect(readdirSync(keep).sort()).toEqual(['kept.json', 'sites']);
  expect(lines[0]).toMatch(/^Downloading the bundle from http:\S+\/v1\/bundles\/se_1$/);
  expect(lines.at(-1)).toBe('Docs, version 1 is unpacked; every file matches its hash in the manifest.');
  expect(warnings).toEqual([]);
  expect([...lines, readFileSync(join(keep, 'kept.json'), 'utf8')].join()).not.toContain('SECRET');
});

test('responds with 503 until there is a site, and reports its status', async () => {
  let release = () => {};
  const bundle = await bundleOf('1');
  const { start, server } = await setUp((...pair) => (release = () => send(bundle)(...pair)));
  const answer = server.answer;
  const asked = new Promise<void>((resolve) => (server.answer = (...pair) => (answer(...pair), resolve())));
  const port = await freePort();
  const starting = start({ port });
  await asked;
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await ask('/.carrel/live')).status).toBe(200);
  const ready = await ask('/.carrel/ready');
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'starting' }]);
  const early = await ask('/');
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5']);
  release();
  await starting;
  const after = await ask('/.carrel/ready');
  expect([after.status, await after.json()]).toEqual([200, { status: 'ok', site: 'Docs', version: '1' }]);
  expect((await ask('/.carrel/other')).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/.carrel/live`, { method: 'POST' })).status).toBe(405);
});

describe('a link that does not work', () => {
  test.each<[string, Answer, RegExp]>([
    ['expired', refuse(403, '{"error":"The link has expired."}'), /answered 403 \(The link has expired\.\)/],
    ['gone', refuse(410), /answered 410/],
    ['unknown', refuse(404), /answered 404/],
    ['unavailable', refuse(503), /answered 503/],
    ['broken at once', (_, response) => void response.destroy(), /could not be downloaded/],
    ['no bundle', (_, response) => void response.end('<html>Log in</html>'), /was rejected\. .* is not a readable zip/],
  ])('%s: serves the stored copy and reports the error; fails without one', async (_, answer, message) => {
    const { server, home, warnings, keep } = await setUp(answer);
    await expect(home()).rejects.toMatchObject({ message: expect.stringMatching(message), hint: expect.any(String) });
    server.answer = send(await bundleOf('1'));
    expect(await home()).toContain('Version 1');
    server.answer = answer;
    expect(await home()).toContain('Version 1');
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect(warnings[0]).toMatch(/\nServing the stored copy instead: Docs, version 1, downloaded \d{4}-/);
    expect(sitesIn(keep)).toHaveLength(1);
  });

  test('no network at all', async () => {
    const { server, home, warnings } = await setUp(send(await bundleOf('1')));
    await home();
    await server.close();
    expect(await home()).toContain('Version 1');
    expect(warnings[0]).toContain('ECONNREFUSED');
  });

  test('a download that takes too long', async () => {
    const { home } = await setUp(() => {}, { timeLimit: 60 });
    await expect(home()).rejects.toMatchObject({
      code: 'BundleNotFetched',
      message: expect.stringContaining('within 0.001 minutes'),
    });
  });
});

test('a link to the stored bundle downloads nothing; another bundle replaces it', async () => {
  const { server, home, keep, lines } = await setUp(send(await bundleOf('1')));
  await home();
  await home();
  expect(lines).toContain('The stored bundle is current: Docs, version 1.');
  expect(server.requests[1]!.condition).toBe('"1"');
  server.answer = send(await bundleOf('2'), { tag: '"2"' });
  expect(await home()).toContain('Version 2');
  // The one before stays for a server that is still reading it, and goes with the next replacement.
  expect(sitesIn(keep)).toHaveLength(2);
  server.answer = send(await bundleOf('3'), { tag: '"3"' });
  expect(await home()).toContain('Version 3');
  expect(sitesIn(keep)).toHaveLength(2);
});

describe('a pinned version', () => {
  test('is served, and needs no link once it is stored', async () => {
    const { server, home, requests, lines } = await setUp(send(await bundleOf('1')), { version: '1' });
    expect(await home()).toContain('Version 1');
    expect(requests()).toBe(1);
    server.answer = refuse(403);
    expect(await home()).toContain('Version 1');
    expect(requests()).toBe(1);
    expect(lines).toEqual(['Docs, version 1 is already stored: nothing to download.']);
  });

  test('refuses another version and names both; the download is not repeated', async () => {
    const { server, home, keep } = await setUp(send(await bundleOf('2')));
    const error = { code: 'BundleVersionDiffers', message: expect.stringMatching(/is version "2"; version "1" is pinned/) };
    await expect(home({ version: '1' })).rejects.toMatchObject(error);
    expect(existsSync(join(keep, 'kept.json'))).toBe(false);
    expect(await home({ version: '2' })).toContain('Version 2');
    expect(server.requests[1]!.range).toMatch(/^bytes=[1-9]\d+-$/);
  });

  test('refuses a stored copy of another version, also if the link fails', async () => {
    const { server, home } = await setUp(send(await bundleOf('2')));
    await home();
    await expect(home({ version: '1' })).rejects.toMatchObject({ code: 'BundleVersionDiffers' });
    server.answer = refuse(403);
    const message = expect.stringContaining('The stored copy is version "2", which is not the pinned one.');
    await expect(home({ version: '1' })).rejects.toMatchObject({ code: 'BundleLinkDead', message });
    expect(await home()).toContain('Version 2');
  });
});

describe('a stored copy with missing bytes', () => {
  const damage: [string, (folder: string) => void][] = [
    ['a page', (folder) => truncateSync(join(folder, 'index.html'), 20)],
    [
      'one byte',
      (folder) => writeFileSync(join(folder, 'big.txt'), readFileSync(join(folder, 'big.txt'), 'utf8').replace(/^./, '_')),
    ],
    ['its manifest', (folder) => truncateSync(join(folder, 'carrel.json'), 0)],
    ['a true manifest', (folder) => writeFileSync(join(folder, 'carrel.json'), manifestOf({}))],
  ];
  test.each(damage)('%s: is not served, but downloaded again', async (_, harm) => {
    const { server, home, keep, warnings } = await setUp(send(await bundleOf('1')), { version: '1' });
    await home();
    harm(join(keep, 'sites', sitesIn(keep)[0]!));
    server.answer = refuse(403);
    const message = expect.stringMatching(/answered 403\. The stored copy of version "1" in ".*" is damaged: /);
    await expect(home()).rejects.toMatchObject({ code: 'BundleLinkDead', message });
    server.answer = send(await bundleOf('1'));
    expect(await home()).toContain('Version 1');
    expect(warnings).toEqual([expect.stringContaining('is damaged')]);
    expect(await home()).toContain('Version 1');
    expect(warnings).toEqual([]);
  });

  test('an invalid record counts as no copy', async () => {
    const { home, keep, requests } = await setUp(send(await bundleOf('1')));
    await home();
    writeFileSync(join(keep, 'kept.json'), '{"format":1,"folder":"../../etc"}');
    expect(await home()).toContain('Version 1');
    expect(requests()).toBe(2);
    expect(sitesIn(keep)).toHaveLength(1);
  });
});

describe('a refused bundle leaves the previous site', () => {
  test.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['climbs', () => readFileSync(hostile({ name: '../evil.txt', text: 'x' })), /"\.\.\/evil\.txt" is outside the bundle/],
    ['is absolute', () => readFileSync(hostile({ name: '/evil.txt', text: 'x' })), /absolute name/],
    ['has a backslash', () => readFileSync(hostile({ name: '..\\evil.txt', text: 'x' })), /backslash/],
    ['has a link', () => readFileSync(hostile({ name: 'a', text: '/etc', mode: 0o120777 })), /symbolic link/],
    ['has a name twice', () => readFileSync(hostile({ name: 'index.html', text: 'x' })), /more than once/],
    ['is a bomb', () => readFileSync(hostile({ name: 'b', text: 'x', size: 0xfffffffe })), /bytes; the limit is 100000000/],
    ['has another hash', () => bundleOf('2', { more: { 'big.txt': 'y' } }), /"big\.txt" .* is not the file that was exported/],
    ['has a file too many', () => bundleOf('2', { more: { 'evil.js': 'y' } }), /"evil\.js" .* is not in its manifest/],
    ['is cut', async () => (await bundleOf('2')).subarray(0, -40), /not a readable zip/],
  ])('%s', async (_, bytes, message) => {
    const { server, keep, start, warnings } = await setUp(send(await bundleOf('1')), { maxBytes: 100_000_000 });
    const served = await start();
    const before = readFileSync(join(keep, 'kept.json'), 'utf8');
    server.answer = send(await bytes(), { tag: '"evil"' });
    await served.reload();
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect(await (await fetch(served.address)).text()).toContain('Version 1');
    expect(readFileSync(join(keep, 'kept.json'), 'utf8')).toBe(before);
    expect(readdirSync(keep).sort()).toEqual(['kept.json', 'sites']);
    expect(sitesIn(keep)).toHaveLength(1);
    await served.close();
    const again = await start();
    expect(await (await fetch(again.address)).text()).toContain('Version 1');
  });
});

test('a download with parts of different bundles is repeated', async () => {
  // Another file with the same tag and size: no good storage does this, but a cache between may.
  const bundle = await bundleOf('2', { size: large });
  const other = Buffer.from(bundle);
  other.fill(0, 1000, 2000);
  const stop = new AbortController();
  const { server, home, lines } = await setUp(send(other));
  const say = (line: string) => void (/^ .* of /.test(line) && stop.abort());
  await expect(home({ signal: stop.signal, say })).rejects.toThrow(/abort/i);
  server.answer = send(bundle);
  expect(await home()).toContain('Version 2');
  expect(lines).toContain('The downloaded parts of the bundle do not match: downloading it again.');
});

test('a reload replaces the site without losing a request', async () => {
  const { server, start, lines } = await setUp(send(await bundleOf('1', { size: large })));
  const served = await start();
  await served.reload();
  expect(lines.at(-1)).toBe('No change: serving Docs, version 1.');
  server.answer = send(await bundleOf('2'), { tag: '"2"' });
  const seen = new Set<string>();
  let isDone = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isDone || !seen.has('2')) {
      const page = await fetch(served.address);
      const text = await page.text();
      seen.add(page.status === 200 ? /Version (\d)/.exec(text)![1]! : String(page.status));
    }
  });
  const whole = await fetch(`${served.address}big.txt`, { headers: { 'accept-encoding': 'identity' } });
  await Promise.all([served.reload(), served.reload()]);
  isDone = true;
  await Promise.all(readers);
  expect([...seen].sort()).toEqual(['1', '2']);
  expect(await whole.text()).toBe(noise('1', large));
  expect(served.version).toBe('2');
});

describe('a folder shared by several processes', () => {
  test('is used by one process at a time', async () => {
    const { keep, start, lines, requests } = await setUp(send(await bundleOf('1')));
    const [first, second] = await Promise.all([start(), start()]);
    expect([first.version, second.version]).toEqual(['1', '1']);
    expect(lines).toContain(`Another process is downloading to "${keep}": waiting for it.`);
    expect(lines).toContain('The stored bundle is current: Docs, version 1.');
    expect(requests()).toBe(2);
    expect(readdirSync(keep).sort()).toEqual(['kept.json', 'sites']);
  });

  test.each([
    ['a process that is gone', { host: hostname(), process: 2 ** 22 + 1, token: 'a' }, 0],
    ['the one that had the number of this one', { host: hostname(), process: process.pid, token: 'a' }, 0],
    ['another machine, long ago', { host: 'elsewhere', process: 1, token: 'a' }, 60],
    ['nobody knows whom', 'x', 60],
  ])('a lock of %s is taken over', async (_, holder, age) => {
    const { keep, home } = await setUp(send(await bundleOf('1')));
    writeFiles(keep, { lock: JSON.stringify(holder) });
    utimesSync(join(keep, 'lock'), Date.now() / 1000 - age, Date.now() / 1000 - age);
    expect(await home()).toContain('Version 1');
  });
});

test('files left behind by a killed process are removed and ignored', async () => {
  const { keep, home } = await setUp(send(await bundleOf('1')));
  mkdirSync(join(keep, 'sites/.19-1.carrel-new-77'), { recursive: true });
  writeFiles(keep, { 'sites/19-1/index.html': 'half' });
  expect(await home()).toContain('Version 1');
  expect(sitesIn(keep)).toHaveLength(1);
});

test('a folder that cannot be created', async () => {
  const { home } = await setUp(send(await bundleOf('1')));
  const keep = join(await makeFolder({ file: '' }), 'file/keep');
  await expect(home({ keep })).rejects.toMatchObject({ code: 'OutputNotWritable' });
});

test('listens before it downloads, so that a port in use costs no download', async () => {
  const { start, requests } = await setUp(send(await bundleOf('1')));
  const served = await start();
  const port = Number(new URL(served.address).port);
  await expect(start({ port })).rejects.toMatchObject({ code: 'CannotListen' });
  expect(requests()).toBe(1);
});
