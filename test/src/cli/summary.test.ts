import { expect, test } from 'vitest';
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
const places = { out: 'my site', entry: 'file:///docs/my%20site/index.html', environment: {} };

test('the summary says what was made, and how to open and serve it', () => {
  expect(summary(report, places)).toBe(`Exported 1,200 pages, 1 section, 3 files (2.1 MB) in 1.5 s: version 3f9c1a20b7de
Nothing to report: no errors, no warnings, no notes.

Open it:   file:///docs/my%20site/index.html
Serve it:  carrel serve "my site"`);
});

test('in a clone, the command it proposes is the one that works there', () => {
  const environment = { npm_lifecycle_event: 'carrel', npm_config_local_prefix: '/clone', INIT_CWD: '/clone' };
  expect(summary(report, { ...places, zip: 'site.zip', environment })).toContain(
    'Serve it:  npm run carrel -- serve site.zip\nArchive:   site.zip',
  );
});

test('errors come first, then warnings, then notes, each kind with its number and one example', () => {
  const warnings = [
    { kind: 'formula-shown-as-code', severity: 'note' as const, message: 'Shown as code.' },
    { kind: 'link-without-target', severity: 'warning' as const, page: 'a.md', line: 3, message: 'Leads nowhere.' },
    { kind: 'link-without-target', severity: 'warning' as const, page: 'b.md', message: 'Leads nowhere.' },
    { kind: 'file-not-readable', severity: 'error' as const, page: 'c.md', message: 'Cannot be read.' },
  ];
  expect(summary({ ...report, warnings }, places)).toContain(`
Noticed: 1 error, 2 warnings, 1 note
  error       1  file-not-readable: c.md: Cannot be read.
  warning     2  link-without-target: a.md:3: Leads nowhere.
  note        1  formula-shown-as-code: Shown as code.
  One example of each kind; --report FILE lists all, with page and line.
`);
});
