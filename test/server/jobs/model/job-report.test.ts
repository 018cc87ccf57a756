import { expect, test } from 'vitest';
import type { DocsReport } from '../../../../src/export/export-docs.ts';
import { jobReportSchema, storedReport } from '../../../../server/jobs/model/job-report.ts';

const same = (text: string) => text;
const problem = (severity: string, at: number) => ({
  kind: 'link-without-target' as const,
  severity,
  page: 'a.mdx',
  line: at,
  message: 'm',
});

test('a report is stored with every key, each text cleaned', () => {
  const report = { version: 'v1', warnings: [problem('warning', 3)], egress: [], navigation: { missing: [{ entry: '/run/x' }] } };
  expect(JSON.parse(storedReport(report, (text) => text.replaceAll('/run/', '')))).toEqual({
    ...report,
    navigation: { missing: [{ entry: 'x' }] },
  });
});

test('a report that is too long drops notes first, then warnings, then errors, and counts what it dropped', () => {
  const warnings = [
    ...Array.from({ length: 500 }, (_, at) => problem('note', at)),
    ...Array.from({ length: 100 }, (_, at) => problem('warning', at)),
    problem('error', 7),
  ];
  const egress = Array.from({ length: 900 }, (_, at) => ({ page: 'a.mdx', address: `https://example.com/${at}` }));
  const missing = Array.from({ length: 900 }, (_, at) => ({ entry: `guides/${at}`, at: 'Guides' }));
  const text = storedReport({ pages: 2, warnings, egress, navigation: { listed: 902, missing } }, same, 20_000);
  expect(text.length).toBeLessThan(20_000);
  const stored = JSON.parse(text);
  expect(stored.pages).toBe(2);
  expect(stored.warnings[0]).toEqual(problem('error', 7));
  const severities = stored.warnings.map(({ severity }: { severity: string }) => severity);
  expect(severities.filter((severity: string) => severity === 'warning')).toHaveLength(100);
  expect(stored.omitted).toEqual({
    warnings: 601 - stored.warnings.length,
    egress: 900 - stored.egress.length,
    'navigation.missing': 900 - stored.navigation.missing.length,
  });
  for (const count of Object.values(stored.omitted)) expect(count).toBeGreaterThan(0);
});

test('one very long message does not make a report too long', () => {
  const warnings = [{ ...problem('error', 1), message: 'x'.repeat(50_000) }, problem('warning', 2)];
  const egress = [{ page: 'a.mdx', address: 'https://example.com/' }];
  const stored = JSON.parse(storedReport({ warnings, egress }, same, 10_000));
  expect(stored).toEqual({ warnings: [problem('warning', 2)], egress, omitted: { warnings: 1 } });
});

test('the API returns all that an export reports', () => {
  const report: Required<DocsReport> = {
    ...{ version: 'v1', pages: 3, sections: 9, files: 40, bytes: 90_000, redirects: 1 },
    vendored: { files: 2, bytes: 5_000 },
    seconds: { read: 0.1, render: 0.2 },
    warnings: [{ ...problem('warning', 3), severity: 'warning', column: 2, hint: 'h' }],
    egress: [
      {
        ...{ page: 'a', element: 'img', line: 3, url: 'https://example.com/a.png', kind: 'image' },
        ...{ outcome: 'loads', pages: 2 },
      },
    ],
    navigation: { listed: 4, exported: 3, links: 1, missing: [{ entry: 'gone', at: 'Guides', reason: 'not found' }] },
    specifications: [{ url: 'https://example.com/api.json', sha256: '0a', stored: true }],
  };
  expect(jobReportSchema.parse(JSON.parse(storedReport(report, same)))).toEqual(report);
});
