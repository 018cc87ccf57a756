import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportStaticSite } from '../../../integration/static-site/export-static-site.ts';
import type { BuiltSiteOptions } from '../../../integration/static-site/static-site.ts';
import { optionsSchema } from '../../../integration/options.ts';
import { page, siteOf } from './export-files.ts';

/** So many are read in other threads. */
const pages = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`p${i + 100}.html`, page(`Words ${i}`)]));

function exportOf(root: string, hooks: Pick<BuiltSiteOptions, 'onProgress' | 'signal'>) {
  const options = optionsSchema.parse({ search: 'off' });
  const out = join(root, '..', 'offline');
  return exportStaticSite({ root }, { ...options, out, zip: undefined, generator: 'test/1', environment: {}, ...hooks });
}

test.each([
  ['goes away', (file: string) => rmSync(file)],
  ['becomes something else', (file: string) => writeFileSync(file, new Uint8Array([0, 255, 0]))],
])('a large page that %s while the site is exported is reported by name', async (_, change) => {
  const root = siteOf({ 'index.html': page('Home'), ...pages, 'p199.html': page('Words. '.repeat(1_300_000)) });
  let isChanged = false;
  const exporting = exportOf(root, {
    onProgress() {
      if (!isChanged) change(join(root, 'p199.html'));
      isChanged = true;
    },
  });
  await expect(exporting).rejects.toMatchObject({ code: 'SiteNotReadable', message: expect.stringContaining('"p199.html"') });
});

test('an export that is canceled while it reads a large page ends at once, and leaves no files', async () => {
  const large = page(`<p>${'Words in a paragraph. '.repeat(40)}</p>\n`.repeat(12_000));
  const root = siteOf({ 'index.html': page('Home'), 'a.html': large, ...pages });
  const stop = new AbortController();
  // The home page is written, and the next one is being read.
  const exporting = exportOf(root, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(exporting).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(join(root, '..'))).toEqual(['dist']);
});
