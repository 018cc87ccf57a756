import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeOldMirrors } from '../../../server/sources/git-mirrors.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

test('mirrors that nothing was fetched into for a month are removed', async () => {
  const folder = temporaryFolder();
  const now = Date.UTC(2026, 10, 21);
  for (const [name, days] of [
    ['used', 29],
    ['old', 31],
  ] as const) {
    mkdirSync(join(folder, name));
    const file = join(folder, name, 'FETCH_HEAD');
    writeFileSync(file, '');
    const at = new Date(now - days * 24 * 60 * 60 * 1000);
    utimesSync(file, at, at);
  }
  await removeOldMirrors(folder, now);
  expect(readdirSync(folder)).toEqual(['used']);
  await removeOldMirrors(join(folder, 'not-there'), now);
});
