import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Progress } from '../../../../integration/progress.ts';
import type { Exporter } from '../../../../server/jobs/exporter.ts';
import { runExport, type ExportToRun } from '../../../../server/jobs/worker/run.ts';
import { siteSettingsSchema } from '../../../../server/sites/sites.ts';
import { temporaryFolder } from '../../../integration/export/folder.ts';
import { carrelExport } from '../exporters.ts';
import { runLogOf } from '../run-log-of.ts';

vi.setConfig({ testTimeout: 60_000 });

const fixture = join(import.meta.dirname, '../../../fixtures/docs-json-site');

function run(change: Partial<ExportToRun> = {}, exporter: Exporter = carrelExport) {
  const folder = temporaryFolder();
  for (const name of ['home', 'temporary', 'site', 'archive']) mkdirSync(join(folder, name));
  const { log, text } = runLogOf(folder);
  const progress: Progress[] = [];
  const running = runExport(exporter, {
    source: fixture,
    folder,
    cache: join(folder, 'cache'),
    request: {},
    settings: siteSettingsSchema.parse({}),
    limits: { minutes: 1, memoryMb: 1024, outputMb: 100 },
    log,
    onProgress: (one) => progress.push(one),
    signal: new AbortController().signal,
    ...change,
  });
  return { running, progress, log: text, folder };
}

/** An exporter that is this script, with the arguments of the real one. */
function scripted(code: string): Exporter {
  return { command: process.execPath, args: ['--input-type=module', '--eval', code, '--'] };
}

function docs(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('the real exporter makes folder, archive and report, tells its progress and is logged', async () => {
  const { running, progress, log } = run({ request: { version: '-v14' } });
  const { folder, archive, report } = await running;
  expect(report).toEqual({
    version: '-v14',
    pages: expect.any(Number),
    files: expect.any(Number),
    bytes: expect.any(Number),
    warnings: expect.any(Object),
    problems: { errors: 0, warnings: expect.any(Number), notes: expect.any(Number) },
  });
  expect(JSON.parse(readFileSync(join(folder, 'carrel.json'), 'utf8'))).toMatchObject({ version: '-v14' });
  expect(existsSync(archive)).toBe(true);
  expect([...new Set(progress.map(({ stage }) => stage))]).toEqual(['read', 'render', 'index', 'write', 'archive']);
  expect(progress.filter(({ stage }) => stage === 'render').at(-1)?.done).toBe(report.pages);
  expect(await log()).toContain('Rendered');
});

test('paths, language, address and deployment reach the exporter', async () => {
  const source = docs({ 'index.md': '# Home', 'a,b.md': '# Comma', 'c.md': '# C\n\n[a](/a,b)', '100%.md': '# All' });
  const settings = siteSettingsSchema.parse({ siteUrl: 'https://docs.example.com', deployment: 'air-gapped' });
  const { running } = run({ source, settings, request: { paths: ['a,b', '', '100%'], language: 'de' } });
  const { folder } = await running;
  const manifest = JSON.parse(readFileSync(join(folder, 'carrel.json'), 'utf8')) as { pages: { path: string }[] };
  expect(manifest).toMatchObject({ deployment: 'air-gapped' });
  expect(manifest.pages.map(({ path }) => path).sort()).toEqual(['', '100%', 'a,b']);
  expect(manifest.pages).toEqual(manifest.pages.map((page) => ({ ...page, language: 'de' })));
  expect(readFileSync(join(folder, 'sitemap.xml'), 'utf8')).toContain('https://docs.example.com/');
});

describe('docs that cannot be exported are told in the words of the exporter', () => {
  test.each<[string, Record<string, string>, ExportToRun['request'], string, string]>([
    ['a broken configuration', { 'docs.json': '{ "name": ' }, {}, 'ConfigNotJson', 'docs.json'],
    ['an empty folder', {}, {}, 'FolderEmpty', ''],
    ['pages that are not there', { 'index.md': '# A' }, { paths: ['nowhere', 'b'] }, 'PathNotFound', '"nowhere", "b"'],
    [
      'a language that is not there',
      {
        'docs.json': JSON.stringify({ name: 'A', navigation: { languages: [{ language: 'en', pages: ['index'] }] } }),
        'index.md': '# A',
      },
      { language: 'fr' },
      'LanguageNotFound',
      '"fr"',
    ],
  ])('%s', async (_, files, request, code, words) => {
    const { running, log } = run({ source: docs(files), request });
    await expect(running).rejects.toMatchObject({ name: 'JobError', code, message: expect.stringContaining(words) });
    expect(await log()).toContain(`Error (${code})`);
  });

  test('the last error counts, with its hint, and no path of this machine that is the run’s own', async () => {
    const code = `console.error('Error (One): first.\\n');
      console.error('Error (Two): The page "' + process.cwd() + '/source/a.md" is bad.\\nMend it.'); process.exitCode = 1`;
    await expect(run({}, scripted(code)).running).rejects.toMatchObject({
      code: 'Two',
      message: 'The page "source/a.md" is bad. Mend it.',
    });
  });
});

describe('an exporter that does not do as it should', () => {
  test.each([
    ['ends with an odd code', 'process.exitCode = 7', 'RunFailed', 'code 7'],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`, 'RunKilled', 'SIGKILL'],
    ['leaves no report', '', 'ReportInvalid', 'no report'],
    [
      'leaves an odd report',
      `import { writeFileSync } from 'node:fs'; writeFileSync('report.json', '{"pages":-1}')`,
      'ReportInvalid',
      'no report',
    ],
  ])('and %s is told', async (_, code, errorCode, words) => {
    await expect(run({}, scripted(code)).running).rejects.toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
    });
  });

  test('and talks nonsense on descriptor 3 is not listened to', async () => {
    const lines = [
      'nonsense',
      '{"stage":"render"}',
      '{"stage":"sleep","done":1,"total":2}',
      '{"stage":"render","done":-1,"total":2}',
      'x'.repeat(90_000),
      '{"stage":"render","done":1,"total":2}',
    ];
    const { running, progress } = run(
      {},
      scripted(`import { writeSync } from 'node:fs';
      for (const line of ${JSON.stringify(lines)}) writeSync(3, line + '\\n')`),
    );
    await expect(running).rejects.toMatchObject({ code: 'ReportInvalid' });
    expect(progress).toEqual([{ stage: 'render', done: 1, total: 2 }]);
  });

  test('and sees nothing of the server’s environment', async () => {
    vi.stubEnv('CARREL_SECRET', 'secret of the server');
    const { running, log } = run({}, scripted('console.log(JSON.stringify(process.env))'));
    await expect(running).rejects.toThrow();
    vi.unstubAllEnvs();
    expect(await log()).not.toContain('secret');
  });
});

test('an export over the limit is refused', async () => {
  const source = docs({ 'index.md': '# Large', 'large.pdf': 'x'.repeat(3_000_000) });
  const { running } = run({ source, limits: { minutes: 1, memoryMb: 1024, outputMb: 1 } });
  await expect(running).rejects.toMatchObject({
    code: 'SizeLimit',
    message: expect.stringContaining('The export is larger than 1 MB. Allow more (CARREL_JOB_OUTPUT_MB)'),
  });
});
