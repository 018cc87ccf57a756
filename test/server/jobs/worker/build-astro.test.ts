import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { progressAt } from '../../../../server/jobs/model/job.ts';
import { signExport, type ExportToRun } from '../../../../server/jobs/worker/run-export.ts';
import { defaultRules } from '../../../../integration/output/check-entries.ts';
import { inspectBundle } from '../../../../integration/output/open-bundle.ts';
import { readPublicKeys } from '../../../../integration/output/signature.ts';
import { newSigningKey } from '../../../../src/signing/signing-key.ts';
import { carrelExport } from '../exporters.ts';
import { siteSettingsSchema } from '../../../../server/sites/sites.ts';
import { buildAstro } from '../../../../server/jobs/worker/build-astro.ts';
import { temporaryFolder } from '../../../integration/export/folder.ts';
import { exportToRun } from '../export-to-run.ts';

const root = join(import.meta.dirname, '../../../..');

/** The fixture, with other files; packages come from the repository. */
function project(files: Record<string, string> = {}, packages = join(root, 'node_modules')): string {
  const folder = temporaryFolder();
  cpSync(join(root, 'fixtures/astro-project'), folder, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|\.astro)$/.test(path),
  });
  symlinkSync(packages, join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function build(source: string, settings: { siteUrl?: string; deployment?: 'air-gapped' } = {}, more: Partial<ExportToRun> = {}) {
  const parsed = siteSettingsSchema.parse({ builder: 'astro', ...settings });
  const { run, ...said } = exportToRun(source, { request: { version: 'v3' }, settings: parsed, ...more });
  return { run, building: buildAstro(run), ...said };
}

test('the project’s own carrel() keeps its options, and exports where the job wants it, once; its issues and its progress are reported', async () => {
  const integration = new URL('../../../../integration/index.ts', import.meta.url).href;
  const source = project({
    'astro.config.mjs': `import carrel from ${JSON.stringify(integration)};
      export default { integrations: [[carrel({ name: 'Its own name', out: 'elsewhere', label: 'v1' }), null]] };`,
    'src/pages/lost.astro': '<title>Lost</title><main><h1>Lost</h1><a href="/nowhere">on</a></main>',
  });
  const { building, progress, reports } = build(source, { siteUrl: 'https://beds.example.com' });
  const { folder, archive, result } = await building;
  expect(result).toMatchObject({ version: 'v3', pages: 3, warnings: { 'link-without-target': 1 } });
  expect(JSON.parse(readFileSync(join(folder, 'carrel.json'), 'utf8'))).toMatchObject({ site: 'Its own name', version: 'v3' });
  expect(readFileSync(join(folder, 'sitemap.xml'), 'utf8')).toContain('https://beds.example.com/guides/sowing');
  expect(existsSync(archive)).toBe(true);
  expect(readdirSync(source)).not.toContain('elsewhere');
  expect(readdirSync(source)).not.toContain('dist');

  expect(reports).toEqual([
    expect.objectContaining({
      pages: 3,
      warnings: expect.arrayContaining([expect.objectContaining({ kind: 'link-without-target' })]),
    }),
  ]);
  expect(result.files).toBeGreaterThan(5);
  expect(progress).toContainEqual({ stage: 'render', done: 3, total: 3 });
  expect(new Set(progress.map(({ stage }) => stage))).toEqual(new Set(['read', 'render', 'index', 'write', 'archive']));
  const percents = progress.map(progressAt);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(percents.at(-1)).toBe(99);
});

test('an export is signed after its build, which sees neither the key nor the server’s environment, with the commit that it was made from', async () => {
  vi.stubEnv('CARREL_SECRET', 'secret of the server');
  const { publicKey, secretFile } = newSigningKey({ now: new Date() });
  const key = join(temporaryFolder(), 'secret.key');
  writeFileSync(key, secretFile, { mode: 0o600 });
  const config = readFileSync(join(root, 'fixtures/astro-project/astro.config.mjs'), 'utf8');
  const source = project({
    'astro.config.mjs': `console.log(JSON.stringify([process.argv, process.env]));\n${config}`,
  });
  const made = { repository: 'https://git.example.com/beds.git#main:', commit: 'c'.repeat(40) };
  const { run, building, log } = build(source, {}, { ...made, signing: { key, password: 'hidden' } });
  const { archive } = await building;
  expect(existsSync(archive)).toBe(false);
  expect(await log()).toContain('ASTRO_TELEMETRY_DISABLED');
  expect(await log()).not.toMatch(/secret\.key|hidden|secret of the server/);
  await signExport(carrelExport, run);
  const rules = { ...defaultRules, keys: readPublicKeys(publicKey, 'the key') };
  const { problems, provenance } = await inspectBundle(archive, { rules });
  expect(problems).toEqual([]);
  expect(provenance?.predicate.buildDefinition.resolvedDependencies).toEqual([
    expect.objectContaining({ uri: 'git+https://git.example.com/beds.git@main', digest: { gitCommit: 'c'.repeat(40) } }),
  ]);
});

test('a build that fails, here for a wrong option, is reported, and its log has the reason with its hint', async () => {
  const integration = new URL('../../../../integration/index.ts', import.meta.url).href;
  const { building, log } = build(
    project({
      'astro.config.mjs': `import carrel from ${JSON.stringify(integration)};
        export default { integrations: [carrel({ outt: 'elsewhere' })] };`,
    }),
  );
  await expect(building).rejects.toMatchObject({ code: 'RunFailed', message: expect.stringContaining('The Astro build') });
  expect(await log()).toMatch(/outt.*Correct the options/s);
});

test('an export that the deployment does not allow fails with its own error, and its report lists the external requests', async () => {
  const { building, reports } = build(
    project({
      'src/pages/film.astro': '<title>Film</title><main><h1>Film</h1><script src="https://cdn.example.com/a.js"></script></main>',
    }),
    { deployment: 'air-gapped' },
  );
  await expect(building).rejects.toMatchObject({ code: 'OutsideLoads' });
  expect(reports).toEqual([
    {
      error: expect.objectContaining({ code: 'OutsideLoads', hint: expect.any(String) }),
      egress: [expect.objectContaining({ url: 'https://cdn.example.com/a.js' })],
    },
  ]);
});

test('a folder that is not an Astro project, and one without Astro, are reported', async () => {
  await expect(build(temporaryFolder()).building).rejects.toMatchObject({ code: 'NotAstro' });
  await expect(build(project({}, temporaryFolder())).building).rejects.toMatchObject({ code: 'AstroMissing' });
});

test('packages that the project needs are installed when none are', async () => {
  const source = temporaryFolder();
  writeFileSync(join(source, 'package.json'), '{ "name": "bare", "private": true }');
  const { building, log } = build(source);
  await expect(building).rejects.toMatchObject({ code: 'AstroMissing', message: expect.stringContaining('Add "astro"') });
  expect(await log()).toMatch(/npm install installs what it needs.*up to date/s);
});
