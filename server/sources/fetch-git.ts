// A git repository: the new objects of one commit go into a mirror that stays between runs, and its files into the run's folder.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, ExportError } from '../../integration/errors.ts';
import { ApiError, JobError } from '../platform/errors.ts';
import { runProcess, type EndedProcess, type WatchedFolder } from '../platform/run-process.ts';
import type { Limits } from '../platform/process-limits.ts';
import { publicAddresses } from '../platform/public-addresses.ts';
import type { RunLog } from '../platform/run-log.ts';
import { checkFolder, checkRef, gitUrl, type GitSource, type GitUrl } from './git-url.ts';
import { fetchFailure, isMirrorBroken } from './git-failure.ts';
import { isFor, isForEveryone, readGitCredentials, type GitCredential, type GitOwner } from './git-credentials.ts';
import { writeCredentials, gitEnvironment, gitSettings, type GitAccess } from './git-settings.ts';

export interface SourceContext {
  /** Folder of the run. */
  folder: string;
  /** Folder of repositories that stay between runs. */
  mirrors: string;
  limits: Limits;
  /** Hosts in private networks that may be reached. */
  privateHosts: string[];
  /** File of git credentials. */
  gitCredentials?: string;
  owner: GitOwner;
  /** File of certificate authorities to trust in place of the system's. */
  gitAuthorities?: string;
  log: RunLog;
  signal: AbortSignal;
  /** Called with the commit of a git source when it is fetched, before its files are written. */
  onCommit?: (commit: string) => Promise<void>;
}

export interface GitContext extends SourceContext {
  /** Bare repository that stays between runs; created if missing. */
  mirror: string;
}

// More files than any docs have; a small pack can contain millions.
const mostFiles = 500_000;
const fetched = 'refs/carrel/fetched';
const longCommands = new Set(['fetch', 'checkout', 'gc']);

export interface FetchedSource {
  /** The folder of the docs. */
  folder: string;
  /** The commit of a git source, 40 or 64 hex digits. */
  commit?: string;
}

/** Fetches one commit and checks it out. Rejects with a `JobError` that gives the reason. */
export function fetchGit(source: GitSource, context: GitContext): Promise<FetchedSource> {
  const { folder, mirror, log, onCommit } = context;
  const ref = source.ref === undefined ? 'HEAD' : checkRef(source.ref);
  const inside = checkFolder(source.folder ?? '');
  const checkout = join(folder, 'source');
  return withGit(source, context, async (git, repository) => {
    await fetchInto(mirror, ref, source, git, context);

    const commit = (await orFail(git(['rev-parse', '--verify', `${fetched}^{commit}`]))).trim();
    log.say(`Fetched ${source.ref ?? 'the default branch'} of ${repository.url}: commit ${commit}.`);
    await onCommit?.(commit);
    await mkdir(checkout, { recursive: true });
    await checkFolderIn(commit, inside, source, git);
    // The index is beside the checkout, since the mirror contains only objects.
    const watch = { path: checkout, what: 'The repository', mb: context.limits.outputMb, entries: mostFiles };
    await orFail(
      git([`--work-tree=${checkout}`, 'checkout', '--force', '--quiet', commit, '--', inside === '' ? '.' : inside], watch),
    );
    await logWhatIsNotFetched(checkout, log);
    return { folder: join(checkout, inside), commit };
  });
}

/** The commit that a source's branch or tag has now, without fetching it. Rejects like `fetchGit`. */
export function remoteCommit(source: GitSource, context: GitContext): Promise<string> {
  const ref = source.ref === undefined ? 'HEAD' : checkRef(source.ref);
  return withGit(source, context, async (git) => {
    const ended = await git(['ls-remote', '--quiet', '--', gitUrl(source.url).url, ref, `${ref}^{}`]);
    if (ended.code !== 0) throw fetchFailure(source, ended, context.log);
    const found = new Map(ended.tail.split('\n').map((line) => line.split('\t').toReversed() as [string, string]));
    const named = [ref, `refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`].find((name) => found.has(name));
    if (named !== undefined) return found.get(named)!;
    throw new JobError('GitRefNotFound', `${source.url} does not have "${ref}". Correct "ref" in the site's source.`);
  });
}

/** The branch that a repository shows first; undefined if it names none. Rejects like `fetchGit`. */
export function remoteDefaultBranch(source: GitSource, context: GitContext): Promise<string | undefined> {
  return withGit(source, context, async (git) => {
    const ended = await git(['ls-remote', '--quiet', '--symref', '--', gitUrl(source.url).url, 'HEAD']);
    if (ended.code !== 0) throw fetchFailure(source, ended, context.log);
    return defaultBranchIn(ended.tail);
  });
}

export interface RemoteBranches {
  /** Commits by name. */
  commits: Map<string, string>;
  defaultBranch?: string;
}

// The names and commits of some 100,000 branches.
const longestList = 8 * 1024 * 1024;

/** The branches of a repository, without fetching them. Rejects like `fetchGit`. */
export function remoteBranches(source: GitSource, context: GitContext): Promise<RemoteBranches> {
  const { url } = gitUrl(source.url);
  return withGit(source, context, async (git) => {
    let text = '';
    const ended = await git(['ls-remote', '--quiet', '--symref', '--', url, 'HEAD', 'refs/heads/*'], undefined, (piece) => {
      if (text.length <= longestList) text += piece;
    });
    if (ended.code !== 0) throw fetchFailure(source, ended, context.log);
    if (text.length > longestList) throw new JobError('GitFailed', `${source.url} has too many branches to look for previews.`);
    const found = text.matchAll(/^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/gm);
    return {
      commits: new Map(Array.from(found, ([, commit, branch]) => [branch!, commit!])),
      defaultBranch: defaultBranchIn(text),
    };
  });
}

function defaultBranchIn(list: string): string | undefined {
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(list)?.[1];
}

/** Runs git with the credentials and the checked IP addresses of a source. */
export async function withGit<Result>(
  source: GitSource,
  context: GitContext,
  work: (git: Git, repository: GitUrl) => Promise<Result>,
): Promise<Result> {
  const { folder, log } = context;
  const repository = gitUrl(source.url);
  if (repository.protocol === 'ssh' && !context.owner.mayUseSsh)
    throw new JobError(
      'SshNeedsOperator',
      `The server opens ${repository.url} with its own ssh key, which is not for this organization. Use the https:// URL, or let an operator register the site again or name the organization in CARREL_GIT_SSH_ORGANIZATIONS.`,
    );
  const credentials = context.gitCredentials === undefined ? undefined : join(folder, 'git-credentials');
  try {
    if (credentials !== undefined) log.hide(await writeCredentials(await ownCredentials(repository, context), credentials));
    const access: GitAccess = {
      repository,
      addresses: await addressesOf(repository, context),
      credentials,
      authorities: context.gitAuthorities,
    };
    const git: Git = (args, ...more) => runGit(args, access, context, ...more);
    await checkInstalled(git);
    return await work(git, repository);
  } finally {
    if (credentials !== undefined) await rm(credentials, { force: true });
  }
}

/** The entries of the operator's file for this job. */
async function ownCredentials(repository: GitUrl, { gitCredentials, owner, log }: GitContext): Promise<GitCredential[]> {
  const all = await readGitCredentials(gitCredentials!).catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof ExportError) throw cause;
    throw new JobError(
      'GitCredentialsNotReadable',
      `The file of CARREL_GIT_CREDENTIALS cannot be read (${cause.code}). Correct its path or its permissions.`,
      { cause },
    );
  });
  if (!owner.isAlone && all.some(isForEveryone))
    log.say(
      'Git credentials that name neither an organization nor repositories are not used: the server has several organizations.',
    );
  return all.filter((credential) => isFor(credential, owner, repository));
}

export type Git = (args: string[], watch?: WatchedFolder, onOutput?: (text: string) => void) => Promise<EndedProcess>;

function runGit(
  args: string[],
  access: GitAccess,
  context: GitContext,
  ...[watch, onOutput]: [WatchedFolder?, ((text: string) => void)?]
): Promise<EndedProcess> {
  const { folder, mirror, limits, signal } = context;
  return runProcess({
    command: 'git',
    args: [`--git-dir=${mirror}`, ...gitSettings(access), ...args],
    folder,
    environment: { ...gitEnvironment(folder, access), GIT_INDEX_FILE: join(folder, 'git-index') },
    limits,
    watch,
    onOutput,
    endsByItself: !args.some((arg) => longCommands.has(arg)),
    signal,
  });
}

async function fetchInto(mirror: string, ref: string, source: GitSource, git: Git, { log, limits }: GitContext): Promise<void> {
  const { url } = gitUrl(source.url);
  const refs = `+${ref}:${fetched}`;
  const watch = { path: mirror, what: 'The repository', mb: limits.outputMb };
  const fetch = async (): Promise<EndedProcess> => {
    await mkdir(mirror, { recursive: true });
    await orFail(git(['init', '--bare', '--quiet', '--template=']));
    return await git(
      ['fetch', '--depth=1', '--no-tags', '--no-recurse-submodules', '--force', '--quiet', '--', url, refs],
      watch,
    );
  };
  const fetchAnew = async (): Promise<EndedProcess> => {
    await rm(mirror, { recursive: true, force: true });
    return await fetch();
  };
  const wasThere = existsSync(join(mirror, 'HEAD'));
  try {
    let ended = await fetch().catch((error: unknown) => {
      // Objects of earlier commits count as well.
      if (wasThere && error instanceof JobError && error.code === 'SizeLimit') return fetchAnew();
      throw error;
    });
    if (ended.code !== 0 && wasThere && isMirrorBroken(ended.tail)) {
      log.say('The stored copy of the repository is damaged; it is fetched again.');
      ended = await fetchAnew();
    }
    if (ended.code !== 0) {
      log.write(ended.tail);
      throw fetchFailure(source, ended, log);
    }
  } catch (error) {
    // An incomplete fetch would only take up space.
    if (!(error instanceof JobError) || error.code === 'SizeLimit') await rm(mirror, { recursive: true, force: true });
    throw error;
  }
  // Each fetch adds a pack; packs of commits that are no longer needed are removed.
  await git(['-c', 'gc.auto=500', '-c', 'gc.autoPackLimit=10', 'gc', '--auto', '--quiet', '--prune=now']);
}

async function addressesOf({ host }: GitUrl, { privateHosts }: GitContext): Promise<string[]> {
  try {
    return await publicAddresses(host, privateHosts);
  } catch (error) {
    if (error instanceof ApiError) throw new JobError(error.code, error.message, { cause: error });
    throw error;
  }
}

async function checkInstalled(git: Git): Promise<void> {
  try {
    await orFail(git(['--version']));
  } catch (cause) {
    if (!(cause instanceof JobError) && errorCode(cause) !== 'ENOENT') throw cause;
    throw new JobError(
      'GitMissing',
      'A git source needs the program "git" on the server\'s machine, and it cannot be run there. Install it, and see that it is on the PATH of the server.',
      { cause },
    );
  }
}

async function checkFolderIn(commit: string, inside: string, source: GitSource, git: Git): Promise<void> {
  if (inside === '') return;
  const { code, tail } = await git(['cat-file', '-t', `${commit}:${inside}`]);
  if (code === 0 && tail.trim() === 'tree') return;
  const why = code === 0 ? 'is not a folder' : 'does not exist';
  throw new JobError(
    'GitFolderNotFound',
    `"${inside}" ${why} in ${source.ref ? `"${source.ref}"` : 'the default branch'} of ${source.url}. Correct "folder" in the site's source.`,
  );
}

async function logWhatIsNotFetched(checkout: string, log: SourceContext['log']): Promise<void> {
  const attributes = await readFile(join(checkout, '.gitattributes'), 'utf8').catch(() => '');
  if (/\bfilter=lfs\b/.test(attributes)) log.say('Files in Git LFS are not fetched: small text files take their place.');
  if (existsSync(join(checkout, '.gitmodules'))) log.say('Submodules are not fetched: their folders are empty.');
}

/** The output of a command. */
async function orFail(running: Promise<EndedProcess>): Promise<string> {
  const ended = await running;
  if (ended.code === 0) return ended.tail;
  throw new JobError('GitFailed', `git failed: ${ended.tail.trim() || `code ${ended.code ?? ended.signal}`}`);
}

const keptFor = 30 * 24 * 60 * 60 * 1000;

/** Removes mirrors without a fetch for a month, of sites that were removed or have moved. `now` in milliseconds since 1970. */
export async function removeOldMirrors(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const mirror = join(folder, name);
    const { mtimeMs } = await stat(join(mirror, 'FETCH_HEAD')).catch(() => stat(mirror));
    if (now - mtimeMs > keptFor) await rm(mirror, { recursive: true, force: true });
  }
}
