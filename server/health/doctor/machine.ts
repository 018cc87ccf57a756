// What the machine provides: Node, git, the data folder, files that only their owner may read.
import { errorCode } from '../../../integration/errors.ts';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerOptions } from '../../platform/options.ts';
import { isForEveryone, readGitCredentials } from '../../sources/git-credentials.ts';
import { examine, fail, ok, warn, type Finding } from './finding.ts';

const leastNode: [number, number] = [22, 18];
// Older versions cannot be kept from following redirects and from asking for passwords at the same time.
const leastGit: [number, number] = [2, 30];

export function checkNode(version: string): Promise<Finding> {
  return examine('node', 1, () => {
    if (isAtLeast(version, leastNode)) return ok(`Node ${version}`);
    return fail(`Node ${version} is too old.`, `Install Node ${leastNode.join('.')} or newer; 24 is what Carrel is tested with.`);
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
      return warn(missing ? 'git is not installed.' : 'git does not run.', `Install git, such as with: apt install git. ${only}`);
    }
  });
}

/** Nothing is left behind, also where the folder is not there yet. */
export function checkDataFolder({ data }: Pick<ServerOptions, 'data'>): Promise<Finding> {
  return examine('data-folder', 10, () => {
    const place = existing(data);
    try {
      const probe = mkdtempSync(join(place, '.carrel-doctor-'));
      writeFileSync(join(probe, 'probe'), 'x', { flush: true });
      rmSync(probe, { recursive: true });
    } catch (error) {
      const code = errorCode(error);
      return fail(`"${place}" cannot be written (${code}).`, 'Let this user write there, or set CARREL_DATA to another folder.');
    }
    const { bavail, bsize } = statfsSync(place);
    const megabytes = Math.floor((bavail * bsize) / 2 ** 20);
    const free = megabytes >= 2048 ? `${Math.floor(megabytes / 1024)} GB` : `${megabytes} MB`;
    const next = 'Free some, lower CARREL_KEEP_EXPORTS, or set CARREL_DATA to another disk.';
    if (megabytes < 200) return fail(`"${data}" has ${free} left.`, next);
    if (megabytes < 2048) return warn(`"${data}" has ${free} left.`, next);
    return ok(`"${data}" can be written${place === data ? '' : ' (the first start makes it)'}; ${free} free`);
  });
}

/** Keys, secret and git credentials, where there are any. */
export function checkPrivateFiles({ data, gitCredentials }: Pick<ServerOptions, 'data' | 'gitCredentials'>): Promise<Finding> {
  return examine('private-files', 5, () => {
    const files = [join(data, 'keys.json'), join(data, 'secret'), ...(gitCredentials ? [gitCredentials] : [])];
    const found = files.filter((file) => statSync(file, { throwIfNoEntry: false }));
    const open = process.platform === 'win32' ? [] : found.filter((file) => (statSync(file).mode & 0o007) !== 0);
    if (open.length > 0) {
      const names = open.map((file) => `"${file}"`).join(' ');
      return fail(`Every user of this machine can read ${names}.`, `Take it away from them: chmod 600 ${names}`);
    }
    return ok(found.length === 0 ? 'No file of keys is there yet' : 'Files of keys are private');
  });
}

/** Whom the git credentials serve: one organization, or all that there will ever be. */
export function checkCredentials({ gitCredentials }: Pick<ServerOptions, 'gitCredentials'>): Promise<Finding> {
  return examine('git-credentials', 5, async () => {
    if (gitCredentials === undefined) return ok('There are no git credentials');
    const credentials = await readGitCredentials(gitCredentials);
    const shared = credentials.filter(isForEveryone).length;
    if (shared === 0) return ok(`Each of the ${credentials.length} entries names whom it serves`);
    return warn(
      `${shared} of ${credentials.length} entries of "${gitCredentials}" ${shared === 1 ? 'serves' : 'serve'} every organization, so the server takes only one.`,
      'Write organization=ID or repositories=PATTERNS behind the address of each.',
    );
  });
}

function isAtLeast(version: string, least: [major: number, minor: number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

/** The nearest folder upwards that there is. */
function existing(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (statSync(place, { throwIfNoEntry: false }) || dirname(place) === place) return place;
  }
}
