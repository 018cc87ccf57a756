import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import AdmZip from 'adm-zip';
import { expect, test } from 'vitest';
import { openArchive } from '../../../integration/output/archive.ts';
import { packBundle } from '../../support/pack-bundle.ts';
import { folderOf, temporaryFolder } from './archives.ts';

test('an archive of more than 65,535 files is read whole', { timeout: 60_000 }, async () => {
  const folder = join(temporaryFolder(), 'site');
  for (let index = 0; index < 66_000; index++) {
    if (index % 1000 === 0) mkdirSync(join(folder, `${index / 1000}`), { recursive: true });
    writeFileSync(join(folder, `${Math.floor(index / 1000)}/${index}.html`), `<p>${index}</p>`);
  }
  await packBundle(folder, `${folder}.zip`);
  const archive = await openArchive(`${folder}.zip`);
  expect(archive.count).toBe(66_000);
  let texts = 0;
  for await (const { entry, pieces } of archive.readAll(archive.entries)) {
    for await (const piece of pieces) if (entry.name.endsWith(`/${/\d+/.exec(Buffer.from(piece).toString())![0]}.html`)) texts++;
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
