import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from './carrel.ts';

test('writes an example without a fault, with the name of the folder', async () => {
  const cwd = temporaryFolder();
  const { code, stdout } = await carrel(['init', 'harbour-docs', '--yes'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('Wrote an example to harbour-docs\n');
  expect(stdout).toContain('Preview it:  carrel dev harbour-docs\n');
  const config = JSON.parse(readFileSync(join(cwd, 'harbour-docs/docs.json'), 'utf8'));
  expect(config).toMatchObject({ name: 'Harbour docs' });
  const exported = await carrel(['export', 'harbour-docs', '--cache', 'off'], { cwd });
  expect(exported).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Exported 7 pages, \d+ sections[^]*\nNo issues found\./),
  });
});

test('takes a name, and a folder with the files of a new repository', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.git'));
  writeFileSync(join(cwd, 'README.md'), '# Mine\n');
  expect((await carrel(['init', '.', '--name', 'Harbour'], { cwd })).code).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, 'docs.json'), 'utf8')).name).toBe('Harbour');
  expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toBe('# Mine\n');
});

test('never writes into a folder with something else', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'index.md'), '# Mine\n');
  const { code, stderr } = await carrel(['init', '.', '--yes'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('"." is not empty: it contains index.md.')]);
  expect(readdirSync(cwd)).toEqual(['index.md']);
});
