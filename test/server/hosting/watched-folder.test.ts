import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ExportError } from '../../../integration/errors.ts';
import { writeDelta } from '../../../integration/output/delta.ts';
import { readPublicKeys } from '../../../integration/output/signature.ts';
import { watchFolder } from '../../../server/active-exports/watched-folder.ts';
import { serveBundle, type ServeBundleOptions } from '../../../server/hosting/serve-bundle.ts';
import { newSigningKey, openSigningKey, signatureOf } from '../../../src/signing/signing-key.ts';
import { archiveOf, manifestOf } from '../../integration/output/archives.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { bundleOf } from './served-bundle.ts';

const key = newSigningKey({ now: new Date('2026-01-01') });
const keys = readPublicKeys(key.publicKey, 'the key');
const signer = await openSigningKey(key.secretFile, 'the key', async () => '');

/** A bundle of this version, signed on this day of January, or with a comment that has no time. */
async function signedBundle(version: string, day: number, comment?: string): Promise<string> {
  const files = { 'index.html': `<!doctype html><title>Home</title><p>Version ${version}</p>` };
  const manifest = manifestOf(files, version);
  const now = new Date(Date.UTC(2026, 0, day));
  const timed = signatureOf(Buffer.from(manifest), 'carrel.json', { signer, now });
  const [head, first, ...rest] = timed.split('\n') as [string, string, ...string[]];
  const commented = Buffer.concat([Buffer.from(first, 'base64').subarray(10), Buffer.from(comment ?? '')]);
  const last = Buffer.from(signer.sign(commented)).toString('base64');
  const lines = [head, first, ...(comment === undefined ? rest : [`trusted comment: ${comment}`, last])];
  const signature = lines.join('\n');
  return archiveOf({ ...files, 'carrel.json': manifest, 'carrel.json.minisig': signature });
}

function setUp(more: Partial<ServeBundleOptions> = {}) {
  const root = temporaryFolder();
  const watch = join(root, 'stick');
  const keep = join(root, 'keep');
  mkdirSync(watch);
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const options = { watch, keep, port: 0, refreshEvery: 20, now: Date.now, say, warn: say, ...more } as ServeBundleOptions;
  const start = async () => {
    const served = await serveBundle(options);
    onTestFinished(() => served.close());
    return served;
  };
  const put = (from: string, name: string) => cpSync(from, join(watch, name));
  return { watch, keep, lines, start, put };
}

const until = (check: () => unknown) => vi.waitUntil(check, { timeout: 30_000, interval: 10 });
const said = (lines: string[], text: string | RegExp) => until(() => lines.some((line) => line.match(text)));

test('the first bundle is served when it appears, and the next without a failed request', async () => {
  const { lines, start, put } = setUp();
  const starting = start();
  await said(lines, 'Waiting for the first bundle.');
  put(await signedBundle('1', 1), 'a.zip');
  const served = await starting;
  let isDone = false;
  const answers: [number, string][] = [];
  const reading = (async () => {
    while (!isDone) {
      const response = await fetch(served.address);
      answers.push([response.status, /Version \d/.exec(await response.text())![0]]);
    }
  })();
  await until(() => answers.length > 0);
  put(await signedBundle('2', 2), 'b.zip');
  await said(lines, 'Now serving Docs, version 2.');
  await fetch(served.address);
  isDone = true;
  await reading;
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
  expect(answers[0]![1]).toBe('Version 1');
  expect(await (await fetch(served.address)).text()).toContain('Version 2');
  const ready = await fetch(`${served.address}.carrel/ready`);
  expect(await ready.json()).toEqual({ status: 'ok', site: 'Docs', version: '2', taken: 2, refused: 0 });
});

test('a bundle that is copied slowly is taken when it is whole, and one that stays half is refused', async () => {
  const { watch, lines, start, put } = setUp();
  put(await bundleFile('1'), 'first.zip');
  const served = await start();
  const bytes = await bundleOf('2');
  for (let at = 0; at < bytes.length; at += 2000) {
    appendFileSync(join(watch, 'slow.zip'), bytes.subarray(at, at + 2000));
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  await said(lines, 'Now serving Docs, version 2.');
  expect(served.version).toBe('2');
  writeFileSync(join(watch, 'half.zip'), (await bundleOf('3')).subarray(0, 9000));
  await said(lines, /"half\.zip" was refused\. .*not a readable zip/);
  expect(served.version).toBe('2');
  // The rest arrives after all.
  writeFileSync(join(watch, 'half.zip'), await bundleOf('3'));
  await said(lines, 'Now serving Docs, version 3.');
});

test('deltas in the wrong order wait for each other, and each is taken once', async () => {
  const { watch, keep, lines, start, put } = setUp();
  const [one, two, three] = await Promise.all(['1', '2', '3'].map((version) => bundleFile(version)));
  const deltas = temporaryFolder();
  await writeDelta(one!, two!, join(deltas, '1-2.zip'));
  await writeDelta(two!, three!, join(deltas, '2-3.zip'));
  put(one!, '1.zip');
  const served = await start();
  put(join(deltas, '2-3.zip'), 'a.zip');
  await said(lines, '"a.zip" is a delta for version 2: it waits until that is served.');
  expect(served.version).toBe('1');
  put(join(deltas, '1-2.zip'), 'b.zip');
  await said(lines, 'Now serving Docs, version 3.');
  expect(lines.filter((line) => line.includes('is stored: ')).length).toBe(3);
  put(three!, 'again.zip');
  await until(() => readFileSync(join(keep, 'taken.json'), 'utf8').includes('again.zip'));
  expect(lines.filter((line) => line.includes('is stored: ')).length).toBe(3);
  await served.close();
  // What was taken is not taken again, also after a start.
  const next = await start();
  await until(() => lines.length > 0);
  expect(next.version).toBe('3');
  expect(readdirSync(watch).length).toBe(4);
});

describe('with keys', () => {
  test('only what is signed, and nothing that was signed before what is served', async () => {
    const { lines, start, put } = setUp({ keys });
    put(await signedBundle('2', 20), '2.zip');
    const served = await start();
    put(await bundleFile('3'), 'unsigned.zip');
    await said(lines, /"unsigned\.zip" was refused\. .*is not signed/);
    put(await signedBundle('1', 10), 'old.zip');
    await said(lines, /"old\.zip" was refused\. .*was signed on 2026-01-10.*, before what is served \(2026-01-20/);
    put(await signedBundle('4', 21), '4.zip');
    await said(lines, 'Now serving Docs, version 4.');
    expect(served.version).toBe('4');
    expect(await (await fetch(`${served.address}.carrel/ready`)).json()).toMatchObject({ taken: 2, refused: 2 });
    const metrics = await (await fetch(`${served.address}.carrel/metrics`)).text();
    expect(metrics).toContain('\ncarrel_served_info{site="Docs",version="4"} 1\n');
    expect(metrics).toContain('\ncarrel_watched_bundles_total{outcome="refused"} 2\n');
  });

  test('nothing that was signed before what was stored without keys', async () => {
    const { watch, keep, lines, start, put } = setUp({ keys });
    const say = (line: string) => void lines.push(line);
    const { take } = watchFolder({ watch, keep, now: Date.now, say, warn: say });
    put(await signedBundle('2', 20), '2.zip');
    await take();
    await take();
    const served = await start();
    put(await signedBundle('1', 10), 'old.zip');
    await said(lines, /"old\.zip" was refused\. .*was signed on 2026-01-10.*, before what is served \(2026-01-20/);
    put(await signedBundle('0', 1, 'of old'), 'timeless.zip');
    await said(lines, /"timeless\.zip" was refused\. .*was signed without a time/);
    expect(served.version).toBe('2');
  });
});

test('a stick that is pulled out, and a stored bundle that is damaged', async () => {
  const { watch, keep, lines, start, put } = setUp();
  put(await bundleFile('1'), '1.zip');
  const served = await start();
  renameSync(watch, `${watch}-away`);
  await said(lines, /cannot be read: it does not exist/);
  expect((await fetch(served.address)).status).toBe(200);
  renameSync(`${watch}-away`, watch);
  put(await bundleFile('2'), '2.zip');
  await said(lines, 'Now serving Docs, version 2.');
  await served.close();
  const folder = join(keep, 'sites');
  const [, newest] = readdirSync(folder).sort();
  writeFileSync(join(folder, newest!, 'index.html'), 'damaged');
  rmSync(watch, { recursive: true });
  const after = await start();
  expect(after.version).toBe('1');
  expect(lines.join('\n')).toContain('The stored copy of version "2"');
  expect(existsSync(watch)).toBe(false);
});

test('what could not be read, or was refused, is taken when it can be', async () => {
  const { watch, keep, lines, start, put } = setUp({ keys });
  const away = `${watch}-away`;
  put(await signedBundle('1', 1), '1.zip');
  put(await signedBundle('2', 2), '2.zip');
  utimesSync(join(watch, '1.zip'), 1, 1);
  const others = readPublicKeys(newSigningKey({ now: new Date('2026-01-01') }).publicKey, 'another key');
  const other = watchFolder({ watch, keep, keys: others, now: Date.now, say: () => {}, warn: (line) => void lines.push(line) });
  await other.take();
  expect(await other.take()).toBeUndefined();
  expect(lines.join('\n')).toMatch(/"1\.zip" was refused[^]*"2\.zip" was refused/);
  const say = (line: string) => {
    lines.push(line);
    // The stick is pulled out after the first bundle.
    if (line.startsWith('"1.zip" is stored')) renameSync(watch, away);
  };
  const watched = watchFolder({ watch, keep, keys, now: Date.now, say, warn: say });
  await watched.take();
  expect(await watched.take()).toMatchObject({ version: '1' });
  await watched.take();
  renameSync(away, watch);
  await watched.take();
  expect(await watched.take()).toMatchObject({ version: '2' });
  expect((await start()).version).toBe('2');
});

test.each([30_000, -86_400_000])(
  'a bundle is tried again while the disk has no room, when the clock has moved by %d ms',
  async (by) => {
    const { watch, keep, lines, put } = setUp();
    const say = (line: string) => void lines.push(line);
    let isFull = false;
    let tries = 0;
    let now = Date.now();
    const accept = () => {
      tries++;
      if (isFull) throw new ExportError('DiskFull', 'There is no room.', 'Make room.');
    };
    const { take } = watchFolder({ watch, keep, accept, now: () => now, say, warn: say });
    put(await bundleFile('1'), '1.zip');
    await take();
    await take();
    isFull = true;
    put(await bundleFile('2'), '2.zip');
    await take();
    expect(await take()).toMatchObject({ version: '1' });
    const once = tries;
    // Each try reads the stored files, too.
    for (let look = 0; look < 3; look++) expect(await take()).toMatchObject({ version: '1' });
    expect(tries).toBe(once);
    isFull = false;
    now += by;
    expect(await take()).toMatchObject({ version: '2' });
  },
);

test('a bundle whose stored copy is damaged is taken again', async () => {
  const { keep, lines, start, put } = setUp();
  put(await bundleFile('1'), '1.zip');
  const served = await start();
  put(await bundleFile('2'), '2.zip');
  await said(lines, 'Now serving Docs, version 2.');
  await served.close();
  const sites = join(keep, 'sites');
  for (const name of readdirSync(sites)) {
    const page = join(sites, name, 'index.html');
    if (readFileSync(page, 'utf8').includes('2')) writeFileSync(page, 'damaged');
  }
  const after = await start();
  await until(() => after.version === '2');
  await after.close();
  for (const name of readdirSync(sites)) writeFileSync(join(sites, name, 'index.html'), 'damaged');
  expect((await start()).version).toBe('2');
});

async function bundleFile(version: string): Promise<string> {
  const file = join(temporaryFolder(), `${version}.zip`);
  writeFileSync(file, await bundleOf(version));
  // In the order of their versions.
  utimesSync(file, Number(version), Number(version));
  return file;
}
