import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from './carrel.ts';

function mkdocs(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'docs'));
  writeFileSync(join(root, 'mkdocs.yml'), 'site_name: Harbour\nhooks: [x.py]\nnav: [index.md]\n');
  writeFileSync(join(root, 'docs/index.md'), '# Harbour\n');
  return root;
}

test('writes docs.json beside the pages, names what is not imported, and the result exports', async () => {
  const cwd = mkdocs();
  const { code, stdout } = await carrel(['import', '.'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toBe(`Not imported as it was (1):
  mkdocs.yml:2  "hooks" has no counterpart in docs.json.

Imported MkDocs (mkdocs.yml) to docs/docs.json
Next: carrel check docs
`);
  expect(JSON.parse(readFileSync(join(cwd, 'docs/docs.json'), 'utf8'))).toEqual({
    name: 'Harbour',
    navigation: { pages: ['index'] },
  });
  const exported = await carrel(['export', 'docs', '--cache', 'off'], { cwd });
  expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining('No issues found.')]);
});

test('an existing file stays without --force, and --out names another', async () => {
  const cwd = mkdocs();
  writeFileSync(join(cwd, 'docs/docs.json'), '{}');
  expect(await carrel(['import', '.'], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining('ImportExists') });
  expect(readFileSync(join(cwd, 'docs/docs.json'), 'utf8')).toBe('{}');
  expect((await carrel(['import', '.', '--out', 'docs.json'], { cwd })).code).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, 'docs.json'), 'utf8')).navigation).toEqual({ pages: ['docs/index'] });
  expect((await carrel(['import', '.', '--force'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'docs/docs.json'), 'utf8')).not.toBe('{}');
});

test('a folder without a configuration is an error, and nothing is written', async () => {
  const cwd = temporaryFolder();
  expect(await carrel(['import', '.'], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining('ImportNothing') });
  expect(existsSync(join(cwd, 'docs.json'))).toBe(false);
});
