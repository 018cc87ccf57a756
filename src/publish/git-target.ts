// A branch of a git repository, such as the one of GitHub Pages. Only the trees of its last commit are fetched, and one commit is pushed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode, ExportError, type ExportErrorCode } from '../../integration/errors.ts';
import { usualGitFault } from '../../server/sources/git-failure.ts';
import { gitEnvironment, gitIn, gitRemote, runGit, type Git, type GitResult } from './git-process.ts';
import { notAnExport, type FileToPublish, type Target } from './target.ts';

export interface GitAddress {
  url: string;
  branch: string;
  /** Title of the commit. */
  title: string;
  environment: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

const commitRef = 'refs/heads/carrel';
const fetchedRef = 'refs/carrel/fetched';

/**
 * Throws `ExportError` `GitNotInstalled`, `TargetDenied`, `TargetNotFound`, `TargetUnavailable`, `TargetNotExport` (the branch has files and no
 * `carrel.json`), `TargetChanged` (another commit was pushed meanwhile).
 */
export async function openGitTarget({ url, branch, title, environment, signal }: GitAddress): Promise<Target> {
  const remote = gitRemote(url);
  const shown = `branch "${branch}" of ${remote.url}`;
  const repository = await mkdtemp(join(tmpdir(), 'carrel-publish-'));
  const close = () => rm(repository, { recursive: true, force: true });
  try {
    const gitEnv = await gitEnvironment(environment, remote).catch(rethrowMissingGit);
    const git = gitIn(repository, gitEnv, signal);
    const orFail = async (args: string[]) => output(await runGit(git(args)), shown);
    await orFail(['init', '--bare', '--quiet', '--template=']);
    await orFail(['config', 'remote.origin.url', remote.url]);
    const listed = await orFail(['ls-remote', '--heads', '--', 'origin', `refs/heads/${branch}`]);
    const [parent = ''] = listed.split('\t');
    if (parent !== '')
      await orFail([
        'fetch',
        '--quiet',
        '--depth=1',
        '--filter=blob:none',
        '--no-tags',
        'origin',
        `+refs/heads/${branch}:${fetchedRef}`,
      ]);
    const names =
      parent === '' ? [] : (await orFail(['ls-tree', '-r', '-z', '--name-only', fetchedRef])).split('\0').slice(0, -1);
    const there = new Set(names);
    if (there.size > 0 && !there.has('carrel.json'))
      throw notAnExport(
        `The ${shown}`,
        names,
        'Choose a branch of its own, such as gh-pages; one that does not exist is created.',
      );

    let commit: Commit | undefined;
    const begin = async () => (commit ??= await beginCommit(git, { title, parent, author: await identity(gitEnv) }));
    return {
      shown,
      // One stream of files.
      lanes: 1,
      read: async (path) =>
        there.has(path) ? Buffer.from(await orFail(['cat-file', 'blob', `${fetchedRef}:${path}`])) : undefined,
      find: async (path) => (there.has(path) ? {} : undefined),
      put: async (file) => (await begin()).write(file),
      remove: async (path) => (await begin()).remove(path),
      async finish() {
        if (!commit) return;
        // Without it, GitHub Pages hides files whose name begins with "_".
        if (!there.has('.nojekyll'))
          await commit.write({ path: '.nojekyll', sha256: '', size: 0, read: async () => new Uint8Array(), async *stream() {} });
        output(await commit.end(), shown);
        const pushed = await runGit(git(['push', '--quiet', '--no-verify', '--', 'origin', `${commitRef}:refs/heads/${branch}`]));
        if (/\[rejected\].*(?:fetch first|non-fast-forward|stale info)/.test(pushed.stderr)) throw changed(shown);
        output(pushed, shown);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Commit = Awaited<ReturnType<typeof beginCommit>>;

/** A commit as a stream of files: no file is checked out, and unchanged ones are not even fetched. */
async function beginCommit(git: Git, { title, parent, author }: { title: string; parent: string; author: string }) {
  const child = git(['fast-import', '--quiet', '--done']);
  const ended = runGit(child);
  ended.catch(() => {});
  // The end of git says why.
  child.stdin.on('error', () => {});
  const write = async (bytes: string | Uint8Array) => {
    if (!child.stdin.write(bytes) && child.stdin.writable) await Promise.race([once(child.stdin, 'drain'), ended]);
  };
  await write(`commit ${commitRef}\ncommitter ${author}\ndata ${Buffer.byteLength(title)}\n${title}\n`);
  if (parent !== '') await write(`from ${parent}\n`);
  return {
    async write(file: FileToPublish): Promise<void> {
      await write(`M 100644 inline ${quoted(file.path)}\ndata ${file.size}\n`);
      for await (const piece of file.stream()) await write(piece);
      await write('\n');
    },
    remove: (path: string) => write(`D ${quoted(path)}\n`),
    async end(): Promise<GitResult> {
      child.stdin.end('done\n');
      return ended;
    },
  };
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

/** Name, email and time of the commit: the user's, where git knows them. */
async function identity(environment: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout } = await runGit(spawn('git', ['var', 'GIT_COMMITTER_IDENT'], { env: environment, stdio: 'pipe' }));
  return code === 0 ? stdout.trim() : `Carrel <carrel@localhost> ${Math.floor(Date.now() / 1000)} +0000`;
}

function output({ code, stdout, stderr }: GitResult, shown: string): string {
  if (code === 0) return stdout;
  const fault =
    usualGitFault(stderr) ?? (/\[remote rejected\]|protected branch|hook declined/i.test(stderr) ? 'GitPushDeclined' : '');
  const failure = (Object.hasOwn(failures, fault) ? failures[fault] : undefined) ?? other;
  const said = stderr
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('hint:'))
    .slice(-3)
    .join(' ');
  throw new ExportError(failure.code, failure.message(shown, said), failure.hint);
}

interface Failure {
  code: ExportErrorCode;
  message(shown: string, said: string): string;
  hint: string;
}

const other: Failure = {
  code: 'TargetUnavailable',
  message: (shown, said) => `git could not publish to ${shown}: ${said}`,
  hint: 'Correct what git reports, and run the command again.',
};

const failures: Record<string, Failure> = {
  GitAccessDenied: {
    code: 'TargetDenied',
    message: (shown, said) => `The host refuses access to ${shown}: ${said}`,
    hint: 'Check that "git push" to this URL works here: publishing uses the same ssh keys and credential helpers. In GitHub Actions, the job needs "permissions: contents: write".',
  },
  GitPushDeclined: {
    code: 'TargetDenied',
    message: (shown, said) => `The host does not accept the commit for ${shown}: ${said}`,
    hint: 'Choose a branch that is not protected.',
  },
  GitRepositoryNotFound: {
    code: 'TargetNotFound',
    message: (shown) => `There is no repository for ${shown}, or your credentials do not give access to it.`,
    hint: 'Correct the URL.',
  },
  GitHostKeyUnknown: {
    code: 'TargetDenied',
    message: (shown) => `The ssh host key for ${shown} is unknown.`,
    hint: 'Add it to known_hosts (ssh-keyscan).',
  },
  GitHostUnreachable: {
    code: 'TargetUnavailable',
    message: (shown, said) => `The host of ${shown} does not answer: ${said}`,
    hint: 'Run the command again, or correct the URL.',
  },
};

function changed(shown: string): ExportError {
  return new ExportError(
    'TargetChanged',
    `Another commit was pushed to ${shown} meanwhile. Nothing was changed there.`,
    'Run the command again.',
  );
}

function rethrowMissingGit(error: unknown): never {
  if (errorCode(error) !== 'ENOENT') throw error;
  throw new ExportError(
    'GitNotInstalled',
    'Publishing to a branch needs the program "git", which is not installed.',
    'Install git.',
    {
      cause: error,
    },
  );
}
