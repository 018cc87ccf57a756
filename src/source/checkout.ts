// What git says of a docs folder: its repository, and when its files last changed. The folder can be a stranger's, so no setting of its
// repository may run a program, and nothing is fetched.
import { execFile, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, ExportError } from '../../integration/errors.ts';

const settings = ['log.showSignature=false', 'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false'];

function gitArguments(folder: string, args: string[]): string[] {
  return ['--no-pager', '-C', folder, ...settings.flatMap((setting) => ['-c', setting]), ...args];
}

function gitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Variables of a hook or of `git rebase --exec` name another repository.
  const own = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
  return { ...own, GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

// The history of a repository with a million commits.
const longest = 60_000;

interface GitOptions {
  environment?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/** The output of git; rejects if git is missing, fails or takes longer than a minute. */
async function git(folder: string, args: string[], options: GitOptions): Promise<string> {
  return (await gitBytes(folder, args, options)).toString();
}

function gitBytes(folder: string, args: string[], { environment = process.env, signal }: GitOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      gitArguments(folder, args),
      { env: gitEnvironment(environment), maxBuffer: 512 * 1024 * 1024, timeout: longest, signal, encoding: 'buffer' },
      (error, output) => (error ? reject(error) : resolve(output)),
    );
  });
}

async function attempt(running: Promise<string>): Promise<string | undefined> {
  return (await running.catch(() => undefined))?.trim() || undefined;
}

/** The remote `origin` of the folder's checkout as `URL#branch:folder`, or the reason why it has none. */
export async function originOf(folder: string, options: GitOptions = {}): Promise<{ url: string } | { reason: string }> {
  let prefix: string;
  try {
    prefix = (await git(folder, ['rev-parse', '--show-prefix'], options)).trim();
  } catch (error) {
    return { reason: errorCode(error) === 'ENOENT' ? 'git is not installed' : 'the folder is not in a git checkout' };
  }
  const url = await attempt(git(folder, ['config', '--get', 'remote.origin.url'], options));
  if (url === undefined) return { reason: 'its git checkout has no remote "origin"' };
  const name = async (...args: string[]) => (await attempt(git(folder, args, options)))?.replace(/^origin\//, '');
  const branch =
    (await name('rev-parse', '--abbrev-ref', '@{upstream}')) ??
    (await name('rev-parse', '--abbrev-ref', 'origin/HEAD')) ??
    (await name('symbolic-ref', '--short', 'HEAD'));
  return { url: `${url}#${branch ?? ''}:${prefix}` };
}

/** The commit of the folder's checkout, and whether the folder is exactly that of the commit; undefined outside a checkout. */
export async function revisionOf(
  folder: string,
  options: GitOptions = {},
): Promise<{ commit: string; isClean: boolean } | undefined> {
  const commit = await attempt(git(folder, ['rev-parse', '--verify', 'HEAD'], options));
  if (commit === undefined) return undefined;
  const paths = (output: string) => output.split('\0').filter((line) => line !== '');
  const tracked = paths(await git(folder, ['ls-tree', '-r', '-z', '--name-only', 'HEAD', '.'], options));
  const others = paths(await git(folder, ['ls-files', '-z', '--others', '--exclude-standard', '.'], options));
  // Not `git status`, which runs the filters of a repository.
  const unchanged = await unchangedFiles(folder, tracked, options);
  return { commit, isClean: others.length === 0 && unchanged.length === tracked.length };
}

/**
 * Writes the files that a folder had in a commit into another folder: none if the commit does not have the folder. Links and submodules are left out.
 * Returns the ID of the commit; throws `ExportError` `CommitUnknown`.
 */
export async function writeFilesOf(folder: string, commit: string, target: string, options: GitOptions = {}): Promise<string> {
  const id = await attempt(git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`], options));
  if (id === undefined)
    throw new ExportError(
      'CommitUnknown',
      `git does not know the commit "${commit}" in "${folder}".`,
      'Name a branch or a commit of the repository of the docs. A shallow clone has to fetch it first: git fetch --depth 1 origin COMMIT',
    );
  const blobs = await blobsOf(folder, id, options);
  // Not `git worktree`, which runs the filters of a repository.
  const here = new Set(unchangedOf(folder, blobs));
  mkdirSync(target, { recursive: true });
  for (const [file, blob] of blobs) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    if (here.has(file)) copyFileSync(join(folder, file), join(target, file));
    else writeFileSync(join(target, file), await gitBytes(folder, ['cat-file', 'blob', blob], options));
  }
  return id;
}

export interface ChangeDates {
  /** ISO date of the last commit by file, for files whose text is that of the last commit. */
  dates: Map<string, string>;
  /** Why files have no date. */
  reason?: string;
}

/** When files last changed, by their paths in the folder. Files in submodules are looked up there. */
export async function changeDates(folder: string, files: readonly string[], options: GitOptions = {}): Promise<ChangeDates> {
  const dates = new Map<string, string>();
  const reasons = new Set<string>();
  for (const [inner, own] of byRepository(folder, files)) {
    const found = await datesIn(join(folder, inner), own, options);
    for (const [file, date] of found.dates) dates.set(inner + file, date);
    if (found.reason !== undefined) reasons.add(found.reason);
  }
  return { dates, ...(reasons.size > 0 && { reason: [...reasons][0] }) };
}

/** The files by the repository below the folder that contains them: '' or 'module/'. */
function byRepository(folder: string, files: readonly string[]): Map<string, string[]> {
  const known = new Map<string, string>([['', '']]);
  const repositoryOf = (path: string): string => {
    let found = known.get(path);
    if (found === undefined) {
      found = existsSync(join(folder, path, '.git')) ? `${path}/` : repositoryOf(parent(path));
      known.set(path, found);
    }
    return found;
  };
  const found = new Map<string, string[]>();
  for (const file of files) {
    const inner = repositoryOf(parent(file));
    const own = found.get(inner) ?? [];
    own.push(file.slice(inner.length));
    found.set(inner, own);
  }
  return found;
}

function parent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function datesIn(folder: string, files: string[], options: GitOptions): Promise<ChangeDates> {
  const dates = new Map<string, string>();
  try {
    const committed = await unchangedFiles(folder, files, options);
    const shallow = await shallowCommits(folder, options);
    let unknown = 0;
    await readLog(folder, new Set(committed), options, (file, commit, date) => {
      // The first commit of a shallow clone seems to add every file.
      if (shallow.has(commit)) unknown++;
      else dates.set(file, date);
    });
    return { dates, ...(unknown > 0 && { reason: 'the clone is shallow: fetch its whole history' }) };
  } catch (error) {
    options.signal?.throwIfAborted();
    const isMissing = errorCode(error) === 'ENOENT';
    return { dates, reason: isMissing ? 'git is not installed' : 'the folder is not in a git checkout that git can read' };
  }
}

/** Files whose text is that of the last commit, also where git stores lines without carriage returns. */
async function unchangedFiles(folder: string, files: string[], options: GitOptions): Promise<string[]> {
  const wanted = new Set(files);
  return unchangedOf(
    folder,
    (await blobsOf(folder, 'HEAD', options)).filter(([file]) => wanted.has(file)),
  );
}

/** The files of a folder in a commit, each with the ID of its content. */
async function blobsOf(folder: string, commit: string, options: GitOptions): Promise<[file: string, id: string][]> {
  const listed = await git(folder, ['ls-tree', '-r', '-z', commit, '.'], options);
  return listed.split('\0').flatMap((line): [string, string][] => {
    const [, id, file] = /^(?!120000)\d+ blob (\S+)\t(.*)$/s.exec(line) ?? [];
    return id === undefined || file === undefined ? [] : [[file, id]];
  });
}

function unchangedOf(folder: string, blobs: [file: string, id: string][]): string[] {
  return blobs.flatMap(([file, id]) => {
    // What was a file can be a folder now.
    if (!statSync(join(folder, file), { throwIfNoEntry: false })?.isFile()) return [];
    const bytes = readFileSync(join(folder, file));
    const isSame = blobId(bytes, id.length) === id || blobId(withoutReturns(bytes), id.length) === id;
    return isSame ? [file] : [];
  });
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

function blobId(bytes: Buffer, length: number): string {
  return hash(length > 40 ? 'sha256' : 'sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]));
}

async function shallowCommits(folder: string, options: GitOptions): Promise<Set<string>> {
  const file = (await git(folder, ['rev-parse', '--path-format=absolute', '--git-path', 'shallow'], options)).trim();
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
}

/** Reads the log from the last commit back until it has named every file. */
async function readLog(
  folder: string,
  files: Set<string>,
  { environment = process.env, signal }: GitOptions,
  onFile: (file: string, commit: string, date: string) => void,
): Promise<void> {
  if (files.size === 0) return;
  const args = ['log', '--format=%x01%H %ct', '--name-only', '--no-renames', '--no-ext-diff', '--relative', '-z', '--', '.'];
  const child = spawn('git', gitArguments(folder, args), {
    env: gitEnvironment(environment),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: longest,
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // Without a handler now, a failure while the output is read would end the process.
  ended.catch(() => undefined);
  let commit = '';
  let date = '';
  let rest = '';
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout as AsyncIterable<string>) {
    const parts = (rest + chunk).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const [, id, seconds] = /\x01(\S+) (\d+)/.exec(part) ?? [];
      if (id !== undefined) [commit, date] = [id, new Date(Number(seconds) * 1000).toISOString()];
      else if (files.delete(part.replace(/^\n/, ''))) onFile(part.replace(/^\n/, ''), commit, date);
    }
    if (files.size === 0) break;
  }
  if (files.size === 0) child.kill();
  else if ((await ended) !== 0) throw new Error('git log failed');
}
