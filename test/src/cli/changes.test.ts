import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { close, listen } from '../../support/listen.ts';
import { writeFiles } from '../../support/write-files.ts';
import { carrel } from './carrel.ts';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  }).trim();

/** A repository with docs in a commit, and changes to them that are in none. */
function changedDocs() {
  const folder = join(temporaryFolder(), 'repository');
  writeFiles(folder, {
    'docs/docs.json': '{"name":"Birds","navigation":{"pages":["index","heron","stork","owl"]}}',
    'docs/index.mdx': '# Birds\n\n[Heron](/heron), [Gone](/gone)\n',
    'docs/heron.mdx': '# Heron\n\nHerons wade.\n',
    'docs/stork.mdx': '# Stork\n\nStorks walk.\n',
    'docs/owl.mdx': '# Owl\n\nOwls wait.\n',
  });
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'Birds');
  writeFiles(folder, {
    'docs/docs.json':
      '{"name":"Birds","navigation":{"pages":["index","owl","crane"]},"redirects":[{"source":"/stork","destination":"/owl"}]}',
    'docs/index.mdx': '# Birds\n\nMany.\n\n[Heron](/heron), [Gone](/gone)\n',
    'docs/crane.mdx': '# Crane @all [x] *z*\n\nCranes dance.\n',
  });
  for (const name of ['heron', 'stork']) rmSync(join(folder, `docs/${name}.mdx`));
  return folder;
}

test('lists pages, new problems at their lines, and those that are solved', async () => {
  const cwd = changedDocs();
  const run = () => carrel(['changes', 'docs', '--base', 'HEAD', '--url', 'https://preview.example.com/12'], { cwd });
  const { code, stdout, stderr } = await run();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('### docs: 1 page added, 1 changed, 2 removed\n');
  expect(stdout).toContain('**New problems** (1)\n\n- `index.mdx:5` The link "/heron" is broken');
  expect(stdout).not.toContain('/gone');
  expect(stdout).toContain('- added: [Crane @\u2060all \\[x\\] z](https://preview.example.com/12/crane/) `/crane`\n');
  expect(stdout).toContain('- changed: [Birds](https://preview.example.com/12/) `/`\n');
  expect(stdout).toContain('- removed: Heron `/heron`, without a redirect\n- removed: Stork `/stork`\n');

  writeFiles(cwd, { 'docs/index.mdx': '# Birds\n' });
  expect((await run()).stdout).toContain('**Solved problems** (1)\n\n- `index.mdx:3` The link "/gone" is broken');
  git(cwd, 'checkout', '--quiet', '.');
  git(cwd, 'clean', '--quiet', '-d', '--force');
  expect((await run()).stdout).toMatch(/^### docs: no changes\n\nCompared with `[\da-f]{12}`\.\n$/);
});

test('docs that are new, or could not be exported before, count as new', async () => {
  const cwd = changedDocs();
  writeFiles(cwd, { 'more/index.md': '# More\n' });
  expect((await carrel(['changes', 'more', '--base', 'HEAD'], { cwd })).stdout).toContain('- added: More `/`');
  writeFiles(cwd, { 'docs/docs.json': '{"name"' });
  git(cwd, 'commit', '--quiet', '--all', '--message', 'Broken');
  writeFiles(cwd, { 'docs/docs.json': '{"name":"Birds","navigation":{"pages":["index"]}}' });
  const { stdout } = await carrel(['changes', 'docs', '--base', 'HEAD'], { cwd });
  expect(stdout).toMatch(/It could not be exported, so everything counts as new: .*docs\.json/);
  expect(stdout).toContain('- added: Birds `/`');
});

test('nothing of the repository runs, and files that were folders or links are files', async () => {
  const cwd = changedDocs();
  rmSync(join(cwd, 'docs/owl.mdx'));
  writeFiles(cwd, { '.gitattributes': '*.mdx filter=touch\n', 'docs/owl.mdx/index.md': '' });
  git(cwd, 'config', 'filter.touch.smudge', `touch ${join(cwd, 'ran')}`);
  const { code, stdout } = await carrel(['changes', 'docs', '--base', 'HEAD'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('removed: Owl')]);
  expect(() => git(cwd, 'ls-files', '--error-unmatch', '--others', 'ran')).toThrow();
});

test('a commit that git does not know, and docs outside a repository, are named', async () => {
  const cwd = changedDocs();
  for (const base of ['nowhere', '--output=x'])
    expect((await carrel(['changes', 'docs', `--base=${base}`], { cwd })).stderr).toContain(
      `git does not know the commit "${base}"`,
    );
  writeFiles(temporaryFolder(), {});
  const other = temporaryFolder();
  writeFiles(other, { 'index.md': '# A\n' });
  const { code, stderr } = await carrel(['changes', other, '--base', 'main'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('(CommitUnknown)')]);
});

/** The routes of comments of GitHub's API for one pull request, and of GitLab's. */
async function github(status = 200) {
  interface Author {
    id: number;
    type?: string;
  }
  const stranger: Author = { id: 7, type: 'User' };
  const comments = Array.from({ length: 130 }, (_, id) => ({ id, body: `Comment ${id}` as string | null, author: stranger }));
  // A workflow's token does not have a user.
  const token: { user?: Author; fixed?: number } = {};
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    requests.push(`${method} ${url} ${headers.authorization ?? String(headers['private-token'])}`);
    const body = method === 'GET' ? undefined : ((await json(request)) as { body: string }).body;
    const refuse = (refused: number) => response.writeHead(refused).end(JSON.stringify({ message: 'No access' }));
    if (url.endsWith('/user') && status === 200)
      return token.user === undefined ? refuse(403) : response.end(JSON.stringify(token.user));
    if (token.fixed !== undefined && url.endsWith(`/${token.fixed}`)) return refuse(404);
    if (status !== 200) return refuse(status);
    const page = Number(new URL(url, 'http://x').searchParams.get('page'));
    if (method === 'POST') comments.push({ id: comments.length, body: body!, author: token.user ?? { id: 8, type: 'Bot' } });
    if (method === 'PATCH' || method === 'PUT') comments[Number(url.split('/').at(-1))]!.body = body!;
    const field = url.startsWith('/projects/') ? 'author' : 'user';
    return response.end(
      JSON.stringify(
        comments.slice((page - 1) * 100, page * 100).map(({ author, ...comment }) => ({ ...comment, [field]: author })),
      ),
    );
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  comments[3]!.body = null;
  return {
    comments,
    requests,
    token,
    env: { ...process.env, GITHUB_API_URL: `http://127.0.0.1:${port}`, GITHUB_REPOSITORY: 'a/birds', GITHUB_TOKEN: 'secret' },
  };
}

test('a pull request gets one comment, which later runs replace', async () => {
  const cwd = changedDocs();
  const { comments, requests, env } = await github();
  const comment = () => carrel(['changes', 'docs', '--base', 'HEAD', '--comment', '12'], { cwd, env });
  const { code, stderr } = await comment();
  expect([code, stderr]).toEqual([0, '']);
  expect(requests.at(-1)).toBe('POST /repos/a/birds/issues/12/comments Bearer secret');
  expect(comments[130]!.body).toMatch(/^<!-- carrel changes docs -->\n### docs: 1 page added/);
  git(cwd, 'checkout', '--quiet', '.');
  git(cwd, 'clean', '--quiet', '-d', '--force');
  await comment();
  expect([comments.length, comments[130]!.body]).toEqual([131, expect.stringContaining('no changes')]);

  const quiet = await github();
  await carrel(['changes', 'docs', '--base', 'HEAD', '--comment', '12'], { cwd, env: quiet.env });
  expect(quiet.requests.length).toBe(2);
});

test('a comment that another person begins like ours stays, and one that cannot be changed leads to a new one', async () => {
  const cwd = changedDocs();
  const { comments, token, env } = await github();
  comments[5]!.body = '<!-- carrel changes docs -->\nMine.';
  const comment = () => carrel(['changes', 'docs', '--base', 'HEAD', '--comment', '12'], { cwd, env });
  for (const { user, fixed, length } of [
    { length: 131 },
    { length: 131 },
    { length: 132, fixed: 130 },
    { length: 133, user: { id: 9, type: 'User' } },
    { length: 133, user: { id: 9, type: 'User' } },
  ]) {
    Object.assign(token, { user, fixed });
    expect(await comment()).toMatchObject({ code: 0, stderr: '' });
    expect(comments).toHaveLength(length);
  }
  expect(comments[5]!.body).toContain('Mine.');
});

test('a job of GitLab writes the note of a merge request', async () => {
  const cwd = changedDocs();
  const { comments, requests, token, env } = await github();
  token.user = { id: 9 };
  const job = { ...env, GITHUB_TOKEN: '', CI_API_V4_URL: env.GITHUB_API_URL, CI_PROJECT_ID: '5' };
  const comment = (more: object) =>
    carrel(['changes', 'docs', '--base', 'HEAD', '--comment', '12'], { cwd, env: { ...job, ...more } });
  expect(await comment({})).toMatchObject({ code: 1, stderr: expect.stringContaining('GITLAB_TOKEN is not set') });
  for (const route of ['POST /projects/5/merge_requests/12/notes', 'PUT /projects/5/merge_requests/12/notes/130']) {
    expect(await comment({ GITLAB_TOKEN: 'glpat' })).toMatchObject({ code: 0, stderr: '' });
    expect(requests.at(-1)).toBe(`${route} glpat`);
  }
  expect(comments).toHaveLength(131);
});

test('a comment that is refused fails with the reason, and without the token', async () => {
  const cwd = changedDocs();
  const { env } = await github(403);
  const refused = await carrel(['changes', 'docs', '--base', 'HEAD', '--comment', '12'], { cwd, env });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/\(CommentRefused\).*403: No access.*"pull-requests: write"/s),
  ]);
  expect(refused.stderr).not.toContain('secret');
  const missing = await carrel(['changes', 'docs', '--base', 'HEAD', '--comment', '12'], {
    cwd,
    env: { ...env, GITHUB_TOKEN: '' },
  });
  expect(missing.stderr).toContain('GITHUB_TOKEN');
});
