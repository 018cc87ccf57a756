import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { archiveOf, temporaryFolder, whole } from '../../integration/bundle/archives.ts';
import { send, startBundleServer } from '../../server/sites/bundle-server.ts';
import { carrel, startCarrel } from './carrel.ts';

// Each case is a process of its own.
vi.setConfig({ testTimeout: 120_000 });

const link = 'http://127.0.0.1:9/bundle?signature=SECRET';

describe('wrong use ends with 2, and says what is right', () => {
  test.each<[string[], Record<string, string>, string]>([
    [['--bundle', 'site.zip'], {}, '--bundle: must be an http(s) address'],
    [['--bundle', 'file:///site.zip'], {}, '--bundle: must be an http(s) address'],
    [['--bundle', 'https://user:SECRET@example.com/'], {}, 'without a user name'],
    [[], { CARREL_BUNDLE_URL: 'x:SECRET' }, '--bundle: must be an http(s) address'],
    [['--bundle', link, '--version', ''], {}, '--version: must not be empty'],
    [['--bundle', link, '--max-size', '0'], {}, '--max-size: must be 1 or more'],
    [['--bundle', link, '--time-limit', 'long'], {}, '--time-limit: must be a number'],
    [[], { CARREL_BUNDLE_URL: link, CARREL_BUNDLE_MAX_SIZE: '1.5' }, '--max-size: must be a whole number'],
    [['site', '--bundle', link], {}, '--bundle is for bundles from a link, and "site" is a folder or a file'],
    [['site', '--keep', 'kept'], {}, '--keep is for bundles from a link'],
    [['--keep', 'kept'], {}, 'A folder or file is missing'],
  ])('%j %j', async (args, environment, message) => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await carrel(['serve', ...args], { cwd, env: { PATH: process.env.PATH, ...environment } });
    expect(stderr).toContain(message);
    expect(stderr).toContain('serve --help');
    expect(stderr).not.toMatch(/SECRET|\n {4}at /);
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('a link', () => {
  /** Starts `carrel serve`, gives the address it tells, and what it told when it was stopped. */
  async function served(args: string[], environment: Record<string, string>, cwd: string) {
    const { child, ended } = startCarrel(['serve', '--port', '0', ...args], {
      cwd,
      env: { PATH: process.env.PATH, ...environment },
    });
    const address = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout!.on('data', (piece) => {
        const found = /served at (http:\S+)/.exec((text += String(piece)));
        if (found) resolve(found[1]!);
      });
      void ended.then(({ stderr }) => reject(new Error(stderr)));
    });
    const home = await (await fetch(address)).text();
    child.kill('SIGTERM');
    return { home, ...(await ended) };
  }

  test('from the environment or from the command line, which wins', async () => {
    const server = await startBundleServer(send(readFileSync(await archiveOf(whole))));
    const cwd = temporaryFolder();
    const byEnvironment = await served([], { CARREL_BUNDLE_URL: server.link, CARREL_BUNDLE_VERSION: '' }, cwd);
    expect(byEnvironment).toMatchObject({ home: '<p>Hi</p>', code: 0, stderr: '' });
    expect(readdirSync(join(cwd, '.carrel/bundle')).sort()).toEqual(['kept.json', 'sites']);
    const both = await served(['--bundle', server.link, '--version', 'x', '--keep', 'kept'], { CARREL_BUNDLE_URL: link }, cwd);
    expect(both).toMatchObject({ home: '<p>Hi</p>', code: 0, stderr: '' });
    expect(readdirSync(join(cwd, 'kept')).sort()).toEqual(['kept.json', 'sites']);
  });

  test('a folder on the command line is served, whatever the environment says', async () => {
    const cwd = temporaryFolder();
    const archive = await archiveOf(whole);
    expect(await served([archive], { CARREL_BUNDLE_URL: link }, cwd)).toMatchObject({ home: '<p>Hi</p>', code: 0 });
  });

  test('that is dead ends with 1 and what to do', async () => {
    const { code, stderr } = await carrel(['serve', '--port', '0', '--bundle', link, '--keep', join(temporaryFolder(), 'kept')]);
    expect(stderr).toMatch(/^Error \(BundleNotFetched\): The bundle at http:\/\/127\.0\.0\.1:9\/bundle could not be fetched: /m);
    expect(stderr).not.toMatch(/SECRET|\n {4}at /);
    expect(code).toBe(1);
  });
});
