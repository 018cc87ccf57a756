import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { applyDelta, writeDelta } from '../../../integration/output/delta.ts';
import { defaultRules } from '../../../integration/output/check-entries.ts';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { readPublicKeys } from '../../../integration/output/signature.ts';
import { newSigningKey } from '../../../src/signing/signing-key.ts';
import { installedProgram } from '../../support/debian-package.ts';
import { carrel, startCarrel } from '../../src/cli/carrel.ts';
import { archiveOf, folderOf, hostileArchive, manifestOf } from './archives.ts';
import { temporaryFolder } from '../export/folder.ts';

const export1 = (files: Record<string, string>, version = '1') => ({ ...files, 'carrel.json': manifestOf(files, version) });
const long = (seed: string) => Array.from({ length: 4000 }, (_, index) => `${seed} ${(index * 7919) % 4001}`).join('\n');

const old = { 'index.html': long('a'), 'same.txt': 'same', 'gone.txt': 'gone', '_carrel/nav.0123456789.js': long('nav') };
const next = {
  'index.html': `${long('a')} and more`,
  'same.txt': 'same',
  'moved/same.txt': 'same',
  'new.txt': 'new',
  'empty.txt': '',
  '_carrel/nav.abcdef0123.js': `${long('nav')}!`,
};

function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

async function delta(from: string, to: string): Promise<string> {
  const file = join(temporaryFolder(), 'update.zip');
  await writeDelta(from, to, file);
  return file;
}

test('an older export, folder or zip, and a delta are the newer one', async () => {
  const [before, after] = [export1(old), { ...export1(next, '2'), 'carrel.config.js': '// any' }];
  const newer = folderOf(after);
  for (const older of [folderOf(before), await archiveOf(before)])
    for (const to of [newer, await archiveOf(after)]) {
      const update = await delta(older, to);
      const out = join(temporaryFolder(), 'site');
      expect(await applyDelta(older, update, out, { zip: `${out}.zip` })).toMatchObject({ manifest: { version: '2' } });
      expect(contentsOf(out)).toEqual(contentsOf(newer));
      expect(await verifyBundle(`${out}.zip`)).toEqual([]);
      // Of 40,000 bytes each, only what differs.
      expect(statSync(update).size).toBeLessThan(2500);
    }
});

test('an export is updated in its own place, and there and back again', async () => {
  const [first, second] = [folderOf(export1(old)), folderOf(export1(next, '2'))];
  const [there, back] = [await delta(first, second), await delta(second, first)];
  const site = join(temporaryFolder(), 'site');
  cpSync(first, site, { recursive: true });
  await applyDelta(site, there, site);
  expect(contentsOf(site)).toEqual(contentsOf(second));
  await applyDelta(site, back, site);
  expect(contentsOf(site)).toEqual(contentsOf(first));
});

test('zstd makes the same file of a patch', async () => {
  const [first, second] = [folderOf(export1(old)), folderOf(export1(next, '2'))];
  const update = await delta(first, second);
  const folder = temporaryFolder();
  const [unzip, zstd] = [installedProgram('unzip', 'unzip'), installedProgram('zstd', 'zstd')];
  execFileSync(unzip, ['-q', update, '-d', folder]);
  execFileSync(zstd, [
    '-q',
    '-d',
    `--patch-from=${first}/index.html`,
    join(folder, 'patches/index.html'),
    '-o',
    join(folder, 'made'),
  ]);
  expect(readFileSync(join(folder, 'made'), 'utf8')).toBe(next['index.html']);
});

describe('nothing changes', () => {
  const first = export1(old);
  async function made() {
    const [site, newer] = [folderOf(first), folderOf(export1(next, '2'))];
    return { site, newer, update: await delta(site, newer) };
  }

  async function refused(older: string, file: string, options: Parameters<typeof applyDelta>[3] = {}): Promise<string> {
    const out = join(temporaryFolder(), 'site');
    cpSync(folderOf(first), out, { recursive: true });
    const error = await applyDelta(older, file, out, options).then(
      () => new Error('was applied'),
      (thrown: Error & { code?: string }) => thrown,
    );
    expect(contentsOf(out)).toEqual(first);
    expect(readdirSync(join(out, '..'))).toEqual(['site']);
    return `${'code' in error ? String(error.code) : ''}: ${error.message}`;
  }

  test('with another base, whose version the message names', async () => {
    const { newer, update } = await made();
    expect(await refused(newer, update)).toMatch(/^DeltaBaseDiffers: .* is for version "1" of Docs; .* is version "2"\.$/);
    const twin = folderOf(export1({ ...old, 'gone.txt': 'other' }));
    expect(await refused(twin, update)).toContain('is another export with that version');
  });

  test('with a base that was changed', async () => {
    const { update } = await made();
    const changed = folderOf({ ...first, 'index.html': `${old['index.html'].slice(0, -1)}x` });
    expect(await refused(changed, update)).toMatch(/^BundleFileChanged: "index\.html"/);
  });

  test('with what is no delta, half of one, or one with bytes after its end', async () => {
    const { site, update } = await made();
    const file = join(temporaryFolder(), 'update.zip');
    const whole = readFileSync(update);
    for (const bytes of [Buffer.concat([whole, Buffer.from('more')]), whole.subarray(0, whole.length / 2), Buffer.of()]) {
      writeFileSync(file, bytes);
      expect(await refused(site, file)).toContain('BundleNotReadable');
    }
    expect(await refused(site, await archiveOf(first))).toContain('DeltaInvalid');
  });

  test.each([
    ['a patch that was changed', 'patches/index.html', (bytes: Buffer) => (bytes[bytes.length - 6]! ^= 1)],
    ['the patch of the manifest changed', 'patches/carrel.json', (bytes: Buffer) => (bytes[bytes.length - 6]! ^= 1)],
    ['a file that was changed', 'files/new.txt', (bytes: Buffer) => (bytes[0]! ^= 1)],
    ['a file missing', 'files/new.txt', undefined],
  ])('with %s', async (_, name, change) => {
    const { site, update } = await made();
    const folder = temporaryFolder();
    execFileSync('unzip', ['-q', update, '-d', folder]);
    const entries = Object.keys(contentsOf(folder)).flatMap((path) => {
      const bytes = readFileSync(join(folder, path));
      if (path === name && !change) return [];
      if (path === name) change!(bytes);
      return [{ name: path, text: '', data: bytes, method: 0, size: bytes.length, crc: crc32(bytes) }];
    });
    expect(await refused(site, hostileArchive(entries))).toContain('BundleFileChanged');
  });

  test('unless the newer export is signed as it must be', async () => {
    const { site, newer, update } = await made();
    const key = newSigningKey({ now: new Date() });
    const rules = { ...defaultRules, keys: readPublicKeys(key.publicKey, 'the key') };
    expect(await refused(site, update, { rules })).toContain('is not signed');
    const file = join(temporaryFolder(), 'a.key');
    writeFileSync(file, key.secretFile, { mode: 0o600 });
    const signed = join(temporaryFolder(), 'signed');
    cpSync(newer, signed, { recursive: true });
    expect((await carrel(['sign', signed, '--key', file])).code).toBe(0);
    const out = join(temporaryFolder(), 'site');
    await applyDelta(site, await delta(site, signed), out, { rules });
    expect(await verifyBundle(out, rules)).toEqual([]);
  });

  /** A delta by hand, to an export with this manifest, whose files are patches of same.txt. */
  function handMade(manifest: string, files: Record<string, Buffer> = {}): string {
    const sha256 = (text: string) => hash('sha256', text);
    const about = (text: string) => ({ site: 'Docs', version: 'any', manifest: sha256(text) });
    const patches = Object.fromEntries(Object.keys(files).map((path) => [path, 'same.txt']));
    const header = { format: 1, from: about(first['carrel.json']), to: about(manifest), patches };
    const patch = (path: string, bytes: Buffer, base: string) => {
      const data = zstdCompressSync(bytes, { dictionary: Buffer.from(base) });
      return { name: `patches/${path}`, text: '', method: 0, size: data.length, crc: crc32(data), data };
    };
    return hostileArchive([
      { name: 'carrel-delta.json', text: JSON.stringify(header) },
      patch('carrel.json', Buffer.from(manifest), first['carrel.json']),
      ...Object.entries(files).map(([path, bytes]) => patch(path, bytes, 'same')),
    ]);
  }

  test('with a patch that unpacks to more than is ever patched', async () => {
    const { site } = await made();
    const bytes = Buffer.alloc(64 * 1024 * 1024 + 1);
    expect(await refused(site, handMade(manifestOf({ 'big.bin': bytes.toString() }, '2'), { 'big.bin': bytes }))).toContain(
      'BundleFileChanged: "big.bin"',
    );
  });

  test.each(['../evil.txt', '/tmp/carrel-evil.txt', 'a/../../evil.txt', 'SAME.TXT', 'carrel.json', 'same.txt/inside', 'con.txt'])(
    'with a delta that writes %s',
    async (path) => {
      const { site } = await made();
      const hostile = handMade(manifestOf({ 'same.txt': 'same', [path]: 'same' }, '2'));
      expect(await refused(site, hostile)).toContain('BundleUnsafe');
      expect(existsSync('/tmp/carrel-evil.txt')).toBe(false);
    },
  );

  test('at a path that the old one may not write', async () => {
    const { site } = await made();
    const evil = { ...next, '../evil.txt': 'x' };
    const hostile = folderOf(export1(next, '2'));
    writeFileSync(join(hostile, 'carrel.json'), manifestOf(evil, '2'));
    await expect(delta(site, hostile)).rejects.toMatchObject({ code: 'BundleFileMissing' });
  });
});

test('a delta is written into a new folder, and over neither export', async () => {
  const root = temporaryFolder();
  cpSync(folderOf(export1(old)), join(root, 'a'), { recursive: true });
  cpSync(await archiveOf(export1(next, '2')), join(root, 'b.zip'));
  symlinkSync('a', join(root, 'current'));
  const run = (out: string) => carrel(['delta', 'current', 'b.zip', '--out', out], { cwd: root });
  expect(await run('new/update.zip')).toMatchObject({ code: 0, stderr: '' });
  for (const out of ['a/update.zip', 'b.zip'])
    expect(await run(out)).toMatchObject({ code: 2, stderr: expect.stringContaining('would change') });
  expect(await run('new')).toMatchObject({ code: 1, stderr: expect.stringContaining('is a folder') });
  expect(readdirSync(root).sort()).toEqual(['a', 'b.zip', 'current', 'new']);
  expect(readdirSync(join(root, 'new'))).toEqual(['update.zip']);
});

test('a process that is killed leaves the old export or the new one', async () => {
  const big = (version: string) =>
    export1(
      Object.fromEntries(
        Array.from({ length: 150 }, (_, index) => [`p/${index}.html`, `${long(String(index % 7))} ${version} ${index}`]),
      ),
      version,
    );
  const [first, second] = [folderOf(big('1')), folderOf(big('2'))];
  const folder = temporaryFolder();
  const [site, update] = [join(folder, 'site'), await delta(first, second)];
  cpSync(first, site, { recursive: true });
  const seen = new Set<string>();
  for (let kill = 0; kill < 6; kill++) {
    const { child, ended } = startCarrel(['apply', site, update, '--out', site]);
    const watched = watch(folder);
    // The new export begins beside the old one.
    await Promise.race([once(watched, 'change'), ended]);
    watched.close();
    setTimeout(() => child.kill('SIGKILL'), kill * 40);
    await ended;
    expect(await verifyBundle(site)).toEqual([]);
    const { version } = JSON.parse(readFileSync(join(site, 'carrel.json'), 'utf8')) as { version: string };
    seen.add(version);
    if (version === '2') break;
  }
  if (!seen.has('2')) await carrel(['apply', site, update, '--out', site]);
  expect(contentsOf(site)).toEqual(contentsOf(second));
});

// A disk of its own needs Linux; there it must be had, and the test fails where it cannot.
test.runIf(process.platform === 'linux')('a full disk leaves the old export, and nothing beside it', async () => {
  const noise = { ...old, 'noise.bin': randomBytes(3_000_000).toString('hex') };
  const [first, second] = [folderOf(export1(old)), folderOf(export1(noise, '2'))];
  const update = await delta(first, second);
  const disk = temporaryFolder();
  const script = `mount -t tmpfs -o size=4m carrel-test "$0" && cp -r "$1" "$0/site" && shift && { "$@"; ls "$0"; cat "$0/site/carrel.json"; }`;
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  const site = join(disk, 'site');
  const within = ['unshare', ...namespace, 'sh', '-c', script, disk, first];
  const { stdout, stderr } = await startCarrel(['apply', site, update, '--out', site], {}, within).ended;
  expect(stderr).toMatch(/^Error \(DiskFull\): There is no room left on the disk of ".*site/);
  expect(stdout).toBe(`site\n${readFileSync(join(first, 'carrel.json'), 'utf8')}`);
});
