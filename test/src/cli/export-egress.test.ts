import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from './carrel.ts';

function folder(name: string, file: string, text: string): string {
  const root = temporaryFolder();
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, file), text);
  return root;
}

function reportIn(root: string): { egress: unknown; error?: unknown } {
  return JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')) as { egress: unknown };
}

const html = `<!doctype html>
<html lang="en"><head><title>Home</title></head><body><main><h1>Home</h1><p>Words.</p>
<img src="https://a.example/x.png"></main></body></html>`;

test('an air-gapped export of HTML with external requests exits with 1, and its report lists them', async () => {
  const root = folder('dist', 'index.html', html);
  const args = ['export', 'dist', '--out', 'site', '--deployment', 'air-gapped', '--report', 'report.json'];
  const { code, stderr } = await carrel(args, { cwd: root });
  expect(code).toBe(1);
  expect(stderr).toContain('index.html:3  img  https://a.example/x.png');
  expect(stderr).toContain('allow');
  expect(readdirSync(root).sort()).toEqual(['dist', 'report.json']);
  expect(reportIn(root)).toEqual({
    error: { code: 'OutsideLoads', message: expect.any(String), hint: expect.any(String) },
    egress: [{ page: 'index.html', element: 'img', line: 3, url: 'https://a.example/x.png', kind: 'image', outcome: 'loads' }],
  });
});

test.each([
  ['client-hosted', 'loads'],
  ['air-gapped', 'card'],
])('the report of a docs folder lists external loads, too: %s', async (deployment, outcome) => {
  const root = folder('docs', 'index.md', '# Home\n\nWords.\n\n![Picture](https://a.example/x.png)\n');
  const args = ['export', 'docs', '--out', 'site', '--cache', 'off', '--deployment', deployment, '--report', 'report.json'];
  expect((await carrel(args, { cwd: root })).code).toBe(0);
  expect(reportIn(root).egress).toEqual([
    { page: 'index.md', element: 'img', line: 5, url: 'https://a.example/x.png', kind: 'image', outcome },
  ]);
});
