import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { validateAction } from '@action-validator/core';
import { expect, onTestFinished, test } from 'vitest';
import { defaultRules } from '../../integration/output/check-entries.ts';
import { verifyBundle } from '../../integration/output/open-bundle.ts';
import { readPublicKeys } from '../../integration/output/signature.ts';
import { temporaryFolder } from '../integration/export/folder.ts';
import { close, listen } from '../support/listen.ts';
import { passwordKey } from '../support/password-key.ts';
import { projectOf } from './project.ts';
import { action, actionFile, runAction, runsFor } from './run-action.ts';
import { carrelVersion, isPublished } from '../../src/version.ts';

const root = join(import.meta.dirname, '../..');
const docs = {
  'docs/docs.json': '{"name":"Birds","navigation":{"pages":["index"]}}',
  'docs/index.mdx': '# Birds\n\nHerons wade.\n',
};
// actions/setup-node would put this Node on the path.
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, VITEST: undefined, NODE_ENV: undefined };

test('the action has the shape that GitHub wants', () => {
  expect(validateAction(readFileSync(actionFile, 'utf8'))).toMatchObject({ actionType: 'action', errors: [] });
  // The check finds what is wrong.
  expect(validateAction('name: x\nruns:\n  using: composite\n').errors).not.toEqual([]);
});

test('inputs reach scripts as variables only, so that none can add a command', () => {
  const scripts = action.runs.steps.flatMap(({ run }) => run ?? []);
  expect(scripts.length).toBeGreaterThan(4);
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
});

test('the action installs the version of Carrel that it comes with, once that is published', () => {
  expect(action.inputs.package!.default).toBe(isPublished ? `carrel@${carrelVersion}` : '');
});

test('docs are exported, signed, uploaded and published', async () => {
  const project = projectOf(docs);
  const target = join(temporaryFolder(), 'gh pages.git');
  execFileSync('git', ['init', '--bare', '--quiet', target]);
  const run = await runAction(
    project,
    {
      check: 'false',
      'site-url': 'https://docs.example.com/',
      zip: 'docs.zip',
      'signing-key': passwordKey.secretFile,
      'signing-password': passwordKey.password,
      pages: 'true',
      publish: `git+${target}#gh-pages`,
    },
    env,
  );
  expect(run.log).toContain('Published Birds');
  const out = join(project, '../runner/carrel-export');
  expect(run).toMatchObject({
    code: 0,
    outputs: { kind: 'docs', folder: out },
    uses: {
      'actions/setup-node': { 'node-version': '24' },
      'actions/upload-artifact': { name: 'docs', path: out },
      'actions/upload-pages-artifact': { path: out },
    },
  });
  const rules = { ...defaultRules, keys: readPublicKeys(passwordKey.publicKey, 'the key') };
  expect(await verifyBundle(join(project, 'docs.zip'), rules)).toEqual([]);
  expect(readFileSync(join(out, 'sitemap.xml'), 'utf8')).toContain('https://docs.example.com/');
  const published = execFileSync('git', ['-C', target, 'ls-tree', '--name-only', 'gh-pages'], { encoding: 'utf8' });
  expect(published.split('\n')).toEqual(
    expect.arrayContaining(['.nojekyll', 'carrel.json', 'carrel.json.minisig', 'index.html']),
  );
});

test('by default, nothing is published, and warnings do not fail the job', async () => {
  const project = projectOf({ ...docs, 'docs/index.mdx': '# Birds\n\n<Card titel="Heron">Wades.</Card>\n' });
  const run = await runAction(project, {}, env);
  expect(run.code).toBe(0);
  expect(run.steps.map((step) => step.replace(/@.*/, ''))).toEqual([
    'actions/setup-node',
    'Prepare',
    'Check',
    'Export',
    'Verify',
    'actions/upload-artifact',
  ]);
  expect(run.log).toMatch(/^::warning .*file=docs\/index\.mdx,line=3/m);
  const strict = await runAction(project, { strict: 'true' }, env);
  expect([strict.code, strict.steps.at(-1)]).toEqual([3, 'Check']);
  const unchecked = await runAction(project, { strict: 'true', check: 'false' }, env);
  expect([unchecked.code, unchecked.steps.at(-1)]).toEqual([3, 'Export']);
});

test('a pull request of the repository itself gets a comment on what it changes', async () => {
  const project = projectOf(docs);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('add', 'docs');
  git('commit', '--quiet', '--message', 'Birds');
  writeFileSync(join(project, 'docs/index.mdx'), '# Birds\n\nStorks walk.\n');
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') bodies.push(`${request.url} ${await text(request)}`);
    response.end('[]');
  });
  const api = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => close(server));
  const summary = join(project, '../summary');
  const pullRequest = (from: string) => ({
    event_name: 'pull_request',
    repository: 'a/birds',
    event: { number: 7, pull_request: { base: { sha: git('rev-parse', 'HEAD') }, head: { repo: { full_name: from } } } },
  });
  const own = { ...env, GITHUB_API_URL: api, GITHUB_REPOSITORY: 'a/birds', GITHUB_STEP_SUMMARY: summary };
  const inputs = { check: 'false', comment: 'true', 'github-token': 'secret', 'preview-url': 'https://preview.example.com/' };
  const run = await runAction(project, inputs, own, pullRequest('a/birds'));
  expect(run.code, run.log).toBe(0);
  expect(run.steps).toContain('Comment');
  expect(bodies).toEqual([
    expect.stringMatching(/^\/repos\/a\/birds\/issues\/7\/comments .*changed: \[Birds\]\(https:\/\/preview/),
  ]);
  expect(readFileSync(summary, 'utf8')).toContain('1 changed');
  const events = [pullRequest('a/birds'), pullRequest('b/birds'), { repository: 'a/birds', event_name: 'push' }];
  expect(events.map((event) => runsFor('Comment', inputs, event))).toEqual([true, false, false]);
});

test('a broken link is annotated at its line, and fails the job before the export', async () => {
  const project = projectOf({ ...docs, 'docs/index.mdx': '# Birds\n\n[Missing](/missing)\n' });
  const run = await runAction(project, {}, env);
  expect([run.code, run.steps.at(-1)]).toEqual([1, 'Check']);
  expect(run.log).toMatch(/^::error .*file=docs\/index\.mdx,line=3/m);
});

test('a folder of built HTML is checked and exported', async () => {
  const project = projectOf({
    'dist/index.html': '<html><head><title>Birds</title></head><body><main><h1>Birds</h1></main></body></html>',
  });
  const run = await runAction(project, { folder: 'dist' }, env);
  expect([run.code, run.log]).toEqual([0, expect.stringContaining('is intact')]);
});

test('names with spaces, quotes and commands are names', async () => {
  const folder = `my "docs" $(touch owned) 'x'`;
  const project = projectOf({ [`${folder}/index.md`]: '# Birds\n' });
  const run = await runAction(project, { folder, out: 'the `touch owned` site' }, env);
  expect([run.code, run.outputs.folder]).toEqual([0, 'the `touch owned` site']);
  expect(readdirSync(project)).toContain('the `touch owned` site');
  expect(readdirSync(project)).not.toContain('owned');
});

test('Carrel is installed where the repository, here with its docs at the root, does not have it', async () => {
  const project = projectOf({ 'docs.json': docs['docs/docs.json'], 'index.mdx': '# Birds' });
  const tool = join(project, '../tool');
  mkdirSync(tool);
  // Stands for the published package.
  renameSync(join(project, 'node_modules/.bin/carrel'), join(tool, 'carrel'));
  writeFileSync(join(tool, 'package.json'), '{ "name": "carrel", "version": "1.0.0", "bin": "./carrel" }');
  const run = await runAction(project, { folder: '.', package: tool }, env);
  expect([run.code, run.log]).toEqual([0, expect.stringContaining('is intact')]);
  expect(existsSync(join(project, '../runner/carrel/node_modules/.bin/carrel'))).toBe(true);
});

test('a missing folder and a project without an export are annotated', async () => {
  const missing = await runAction(projectOf(docs), { folder: 'guide' }, env);
  expect([missing.code, missing.log]).toEqual([1, expect.stringContaining('::error::There is no folder "guide".')]);
  const project = projectOf({ 'site/astro.config.mjs': 'export default {}' });
  const unlocked = await runAction(project, { folder: 'site' }, env);
  expect([unlocked.code, unlocked.log]).toEqual([1, expect.stringContaining('::error::"site" has neither node_modules nor')]);
  const bin = join(project, 'site/node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'astro'), '#!/bin/sh\necho built\n', { mode: 0o755 });
  const without = await runAction(project, { folder: 'site' }, env);
  expect([without.code, without.log]).toEqual([
    1,
    expect.stringMatching(/built\n[^]*::error::There is no export in "site\/dist-offline"\./),
  ]);
});

test('an Astro project is built, and its offline copy is uploaded', async () => {
  const project = projectOf({});
  const garden = join(project, 'garden');
  cpSync(join(root, 'fixtures/astro-project'), garden, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|\.astro|dist|dist-offline)$/.test(path),
  });
  symlinkSync(join(root, 'node_modules'), join(garden, 'node_modules'), 'junction');
  const config = readdirSync(garden).find((name) => name.startsWith('astro.config.'))!;
  writeFileSync(
    join(garden, config),
    `import carrel from ${JSON.stringify(join(root, 'integration/index.ts'))};\nexport default { integrations: [carrel()] };\n`,
  );
  const run = await runAction(project, { folder: 'garden' }, env);
  expect(run, run.log).toMatchObject({
    code: 0,
    outputs: { kind: 'astro', folder: 'garden/dist-offline' },
    uses: { 'actions/upload-artifact': { path: 'garden/dist-offline' } },
  });
  expect(run.steps).not.toContain('Check');
});
