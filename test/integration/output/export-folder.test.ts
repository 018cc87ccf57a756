import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkArchive } from '../../../integration/output/output-path.ts';
import { writeError } from '../../../integration/output/write-error.ts';
import { beginExport } from '../../../integration/output/export-folder.ts';
import { filesOf, temporaryFolder } from '../export/folder.ts';

const noProcess = 999_999_999;

function exportOf(out: string, files: Record<string, string>): void {
  const folder = beginExport(out, { processId: process.pid });
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  folder.commit();
}

test('a folder replaces the previous one as a whole', () => {
  const out = join(temporaryFolder(), 'new', 'site');
  exportOf(out, { 'carrel.json': JSON.stringify({ files: { 'a/b/old.txt': {} } }), 'a/b/old.txt': 'old' });
  exportOf(out, { 'carrel.json': '{}', 'a/new.txt': 'new' });
  expect(filesOf(out)).toEqual({ 'a/new.txt': 'new', 'carrel.json': '{}' });
  expect(readdirSync(join(out, '..'))).toEqual(['site']);
});

test('the previous folder stays until the new one is complete, or if it is abandoned', () => {
  const parent = temporaryFolder();
  const out = join(parent, 'site');
  exportOf(out, { 'carrel.json': '{}', 'a.txt': 'old' });
  const folder = beginExport(out, { processId: process.pid });
  folder.write('a.txt', 'new');
  expect(filesOf(out)).toEqual({ 'a.txt': 'old', 'carrel.json': '{}' });
  folder.abandon();
  expect(readdirSync(parent)).toEqual(['site']);
});

test('a file of several texts is the same as of their sum, and its texts are written one by one', () => {
  const out = join(temporaryFolder(), 'site');
  const texts = ['one', 'zwei ä\n', 'x'.repeat(600_000)];
  const folder = beginExport(out, { processId: process.pid });
  const whole = folder.write('whole.txt', texts.join(''));
  const { sha256, size } = folder.writeTexts('a/texts.txt', texts);
  expect({ sha256, size }).toEqual({ sha256: whole.sha256, size: whole.size });
  folder.write('carrel.json', '{}');
  folder.commit();
  expect(Object.keys(filesOf(out))).toEqual(['a/texts.txt', 'carrel.json', 'whole.txt']);
  expect(readFileSync(join(out, 'a/texts.txt'), 'utf8')).toBe(texts.join(''));
});

test('written files are listed with hash and size', () => {
  const parent = temporaryFolder();
  writeFileSync(join(parent, 'big.bin'), Buffer.alloc(700_000, 7));
  const folder = beginExport(join(parent, 'site'), { processId: process.pid });
  expect(folder.write('é.txt', 'é')).toMatchObject({
    sha256: '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
    size: 2,
  });
  expect(folder.copy('big.bin', join(parent, 'big.bin')).size).toBe(700_000);
  folder.abandon();
});

describe('an invalid output path', () => {
  test.each([
    ['a file', 'OutputNotFolder', (out: string) => writeFileSync(out, '')],
    [
      'a folder with other things',
      'OutputNotExport',
      (out: string) => (mkdirSync(out), writeFileSync(join(out, 'thesis.txt'), '')),
    ],
  ])('%s is refused and stays unchanged', (_, code, prepare) => {
    const out = join(temporaryFolder(), 'out');
    prepare(out);
    expect(() => beginExport(out, { processId: process.pid })).toThrow(expect.objectContaining({ code }));
    expect(existsSync(out)).toBe(true);
  });

  test('an empty folder is accepted', () => {
    const out = join(temporaryFolder(), 'out');
    mkdirSync(out);
    exportOf(out, { 'carrel.json': '{}' });
    expect(filesOf(out)).toEqual({ 'carrel.json': '{}' });
  });

  test.each([
    ['the docs folder', 'docs', 'OutputInsideSource'],
    ['inside the docs folder', 'docs/deep/site', 'OutputInsideSource'],
    ['around the docs folder', '.', 'SourceInsideOutput'],
    ['inside by a link', 'link/site', 'OutputInsideSource'],
  ])('%s', (_, out, code) => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'docs/deep'), { recursive: true });
    symlinkSync(join(root, 'docs'), join(root, 'link'));
    expect(() => beginExport(join(root, out), { sourceRoot: join(root, 'docs'), processId: process.pid })).toThrow(
      expect.objectContaining({ code }),
    );
    expect(readdirSync(join(root, 'docs'))).toEqual(['deep']);
  });

  test('a folder whose name starts with that of the docs folder is accepted', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'docs'));
    const folder = beginExport(join(root, 'docs-site'), { sourceRoot: join(root, 'docs'), processId: process.pid });
    expect(folder).toHaveProperty('commit');
    folder.abandon();
  });

  test('a folder that this user may not write to', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'file'), '');
    expect(() => beginExport(join(root, 'file/site'), { processId: process.pid })).toThrow(
      expect.objectContaining({ code: 'OutputNotWritable', message: expect.stringContaining('file/site') as string }),
    );
  });

  test.each([
    ['EACCES', 'OutputNotWritable'],
    ['EROFS', 'OutputNotWritable'],
    ['ENOSPC', 'DiskFull'],
    ['EDQUOT', 'DiskFull'],
  ])('%s is reported as %s', (code, expected) => {
    expect(writeError('/out', Object.assign(new Error('x'), { code }))).toMatchObject({ code: expected });
  });

  test.each([
    ['out/site.zip', 'ArchiveInsideOutput'],
    ['docs/site.zip', 'ArchiveInsideSource'],
  ])('an archive at %s', (archive, code) => {
    const root = temporaryFolder();
    expect(() => checkArchive(join(root, archive), join(root, 'out'), join(root, 'docs'))).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('after a killed export', () => {
  test('its leftovers are removed', () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, `.site.carrel-new-${noProcess}`, 'half'), { recursive: true });
    mkdirSync(join(parent, `.other.carrel-new-${noProcess}`));
    exportOf(join(parent, 'site'), { 'carrel.json': '{}' });
    expect(readdirSync(parent).sort()).toEqual([`.other.carrel-new-${noProcess}`, 'site']);
  });

  test('the previous folder is restored if the new one is missing', () => {
    const parent = temporaryFolder();
    const out = join(parent, 'site');
    exportOf(out, { 'carrel.json': '{}', 'a.txt': 'old' });
    renameSync(out, join(parent, `.site.carrel-old-${noProcess}`));
    beginExport(out, { processId: process.pid }).abandon();
    expect(filesOf(out)['a.txt']).toBe('old');
  });

  test('a running export of the same folder is not disturbed', () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, `.site.carrel-new-${process.ppid}`));
    exportOf(join(parent, 'site'), { 'carrel.json': '{}' });
    expect(readdirSync(parent)).toContain(`.site.carrel-new-${process.ppid}`);
  });

  test('the previous folder is untouched when the process is killed while writing', async () => {
    const parent = temporaryFolder();
    const out = join(parent, 'site');
    exportOf(out, { 'carrel.json': '{}', 'a.txt': 'old' });
    const module = new URL('../../../integration/output/export-folder.ts', import.meta.url).href;
    const script = `import { beginExport } from ${JSON.stringify(module)};
      const folder = beginExport(${JSON.stringify(out)}, { processId: process.pid });
      folder.write('a.txt', 'new');
      console.log('writing');
      for (let i = 0; ; i++) folder.write(\`many/\${i}.txt\`, 'x');`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(filesOf(out)).toEqual({ 'a.txt': 'old', 'carrel.json': '{}' });
    expect(readdirSync(parent)).toContain(`.site.carrel-new-${child.pid}`);
    exportOf(out, { 'carrel.json': '{}', 'a.txt': 'new' });
    expect(readdirSync(parent)).toEqual(['site']);
  });
});

// A disk of 64 KB in a mount namespace of its own, where that is allowed; elsewhere the error is the operating system's word.
test('on a full disk the previous folder is untouched', () => {
  const module = new URL('../../../integration/output/export-folder.ts', import.meta.url).href;
  const script = (out: string) => `import { beginExport } from ${JSON.stringify(module)};
    import { readdirSync, readFileSync } from 'node:fs';
    const write = (files) => { const folder = beginExport(${JSON.stringify(out)}, { processId: process.pid });
      try { for (const [path, size] of files) folder.write(path, 'x'.repeat(size)); folder.commit(); } catch (error) { folder.abandon(); throw error; } };
    write([['carrel.json', 2], ['a.txt', 3]]);
    try { write([['carrel.json', 2], ['a.txt', 4], ['b.bin', 5_000_000]]); console.log('written'); } catch (error) {
      console.log(JSON.stringify([error.code, readFileSync(${JSON.stringify(`${out}/a.txt`)}, 'utf8'), readdirSync(${JSON.stringify(`${out}/..`)})]));
    }`;
  const run = (command: string, args: string[]) => spawnSync(command, args, { encoding: 'utf8' });
  const disk = temporaryFolder();
  const inside = ['--input-type=module-typescript', '-e', script(`${disk}/site`)];
  const mounted = run('unshare', [
    '-rm',
    'sh',
    '-c',
    `mount -t tmpfs -o size=256k none "${disk}" && exec "$@"`,
    'sh',
    process.execPath,
    ...inside,
  ]);
  const limited = () => run('sh', ['-c', 'trap "" XFSZ; ulimit -f 256; exec "$@"', 'sh', process.execPath, ...inside]);
  expect(JSON.parse(mounted.stdout || limited().stdout)).toEqual(['DiskFull', 'xxx', ['site']]);
});

describe('a file of the previous export', () => {
  const written = (out: string) => {
    const folder = beginExport(out, { processId: process.pid });
    folder.write('carrel.json', '{}');
    const file = folder.write('a.txt', 'same');
    folder.commit();
    return file;
  };

  test('is reused without a new write', () => {
    const out = join(temporaryFolder(), 'site');
    const file = written(out);
    const folder = beginExport(out, { processId: process.pid });
    expect(folder.reuse('moved/b.txt', file, 'a.txt')).toBe(true);
    folder.commit();
    expect(lstatSync(join(out, 'moved/b.txt')).ino).toBe(file.inode);
    expect(folder.files.get('moved/b.txt')).toEqual(file);
  });

  test.each([
    ['changed', (file: string) => writeFileSync(file, 'diff')],
    ['replaced by a link', (file: string) => (renameSync(file, `${file}.kept`), symlinkSync(`${file}.kept`, file))],
    ['replaced by another of the same size', (file: string) => (renameSync(file, `${file}.kept`), writeFileSync(file, 'more'))],
    ['gone', (file: string) => renameSync(file, `${file}.kept`)],
  ])('is not reused if it was %s', (_, change) => {
    const out = join(temporaryFolder(), 'site');
    const file = written(out);
    change(join(out, 'a.txt'));
    const folder = beginExport(out, { processId: process.pid });
    const isSame = lstatSync(join(out, 'a.txt'), { throwIfNoEntry: false })?.mtimeMs === file.mtime;
    expect(isSame).toBe(false);
    expect(folder.reuse('a.txt', file)).toBe(false);
    folder.abandon();
  });

  test('a write after reuse does not change the previous export', () => {
    const out = join(temporaryFolder(), 'site');
    const file = written(out);
    const folder = beginExport(out, { processId: process.pid });
    folder.reuse('a.txt', file);
    folder.drop('a.txt');
    folder.write('a.txt', 'new');
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('same');
    folder.commit();
    expect(filesOf(out)['a.txt']).toBe('new');
  });
});
