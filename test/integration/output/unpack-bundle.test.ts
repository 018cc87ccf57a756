import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unpackBundle } from '../../../integration/output/unpack-bundle.ts';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { archiveOf, hostile, hostileArchive, manifestOf, whole } from './archives.ts';
import { temporaryFolder } from '../export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const fresh = () => join(temporaryFolder(), 'sites', 'a');

test('a bundle is unpacked to the folder that was packed', async () => {
  const folder = fresh();
  const { manifest, manifestHash } = await unpackBundle(await archiveOf(whole), folder);
  expect(manifest.site).toBe('Docs');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\./.test(name));
  expect(files.sort()).toEqual(Object.keys(whole).sort());
  for (const [name, text] of Object.entries(whole)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  expect(manifestHash).toBe(createHash('sha256').update(whole['carrel.json']).digest('hex'));
  expect(await verifyBundle(folder)).toEqual([]);
});

test('a process that is killed while it unpacks leaves no folder, and the next one unpacks all of it', async () => {
  const folder = fresh();
  const files = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}.png`, `${index} `.repeat(12_000)]));
  const archive = await archiveOf({ ...files, 'carrel.json': manifestOf(files) });
  const module = new URL('../../../integration/output/unpack-bundle.ts', import.meta.url).href;
  // It kills itself: another process may look too late.
  const script = `import { existsSync, readdirSync } from 'node:fs';
    import { unpackBundle } from ${JSON.stringify(module)};
    const beside = ${JSON.stringify(join(dirname(folder), '.a.carrel-new-'))} + process.pid;
    setInterval(() => existsSync(beside) && readdirSync(beside).length > 0 && process.kill(process.pid, 'SIGKILL'), 1);
    await unpackBundle(${JSON.stringify(archive)}, ${JSON.stringify(folder)});`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: 'ignore' });
  const beside = join(dirname(folder), `.a.carrel-new-${child.pid}`);
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect(readdirSync(dirname(folder))).toEqual([basename(beside)]);
  await unpackBundle(archive, folder);
  expect(await verifyBundle(folder)).toEqual([]);
});

test('a large file is streamed to disk', async () => {
  const files = { 'video.mp4': 'x'.repeat(2_000_000), 'index.html': '<p>Hi</p>' };
  const folder = fresh();
  await unpackBundle(await archiveOf({ ...files, 'carrel.json': manifestOf(files) }), folder);
  expect(await verifyBundle(folder)).toEqual([]);
  const changed = await archiveOf({ ...files, 'video.mp4': 'y'.repeat(2_000_000), 'carrel.json': manifestOf(files) });
  await expect(unpackBundle(changed, fresh())).rejects.toMatchObject({ code: 'BundleFileChanged' });
});

test('entries of folders and empty files are unpacked too', async () => {
  const files = { 'a/empty.txt': '' };
  const archive = hostileArchive([
    { name: 'a/', text: '' },
    { name: 'a/empty.txt', text: '' },
    { name: 'carrel.json', text: manifestOf(files) },
  ]);
  const folder = fresh();
  await unpackBundle(archive, folder);
  expect(readFileSync(join(folder, 'a/empty.txt'), 'utf8')).toBe('');
});

const { 'index.html': _, ...missing } = whole;
const lying = { 'a.txt': 'x'.repeat(10) };

describe('a refused bundle leaves no file inside or outside the folder', () => {
  test.each<[string, () => string | Promise<string>, string]>([
    ['a name that climbs', () => hostile({ name: '../evil.txt', text: 'x' }), 'BundleUnsafe'],
    ['a name that climbs later', () => hostile({ name: 'a/../../evil.txt', text: 'x' }), 'BundleUnsafe'],
    ['an absolute name', () => hostile({ name: '/tmp/evil.txt', text: 'x' }), 'BundleUnsafe'],
    ['a drive', () => hostile({ name: 'C:/evil.txt', text: 'x' }), 'BundleUnsafe'],
    ['a backslash', () => hostile({ name: '..\\evil.txt', text: 'x' }), 'BundleUnsafe'],
    ['a symbolic link', () => hostile({ name: 'link', text: '/etc/passwd', mode: 0o120777 }), 'BundleUnsafe'],
    ['a name twice', () => hostile({ name: 'index.html', text: 'other' }), 'BundleUnsafe'],
    ['a manifest twice', () => hostile({ name: 'carrel.json', text: manifestOf({}) }), 'BundleUnsafe'],
    ['a file that is a folder as well', () => hostile({ name: 'index.html/evil.txt', text: 'x' }), 'BundleUnsafe'],
    ['a bomb that says so', () => hostile({ name: 'big', text: 'x', size: 0xfffffffe }), 'BundleUnsafe'],
    [
      'a bomb that does not',
      () =>
        hostileArchive([
          { name: 'carrel.json', text: manifestOf(lying) },
          { name: 'a.txt', text: 'x'.repeat(30_000_000), size: 10 },
        ]),
      'BundleFileChanged',
    ],
    [
      'a bomb beside the manifest',
      () => hostile({ name: 'big.bin', text: 'x'.repeat(30_000_000), size: 30_000_000 }),
      'BundleFileUnlisted',
    ],
    ['a file of another hash', () => archiveOf({ ...whole, 'index.html': '<p>Ho</p>' }), 'BundleFileChanged'],
    ['a file that is longer', () => archiveOf({ ...whole, 'index.html': '<p>Hi</p> ' }), 'BundleFileChanged'],
    ['a missing file', () => archiveOf(missing), 'BundleFileMissing'],
    ['a file too many', () => archiveOf({ ...whole, 'evil.js': 'x' }), 'BundleFileUnlisted'],
    ['a manifest that leads outside', () => archiveOf({ ...whole, 'carrel.json': manifestOf({ '../x': '' }) }), 'BundleUnsafe'],
    ['no manifest', () => archiveOf({ 'index.html': 'x' }), 'ManifestMissing'],
    ['a manifest that is no JSON', () => archiveOf({ 'carrel.json': '{' }), 'ManifestInvalid'],
    ['a list of more files than memory holds', () => fileOf(endOfLongList(40_000_000)), 'BundleNotReadable'],
    ['no zip', () => fileOf('<html>Please log in</html>'), 'BundleNotReadable'],
    ['nothing', () => fileOf(''), 'BundleNotReadable'],
    ['half a zip', async () => fileOf(readFileSync(await archiveOf(whole)).subarray(0, -30)), 'BundleNotReadable'],
    ['a zip with a broken middle', async () => fileOf(broken(readFileSync(await archiveOf(whole)))), 'BundleFileChanged'],
  ])('%s', async (_, archive, code) => {
    const folder = fresh();
    mkdirSync(dirname(folder));
    const rules = { bytes: 100_000_000, files: 100 };
    await expect(unpackBundle(await archive(), folder, { rules })).rejects.toMatchObject({ code });
    expect(readdirSync(dirname(folder))).toEqual([]);
    expect(readdirSync(dirname(dirname(folder)))).toEqual(['sites']);
    expect(existsSync('/tmp/evil.txt')).toBe(false);
  });

  test('more files than the limit', async () => {
    const rules = { bytes: 1e9, files: 2 };
    await expect(unpackBundle(hostile(), fresh(), { rules })).rejects.toMatchObject({ code: 'BundleUnsafe' });
  });

  test('an existing folder stays unchanged', async () => {
    const folder = fresh();
    writeFiles(folder, { 'mine.txt': 'mine' });
    await expect(unpackBundle(await archiveOf(whole), folder)).rejects.toMatchObject({ code: 'OutputNotWritable' });
    expect(readdirSync(folder)).toEqual(['mine.txt']);
    expect(readdirSync(dirname(folder))).toEqual(['a']);
  });

  test('the caller can refuse a manifest, and can cancel', async () => {
    const folder = fresh();
    const archive = await archiveOf(whole);
    const accept = ({ version }: { version: string }) => {
      throw new Error(`not ${version}`);
    };
    await expect(unpackBundle(archive, folder, { accept })).rejects.toThrow('not x');
    await expect(unpackBundle(archive, folder, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(readdirSync(dirname(dirname(folder)))).toEqual(['sites']);
    expect(readdirSync(dirname(folder))).toEqual([]);
  });
});

function fileOf(bytes: string | Uint8Array): string {
  const file = join(temporaryFolder(), 'x.zip');
  writeFileSync(file, bytes);
  return file;
}

/** One bit of the first entry's data is turned. */
function broken(bytes: Buffer): Buffer {
  bytes[30 + bytes.readUInt16LE(26) + 5]! ^= 0x10;
  return bytes;
}

/** The end of a zip64 archive that lists so many files. */
function endOfLongList(count: number): Buffer {
  const size = 46 * count;
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.fill(0xff, 8, 20);
  return Buffer.concat([record, locator, end]);
}
