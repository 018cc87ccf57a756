import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { folderSize } from '../../../server/platform/process-limits.ts';
import type { SourceContext } from '../../../server/sources/fetch-git.ts';
import { fetchSource } from '../../../server/sources/fetch-source.ts';
import { removeOldMirrors } from '../../../server/sources/fetch-git.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { runLogOf } from '../jobs/run-log-of.ts';
import { startGitServer, type GitServer } from './git-server.ts';

// Each fetch is a handful of processes.
const server = await startGitServer();
afterEach(() => {
  server.before = undefined;
});

interface Asked {
  url: string;
  ref?: string;
  folder?: string;
}

/** One fetch in a run's folder of its own; `kept` is what stays between runs. */
async function fetched({ url, ...rest }: Asked, change: Partial<SourceContext> = {}, kept = temporaryFolder()) {
  const folder = temporaryFolder();
  for (const name of ['home', 'temporary']) mkdirSync(join(folder, name));
  const { log, text } = runLogOf(folder);
  const context: SourceContext = {
    folder,
    mirrors: join(kept, 'git'),
    limits: { minutes: 1, memoryMb: 1024, outputMb: 50 },
    privateHosts: ['127.0.0.1', 'localhost'],
    owner: { organization: 'acme', isAlone: true, mayUseSsh: true },
    gitAuthorities: server.authorities,
    log,
    signal: new AbortController().signal,
    ...change,
  };
  const source = { type: 'git' as const, url: url.startsWith('/') ? server.address + url : url, ...rest };
  const outcome = await fetchSource({ domain: 'docs.example.com', source }, context).then(
    ({ folder, commit }) => ({ path: folder, commit, error: undefined }),
    (error: Error & { code?: string }) => ({ path: '', commit: undefined, error }),
  );
  return { ...outcome, folder, kept, log: await text() };
}

describe('what is fetched', () => {
  test('the default branch, a branch, a tag or a folder; the log names the commit', async () => {
    const first = server.commit('many', { 'index.md': '# One', 'docs/a.md': '# A' });
    server.git('many', 'tag', 'v1');
    const second = server.commit('many', { 'index.md': '# Two' });
    const third = server.commit('many', { 'index.md': '# Next' }, 'next/one');
    const home = async (asked: Partial<Asked>) => {
      const { path, log, error } = await fetched({ url: '/many', ...asked });
      expect(error).toBeUndefined();
      return [readFileSync(join(path, asked.folder ? 'a.md' : 'index.md'), 'utf8'), log];
    };
    expect(await home({})).toEqual(['# Two', `Fetched the default branch of ${server.address}/many: commit ${second}.\n`]);
    expect(await home({ ref: 'v1' })).toEqual(['# One', expect.stringContaining(first)]);
    expect(await home({ ref: 'next/one' })).toEqual(['# Next', expect.stringContaining(third)]);
    expect(await home({ folder: 'docs/' })).toEqual(['# A', expect.any(String)]);
  });

  test('the stored repository receives new commits, and is repaired when a run left it incomplete', async () => {
    server.commit('kept', { 'index.md': '# One', 'gone.md': 'x' });
    const one = await fetched({ url: '/kept' });
    server.git('kept', 'rm', '--quiet', 'gone.md');
    server.commit('kept', { 'index.md': '# Two' });
    const two = await fetched({ url: '/kept' }, {}, one.kept);
    expect(filesOf(two.path)).toEqual({ 'index.md': '# Two' });

    const [mirror] = readdirSync(join(one.kept, 'git'));
    writeFileSync(join(one.kept, 'git', mirror!, 'shallow.lock'), '');
    server.commit('kept', { 'index.md': '# Three' });
    const three = await fetched({ url: '/kept' }, {}, one.kept);
    expect(three.error).toBeUndefined();
    expect(readFileSync(join(three.path, 'index.md'), 'utf8')).toBe('# Three');
    expect(three.log).toContain('it is fetched again');
  });

  test('only one commit is fetched, however long the history', async () => {
    for (let n = 0; n < 3; n++) server.commit('long', { 'index.md': `# ${n}`, [`big-${n}.txt`]: `${n}`.repeat(1000) });
    const { kept } = await fetched({ url: '/long' });
    const [mirror] = readdirSync(join(kept, 'git'));
    expect(
      readFileSync(join(kept, 'git', mirror!, 'shallow'), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(1);
  });
});

describe('a hostile repository', () => {
  test('symbolic links to outside become small files', async () => {
    server.commit('links', { 'index.md': '# Links' });
    symlinkSync('/etc/passwd', join(server.folder, 'work/links/passwords.md'));
    symlinkSync('../../../..', join(server.folder, 'work/links/above'));
    server.commit('links', {});
    const { path, error } = await fetched({ url: '/links' });
    expect(error).toBeUndefined();
    expect(readFileSync(join(path, 'passwords.md'), 'utf8')).toBe('/etc/passwd');
    expect(lstatSync(join(path, 'above')).isFile()).toBe(true);
    const inside = await fetched({ url: '/links', folder: 'above' });
    expect(inside.error).toMatchObject({ code: 'GitFolderNotFound' });
  });

  test('submodules stay empty, Git LFS files stay pointers, and hooks and filters do not run; the log says so', async () => {
    const inner = server.commit('inner', { 'secret.md': 'inner' });
    const marker = join(server.folder, 'ran');
    server.commit('outer', {
      'index.md': '# Outer',
      'film.bin': 'version https://git-lfs.github.com/spec/v1\n',
      '.gitattributes': '*.bin filter=lfs diff=lfs\n*.md filter=evil\n',
      '.gitmodules': '[submodule "inner"]\n\tpath = inner\n\turl = ../inner\n',
      '.gitconfig': `[filter "evil"]\n\tsmudge = touch ${marker}\n[core]\n\tfsmonitor = touch ${marker}\n`,
      'hooks/post-checkout': `#!/bin/sh\ntouch ${marker}\n`,
    });
    server.git('outer', 'update-index', '--add', '--cacheinfo', `160000,${inner},inner`);
    server.git('outer', 'commit', '--quiet', '--message', 'Submodule');
    const { path, log, error } = await fetched({ url: '/outer' });
    expect(error).toBeUndefined();
    expect(readdirSync(path).sort()).toContain('index.md');
    expect(existsSync(join(path, 'inner/secret.md'))).toBe(false);
    expect(readFileSync(join(path, 'film.bin'), 'utf8')).toContain('git-lfs');
    expect(log).toContain('Submodules are not fetched');
    expect(log).toContain('Git LFS');
    expect(existsSync(marker)).toBe(false);
  });

  test('a repository over the limit is refused during the fetch, and nothing of it is stored', async () => {
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(48_000))).toString('base64');
    server.commit('huge', Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`noise-${n}.txt`, noise()])));
    const limits = { minutes: 1, memoryMb: 1024, outputMb: 1 };
    const { error, kept } = await fetched({ url: '/huge' }, { limits });
    expect(error).toMatchObject({ code: 'SizeLimit', message: expect.stringContaining('The repository is larger than 1 MB.') });
    expect((await folderSize(join(kept, 'git'))).bytes).toBeLessThan(1024 * 1024);
  });

  test('a repository that is small until it is unpacked is refused during the checkout', async () => {
    const text = 'a'.repeat(1_000_000);
    server.commit('bomb', Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`copy-${n}.txt`, text])));
    const { error } = await fetched({ url: '/bomb' }, { limits: { minutes: 1, memoryMb: 1024, outputMb: 5 } });
    expect(error).toMatchObject({ code: 'SizeLimit' });
  });
});

describe('a faulty or hostile host', () => {
  test('a fetch from a host that hangs ends at the time limit', async () => {
    server.before = () => true;
    const { error } = await fetched({ url: '/many' }, { limits: { minutes: 1 / 60, memoryMb: 1024, outputMb: 50 } });
    expect(error).toMatchObject({ code: 'TimeLimit' });
  });

  test('a fetch from a host that hangs ends when the job is stopped', async () => {
    const stop = new AbortController();
    server.before = () => {
      stop.abort(new Error('stopped'));
      return true;
    };
    expect((await fetched({ url: '/many' }, { signal: stop.signal })).error?.message).toBe('stopped');
  });

  test.each(['file:///etc', 'https://169.254.169.254/latest', 'https://localhost:1/x', 'ext::sh -c touch'])(
    'a redirect to %s is not followed',
    async (location) => {
      const asked: string[] = [];
      server.before = (request, response) => {
        asked.push(request.url!);
        response.writeHead(302, { location }).end();
        return true;
      };
      const { error } = await fetched({ url: '/many' });
      expect(error).toMatchObject({ code: 'GitRedirected' });
      expect(asked).toHaveLength(1);
    },
  );

  test('a host that asks for a password is reported at once, without a prompt', async () => {
    server.before = needsPassword('user', 'right password');
    const { error } = await fetched({ url: '/many' });
    expect(error).toMatchObject({ code: 'GitAccessDenied', message: expect.stringContaining('CARREL_GIT_CREDENTIALS') });
    expect(error?.message).toContain(`https://USER:PASSWORD@127.0.0.1:${server.port}`);
  });

  test('a certificate of an unknown authority is refused', async () => {
    expect((await fetched({ url: '/many' }, { gitAuthorities: undefined })).error).toMatchObject({
      code: 'GitCertificateRefused',
    });
  });

  test.each<[string, Asked, string, string]>([
    ['a branch that does not exist', { url: '/many', ref: 'nowhere' }, 'GitRefNotFound', '"nowhere"'],
    ['a repository that does not exist', { url: '/nobody' }, 'GitRepositoryNotFound', '/nobody'],
    ['a folder that does not exist', { url: '/many', folder: 'a/b' }, 'GitFolderNotFound', '"a/b"'],
    ['a folder that is a file', { url: '/many', folder: 'index.md' }, 'GitFolderNotFound', 'is not a folder'],
    ['a port where nobody listens', { url: 'https://127.0.0.1:1/x' }, 'GitHostUnreachable', 'does not answer'],
    ['a host that does not exist', { url: 'https://nowhere.invalid/x' }, 'HostUnknown', 'nowhere.invalid'],
    ['a private address that is not listed', { url: 'https://10.0.0.1/x' }, 'AddressPrivate', '10.0.0.1'],
    ['an address of the cloud itself', { url: 'https://169.254.169.254/x' }, 'AddressPrivate', '169.254.169.254'],
    ['ssh to a private address', { url: 'ssh://git@10.0.0.1/x' }, 'AddressPrivate', '10.0.0.1'],
    ['ssh to a port where nobody listens', { url: 'ssh://git@127.0.0.1:1/x' }, 'GitHostUnreachable', 'does not answer'],
  ])('%s is reported', async (_, asked, code, words) => {
    const { error } = await fetched(asked);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  test('the private address of this machine is refused unless it is listed', async () => {
    expect((await fetched({ url: '/many' }, { privateHosts: [] })).error).toMatchObject({ code: 'AddressPrivate' });
  });

  test('git connects to the checked IP address, even if the host name resolves to another one later', async () => {
    const { error } = await fetched({ url: `https://localhost:${server.port}/many` });
    expect(error).toBeUndefined();
  });
});

describe('credentials', () => {
  const credentials = (text: string) => {
    const file = join(temporaryFolder(), 'credentials');
    writeFileSync(file, text);
    return file;
  };

  test('are read from the file, appear in no log, and stay in their file', async () => {
    server.commit('private', { 'index.md': '# Private' });
    server.before = needsPassword('robot', 'p4ss w0rd');
    const line = `https://robot:p4ss%20w0rd@127.0.0.1:${server.port}\n`;
    const file = credentials(line);
    const { path, log, folder, error } = await fetched({ url: '/private' }, { gitCredentials: file });
    expect(error).toBeUndefined();
    expect(readFileSync(join(path, 'index.md'), 'utf8')).toBe('# Private');
    expect(log).not.toMatch(/p4ss|robot/);
    expect(readFileSync(file, 'utf8')).toBe(line);
    const written = Object.values(filesOf(folder));
    expect(written).toContain('# Private');
    expect(written.filter((text) => /p4ss/.test(text))).toEqual([]);
  });

  test('that are wrong are reported without being shown, and stay in their file', async () => {
    server.before = needsPassword('robot', 'another');
    const file = credentials(`https://robot:p4ssw0rd@127.0.0.1:${server.port}\n`);
    const { error, log } = await fetched({ url: '/private' }, { gitCredentials: file });
    expect(error).toMatchObject({ code: 'GitAccessDenied' });
    expect(`${error?.message}${log}`).not.toContain('p4ssw0rd');
    expect(readFileSync(file, 'utf8')).toContain('p4ssw0rd');
  });

  test('of one organization, or of some repositories, are not given to others', async () => {
    for (const name of ['private', 'secret']) server.commit(name, { 'index.md': `# ${name}` });
    const asked: (string | undefined)[] = [];
    server.before = (request, response) => {
      asked.push(request.headers.authorization);
      return needsPassword('robot', 'p4ssw0rd')(request, response);
    };
    const entry = `https://robot:p4ssw0rd@127.0.0.1:${server.port}`;
    const outcome = async (text: string, url: string, organization: string) => {
      asked.length = 0;
      const owner = { organization, isAlone: false, mayUseSsh: false };
      const { error, log } = await fetched({ url }, { gitCredentials: credentials(text), owner });
      expect(log).not.toContain('p4ssw0rd');
      expect(error ? asked : [undefined]).toEqual([undefined]);
      return error?.code ?? 'fetched';
    };
    const acme = `${entry} organization=acme\n`;
    expect(await outcome(acme, '/private', 'acme')).toBe('fetched');
    expect(await outcome(acme, '/private', 'rivals')).toBe('GitAccessDenied');
    const handbook = `${entry} repositories=private\n`;
    expect(await outcome(handbook, '/private', 'rivals')).toBe('fetched');
    expect(await outcome(handbook, '/secret', 'acme')).toBe('GitAccessDenied');
    expect(await outcome(`${entry}\n`, '/private', 'acme')).toBe('GitAccessDenied');
    expect(await outcome(`${entry}\n${acme}`, '/private', 'acme')).toBe('fetched');
  });

  test('for another host are not given to this one', async () => {
    let given: string | undefined;
    server.before = (request, response) => {
      given ??= request.headers.authorization;
      return needsPassword('robot', 'p4ssw0rd')(request, response);
    };
    const file = credentials('https://robot:p4ssw0rd@git.example.com\n');
    expect((await fetched({ url: '/private' }, { gitCredentials: file })).error).toMatchObject({ code: 'GitAccessDenied' });
    expect(given).toBeUndefined();
  });

  test('in a file that does not exist are reported', async () => {
    const { error } = await fetched({ url: '/many' }, { gitCredentials: '/nowhere/credentials' });
    expect(error).toMatchObject({ code: 'GitCredentialsNotReadable' });
  });
});

test('a machine without git: the error says what to install', async () => {
  vi.stubEnv('PATH', temporaryFolder());
  try {
    const { error } = await fetched({ url: '/many' });
    expect(error).toMatchObject({ code: 'GitMissing', message: expect.stringContaining('Install it') });
  } finally {
    vi.unstubAllEnvs();
  }
});

function needsPassword(user: string, password: string): NonNullable<GitServer['before']> {
  const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return (request, response) => {
    if (request.headers.authorization === wanted) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return true;
  };
}

test('stored repositories without a fetch for a month are removed', async () => {
  const folder = temporaryFolder();
  const now = Date.UTC(2026, 10, 21);
  for (const [name, days] of [
    ['used', 29],
    ['old', 31],
  ] as const) {
    mkdirSync(join(folder, name));
    const file = join(folder, name, 'FETCH_HEAD');
    writeFileSync(file, '');
    const at = new Date(now - days * 24 * 60 * 60 * 1000);
    utimesSync(file, at, at);
  }
  await removeOldMirrors(folder, now);
  expect(readdirSync(folder)).toEqual(['used']);
  await removeOldMirrors(join(folder, 'not-there'), now);
});
