import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { projectOf } from '../../ci/project.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { close, listen } from '../../support/listen.ts';
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
  git(project, 'init', '--quiet', '-b', branch);
  git(project, 'remote', 'add', 'origin', 'https://gitlab.example.com/docs/docs.git');
  git(project, 'add', '-A');
  git(project, 'commit', '--quiet', '-m', 'Docs');
  return project;
}

const git = (project: string, ...args: string[]) =>
  execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' }).trim();

const ci = async (project: string, ...args: string[]) =>
  (await run(process.execPath, [runner, ...args], { cwd: project })).stdout;

/** The jobs of a pipeline: what the rules of the template allow. */
async function namesIn(project: string, ...args: string[]): Promise<string[]> {
  const [, ...lines] = (await ci(project, '--list-csv', ...args)).trim().split('\n');
  return lines.map((line) => line.split(';')[0]!.replaceAll('"', ''));
}

/** Runs the scripts of jobs one after another, as GitLab makes them of the template; returns the exit code of the last and all output. */
async function runJobs(
  project: string,
  names = ['docs-export'],
  variables: NodeJS.ProcessEnv = {},
): Promise<{ code: number; log: string }> {
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
        ...variables,
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

test('a merge request gets a comment with what it changes', async () => {
  const project = repositoryOf(docs, { comment: true });
  const request = ['CI_PIPELINE_SOURCE=merge_request_event', 'CI_MERGE_REQUEST_PROJECT_ID=7', 'CI_PROJECT_ID=7'];
  const names = (variables: string[]) => namesIn(project, ...variables.flatMap((variable) => ['--variable', variable]));
  expect(await names(request)).toContain('docs-changes');
  expect(await names([...request.slice(0, 2), 'CI_PROJECT_ID=8'])).not.toContain('docs-changes');

  const asked: unknown[] = [];
  const server = createServer((asking, response) => {
    void text(asking).then((body) => {
      asked.push([asking.method, asking.url, asking.headers['private-token'], body]);
      response.end(asking.method === 'GET' ? '[]' : '{}');
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  writeFileSync(join(project, 'docs/index.mdx'), '# Birds\n\nHerons wade, storks walk.\n');
  const { code, log } = await runJobs(project, ['docs-changes'], {
    CI_MERGE_REQUEST_DIFF_BASE_SHA: git(project, 'rev-parse', 'HEAD'),
    CI_MERGE_REQUEST_IID: '12',
    CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
    CI_PROJECT_ID: '7',
    GITLAB_TOKEN: 'a-token',
  });
  expect([code, log]).toEqual([0, expect.stringContaining('0 pages added, 1 changed, 0 removed')]);
  expect(asked.at(-1)).toEqual([
    'POST',
    '/api/v4/projects/7/merge_requests/12/notes',
    'a-token',
    expect.stringContaining('changed: Birds `/`'),
  ]);
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
