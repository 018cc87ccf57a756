// The user's git, in a repository of its own. Credentials reach it by its environment, which other users of the machine cannot list.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { decode } from '../../integration/urls/parts.ts';

export interface GitRemote {
  /** Without user and password, unless it is an ssh user. */
  url: string;
  user?: string;
  password?: string;
}

export interface GitResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type Git = ReturnType<typeof gitIn>;

/** Splits user and password from an http(s) URL. */
export function gitRemote(text: string): GitRemote {
  const [, scheme, credentials, rest] = /^(https?:\/\/)([^/@]*)@(.*)$/is.exec(text) ?? [];
  if (credentials === undefined) return { url: text };
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(credentials) ?? [];
  return { url: `${scheme}${rest}`, user: decode(user), password: decode(password) };
}

/** Starts git in a bare repository. */
export function gitIn(repository: string, environment: NodeJS.ProcessEnv, signal?: AbortSignal) {
  return (args: string[]) => spawn('git', [`--git-dir=${repository}`, ...args], { env: environment, stdio: 'pipe', signal });
}

export async function runGit(child: ReturnType<Git>): Promise<GitResult> {
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

// Set for the hooks of another repository.
const ofOtherRepository = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR', 'GIT_PREFIX'];

/**
 * The environment of git: with the settings for hosts and credentials of the repository in the current folder, as checkouts in CI have them,
 * and with the password of the URL.
 */
export async function gitEnvironment(given: NodeJS.ProcessEnv, { user, password }: GitRemote): Promise<NodeJS.ProcessEnv> {
  const environment = { ...given, LC_ALL: 'C', ...(process.stdin.isTTY ? {} : { GIT_TERMINAL_PROMPT: '0' }) };
  for (const name of ofOtherRepository) delete (environment as NodeJS.ProcessEnv)[name];
  const settings = await localSettings(environment);
  if (user !== undefined) {
    settings.push(['credential.helper', ''], ['credential.helper', helper]);
    Object.assign(environment, { CARREL_GIT_USER: user, CARREL_GIT_PASSWORD: password ?? '' });
  }
  const first = Number(given.GIT_CONFIG_COUNT ?? 0);
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...environment, ...Object.fromEntries(numbered), GIT_CONFIG_COUNT: String(first + settings.length) };
}

const helper = '!printf "username=%s\\npassword=%s\\n" "$CARREL_GIT_USER" "$CARREL_GIT_PASSWORD" #';
const carriedOver = /^(?:http|https|credential|url|user)\.|^core\.sshcommand$/i;

async function localSettings(environment: NodeJS.ProcessEnv): Promise<[key: string, value: string][]> {
  const child = spawn('git', ['config', '--list', '--show-scope', '-z', '--includes'], { env: environment, stdio: 'pipe' });
  const { code, stdout } = await runGit(child);
  if (code !== 0) return [];
  // scope NUL key NEWLINE value NUL
  const parts = stdout.split('\0');
  const settings: [string, string][] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = '', ...value] = parts[at + 1]!.split('\n');
    if (/^(?:local|worktree)$/.test(parts[at]!) && carriedOver.test(key)) settings.push([key, value.join('\n')]);
  }
  return settings;
}
