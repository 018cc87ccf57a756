import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Manifest } from '../../../../integration/manifest.ts';
import { defaultRules } from '../../../../integration/output/check-entries.ts';
import { verifyBundle } from '../../../../integration/output/open-bundle.ts';
import { readPublicKeys } from '../../../../integration/output/signature.ts';
import { runExport, signExport, type Exporter, type ExportToRun } from '../../../../server/jobs/worker/run-export.ts';
import { siteSettingsSchema } from '../../../../server/sites/sites.ts';
import { temporaryFolder } from '../../../integration/export/folder.ts';
import { passwordKey } from '../../../support/password-key.ts';
import { carrelExport, quickExport } from '../exporters.ts';
import { exportToRun } from '../export-to-run.ts';

const fixture = join(import.meta.dirname, '../../../../fixtures/plain-folder');

function run(change: Partial<ExportToRun> = {}, exporter: Exporter = carrelExport) {
  const { run: options, ...said } = exportToRun(fixture, { limits: { minutes: 1, memoryMb: 1024, outputMb: 100 }, ...change });
  return { running: runExport(exporter, options), options, folder: options.folder, ...said };
}

/** An exporter that is this script, with the arguments of the real one; `say` writes to descriptor 3. */
function scripted(code: string): Exporter {
  const say = `import { writeSync } from 'node:fs';
    const say = (text) => {
      const bytes = Buffer.from(typeof text === 'string' ? text : JSON.stringify(text) + '\\n');
      for (let written = 0; written < bytes.length; ) written += writeSync(3, bytes, written);
    };`;
  return { command: process.execPath, args: ['--input-type=module', '--eval', `${say}\n${code}`, '--'] };
}

const goodReport = { type: 'report', version: 'v1', pages: 1, files: 2, bytes: 3 };
const problem = { kind: 'link-without-target', severity: 'warning', page: 'a.md', line: 3, message: 'm' };

function docs(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('the real exporter writes folder, archive and report, reports its progress, and its output is logged', async () => {
  const { running, progress, reports, log } = run({ request: { version: '-v14' } });
  const { folder, archive, result } = await running;
  expect(result).toEqual({
    version: '-v14',
    pages: expect.any(Number),
    files: expect.any(Number),
    bytes: expect.any(Number),
    warnings: expect.any(Object),
    problems: { errors: 0, warnings: expect.any(Number), notes: expect.any(Number) },
  });
  expect(reports).toEqual([
    expect.objectContaining({ version: '-v14', seconds: expect.any(Object), warnings: expect.any(Array) }),
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'carrel.json'), 'utf8'))).toMatchObject({ version: '-v14' });
  expect(existsSync(archive)).toBe(true);
  expect([...new Set(progress.map(({ stage }) => stage))]).toEqual(['read', 'render', 'index', 'write', 'archive']);
  expect(progress.filter(({ stage }) => stage === 'render').at(-1)?.done).toBe(result.pages);
  expect(await log()).toContain('Rendered');
});

test('an export is signed by the exporter, or after the code of a project has ended', async () => {
  const file = join(temporaryFolder(), 'a.key');
  writeFileSync(file, passwordKey.secretFile, { mode: 0o600 });
  const rules = { ...defaultRules, keys: readPublicKeys(passwordKey.publicKey, 'the key') };
  const signing = { key: file, password: passwordKey.password };
  const first = run({ signing });
  const signed = await first.running;
  expect(await verifyBundle(signed.archive, rules)).toEqual([]);
  expect(await first.log()).not.toContain(passwordKey.password);

  const { running, ...second } = run();
  const { archive, folder } = await running;
  await expect(verifyBundle(archive, rules)).rejects.toMatchObject({ code: 'SignatureInvalid' });
  const options = { ...second.options, signing };
  await signExport(carrelExport, options);
  for (const made of [archive, folder]) expect(await verifyBundle(made, rules)).toEqual([]);
  writeFileSync(join(folder, 'index.html'), 'changed');
  await expect(signExport(carrelExport, options)).rejects.toMatchObject({ code: 'RunFailed' });
  expect(await second.log()).toContain('was not signed: The file "index.html" is not the one that was exported.');
});

test('paths, language, URL, social cards and deployment reach the exporter', async () => {
  const source = docs({ 'index.md': '# Home', 'a,b.md': '# Comma', 'c.md': '# C\n\n[a](/a,b)', '100%.md': '# All' });
  const settings = siteSettingsSchema.parse({ siteUrl: 'https://docs.example.com', socialCards: true, deployment: 'air-gapped' });
  const { running } = run({ source, settings, request: { paths: ['a,b', '', '100%'], language: 'de' } });
  const { folder } = await running;
  const manifest = JSON.parse(readFileSync(join(folder, 'carrel.json'), 'utf8')) as { pages: { path: string }[] };
  expect(manifest).toMatchObject({ deployment: 'air-gapped' });
  expect(manifest.pages.map(({ path }) => path).sort()).toEqual(['', '100%', 'a,b']);
  expect(manifest.pages).toEqual(manifest.pages.map((page) => ({ ...page, language: 'de' })));
  expect(readFileSync(join(folder, 'sitemap.xml'), 'utf8')).toContain('https://docs.example.com/');
  expect(readdirSync(join(folder, '_carrel/cards'))).toHaveLength(3);
});

test('groups reach the exporter, whatever their names, and pages link to the repository where docs.json asks for that', async () => {
  const groups = ['a,b', '%2C', '100%', '🍀', '-x'];
  const limited = groups.map((group, index) => [`page-${index}.md`, `---\ngroups: [${JSON.stringify(group)}]\n---\n# ${group}`]);
  const source = docs({
    'docs.json': JSON.stringify({ name: 'Docs', feedback: { suggestEdit: true } }),
    ...{ 'index.md': '# Home', 'other.md': '---\ngroups: [other]\n---\n# Other' },
    ...Object.fromEntries(limited),
  });
  const { running } = run({ source, request: { groups }, repository: 'https://github.com/acme/handbook.git#main:docs' });
  const { folder } = await running;
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('https://github.com/acme/handbook/edit/main/docs/index.md');
  const { audience, pages } = JSON.parse(readFileSync(join(folder, 'carrel.json'), 'utf8')) as Manifest;
  expect(audience).toEqual(groups.toSorted());
  expect(pages.map(({ title }) => title).sort()).toEqual(['Home', ...groups].sort());
});

describe('docs that cannot be exported are reported with the error of the exporter', () => {
  test('pages that do not exist', async () => {
    const { running, reports, log } = run({ source: docs({ 'index.md': '# A' }), request: { paths: ['nowhere', 'b'] } });
    const error = { name: 'JobError', code: 'PathNotFound', message: expect.stringContaining('"nowhere", "b"') };
    await expect(running).rejects.toMatchObject(error);
    expect(await log()).toContain('Error (PathNotFound)');
    expect(reports).toEqual([]);
  });

  test('the last error counts, with its hint, without paths of the run’s own folder and without the list below it', async () => {
    const code = `say({ type: 'error', code: 'One', message: 'first.' });
      say({ type: 'error', code: 'Two', message: 'The page "' + process.cwd() + '/source/a.md" loads:\\n  b\\n  c', hint: 'Correct it.' });
      process.exitCode = 1`;
    await expect(run({}, scripted(code)).running).rejects.toMatchObject({
      code: 'Two',
      message: 'The page "source/a.md" loads. Correct it.',
    });
  });

  test('a failed export reports the external requests that it failed for', async () => {
    const egress = [{ page: 'index.html', url: 'https://example.com/a.js' }];
    const error = { code: 'OutsideLoads', message: 'It loads from 1 external origin.', hint: 'Vendor it.' };
    const { running, reports } = run(
      {},
      scripted(`say(${JSON.stringify({ type: 'error', ...error, egress })}); process.exitCode = 1`),
    );
    await expect(running).rejects.toMatchObject({ code: 'OutsideLoads' });
    expect(reports).toEqual([{ error, egress }]);
  });
});

describe('an exporter that does not follow the protocol', () => {
  test.each([
    ['ends with an odd code', 'process.exitCode = 7', 'RunFailed', 'code 7'],
    [
      'prints an error but sends none',
      `console.error('Error (ConfigNotJson): docs.json is broken.'); process.exitCode = 1`,
      'RunFailed',
      'code 1',
    ],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`, 'RunKilled', 'SIGKILL'],
    [
      'is killed after half an error',
      `say('{"type":"error","code":"A"'); process.kill(process.pid, 'SIGKILL')`,
      'RunKilled',
      'SIGKILL',
    ],
    [
      'sends an error with a broken code',
      `say({ type: 'error', code: '<b>', message: 'm' }); process.exitCode = 1`,
      'RunFailed',
      'code 1',
    ],
    ['sends no report', '', 'ReportInvalid', 'no report'],
    [
      'sends an odd report',
      `say({ type: 'report', version: 'v1', pages: -1, files: 1, bytes: 1 })`,
      'ReportInvalid',
      'no report',
    ],
    ['sends half a report', `say(${JSON.stringify(JSON.stringify(goodReport))})`, 'ReportInvalid', 'no report'],
    ['sends an error and ends well', `say({ type: 'error', code: 'A', message: 'm' })`, 'ReportInvalid', 'no report'],
  ])('and %s is reported', async (_, code, errorCode, words) => {
    await expect(run({}, scripted(code)).running).rejects.toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
    });
  });

  test('has its other lines ignored: broken ones, unknown types, endless lines', async () => {
    const lines = [
      'nonsense',
      '[]',
      'null',
      '{"type":"progress","stage":"render"}',
      '{"type":"progress","stage":"sleep","done":1,"total":2}',
      '{"type":"progress","stage":"render","done":-1,"total":2}',
      '{"stage":"render","done":2,"total":2}',
      '{"type":"weather","sky":"blue"}',
      '{"type":"problem","kind":"a","severity":"fatal","message":"m"}',
      '{"__proto__":{"type":"error","code":"A","message":"m"}}',
      '{"type":"progress","stage":"render","done":1,"total":2}',
      JSON.stringify({ type: 'problem', ...problem }),
      JSON.stringify(goodReport),
      '{"type":"report","version":"v2"',
    ];
    const { running, progress, reports } = run({}, scripted(`say(${JSON.stringify(lines.join('\n'))})`));
    expect((await running).result).toEqual({
      ...{ version: 'v1', pages: 1, files: 2, bytes: 3 },
      ...{ warnings: { 'link-without-target': 1 }, problems: { errors: 0, warnings: 1, notes: 0 } },
    });
    expect(progress).toEqual([{ stage: 'render', done: 1, total: 2 }]);
    expect(reports).toEqual([{ version: 'v1', pages: 1, files: 2, bytes: 3, warnings: [problem] }]);
  });

  test('has a report of many megabytes read, and an extremely long line ignored', async () => {
    const code = `say({ type: 'error', code: 'A', message: 'x'.repeat(40 * 1024 * 1024) });
      say({ ...${JSON.stringify(goodReport)}, egress: Array.from({ length: 100_000 }, (_, n) => ({ url: 'https://example.com/' + n })) });`;
    const { running, reports } = run({}, scripted(code));
    expect((await running).result.version).toBe('v1');
    expect((reports[0] as { egress: unknown[] }).egress).toHaveLength(100_000);
  });

  test('cannot fill the memory of the server with problems', async () => {
    const code = `say(${JSON.stringify(goodReport)});
      const line = { type: 'problem', kind: 'a', severity: 'error', message: 'x'.repeat(8 * 1024 * 1024) };
      for (let n = 0; n < 20; n++) say(line);`;
    const { problems } = (await run({}, scripted(code)).running).result;
    expect(problems.errors).toBe(15);
  });

  test('sees nothing of the server’s environment', async () => {
    vi.stubEnv('CARREL_SECRET', 'secret of the server');
    const { running, log } = run({}, scripted('console.log(JSON.stringify(process.env))'));
    await expect(running).rejects.toThrow();
    vi.unstubAllEnvs();
    expect(await log()).not.toContain('secret');
  });
});

test('an export over the limit is refused', async () => {
  const source = docs({ 'index.md': 'x'.repeat(3_000_000) });
  const { running } = run({ source, limits: { minutes: 1, memoryMb: 1024, outputMb: 1 } }, quickExport());
  await expect(running).rejects.toMatchObject({
    code: 'SizeLimit',
    message: expect.stringContaining('The export is larger than 1 MB. Allow more (jobOutputMb in CARREL_LIMITS)'),
  });
});
