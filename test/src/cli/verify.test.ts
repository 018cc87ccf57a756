import { createHash } from 'node:crypto';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, onTestFinished, test } from 'vitest';
import yazl from 'yazl';
import {
  folderOf,
  hostileArchive,
  hostileBytes,
  manifestOf,
  unicodeName,
  type HostileEntry,
} from '../../integration/output/archives.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel, printedAddress, startCarrel } from './carrel.ts';

const megabyte = 1024 * 1024;

/** A program that prints its largest resident memory, in MB, as the last line of its errors. */
const measured = (() => {
  // The figure of `resourceUsage` begins, on Linux, with that of the process which started this one.
  const read = `/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]`;
  const figure = process.platform === 'linux' ? read : 'process.resourceUsage().maxRSS';
  const hook = `import fs from 'node:fs'; process.on('exit', () => console.error(Math.round(${figure} / 1024)));`;
  return { env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` } };
})();

const memoryOf = (stderr: string) => Number(stderr.trim().split('\n').at(-1));

/** A bundle with one file of zeros. */
async function largeBundle(size: number): Promise<string> {
  const piece = Buffer.alloc(megabyte);
  const pieces = function* () {
    for (let at = 0; at < size; at += piece.length) yield piece;
  };
  const hash = createHash('sha256');
  for (const zeros of pieces()) hash.update(zeros);
  const manifest = JSON.parse(manifestOf({ 'index.html': '<p>Hi</p>' })) as { files: object };
  manifest.files = { ...manifest.files, 'large.csv': { sha256: hash.digest('hex'), size } };
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('<p>Hi</p>'), 'index.html');
  zip.addReadStream(Readable.from(pieces()), 'large.csv', { size, compressionLevel: 1 });
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'carrel.json');
  zip.end();
  const file = join(temporaryFolder(), 'large.zip');
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
}

test('a file of 200 MB in a zip is verified and served with memory for a fraction of it', async () => {
  const bundle = await largeBundle(200 * megabyte);
  const verified = await carrel(['verify', bundle], measured);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('is intact')]);
  expect(memoryOf(verified.stderr)).toBeGreaterThan(20);
  expect(memoryOf(verified.stderr)).toBeLessThan(200);

  const { child, ended } = startCarrel(['serve', bundle, '--port', '0'], measured);
  onTestFinished(() => void child.kill('SIGKILL'));
  const address = await printedAddress({ child, ended });
  let bytes = 0;
  for await (const piece of (await fetch(`${address}large.csv`)).body!) bytes += piece.length;
  expect(bytes).toBe(200 * megabyte);
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(memoryOf(stderr)).toBeGreaterThan(20);
  expect(memoryOf(stderr)).toBeLessThan(250);
});

test('twenty thousand small files take little memory', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`pages/${index % 100}/${index}.html`, `<p>Page ${index}</p>`]),
  );
  const entries = Object.entries({ ...files, 'carrel.json': manifestOf(files) }).map(([name, text]) => ({ name, text }));
  const { code, stderr } = await carrel(['verify', hostileArchive(entries)], measured);
  expect(code).toBe(0);
  expect(memoryOf(stderr)).toBeGreaterThan(20);
  expect(memoryOf(stderr)).toBeLessThan(200);
});

test('words of a list are looked for, and an empty list is a mistake', async () => {
  const files = { 'index.html': '<p>Hi from Fjordland</p>' };
  const bundle = folderOf({ ...files, 'carrel.json': manifestOf(files) });
  const list = join(temporaryFolder(), 'list.txt');
  const verify = async (text: string) => {
    writeFileSync(list, text);
    const { code, stdout, stderr } = await carrel(['verify', bundle, '--absent', list]);
    return { code, output: stdout + stderr };
  };
  expect(await verify('\uFEFFNorthwind\r\n\r\nTailspin\n')).toEqual({
    code: 0,
    output: expect.stringContaining(`None of them has one of the 2 words of ${list}.`),
  });
  expect(await verify('Northwind\nfjordland')).toEqual({
    code: 1,
    output: expect.stringMatching(/^bundle-word-present: "fjordland" is in the file "index\.html"\. .*\n$/),
  });
  expect(await verify(' \n')).toEqual({ code: 2, output: expect.stringContaining('is empty') });
  const missing = await carrel(['verify', bundle, '--absent', `${list}.missing`]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
});

test('an archive from which another program unpacks other files is not intact', async () => {
  const files = { 'index.html': '<p>Hi</p>' };
  const entries: HostileEntry[] = Object.entries({ ...files, 'carrel.json': manifestOf(files) }).map(([name, text]) => ({
    name,
    text,
  }));
  const hidden = hostileBytes([{ name: 'evil.html', text: '<script>alert(1)</script>' }]);
  const archives: [HostileEntry[], string][] = [
    [
      [{ ...entries[0]!, after: hidden.subarray(0, hidden.indexOf('PK\x01\x02')) }, entries[1]!],
      'bundle-entry-unsafe: The entry "index.html" is followed by bytes that belong to no listed entry; other programs can unpack them. Carrel does not write archives like this one. Do not unpack it.\n',
    ],
    [
      [...entries, { name: 'notes.html', text: 'x', extra: unicodeName('notes.html', 'index.html') }],
      'bundle-entry-unsafe: The entry "notes.html" has another name in an extra field, which some programs give it. Carrel does not write archives like this one. Do not unpack it.\n',
    ],
    [[entries[0]!, { name: 'carrel.json', text: entries[1]!.text.replace('"files":', '"files":{},"files":') }], 'carrel.json in'],
  ];
  for (const [some, reason] of archives) {
    const { code, stdout, stderr } = await carrel(['verify', hostileArchive(some)]);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(reason) as string });
  }
});

const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
const evil = 'a\u001b[31m\u001b]0;title\u0007\nfake line\u202e.txt';

test('names of files and sites cannot control the terminal', async () => {
  const files = { [evil]: 'x', 'index.html': '<p>Hi</p>' };
  const changed = { ...files, 'index.html': '<p>Ho</p>' };
  const entriesOf = (all: object) => Object.entries(all).map(([name, text]) => ({ name, text: text as string }));
  const archives = [
    hostileArchive(entriesOf({ 'carrel.json': manifestOf(files) })),
    hostileArchive(entriesOf({ ...files, 'carrel.json': manifestOf({}) })),
    hostileArchive([...entriesOf({ ...changed, 'carrel.json': manifestOf(files) }), { name: evil, text: 'x' }]),
    hostileArchive([{ name: evil, text: 'x', method: 99 }]),
    folderOf({ 'carrel.json': manifestOf(files) }),
  ];
  for (const archive of archives) {
    for (const command of ['verify', 'serve']) {
      if (command === 'serve' && !archive.endsWith('.zip')) continue;
      const { code, stdout, stderr } = await carrel([command, archive]);
      expect(code).toBe(1);
      expect(stderr).toContain('a\\u{1b}[31m\\u{1b}]0;title\\u{7}\\u{a}fake line\\u{202e}.txt');
      expect(stdout + stderr).not.toMatch(unprintable);
    }
  }
});

test('the name of a site is printed on one line', async () => {
  const manifest = manifestOf({ 'index.html': 'x' }).replace('"Docs"', JSON.stringify('Docs\u001b[31m\nfake'));
  const archive = hostileArchive([
    { name: 'index.html', text: 'x' },
    { name: 'carrel.json', text: manifest },
  ]);
  const { child, ended } = startCarrel(['serve', archive, '--port', '0']);
  child.stdout!.once('data', () => child.kill('SIGTERM'));
  const { stdout, stderr } = await ended;
  expect(stdout).toContain('Docs\\u{1b}[31m\\u{a}fake is served at http://');
  expect(stdout + stderr).not.toMatch(unprintable);
});
