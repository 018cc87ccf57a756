import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { projectOf } from '../../ci/project.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrelVersion, isPublished } from '../../../src/version.ts';

const root = join(import.meta.dirname, '../../..');
const template = readFileSync(join(root, 'server/deploy/gitlab/carrel.gitlab-ci.yml'), 'utf8');
const runner = join(root, 'node_modules/gitlab-ci-local/dist/index.js');
const docs = {
  'docs/docs.json': '{"name":"Birds","navigation":{"pages":["index"]}}',
  'docs/index.mdx': '# Birds\n\nHerons wade.\n',
};
const run = promisify(execFile);

interface Job {
  stage: string;
  variables?: Record<string, string>;
  before_script?: string[];
  script: string[];
  artifacts?: { paths: string[] };
}

/** A repository that includes the template, with a commit on a branch. */
function repositoryOf(files: Record<string, string>, inputs: object, branch = 'main'): string {
  const include = [{ local: 'carrel.gitlab-ci.yml', inputs }];
  const project = projectOf({
    ...files,
    'carrel.gitlab-ci.yml': template,
    '.gitlab-ci.yml': stringify({ include }),
    '.gitignore': 'node_modules\n',
  });
  const git = (...args: string[]) => execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args]);
  git('init', '--quiet', '-b', branch);
  git('remote', 'add', 'origin', 'https://gitlab.example.com/docs/docs.git');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'Docs');
  return project;
}

const ci = async (project: string, ...args: string[]) =>
  (await run(process.execPath, [runner, ...args], { cwd: project })).stdout;

/** The jobs of a pipeline: what the rules of the template allow. */
async function namesIn(project: string): Promise<string[]> {
  const [, ...lines] = (await ci(project, '--list-csv')).trim().split('\n');
  return lines.map((line) => line.split(';')[0]!.replaceAll('"', ''));
}

/** Runs the scripts of jobs one after another, as GitLab makes them of the template; returns the exit code of the last and all output. */
async function runJobs(project: string, names = ['docs-export']): Promise<{ code: number; log: string }> {
  let log = '';
  const jobs = parse(await ci(project, '--preview')) as Record<string, Job>;
  for (const job of names.map((name) => jobs[name]!)) {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', [...(job.before_script ?? []), ...job.script].join('\n')], {
      cwd: project,
      env: {
        ...process.env,
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        CI_PROJECT_DIR: project,
        ...job.variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = new Promise<number>((done, fail) => child.once('error', fail).once('close', (code) => done(code ?? 1)));
    const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
    log += stdout + stderr;
    if (code !== 0) return { code, log };
    const missing = (job.artifacts?.paths ?? []).filter((path) => !existsSync(join(project, path)));
    if (missing.length > 0) throw new Error(`Artifacts are missing: ${missing.join(', ')}`);
  }
  return { code: 0, log };
}

test('the template is valid, and publishes only from the default branch, and only where it should', async () => {
  const everything = { pages: true, publish: 's3://docs/x' };
  const names = (inputs: object, branch?: string) => namesIn(repositoryOf(docs, inputs, branch));
  expect(await names({})).toEqual(['docs-export']);
  expect((await names(everything)).sort()).toEqual(['docs-export', 'docs-publish', 'pages']);
  expect(await names(everything, 'draft')).toEqual(['docs-export']);
  // The schema finds what is wrong.
  const broken = repositoryOf(docs, {});
  writeFileSync(join(broken, 'carrel.gitlab-ci.yml'), template.replace('resource_group:', 'resourse_group:'));
  await expect(namesIn(broken)).rejects.toThrow(/resourse_group/);
});

test('the template installs the version of Carrel that it comes with, once that is published', () => {
  expect(/ package:\n.*\n +default: (.*)\n/.exec(template)?.[1]).toBe(isPublished ? `carrel@${carrelVersion}` : "''");
});

test('docs are exported, published and handed to Pages', async () => {
  const target = temporaryFolder();
  const inputs = { 'site-url': 'https://docs.example.com/', pages: true, publish: `file:${target}` };
  const project = repositoryOf(docs, inputs);
  const { code, log } = await runJobs(project, ['docs-export', 'docs-publish', 'pages']);
  expect([code, log]).toEqual([0, expect.stringContaining('Published Birds')]);
  expect(readdirSync(target)).toEqual(expect.arrayContaining(['carrel.json', 'index.html', 'sitemap.xml']));
  expect(readdirSync(join(project, 'public'))).toEqual(expect.arrayContaining(['carrel.json', 'index.html']));
});

test('docs at the root, warnings, and a missing folder', async () => {
  const broken = { 'docs.json': docs['docs/docs.json'], 'index.mdx': '# Birds\n\n[Missing](/missing)\n' };
  expect(await runJobs(repositoryOf(broken, { folder: '.', check: false }))).toMatchObject({ code: 0 });
  expect(await runJobs(repositoryOf(broken, { folder: '.', check: false, strict: true }))).toMatchObject({ code: 3 });
  const { code, log } = await runJobs(repositoryOf(docs, { folder: 'guide' }));
  expect([code, log]).toEqual([1, expect.stringContaining('There is no folder "guide".')]);
});

test('a broken link fails the job before the export', async () => {
  const project = repositoryOf({ ...docs, 'docs/index.mdx': '# Birds\n\n[Missing](/missing)\n' }, {});
  const { code, log } = await runJobs(project);
  expect([code, log]).toEqual([1, expect.stringMatching(/index\.mdx:3:/)]);
  expect(existsSync(join(project, 'carrel-export'))).toBe(false);
});

test('an Astro project without an export says what it needs', async () => {
  const project = repositoryOf({ 'site/astro.config.mjs': 'export default {}', 'site/dist/index.html': 'x' }, { folder: 'site' });
  const bin = join(project, 'site/node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'astro'), '#!/bin/sh\necho built\n', { mode: 0o755 });
  const { code, log } = await runJobs(project);
  expect([code, log]).toEqual([1, expect.stringMatching(/built\n[^]*needs carrel\(\) of @carrel\/astro/)]);
});
