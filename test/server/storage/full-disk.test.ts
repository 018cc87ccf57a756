import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './storages.ts';

// A disk of its own needs Linux; there it must be had, and the test fails where it cannot.
test.runIf(process.platform === 'linux')(
  'a full disk is reported, leaves no incomplete file, and exports can be stored again when there is space',
  async () => {
    const folder = await temporaryFolder();
    const script = new URL('fill-disk.ts', import.meta.url).pathname;
    // In a mount namespace of its own, so the disk is gone with the process, whatever becomes of it.
    const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
    const run = 'mount -t tmpfs -o size=4m carrel-test "$0" && exec "$1" "$2" "$0"';
    const { stdout } = await promisify(execFile)('unshare', [...namespace, 'sh', '-c', run, folder, process.execPath, script]);
    const full = {
      name: 'StorageUnavailable',
      status: 503,
      message:
        'The disk of the server is full, so nothing more can be stored. Free some space in its data folder, then try again.',
    };
    expect(JSON.parse(stdout)).toEqual({
      first: full,
      half: null,
      manifest: null,
      leftovers: [],
      check: full,
      second: 'kept',
    });
  },
);
