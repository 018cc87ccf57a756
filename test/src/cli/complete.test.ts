import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from './carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

const program = join(import.meta.dirname, '../../../src/cli/carrel.ts');

/** What bash would insert for the last of the words, asked through the script. */
async function completed(words: string[], cwd = temporaryFolder()): Promise<string[]> {
  const { stdout: script } = await carrel(['complete', 'bash']);
  const bash = `carrel() { "$NODE" "$PROGRAM" "$@"; }
${script}
COMP_WORDS=(carrel "$@"); COMP_CWORD=$#
_carrel
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, NODE: process.execPath, PROGRAM: program };
  const { stdout } = await promisify(execFile)('bash', ['-c', bash, 'bash', ...words], { cwd, env });
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  [['ver'], ['verify']],
  [['export', 'docs', '--lab'], ['--label']],
  [
    ['site', ''],
    ['add', 'list', 'show', 'set', 'hook', 'prove', 'exports', 'audiences', 'rollback', 'previews', 'remove'],
  ],
  [['site', 'add', 'docs', '--subf'], ['--subfolder']],
  [['nothing', '--'], []],
])('bash completes %j', { timeout: 60_000 }, async (words, expected) => {
  expect(await completed(words)).toEqual(expected);
});

test('words that are typed are not run', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'docs/index.md': '# Home\n' });
  expect(await completed(['export', '$(touch run)', '`touch run`', ''], folder)).toContain('--out');
  expect((await promisify(execFile)('ls', [folder])).stdout).toBe('docs\n');
});

test('an unknown shell is an error that names the shells', { timeout: 60_000 }, async () => {
  const { code, stderr } = await carrel(['complete', 'ksh']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Shells: bash, zsh, fish.')]);
});
