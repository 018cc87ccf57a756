import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startGitServer } from '../../sources/git-server.ts';
import { checkResponse, type ApiDocument } from '../../support/contract.ts';
import { openTestServer } from '../../support/services.ts';
import { writeFiles } from '../../../support/write-files.ts';

const git = await startGitServer();
const { services, request, keyOf } = await openTestServer({
  privateHosts: ['127.0.0.1'],
  gitAuthorities: git.authorities,
  jobOutputMb: 2,
});
const document = (await (await request('GET', '/openapi.json')).json()) as ApiDocument;
const writer = await keyOf('default', ['write']);

afterEach(() => {
  git.before = undefined;
});

async function detect(source: object, key?: string) {
  const response = await request('POST', '/v1/detect', { source }, key);
  await checkResponse(document, 'POST', '/v1/detect', response);
  return { status: response.status, ...(await response.json()) };
}

const repository = (name: string, more: object = {}) => ({ type: 'git', url: `${git.address}/${name}`, ...more });

test('says what a repository contains, and which folder has the docs', async () => {
  const commit = git.commit('program', { 'README.md': '# A', 'src/a.ts': '', 'docs/docs.json': '{}', 'docs/index.md': '# B' });
  expect(await detect(repository('program'))).toEqual({
    status: 200,
    folder: 'docs',
    kind: 'docs-json',
    pages: 1,
    builder: 'docs',
    message: 'A docs.json with 1 page in "docs".',
    others: [],
    commit,
  });
  expect(await detect(repository('program', { folder: 'src' }))).toMatchObject({
    kind: 'none',
    builder: null,
    message: 'There are no docs in "src": neither docs.json, nor Markdown, nor an Astro project. There are docs in "docs".',
  });
  expect(await detect(repository('program', { folder: 'dcs' }))).toMatchObject({
    message: 'There is no folder "dcs". There are docs in "docs".',
  });
  git.commit('program', { 'docs/astro.config.mjs': '' }, 'next');
  git.git('program', 'checkout', '--quiet', 'next');
  git.git('program', 'rm', '--quiet', 'docs/docs.json');
  git.git('program', 'commit', '--quiet', '--message', 'Astro');
  git.git('program', 'checkout', '--quiet', 'main');
  expect(await detect(repository('program', { ref: 'next' }))).toMatchObject({ folder: 'docs', kind: 'astro', builder: 'astro' });
});

test('a built site is for the builder html, which an operator allows', async () => {
  git.commit('built', { 'index.html': '<h1>A', 'guide/index.html': '<h1>B', '404.html': '' });
  expect(await detect(repository('built'))).toMatchObject({
    ...{ folder: '', kind: 'html', pages: 3, builder: 'html' },
    message: 'A built site of 3 pages at the top, whose scripts run on its pages: this requires the scope "operator".',
  });
});

test('submodules and symbolic links are not docs, and the answer names them', async () => {
  git.commit('own', { 'index.md': '# A' });
  git.commit('parts', { 'README.md': '# A', 'packages/a/docs/index.md': '# B', 'packages/a/docs/more.md': '# C' });
  const work = join(git.folder, 'work');
  git.git('parts', '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', join(work, 'own'), 'handbook/docs');
  symlinkSync('packages/a/docs', join(work, 'parts', 'documentation'));
  symlinkSync('/etc/passwd', join(work, 'parts', 'index.md'));
  git.commit('parts', {});
  const submodule = '"handbook/docs" is a submodule, whose files are not fetched: register its own repository.';
  const link = '"documentation" is a symbolic link, which is not followed: name the folder it links to.';
  expect(await detect(repository('parts'))).toMatchObject({
    ...{ folder: 'packages/a/docs', kind: 'markdown', pages: 2 },
    message: `A folder of Markdown with 2 pages in "packages/a/docs". ${link} ${submodule}`,
  });
  const elsewhere = 'There are docs in "packages/a/docs".';
  for (const folder of ['handbook/docs', 'handbook/docs/guides'])
    expect((await detect(repository('parts', { folder }))).message).toBe(
      `There is no folder "${folder}". ${elsewhere} ${submodule}`,
    );
  expect((await detect(repository('parts', { folder: 'documentation' }))).message).toBe(
    `There is no folder "documentation". ${elsewhere} ${link}`,
  );
});

test('a repository that cannot be read is refused with the reason', async () => {
  git.commit('small', { 'index.md': '# A' });
  const refused = async (source: object) => {
    const { status, code, error } = await detect(source);
    expect([status, code]).toEqual([400, 'SourceNotReadable']);
    return error as string;
  };
  expect(await refused(repository('small', { ref: 'missing' }))).toContain('has no branch or tag "missing"');
  expect(await refused(repository('nowhere'))).toContain('There is no repository at');
  git.commit('empty', {});
  git.git('empty', 'update-ref', '-d', 'HEAD');
  expect(await refused(repository('empty'))).toContain('it may be empty');
  git.before = (_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return true;
  };
  expect(await refused(repository('small'))).toContain('requires a user name and password');
});

test('a repository without a file has no docs yet', async () => {
  git.commit('bare', {});
  expect(await detect(repository('bare'))).toMatchObject({ kind: 'none', message: expect.stringContaining('has no files yet') });
});

const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(48_000))).toString('base64');

test('of a large repository, only the names are fetched, where the host supports it; otherwise the limit of jobs applies', async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`data/noise-${index}.txt`, noise()]));
  git.commit('large', { ...files, 'docs/index.md': '# A' });
  expect((await detect(repository('large'))).error).toContain('The repository is larger than 2 MB.');
  git.git('large', 'config', 'uploadpack.allowFilter', 'true');
  expect(await detect(repository('large'))).toMatchObject({ status: 200, folder: 'docs', kind: 'markdown' });
});

test('a small repository whose trees name a billion files is refused', async () => {
  git.commit('bomb', { 'index.md': '# A' });
  const names = Array.from({ length: 10 }, (_, index) => `part-${index}`);
  const tree = (input: string) =>
    execFileSync('git', ['mktree'], { cwd: join(git.folder, 'work', 'bomb'), input, encoding: 'utf8' }).trim();
  let entry = `100644 blob ${git.git('bomb', 'rev-parse', 'HEAD:index.md')}`;
  for (let level = 0; level < 9; level++) entry = `040000 tree ${tree(names.map((name) => `${entry}\t${name}\n`).join(''))}`;
  const commit = git.git('bomb', 'commit-tree', '-m', 'Bomb', entry.split(' ')[2]!);
  git.git('bomb', 'update-ref', 'refs/heads/bomb', commit);
  expect(await detect(repository('bomb', { ref: 'bomb' }))).toMatchObject({
    ...{ status: 400, code: 'SourceNotReadable' },
    error: expect.stringContaining('has more than 100,000 files'),
  });
});

test('a folder of the server is looked at for operators alone, and so is ssh', async () => {
  const path = join(services.options.data, 'folder');
  writeFiles(path, { 'docs/index.md': '# A' });
  expect(await detect({ type: 'folder', path })).toMatchObject({ status: 200, folder: 'docs', kind: 'markdown', commit: null });
  expect(await detect({ type: 'folder', path: join(path, 'missing') })).toMatchObject({ code: 'SourceNotReadable' });
  expect(await detect({ type: 'folder', path }, writer)).toMatchObject({ status: 403, code: 'FolderNeedsOperator' });
  expect(await detect({ type: 'git', url: 'ssh://git@127.0.0.1/a.git' }, writer)).toMatchObject({ code: 'SshNeedsOperator' });
  expect(await detect({ type: 'git', url: 'file:///etc' })).toMatchObject({ status: 400, code: 'RequestInvalid' });
});

test('a private network is not connected to, and at most two sources are looked at, at the same time', async () => {
  const hanging: (() => void)[] = [];
  const arrived = new Promise<void>((resolve) => {
    git.before = (_, response) => {
      hanging.push(() => response.destroy());
      if (hanging.length === 2) resolve();
      return true;
    };
  });
  const both = [detect(repository('small')), detect(repository('small'))];
  await arrived;
  expect(await detect(repository('small'))).toMatchObject({ status: 429, code: 'TooManyRequests' });
  for (const end of hanging) end();
  for (const { status } of await Promise.all(both)) expect(status).toBe(400);
  git.before = undefined;
  services.options.privateHosts.length = 0;
  expect(await detect(repository('small'))).toMatchObject({
    error: expect.stringContaining('is in a private or reserved network'),
  });
  // Of all these, nothing is left on the disk.
  expect(readdirSync(join(services.options.data, 'work'))).toEqual([]);
});
