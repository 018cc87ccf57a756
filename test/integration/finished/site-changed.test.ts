import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportFinished } from '../../../integration/export-finished.ts';
import { optionsSchema } from '../../../integration/options.ts';
import { page, siteOf } from './export-files.ts';

const pages = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i + 10}.html`, page(`Words ${i}`)]));

test.each([
  ['goes away', (file: string) => rmSync(file)],
  ['becomes something else', (file: string) => writeFileSync(file, new Uint8Array([0, 255, 0]))],
])('a page that %s while the site is exported is told by its name', async (_, change) => {
  const root = siteOf({ 'index.html': page('Home'), ...pages });
  let isChanged = false;
  const exporting = exportFinished(
    { root },
    {
      ...optionsSchema.parse({ search: 'off' }),
      out: join(root, '..', 'offline'),
      zip: undefined,
      generator: 'test/1',
      environment: {},
      onProgress() {
        if (!isChanged) change(join(root, 'p29.html'));
        isChanged = true;
      },
    },
  );
  await expect(exporting).rejects.toMatchObject({ code: 'SiteNotReadable', message: expect.stringContaining('"p29.html"') });
});
