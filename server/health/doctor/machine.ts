// What the machine provides: Node, git, the data folder, and files that only their owner can read.
import { errorCode } from '../../../integration/errors.ts';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerOptions } from '../../platform/options.ts';
import { isForEveryone, readGitCredentials } from '../../sources/git-credentials.ts';
import { examine, fail, ok, warn, type Finding } from './finding.ts';

const leastNode: [number, number] = [22, 18];
// Older versions can't be prevented from both following redirects and asking for passwords.
const leastGit: [number, number] = [2, 30];

export function checkNode(version: string): Promise<Finding> {
  return examine('node', 1, () => {
    if (isAtLeast(version, leastNode)) return ok(`Node ${version}`);
    return fail(`Node ${version} is too old.`, `Install Node ${leastNode.join('.')} or newer; Carrel is tested with Node 24.`);
  });
}

export function checkGit(environment: NodeJS.ProcessEnv): Promise<Finding> {
  return examine('git', 10, async () => {
    const only = 'Only sites whose source is git need it.';
    try {
      const { stdout } = await promisify(execFile)('git', ['--version'], { env: environment });
      const version = /\d+(\.\d+)+/.exec(stdout)?.[0] ?? '0.0';
      return isAtLeast(version, leastGit)
        ? ok(`git ${version}`)
        : warn(`git ${version} is old.`, `Install git ${leastGit.join('.')} or newer. ${only}`);
    } catch (error) {
      const missing = errorCode(error) === 'ENOENT';
      return warn(missing ? 'git is not installed.' : 'git does not run.', `Install git, for example: apt install git. ${only}`);
    }
  });
}

/** Leaves nothing behind, even if the folder does not exist yet. */
export function checkDataFolder({ data }: Pick<ServerOptions, 'data'>): Promise<Finding> {
  return examine('data-folder', 10, () => {
    const path = existing(data);
    try {
      const probe = mkdtempSync(join(path, '.carrel-doctor-'));
      writeFileSync(join(probe, 'probe'), 'x', { flush: true });
      rmSync(probe, { recursive: true });
    } catch (error) {
      const code = errorCode(error);
      return fail(
        `"${path}" can't be written (${code}).`,
        'Allow this user to write there, or set CARREL_DATA to another folder.',
      );
    }
    const { bavail, bsize } = statfsSync(path);
    const megabytes = Math.floor((bavail * bsize) / 2 ** 20);
    const free = megabytes >= 2048 ? `${Math.floor(megabytes / 1024)} GB` : `${megabytes} MB`;
    const next = 'Free some space, lower keepExports in CARREL_LIMITS, or set CARREL_DATA to another disk.';
    if (megabytes < 200) return fail(`"${data}" has ${free} left.`, next);
    if (megabytes < 2048) return warn(`"${data}" has ${free} left.`, next);
    return ok(`"${data}" can be written${path === data ? '' : ' (the first start creates it)'}; ${free} free`);
  });
}

/** Existing files with keys, the secret or git credentials. */
export function checkPrivateFiles({ data, gitCredentials }: Pick<ServerOptions, 'data' | 'gitCredentials'>): Promise<Finding> {
  return examine('private-files', 5, () => {
    const files = [
      join(data, 'keys.json'),
      join(data, 'secret'),
      join(data, 'secret.previous'),
      ...(gitCredentials ? [gitCredentials] : []),
    ];
    const found = files.filter((file) => statSync(file, { throwIfNoEntry: false }));
    const open = process.platform === 'win32' ? [] : found.filter((file) => (statSync(file).mode & 0o007) !== 0);
    if (open.length > 0) {
      const names = open.map((file) => `"${file}"`).join(' ');
      return fail(`Every user of this machine can read ${names}.`, `Restrict their permissions: chmod 600 ${names}`);
    }
    return ok(found.length === 0 ? 'No files with secrets exist yet' : 'Files with secrets are private');
  });
}

/** Who can use the git credentials: one organization, or all of them. */
export function checkCredentials({ gitCredentials }: Pick<ServerOptions, 'gitCredentials'>): Promise<Finding> {
  return examine('git-credentials', 5, async () => {
    if (gitCredentials === undefined) return ok('No git credentials are set');
    const credentials = await readGitCredentials(gitCredentials);
    const shared = credentials.filter(isForEveryone).length;
    if (shared === 0) return ok(`Each of the ${credentials.length} entries names its organization or repositories`);
    return warn(
      `Every organization can use ${shared} of ${credentials.length} entries of "${gitCredentials}", so the server allows only one organization.`,
      'Add organization=ID or repositories=PATTERNS after the URL of each.',
    );
  });
}

function isAtLeast(version: string, least: [major: number, minor: number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

/** The nearest existing folder upward. */
function existing(folder: string): string {
  for (let path = folder; ; path = dirname(path)) {
    if (statSync(path, { throwIfNoEntry: false }) || dirname(path) === path) return path;
  }
}
