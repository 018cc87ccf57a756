// The operator's file of git credentials: a URL with user and password on each line, followed by its scope:
//   https://reader:token@git.example.com organization=acme repositories=docs/*,handbook
import { readFile } from 'node:fs/promises';
import { ExportError } from '../../integration/errors.ts';
import { pathPattern } from '../sites/git-source.ts';
import type { GitUrl } from './git-url.ts';

export interface GitCredential {
  /** In the form of `git credential-store`: `https://user:password@host`. */
  url: string;
  /** The only organization whose sites it is for. */
  organization?: string;
  /** Patterns of the only repository paths that it is for. */
  repositories?: RegExp[];
}

/** The owner of the job. Entries without organization and repositories are only for a server of one organization. */
export interface GitOwner {
  organization: string;
  isAlone: boolean;
  /** Whether the server's ssh keys are for this site: an operator registered it, or allows ssh for its organization. */
  mayUseSsh: boolean;
}

/** Throws `ExportError` `GitCredentialsInvalid`, which names the line and never quotes it, and what reading a file throws. */
export async function readGitCredentials(file: string): Promise<GitCredential[]> {
  const lines = (await readFile(file, 'utf8')).split(/\r?\n/);
  return lines.flatMap((line, index) =>
    /^\s*(#|$)/.test(line) ? [] : [credentialOf(line.trim(), `Line ${index + 1} of "${file}"`)],
  );
}

/** Whether an entry is for every organization of the server. */
export function isForEveryone({ organization, repositories }: GitCredential): boolean {
  return organization === undefined && repositories === undefined;
}

export function isFor(
  credential: GitCredential,
  { organization, isAlone }: Pick<GitOwner, 'organization' | 'isAlone'>,
  { url }: GitUrl,
): boolean {
  if (new URL(credential.url).host !== new URL(url).host) return false;
  if (isForEveryone(credential)) return isAlone;
  if (credential.organization !== undefined && credential.organization !== organization) return false;
  if (credential.repositories === undefined) return true;
  const repository = repositoryOf(url);
  return repository !== undefined && credential.repositories.some((pattern) => pattern.test(repository));
}

/** The password, or the token in its place, that git sends. */
export function tokenOf({ url }: GitCredential): string {
  const { username, password } = new URL(url);
  return decodeURIComponent(password === '' ? username : password);
}

/**
 * Throws `ExportError` `GitCredentialsShared` if there are several organizations, and an entry of the file is for all of them;
 * otherwise throws what `readGitCredentials` throws.
 */
export async function checkGitCredentials(file: string | undefined, organizations: number): Promise<void> {
  if (file === undefined) return;
  const shared = (await readGitCredentials(file)).filter(isForEveryone).length;
  if (shared === 0 || organizations < 2) return;
  throw new ExportError(
    'GitCredentialsShared',
    `${shared === 1 ? 'An entry' : `${shared} entries`} of "${file}" (CARREL_GIT_CREDENTIALS) would serve all ${organizations} organizations: each could export the repositories of the others.`,
    'Write behind the URL of each entry which organization it is for, such as " organization=acme", or which repositories, such as " repositories=acme/*".',
  );
}

const hint =
  'Write a line each: https://user:password@host, and behind it organization=ID, repositories=acme/docs,acme/guides-*, or both.';

function credentialOf(line: string, where: string): GitCredential {
  const invalid = (what: string) => new ExportError('GitCredentialsInvalid', `${where} ${what}.`, hint);
  const [url = '', ...fields] = line.split(/\s+/);
  if (!URL.canParse(url) || !/^https:\/\/[^/@]+@/.test(url)) throw invalid('does not begin with https://user:password@host');
  const given: Record<string, string> = {};
  for (const field of fields) {
    const [, name, value] = /^(organization|repositories)=(\S+)$/.exec(field) ?? [];
    if (name === undefined) throw invalid('has something other than organization=… and repositories=… behind the URL');
    if (name in given) throw invalid(`has "${name}" twice`);
    given[name] = value!;
  }
  const { organization, repositories } = given;
  return { url, organization, repositories: repositories?.split(',').map((text) => pathPattern(trimmed(text))) };
}

/** The path as a host may read it; undefined if decoding changes its meaning, so that no pattern matches it. */
function repositoryOf(url: string): string | undefined {
  const { pathname } = new URL(url);
  try {
    const path = decodeURIComponent(pathname);
    return /[\\\p{Cc}%]|\/\/|(^|\/)\.\.?(\/|$)/u.test(path) ? undefined : trimmed(path);
  } catch {
    return undefined;
  }
}

function trimmed(path: string): string {
  return path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
}
