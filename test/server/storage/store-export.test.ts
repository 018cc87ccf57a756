import { randomBytes } from 'node:crypto';
import { cp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeExport } from '../../../server/storage/store-export.ts';
import { archiveKey, fileKey, manifestKey } from '../../../server/storage/storage-keys.ts';
import type { Storage } from '../../../server/storage/storage.ts';
import { makeExport, registerSite, runJob } from './exports.ts';
import { openLinkServer } from './services.ts';
import { digestOf, eachStorage, textOf } from './storages.ts';

/** A storage that also remembers what was put. */
function counted(storage: Storage): { storage: Storage; puts: string[] } {
  const puts: string[] = [];
  const put: Storage['put'] = (key, ...rest) => {
    puts.push(key);
    return storage.put(key, ...rest);
  };
  return { storage: { ...storage, put }, puts };
}

eachStorage((open) => {
  test('stores files by content, settings, archive, and the manifest last', async () => {
    const { storage, puts } = counted(await open());
    const { services } = await openLinkServer({ storage });
    const made = await makeExport({ 'index.html': 'home', 'a/index.html': 'same', 'b/index.html': 'same', 'empty.txt': '' });
    const progress: [number, number][] = [];
    const onProgress = (done: number, total: number) => void progress.push([done, total]);
    const kept = await storeExport(services, { domain: 'docs.test', folder: made.folder, archive: made.archive, onProgress });

    const { manifest, archive } = kept;
    expect(await textOf(storage, fileKey('docs.test', digestOf('home')))).toBe('home');
    expect(await textOf(storage, fileKey('docs.test', digestOf('same')))).toBe('same');
    expect(await textOf(storage, manifestKey('docs.test', manifest, 'carrel.config.js'))).toBe('window.carrelConfig = {};\n');
    expect(JSON.parse((await textOf(storage, manifestKey('docs.test', manifest)))!)).toEqual(made.manifest);
    expect((await storage.get(archiveKey('docs.test', archive.sha256)))!.size).toBe(archive.sizeBytes);
    expect(puts).toHaveLength(6);
    expect(puts.at(-1)).toBe(manifestKey('docs.test', manifest));
    expect(progress).toEqual([1, 2, 3, 4].map((done) => [done, 4]));
  });

  test('can run twice at the same time', async () => {
    const storage = await open();
    const { services } = await openLinkServer({ storage });
    const { folder, archive } = await makeExport(
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}.txt`, `${at}`])),
    );
    const again = { domain: 'docs.test', folder, archive };
    const [first, second] = await Promise.all([storeExport(services, again), storeExport(services, again)]);
    expect(first).toEqual(second);
    expect(await textOf(storage, fileKey('docs.test', digestOf('49')))).toBe('49');
  });

  test('uploads only files that the active export does not have', async () => {
    const { storage, puts } = counted(await open());
    const { services, clock } = await openLinkServer({ storage });
    await registerSite(services, 'docs.test');
    await runJob(services, 'docs.test', await makeExport({ 'a.txt': 'stays', 'b.txt': 'before' }));
    clock.now += 1001;
    puts.length = 0;
    await runJob(services, 'docs.test', await makeExport({ 'a.txt': 'stays', 'b.txt': 'after' }));
    expect(puts.filter((key) => key.includes('/files/'))).toEqual([fileKey('docs.test', digestOf('after'))]);
    expect(await textOf(storage, fileKey('docs.test', digestOf('stays')))).toBe('stays');
  });

  test('stores no file whose digest differs', async () => {
    const storage = await open();
    const { services } = await openLinkServer({ storage });
    const fails = async (spoil: (folder: string) => Promise<void>) => {
      const { folder, archive } = await makeExport({ 'index.html': 'home', 'a.txt': 'told' });
      await spoil(folder);
      await expect(storeExport(services, { domain: 'docs.test', folder, archive })).rejects.toMatchObject({
        code: 'ExportIncomplete',
        message: expect.stringContaining('"a.txt" of the export'),
      });
      expect(await storage.get(fileKey('docs.test', digestOf('told')))).toBeUndefined();
    };
    await fails((folder) => writeFile(join(folder, 'a.txt'), 'tole'));
    await fails((folder) => rm(join(folder, 'a.txt')));
    await fails(async (folder) => {
      const outside = join(folder, '..', 'outside.txt');
      await writeFile(outside, 'told');
      await rm(join(folder, 'a.txt'));
      await symlink(outside, join(folder, 'a.txt'));
    });
  });

  test('refuses a folder that is not an export', async () => {
    const { services } = await openLinkServer({ storage: await open() });
    const { folder, archive } = await makeExport({ 'index.html': 'home' });
    await writeFile(join(folder, 'carrel.json'), '{"format":9}');
    await expect(storeExport(services, { domain: 'docs.test', folder, archive })).rejects.toMatchObject({
      code: 'ManifestInvalid',
    });
    await expect(storeExport(services, { domain: '../docs', folder, archive })).rejects.toThrow();
  });

  test('ends when it is aborted, without a manifest', async () => {
    const storage = await open();
    const { services } = await openLinkServer({ storage });
    const made = await makeExport(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.bin`, randomBytes(1000)])));
    const stop = new AbortController();
    const onProgress = (done: number) => void (done === 10 && stop.abort());
    const { folder, archive } = made;
    await expect(
      storeExport(services, { domain: 'docs.test', folder, archive, onProgress, signal: stop.signal }),
    ).rejects.toThrow(/abort/);
    const manifest = digestOf(JSON.stringify(made.manifest));
    expect(await storage.get(manifestKey('docs.test', manifest))).toBeUndefined();
    // What an ended run left is no hindrance for the next one.
    const copy = `${folder}-again`;
    await cp(folder, copy, { recursive: true });
    expect((await storeExport(services, { domain: 'docs.test', folder: copy, archive })).manifest).toBe(manifest);
  });
});
