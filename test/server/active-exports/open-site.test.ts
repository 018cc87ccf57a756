import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSite } from '../../../server/active-exports/open-site.ts';
import { makeFolder, makeZip, manifestOf, smallSite } from '../hosting/small-site.ts';

describe('openSite', () => {
  test('reads name and deployment from the manifest', async () => {
    const source = await makeZip({ ...smallSite, 'carrel.json': manifestOf('air-gapped') });
    expect(await openSite(source)).toMatchObject({ name: 'Small', deployment: 'air-gapped' });
  });

  test('opens a folder of pages that has no manifest', async () => {
    expect(await openSite(await makeFolder(smallSite))).toMatchObject({ deployment: 'client-hosted' });
  });

  test('names what is missing', async () => {
    await expect(openSite('/nowhere/at/all')).rejects.toMatchObject({
      code: 'SiteNotFound',
      message: 'There is no folder or archive "/nowhere/at/all".',
    });
  });

  test('says that a docs folder must be exported first', async () => {
    const source = await makeFolder({ 'docs.json': '{}', 'index.mdx': '# Hello' });
    await expect(openSite(source)).rejects.toMatchObject({ code: 'NotASite', hint: expect.stringContaining('carrel export') });
  });

  test('refuses an empty folder', async () => {
    await expect(openSite(await makeFolder({}))).rejects.toMatchObject({ code: 'NotASite' });
  });

  test('refuses a file that is not a zip', async () => {
    const file = path.join(await makeFolder({}), 'site.zip');
    await writeFile(file, 'This is not a zip.');
    await expect(openSite(file)).rejects.toMatchObject({ code: 'BundleNotReadable', message: expect.stringContaining(file) });
  });

  test('refuses a manifest of an unknown format', async () => {
    const source = await makeFolder({ ...smallSite, 'carrel.json': manifestOf().replace('"format":1', '"format":2') });
    await expect(openSite(source)).rejects.toMatchObject({
      code: 'ManifestInvalid',
      message: expect.stringContaining('format'),
    });
  });
});
