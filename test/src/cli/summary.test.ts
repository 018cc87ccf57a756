import { expect, test } from 'vitest';
import type { Problem } from '../../../integration/diagnostics.ts';
import type { ExportReport } from '../../../integration/export/export-site.ts';
import { summary } from '../../../src/cli/summary.ts';

const report: ExportReport = {
  version: '3f9c1a20b7de',
  pages: 1200,
  sections: 1,
  files: 3,
  bytes: 2_113_455,
  seconds: { read: 0.5, render: 1 },
  warnings: [],
  redirects: 0,
  egress: [],
};
const places = { out: 'my site', entry: 'file:///docs/my%20site/index.html', vendor: false, environment: {} };

test('the summary says what was exported, and how to open and serve it', () => {
  expect(summary(report, places)).toBe(`Open it:   file:///docs/my%20site/index.html
Serve it:  carrel serve "my site"

Exported 1,200 pages, 1 section, 3 files (2.1 MB) in 1.5 s: version 3f9c1a20b7de
No issues found.`);
});

test('it offers to download what is missing without a network, and not what was tried', () => {
  const load = (url: string, kind: 'image' | 'media' | 'embed', outcome: 'loads' | 'card' | 'vendored') => ({
    page: 'a.md',
    element: 'img',
    url,
    kind,
    outcome,
  });
  const egress = [
    load('https://a.example/a.png', 'image', 'loads'),
    load('https://a.example/a.png', 'image', 'loads'),
    load('https://a.example/b.mp4', 'media', 'card'),
    load('https://a.example/c', 'embed', 'card'),
    load('https://a.example/d.png', 'image', 'vendored'),
  ];
  expect(summary({ ...report, egress }, places)).toContain(
    '\nOffline:   2 files from external origins: --vendor downloads them into the export',
  );
  expect(summary({ ...report, egress }, { ...places, vendor: true })).not.toContain('Offline');
  expect(summary({ ...report, egress, vendored: { files: 12, bytes: 3_400_000 } }, { ...places, vendor: true })).toContain(
    '\nOffline:   12 files from external origins (3.4 MB) are in the export',
  );
});

test('in a clone, it suggests the command that works there', () => {
  const environment = { npm_lifecycle_event: 'carrel', npm_config_local_prefix: '/clone', INIT_CWD: '/clone' };
  expect(summary(report, { ...places, zip: 'site.zip', environment })).toContain(
    'Serve it:  npm run carrel -- serve site.zip\nArchive:   site.zip',
  );
});

test('every problem is printed with file and line, errors first, those of one file together', () => {
  const unknown = (key: string): Problem => ({
    kind: 'config-unknown-key',
    severity: 'warning',
    page: 'docs.json',
    message: `"${key}" is unknown.`,
  });
  const link: Problem = { kind: 'link-without-target', severity: 'warning', page: 'a.md', line: 3, message: '"/b" is broken.' };
  const warnings: Problem[] = [
    { kind: 'formula-shown-as-code', severity: 'note', message: 'Shown as code.' },
    unknown('color'),
    link,
    unknown('navigaton'),
    {
      kind: 'file-not-readable',
      severity: 'error',
      page: 'c.md',
      message: 'Cannot be read.',
      hint: 'Check its rights.',
    },
  ];
  const text = summary({ ...report, warnings }, places);
  expect(text).toMatch(/\nIssues found: 1 error, 3 warnings, 1 info$/);
  expect(text.slice(0, text.indexOf('\n\nOpen it'))).toBe(`\
  error    c.md  file-not-readable  Cannot be read. Check its rights.
  warning  docs.json  config-unknown-key  "color" is unknown.
  warning  docs.json  config-unknown-key  "navigaton" is unknown.
  warning  a.md:3  link-without-target  "/b" is broken.
  info     formula-shown-as-code  Shown as code.`);
});

test('the first fifty problems are printed, how many more there are of each kind, and how to list all of them', () => {
  const link = (line: number): Problem => ({
    kind: 'link-without-target',
    severity: 'warning',
    page: 'a.md',
    line,
    message: '"/b" is broken.',
  });
  const warnings = Array.from({ length: 1234 }, (_, i) => link(i + 1));
  warnings.push({ ...link(1), kind: 'file-not-readable', severity: 'error' });
  warnings.push({ ...link(1), kind: 'config-unknown-key', page: 'z.md' });
  const lines = summary({ ...report, warnings }, places).split('\n');
  expect(lines[0]).toBe('  error    a.md:1  file-not-readable  "/b" is broken.');
  expect(lines[49]).toBe('  warning  a.md:49  link-without-target  "/b" is broken.');
  expect(lines.slice(50, 52)).toEqual([
    '',
    '  … and 1,186 more (1,185 link-without-target, 1 config-unknown-key): --report FILE lists all of them.',
  ]);
  expect(lines.at(-1)).toBe('Issues found: 1 error, 1,235 warnings');
  expect(summary({ ...report, warnings }, { ...places, report: 'r.json' })).toContain('): r.json lists all of them.\n');
});
