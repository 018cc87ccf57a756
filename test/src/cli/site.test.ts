import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { listenForAccess } from './access-listener.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 120_000 });

const { services, run, newKey } = await listenForAccess();

test('a site is added, shown, listed and removed', async () => {
  const added = await run([
    ...['site', 'add', 'Docs.example.com', '--git', 'https://git.example.com/docs.git', '--ref', 'main'],
    ...['--subfolder', 'docs', '--site-url', 'https://docs.example.com', '--deployment', 'air-gapped'],
  ]);
  expect(added.code).toBe(0);
  const text = `Domain:       docs.example.com
Organization: default
Source:       https://git.example.com/docs.git @ main in docs
Builder:      docs
Deployment:   air-gapped
Site address: https://docs.example.com
Active job:   none: nothing has been exported yet
Served at:    http://sites.example.com/sites/docs.example.com/
`;
  expect(added.stdout).toBe(text);
  expect(added.stderr).toBe('\nTo export it: carrel export-remote docs.example.com --out docs.example.com.zip\n');
  expect((await run(['site', 'show', 'docs.example.com'])).stdout).toBe(text);
  expect((await run(['site', 'list'])).stdout).toBe(
    'DOMAIN            BUILDER  ACTIVE JOB  SOURCE\ndocs.example.com  docs     none        https://git.example.com/docs.git @ main in docs\n',
  );
  expect(JSON.parse((await run(['site', 'show', 'docs.example.com', '--json'])).stdout)).toMatchObject({ activeJob: null });
  expect((await run(['site', 'remove', 'docs.example.com'])).stdout).toBe('The site docs.example.com is removed.\n');
  const gone = await run(['site', 'show', 'docs.example.com']);
  expect(gone.code).toBe(1);
  expect(gone.stderr).toContain('SiteUnknown');
});

test('a folder is told to the server by its whole path', async () => {
  expect((await run(['site', 'add', 'fixtures', '--folder', 'fixtures/plain-folder', '--organization', 'other'])).code).toBe(0);
  expect(await services.sites.get('fixtures')).toMatchObject({
    organization: 'other',
    source: { type: 'folder', path: resolve('fixtures/plain-folder') },
  });
});

test.each([
  [['site', 'add'], 2, 'Missing: a domain.'],
  [['site', 'add', 'x'], 2, 'Where the docs come from is missing.'],
  [['site', 'add', 'x', '--folder', 'a', '--git', 'https://git.example.com/a.git'], 2, '--folder and --git are both there.'],
  [['site', 'add', 'x', '--folder', 'a', '--ref', 'main'], 2, '--ref and --subfolder are for repositories.'],
  [['site', 'add', 'x', '--folder', ''], 2, '--folder: must not be empty'],
  [['site', 'add', 'x', '--folder', 'a', '--builder', 'make'], 2, '--builder: must be docs or astro'],
  [['site', 'add', 'https://x', '--folder', 'a'], 1, 'must be a host name such as docs.example.com'],
  [['site', 'add', 'x', '--git', 'https://git.example.com/a.git', '--ref=--x'], 1, 'must be a branch or a tag'],
  [['site', 'remove', '../keys'], 1, 'must be a host name'],
])('%j ends with %s: %s', async (args, code, words) => {
  const ended = await run(args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toContain(words);
});

test('a password in an address is refused, and not repeated', async () => {
  const ended = await run(['site', 'add', 'x', '--git', 'https://user:s3cret@git.example.com/a.git']);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('CARREL_GIT_CREDENTIALS');
  expect(ended.stdout + ended.stderr).not.toContain('s3cret');
});

test('folders are for operators', async () => {
  const ended = await run(['site', 'add', 'x', '--folder', '.'], await newKey({ scopes: ['write'] }));
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('FolderNeedsOperator');
});
