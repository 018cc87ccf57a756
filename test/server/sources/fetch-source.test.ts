import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedFolder } from '../../../server/sources/fetch-source.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

test('the path of a folder is returned unchanged', async () => {
  const folder = temporaryFolder();
  expect(await checkedFolder(folder)).toBe(folder);
});

test.each([
  ['gone', 'does not exist'],
  ['file', 'is a file'],
  ['file/below', 'does not exist'],
])('%s %s, and the error names the path', async (name, why) => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  const path = join(root, name);
  await expect(checkedFolder(path)).rejects.toMatchObject({
    code: 'SourceNotReadable',
    message: expect.stringContaining(`The folder "${path}" ${why}.`),
  });
});

test.each(['docs', './docs', '~/docs', ''])('"%s" is not an absolute path', async (path) => {
  await expect(checkedFolder(path)).rejects.toMatchObject({ code: 'SourceNotReadable' });
});

test('a folder that cannot be read is reported', () => {
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  const folder = join(root, 'closed');
  mkdirSync(folder, { mode: 0o000 });
  const module = new URL('../../../server/sources/fetch-source.ts', import.meta.url).href;
  const code = `import { checkedFolder } from ${JSON.stringify(module)};
    if (process.getuid() === 0) process.setuid(65534);
    await checkedFolder(${JSON.stringify(folder)}).catch((error) => console.log(error.message))`;
  // root can read everything, so the process changes to another user.
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', stdio: 'pipe' });
  expect(printed).toContain('may not be read by the user that the server runs as');
});
