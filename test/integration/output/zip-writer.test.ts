import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import AdmZip from 'adm-zip';
import { expect, test } from 'vitest';
import { openArchive } from '../../../integration/output/read-archive.ts';
import { writeArchive } from '../../../integration/output/write-archive.ts';
import { packBundle } from '../../support/pack-bundle.ts';
import { folderOf } from './archives.ts';
import { temporaryFolder } from '../export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

test('an archive of more than 65,535 files is read whole', async () => {
  // Each folder is a link to the same thousand files: making as many files would take most of the time.
  const folder = join(temporaryFolder(), 'site');
  mkdirSync(join(folder, 'pages'), { recursive: true });
  for (let page = 0; page < 1000; page++) writeFileSync(join(folder, `pages/${page}.html`), `<p>${page}</p>`);
  const names: string[] = [];
  for (let part = 0; part < 66; part++) {
    symlinkSync('pages', join(folder, `${part}`), 'junction');
    for (let page = 0; page < 1000; page++) names.push(`${part}/${page}.html`);
  }
  (await writeArchive(folder, names, `${folder}.zip`)).commit();
  const archive = await openArchive(`${folder}.zip`);
  expect(archive.count).toBe(66_000);
  expect(archive.entries.map(({ name }) => name)).toEqual(names.toSorted());
  let texts = 0;
  for await (const { entry, content } of archive.readAll(archive.entries)) {
    const number = content instanceof Uint8Array ? /\d+/.exec(Buffer.from(content).toString())?.[0] : undefined;
    if (number !== undefined && entry.name.endsWith(`/${number}.html`)) texts++;
  }
  expect(texts).toBe(66_000);
  archive.close();
});

test('small, empty, large and already compressed files are the same in every reader, and the archive in every run', async () => {
  const large = Array.from({ length: 300_000 }, (_, index) => `${index} `).join('');
  const files = {
    'a.html': '<p>Fog</p>'.repeat(50),
    'é/empty.txt': '',
    'large.csv': large,
    'photo.png': 'x'.repeat(100),
    'clip.mp4': large,
  };
  const folder = folderOf(files);
  await packBundle(folder, `${folder}.zip`);
  await packBundle(folder, `${folder}-again.zip`);
  expect(readFileSync(`${folder}.zip`).equals(readFileSync(`${folder}-again.zip`))).toBe(true);

  const read = new AdmZip(`${folder}.zip`).getEntries();
  expect(Object.fromEntries(read.map((entry) => [entry.entryName, entry.getData().toString()]))).toEqual(files);
  expect(Object.fromEntries(read.map(({ entryName, header }) => [entryName, header.method]))).toEqual({
    ...{ 'a.html': 8, 'é/empty.txt': 0, 'large.csv': 8, 'photo.png': 0, 'clip.mp4': 0 },
  });
  const archive = await openArchive(`${folder}.zip`);
  for (const entry of archive.entries) {
    let crc = 0;
    for await (const piece of archive.read(entry)) crc = crc32(piece, crc);
    expect([entry.name, crc]).toEqual([entry.name, crc32(files[entry.name as keyof typeof files])]);
  }
  expect(archive.entries).toHaveLength(5);
  archive.close();
});

test('a process that is killed while it packs leaves the previous archive, and the next one removes what it left', async () => {
  const parent = temporaryFolder();
  const [folder, archive] = [join(parent, 'site'), join(parent, 'site.zip')];
  writeFiles(folder, { 'noise.png': randomBytes(100_000) });
  await packBundle(folder, archive);
  const previous = readFileSync(archive);
  const module = new URL('../../../integration/output/write-archive.ts', import.meta.url).href;
  const script = `import { writeArchive } from ${JSON.stringify(module)};
    const names = Array.from({ length: 20_000 }, () => 'noise.png');
    (await writeArchive(${JSON.stringify(folder)}, names, ${JSON.stringify(archive)})).commit();`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: 'ignore' });
  const beside = join(parent, `.site.zip.carrel-new-${child.pid}`);
  await expect.poll(() => statSync(beside, { throwIfNoEntry: false })?.size ?? 0, { interval: 5 }).toBeGreaterThan(1_000_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readFileSync(archive).equals(previous)).toBe(true);
  expect(existsSync(beside)).toBe(true);
  await packBundle(folder, archive);
  expect(readdirSync(parent).sort()).toEqual(['site', 'site.zip']);
});
