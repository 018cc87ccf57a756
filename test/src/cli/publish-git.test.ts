import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { exportOf, filesOf } from '../publish/exports.ts';
import { carrel } from './carrel.ts';
import { listen } from '../../support/listen.ts';

const home = (folder: string) => ({
  ...process.env,
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: undefined,
  XDG_CONFIG_HOME: undefined,
});

/** An empty bare repository, and what a test does with it. */
function newRepository() {
  const folder = temporaryFolder();
  const path = join(folder, 'docs.git');
  const env = home(folder);
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { encoding: 'utf8', env }).trim();
  execFileSync('git', ['init', '--bare', '--quiet', '-b', 'main', path], { env });
  return {
    path,
    folder,
    env,
    git,
    files: (branch: string) => git('ls-tree', '-r', '-z', '--name-only', branch).split('\0').filter(Boolean).sort(),
    /** Commits files to a branch as someone else. */
    commit(branch: string, files: Record<string, string>) {
      const clone = join(temporaryFolder(), 'clone');
      execFileSync('git', ['clone', '--quiet', path, clone], { env, stdio: 'ignore' });
      const inside = (...args: string[]) =>
        execFileSync('git', ['-C', clone, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { env, stdio: 'ignore' });
      try {
        inside('checkout', '--quiet', branch);
      } catch {
        inside('checkout', '--quiet', '--orphan', branch);
      }
      for (const [name, text] of Object.entries(files)) writeFileSync(join(clone, name), text);
      inside('add', '-A');
      inside('commit', '--quiet', '-m', 'By hand');
      inside('push', '--quiet', 'origin', branch);
    },
    publish: (source: string, ...args: string[]) => carrel(['publish', source, `git+file://${path}#gh-pages`, ...args], { env }),
  };
}

const everyFile = [...Object.keys(filesOf('')), '.nojekyll'].sort();

test('a branch is created with the export and without the history of others', async () => {
  const repository = newRepository();
  repository.commit('main', { 'README.md': 'source' });
  const { code, stdout } = await repository.publish(exportOf('one'));
  expect([code, stdout]).toEqual([0, expect.stringContaining('Published Docs one to branch "gh-pages" of file://')]);
  expect(repository.files('gh-pages')).toEqual(everyFile);
  expect(repository.git('log', '--format=%s', 'gh-pages')).toBe('Publish Docs one');
  expect(repository.git('show', 'gh-pages:images/a b.svg')).toContain('<svg');
  expect(repository.files('main')).toEqual(['README.md']);
});

test.each(['false', 'true'])(
  'the next export is one more commit, and none when nothing changed (partial clones: %s)',
  async (allowed) => {
    const repository = newRepository();
    repository.git('config', 'uploadpack.allowFilter', allowed);
    await repository.publish(exportOf('one', { 'old/index.html': 'old' }));
    // The host of the pages adds its own file.
    repository.commit('gh-pages', { CNAME: 'docs.example.com' });
    const kept = await repository.publish(exportOf('two'));
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining('Uploaded 1 of 6 files')]);
    expect(repository.files('gh-pages')).toEqual([...everyFile, 'CNAME', 'carrel.publish.json', 'old/index.html'].sort());
    const removed = await repository.publish(exportOf('two'), '--delete');
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('removed 1 old')]);
    expect(repository.files('gh-pages')).toEqual([...everyFile, 'CNAME'].sort());
    const same = await repository.publish(exportOf('two'), '--delete');
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('Docs two is already at')]);
    expect(repository.git('log', '--format=%s', 'gh-pages').split('\n')).toEqual([
      'Publish Docs two',
      'Publish Docs two',
      'By hand',
      'Publish Docs one',
    ]);
    expect(repository.git('fsck', '--strict')).toBe('');
  },
);

test('--dry-run commits nothing', async () => {
  const repository = newRepository();
  const { code, stdout } = await repository.publish(exportOf('one'), '--dry-run');
  expect([code, stdout]).toEqual([0, expect.stringContaining('upload  guide.md  7 bytes')]);
  expect(repository.git('branch', '--list')).toBe('');
});

test('the branch of a source, a missing repository and a declined push are reported, and nothing changes', async () => {
  const repository = newRepository();
  repository.commit('gh-pages', { 'index.md': 'source' });
  const refused = await repository.publish(exportOf('one'));
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/TargetNotExport.*contains files \(index\.md\)/)]);
  expect(repository.files('gh-pages')).toEqual(['index.md']);

  const missing = await carrel(['publish', exportOf('one'), `git+${repository.path}-missing#gh-pages`], { env: repository.env });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('(TargetNotFound): There is no repository')]);

  const declining = newRepository();
  mkdirSync(join(declining.path, 'hooks'), { recursive: true });
  writeFileSync(join(declining.path, 'hooks/pre-receive'), '#!/bin/sh\necho "branch is protected" >&2; exit 1\n', {
    mode: 0o755,
  });
  const declined = await declining.publish(exportOf('one'));
  expect([declined.code, declined.stderr]).toEqual([1, expect.stringMatching(/TargetDenied.*does not accept the commit/)]);
  expect(declining.git('branch', '--list')).toBe('');
});

test('a commit that someone pushes meanwhile is not overwritten', async () => {
  const repository = newRepository();
  await repository.publish(exportOf('one'));
  // A git that lets someone else push right before it does.
  const bin = temporaryFolder();
  const other = join(temporaryFolder(), 'other.sh');
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  writeFileSync(
    other,
    `${real} --git-dir='${repository.path}' update-ref refs/heads/gh-pages "$(${real} --git-dir='${repository.path}' -c user.name=A -c user.email=a@b commit-tree -m Meanwhile -p gh-pages 'gh-pages^{tree}')"`,
  );
  writeFileSync(join(bin, 'git'), `#!/bin/sh\ncase " $* " in *" push "*) sh '${other}' ;; esac\nexec ${real} "$@"\n`, {
    mode: 0o755,
  });
  const { code, stderr } = await carrel(['publish', exportOf('two'), `git+file://${repository.path}#gh-pages`], {
    env: { ...repository.env, PATH: `${bin}:${process.env.PATH}` },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('(TargetChanged): Another commit was pushed')]);
  expect(repository.git('log', '--format=%s', 'gh-pages').split('\n')).toEqual(['Meanwhile', 'Publish Docs one']);
});

test('git in the environment of a hook, and without a name for commits, publishes all the same', async () => {
  const repository = newRepository();
  const env = { ...repository.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index', EMAIL: undefined };
  const { code } = await carrel(['publish', exportOf('one'), `git+file://${repository.path}#gh-pages`], { env });
  expect([code, repository.files('gh-pages')]).toEqual([0, everyFile]);
});

/** Serves repositories over HTTP by git's own program to those with the password; lists the `Authorization` headers. */
async function startGitServer(root: string, password: string) {
  const seen = new Set<string>();
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
  const server = createServer((request, response) => {
    const given = request.headers.authorization ?? '';
    seen.add(given);
    if (given.replace(/^basic/, 'Basic') !== `Basic ${Buffer.from(password).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const [path, query = ''] = request.url!.split('?');
    const child = spawn(backend, {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        REMOTE_USER: 'writer',
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
      },
    });
    request.pipe(child.stdin);
    const pieces: Buffer[] = [];
    child.stdout
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const all = Buffer.concat(pieces);
        const end = all.indexOf('\r\n\r\n');
        for (const line of all.subarray(0, end).toString().split('\r\n')) {
          const [name = '', value = ''] = line.split(': ');
          if (name === 'Status') response.statusCode = parseInt(value);
          else response.setHeader(name, value);
        }
        response.end(all.subarray(end + 4));
      });
  });
  onTestFinished(() => void server.close());
  return { host: `127.0.0.1:${await listen(server)}`, seen };
}

/** A `git` on the path that writes the arguments of every call to a file. */
function recordingGit(): { path: string; calls: () => string } {
  const bin = temporaryFolder();
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const file = join(bin, 'calls');
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >>'${file}'\nexec ${real} "$@"\n`, { mode: 0o755 });
  return { path: `${bin}:${process.env.PATH}`, calls: () => readFileSync(file, 'utf8') };
}

test('a password in the URL reaches the host, and neither a message nor the arguments of git', async () => {
  const repository = newRepository();
  repository.git('config', 'http.receivepack', 'true');
  const { host, seen } = await startGitServer(repository.folder, 'writer:s3cr3t p@ss');
  const recorded = recordingGit();
  const env = { ...repository.env, PATH: recorded.path };
  const right = await carrel(['publish', exportOf('one'), `git+http://writer:s3cr3t%20p%40ss@${host}/docs.git#gh-pages`], {
    env,
  });
  expect([right.code, right.stderr]).toEqual([0, expect.any(String)]);
  expect(repository.files('gh-pages')).toEqual(everyFile);
  const wrong = await carrel(['publish', exportOf('two'), `git+http://writer:wr0ng@${host}/docs.git#gh-pages`], { env });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/TargetDenied.*refuses access to branch "gh-pages"/)]);
  expect(seen).toContain(`Basic ${Buffer.from('writer:wr0ng').toString('base64')}`);
  expect(recorded.calls()).toContain('push');
  for (const text of [right.stdout, right.stderr, wrong.stdout, wrong.stderr, recorded.calls()])
    expect(text).not.toMatch(/s3cr3t|wr0ng|writer/);
});

test('credentials of the checkout that it runs in are used, as in CI', async () => {
  const repository = newRepository();
  repository.git('config', 'http.receivepack', 'true');
  const { host } = await startGitServer(repository.folder, 'x-access-token:t0ken');
  const checkout = temporaryFolder();
  const env = repository.env;
  execFileSync('git', ['init', '--quiet', checkout], { env });
  const header = `AUTHORIZATION: basic ${Buffer.from('x-access-token:t0ken').toString('base64')}`;
  // As actions/checkout does: in a file of its own, for this checkout.
  const file = join(temporaryFolder(), 'credentials');
  execFileSync('git', ['config', '--file', file, `http.http://${host}/.extraheader`, header], { env });
  execFileSync('git', ['-C', checkout, 'config', `includeIf.gitdir:${checkout}/.git.path`, file], { env });
  const target = `git+http://${host}/docs.git#gh-pages`;
  expect(await carrel(['publish', exportOf('one'), target], { env, cwd: temporaryFolder() })).toMatchObject({ code: 1 });
  expect(await carrel(['publish', exportOf('one'), target], { env, cwd: checkout })).toMatchObject({ code: 0 });
  expect(repository.files('gh-pages')).toEqual(everyFile);
});

test.each([
  ['git+https://example.com/docs.git', /names no branch/],
  ['git+https://user:s3cr3t@example.com/docs.git#-x', /cannot be the name of a branch/],
  ['git+--upload-pack=touch#gh-pages', /names no repository/],
])('%s is refused as a target', async (target, message) => {
  const { code, stderr } = await carrel(['publish', exportOf('one'), target]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(stderr).not.toContain('s3cr3t');
});
