import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { changeDates, originOf } from '../../../src/source/checkout.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const names = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

function git(folder: string, args: string[], date = '2026-01-01T00:00:00Z'): string {
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd: folder,
    env: { ...process.env, ...names, ...dates },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function repository(): string {
  const folder = temporaryFolder();
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  return folder;
}

function commit(folder: string, files: Record<string, string>, date: string): void {
  writeFiles(folder, files);
  git(folder, ['add', '--all']);
  git(folder, ['commit', '--quiet', '--message=x'], date);
}

/** Three commits: `docs/a.md` changed in the second, `docs/b c.md` in the last. */
function withHistory(): string {
  const folder = repository();
  commit(folder, { 'docs/a.md': '1', 'docs/b c.md': '1', 'docs/ü.md': '1', 'other.md': '1' }, '2025-01-01T10:00:00+02:00');
  commit(folder, { 'docs/a.md': '2' }, '2025-02-01T10:00:00Z');
  commit(folder, { 'docs/b c.md': '2' }, '2025-03-01T10:00:00Z');
  return folder;
}

const files = ['a.md', 'b c.md', 'ü.md'];

test('a file changed at its last commit', async () => {
  const folder = withHistory();
  expect(await changeDates(join(folder, 'docs'), files)).toEqual({
    dates: new Map([
      ['b c.md', '2025-03-01T10:00:00.000Z'],
      ['a.md', '2025-02-01T10:00:00.000Z'],
      ['ü.md', '2025-01-01T08:00:00.000Z'],
    ]),
  });
});

test('a file that was changed or added after the last commit has no date', async () => {
  const folder = withHistory();
  writeFileSync(join(folder, 'docs/a.md'), 'not committed');
  writeFileSync(join(folder, 'docs/new.md'), '1');
  git(folder, ['add', 'docs/a.md']);
  const { dates } = await changeDates(join(folder, 'docs'), [...files, 'new.md']);
  expect([...dates.keys()].sort()).toEqual(['b c.md', 'ü.md']);
});

test('line ends of Windows are not a change', async () => {
  const folder = repository();
  commit(folder, { 'a.md': 'one\ntwo\n' }, '2025-01-01T00:00:00Z');
  writeFileSync(join(folder, 'a.md'), 'one\r\ntwo\r\n');
  expect((await changeDates(folder, ['a.md'])).dates.size).toBe(1);
});

test('a shallow clone says nothing of files that changed before its first commit', async () => {
  const folder = withHistory();
  const clone = join(temporaryFolder(), 'clone');
  git(folder, ['clone', '--quiet', '--depth=2', `file://${folder}`, clone]);
  const { dates, reason } = await changeDates(join(clone, 'docs'), files);
  expect(dates).toEqual(new Map([['b c.md', '2025-03-01T10:00:00.000Z']]));
  expect(reason).toContain('shallow');
});

test('files in a submodule have the dates of its own history', async () => {
  const module = repository();
  commit(module, { 'x.md': '1' }, '2024-05-05T00:00:00Z');
  const folder = withHistory();
  git(folder, ['submodule', '--quiet', 'add', module, 'docs/shared']);
  commit(folder, {}, '2025-04-01T00:00:00Z');
  expect((await changeDates(join(folder, 'docs'), ['a.md', 'shared/x.md'])).dates).toEqual(
    new Map([
      ['a.md', '2025-02-01T10:00:00.000Z'],
      ['shared/x.md', '2024-05-05T00:00:00.000Z'],
    ]),
  );
});

test.each<[string, (folder: string) => void]>([
  ['a folder outside of git', () => undefined],
  ['a repository without commits', (folder) => git(folder, ['init', '--quiet'])],
  ['a damaged repository', (folder) => (git(folder, ['init', '--quiet']), rmSync(join(folder, '.git/HEAD')))],
])('%s gives no dates, and the reason', async (_, prepare) => {
  const folder = temporaryFolder();
  prepare(folder);
  const environment = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  expect(await changeDates(folder, ['a.md'], { environment })).toEqual({
    dates: new Map(),
    reason: expect.stringContaining('not in a git checkout'),
  });
});

test('without git there are no dates, and the reason', async () => {
  const environment = { PATH: '/nowhere' };
  expect((await changeDates(withHistory(), ['other.md'], { environment })).reason).toBe('git is not installed');
});

test('no setting of the repository runs a program', async () => {
  const folder = withHistory();
  const ran = join(temporaryFolder(), 'ran');
  const program = join(temporaryFolder(), 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${ran}\nexit 1\n`, { mode: 0o755 });
  const settings = {
    'core.fsmonitor': program,
    'core.pager': program,
    'core.sshCommand': program,
    'diff.external': program,
    'filter.x.clean': program,
    'gpg.program': program,
    'log.showSignature': 'true',
  };
  for (const [name, value] of Object.entries(settings)) git(folder, ['config', name, value]);
  writeFileSync(join(folder, '.gitattributes'), '* filter=x diff=x\n');
  expect((await changeDates(join(folder, 'docs'), files)).dates.size).toBe(3);
  await originOf(join(folder, 'docs'));
  expect(existsSync(ran)).toBe(false);
});

test('the origin of a checkout has the branch that it follows, and the folder in it', async () => {
  const folder = withHistory();
  const clone = join(temporaryFolder(), 'clone');
  git(folder, ['clone', '--quiet', folder, clone]);
  git(clone, ['checkout', '--quiet', '-b', 'mine', '--track', 'origin/main']);
  git(clone, ['remote', 'set-url', 'origin', 'https://github.com/acme/docs.git']);
  expect(await originOf(join(clone, 'docs'))).toEqual({ url: 'https://github.com/acme/docs.git#main:docs/' });
});

test('a checkout without a remote has no origin', async () => {
  expect(await originOf(withHistory())).toEqual({ reason: 'its git checkout has no remote "origin"' });
});
