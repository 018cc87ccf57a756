import { execFile } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { archiveOf, manifestOf } from '../../integration/output/archives.ts';
import { makeFolder } from '../hosting/small-site.ts';

// A disk of its own needs Linux; there it must be had, and the test fails where it cannot.
test.runIf(process.platform === 'linux')('a full disk is reported, and the stored site is served', async () => {
  const bundle = (files: Record<string, string>) => archiveOf({ ...files, 'carrel.json': manifestOf(files) });
  const noise = createCipheriv('aes-128-ctr', 'k'.repeat(16), Buffer.alloc(16)).update(Buffer.alloc(3_000_000)).toString('hex');
  const small = await bundle({ 'index.html': 'small' });
  const large = await bundle({ 'index.html': 'large', 'noise.txt': noise });
  const script = new URL('fill-disk.ts', import.meta.url).pathname;
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  const run = 'mount -t tmpfs -o size=4m carrel-test "$0" && exec "$1" "$2" "$0" "$3" "$4"';
  const args = [...namespace, 'sh', '-c', run, await makeFolder({}), process.execPath, script, small, large];
  const { stdout } = await promisify(execFile)('unshare', args);
  const full = expect.stringMatching(/^There is no room left on the disk of "FOLDER\/keep/);
  expect(JSON.parse(stdout)).toEqual([
    { text: 'small', warnings: [], sites: 1 },
    { text: 'small', warnings: [full], sites: 1 },
    { text: 'small', warnings: [full], sites: 1 },
  ]);
});
