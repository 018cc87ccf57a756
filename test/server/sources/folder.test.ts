import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedFolder } from '../../../server/sources/folder.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

test('a folder is given as it is', async () => {
  const folder = temporaryFolder();
  expect(await checkedFolder(folder)).toBe(folder);
});

test.each([
  ['gone', 'is not there'],
  ['file', 'is a file'],
  ['file/below', 'is not there'],
])('%s %s, and the path is told', async (name, why) => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  const path = join(root, name);
  await expect(checkedFolder(path)).rejects.toMatchObject({
    code: 'SourceNotReadable',
    message: expect.stringContaining(`The folder "${path}" ${why}.`),
  });
});

test.each(['docs', './docs', '~/docs', ''])('"%s" is no absolute path', async (path) => {
  await expect(checkedFolder(path)).rejects.toMatchObject({ code: 'SourceNotReadable' });
});

test.runIf(process.getuid?.() !== 0)('a folder that may not be read is told', async () => {
  const folder = join(temporaryFolder(), 'closed');
  mkdirSync(folder, { mode: 0o000 });
  await expect(checkedFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining('may not be read') });
});
