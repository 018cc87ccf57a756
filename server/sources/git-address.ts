// A git source as it is fetched. What it may say is checked when a site is registered (git-source.ts), and once more before it comes
// near a command line.
import { JobError } from '../platform/errors.ts';
import { gitUrlFault, isGitRef, repositoryFolder } from '../sites/git-source.ts';

export interface GitAddress {
  protocol: 'https' | 'ssh';
  /** As git is given it. */
  url: string;
  /** Without brackets. */
  host: string;
  port: number;
}

/** Reads an address. Throws `JobError` `GitAddressInvalid`: other protocols, passwords in it, and what is no address. */
export function gitAddress(text: string): GitAddress {
  const fault = gitUrlFault(text);
  if (fault !== undefined) throw new JobError('GitAddressInvalid', `The git address "${withoutUser(text)}" ${fault}.`);
  const { protocol, href, hostname, port } = new URL(text);
  const isHttps = protocol === 'https:';
  return {
    protocol: isHttps ? 'https' : 'ssh',
    url: href,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isHttps ? 443 : 22),
  };
}

/** Throws `JobError` `GitRefInvalid` for what can be no name of a branch or tag. */
export function checkRef(ref: string): string {
  if (isGitRef(ref)) return ref;
  throw new JobError('GitRefInvalid', `"${ref}" can be no branch or tag. Correct "ref" in the site's source.`);
}

/** A folder of a repository without slashes around it; '' is all of it. Throws `JobError` `GitFolderInvalid`. */
export function checkFolder(folder: string): string {
  const inside = repositoryFolder(folder);
  if (inside !== undefined) return inside;
  throw new JobError('GitFolderInvalid', `"${folder}" can be no folder of a repository. Correct "folder" in the site's source.`);
}

function withoutUser(text: string): string {
  return text.replace(/(?<=:\/\/)[^/]*@/, '***@');
}
