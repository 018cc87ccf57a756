import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOutputPaths } from '../../../integration/astro/check-output-paths.ts';
import { ExportError } from '../../../integration/errors.ts';
import { temporaryFolder } from '../export/folder.ts';

interface Wanted {
  out?: string;
  zip?: string;
  report?: string;
  replace?: boolean;
  /** Folder of the sources, from the root. */
  srcDir?: string;
}

/** The error for output paths in a project that was built before; paths are relative to its root. */
function errorOf({ out = 'dist-offline', zip, report, replace = false, srcDir = 'src' }: Wanted): string {
  const project = join(temporaryFolder(), 'project');
  for (const name of ['src/pages', 'pages', 'public', 'dist', 'notes', 'dist-offline'])
    mkdirSync(join(project, name), { recursive: true });
  for (const name of ['dist/index.html', 'notes/today.txt', 'dist-offline/carrel.json', 'file.txt'])
    writeFileSync(join(project, name), '');
  const site = join(project, 'dist');
  try {
    checkOutputPaths({
      out: replace ? site : join(project, out),
      replacesSite: replace,
      zip: zip && join(project, zip),
      report: report && join(project, report),
      site,
      project,
      sources: [join(project, srcDir), join(project, srcDir, 'pages'), join(project, 'public')],
    });
    return '';
  } catch (error) {
    if (!(error instanceof ExportError) || !error.hint) throw error;
    const { code, message } = error;
    return `${code}: ${message.replaceAll(project, '')}`;
  }
}

describe('valid output paths', () => {
  test.each<Wanted>([
    {},
    { out: 'somewhere/new' },
    { out: '../beside', zip: '../beside.zip' },
    { zip: 'docs.zip' },
    // Readers of the site get it from there.
    { zip: 'dist/docs.zip' },
    { replace: true, zip: 'docs.zip' },
    { srcDir: '.' },
    { report: 'out/report.json', zip: 'docs.zip' },
  ])('%j', (wanted) => {
    expect(errorOf(wanted)).toBe('');
  });
});

describe('invalid output paths', () => {
  test.each<[Wanted, string]>([
    [{ out: 'src/offline' }, 'OutputInsideSource: The "out" folder "/src/offline" is inside "src/", so the next build'],
    [{ out: 'public/offline' }, 'OutputInsideSource: The "out" folder "/public/offline" is inside "public/", so the next build'],
    [{ out: 'pages/offline', srcDir: '.' }, 'OutputInsideSource: The "out" folder "/pages/offline" is inside "pages/"'],
    [{ out: '.' }, 'SourceInsideOutput: The "out" folder "" contains the project'],
    [{ out: '..' }, 'SourceInsideOutput'],
    [{ out: 'dist' }, 'OutputInsideSite: The "out" folder "/dist" is "dist/", where Astro writes the site.'],
    [{ out: 'dist/offline' }, 'OutputInsideSite: The "out" folder "/dist/offline" is inside "dist/"'],
    [{ out: 'file.txt' }, 'OutputNotFolder'],
    [{ out: 'file.txt/offline' }, 'OutputNotWritable'],
    [{ out: 'notes' }, 'OutputNotExport: The output "/notes" contains files other than an export (today.txt)'],
    [
      { zip: 'public/docs.zip' },
      'ArchiveInsideSource: The "zip" archive "/public/docs.zip" is inside "public/", so the next build',
    ],
    [{ zip: 'dist-offline/docs.zip' }, 'ArchiveInsideOutput'],
    [{ zip: 'dist-offline' }, 'ArchiveHoldsOutput'],
    [{ zip: 'new', out: 'new/offline' }, 'ArchiveHoldsOutput'],
    [{ zip: 'notes' }, 'OutputNotFile'],
    [{ zip: 'file.txt/docs.zip' }, 'OutputNotWritable'],
    [{ replace: true, zip: 'dist/docs.zip' }, 'ArchiveInsideOutput'],
    [{ report: 'public/report.json' }, 'ReportInsideSource: The "report" file "/public/report.json" is inside "public/"'],
    [{ report: 'dist-offline/report.json' }, 'ReportInsideOutput'],
    [{ report: 'docs.zip', zip: 'docs.zip' }, 'ReportIsArchive'],
    [{ report: 'notes' }, 'OutputNotFile'],
  ])('%j', (wanted, message) => {
    expect(errorOf(wanted)).toContain(message);
  });
});
