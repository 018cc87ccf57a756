// A git source for a fetch. It is checked when a site is registered (git-source.ts), and once more before it becomes part of a
// command line.
import { JobError } from '../platform/errors.ts';
import { gitUrlFault, isGitRef, repositoryFolder } from '../sites/git-source.ts';
import type { SiteSource } from '../sites/sites.ts';

export type GitSource = Extract<SiteSource, { type: 'git' }>;

export interface GitUrl {
  protocol: 'https' | 'ssh';
  /** The URL for git. */
  url: string;
  /** Without brackets. */
  host: string;
  port: number;
}

/** Parses a git URL. Throws `JobError` `GitAddressInvalid` for other protocols, passwords, and text that is not a URL. */
export function gitUrl(text: string): GitUrl {
  const fault = gitUrlFault(text);
  if (fault !== undefined) throw new JobError('GitAddressInvalid', `The git URL "${withoutUser(text)}" ${fault}.`);
  const { protocol, href, hostname, port } = new URL(text);
  const isHttps = protocol === 'https:';
  return {
    protocol: isHttps ? 'https' : 'ssh',
    url: href,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isHttps ? 443 : 22),
  };
}

/** Throws `JobError` `GitRefInvalid` for text that cannot be the name of a branch or tag. */
export function checkRef(ref: string): string {
  if (isGitRef(ref)) return ref;
  throw new JobError('GitRefInvalid', `"${ref}" cannot be a branch or tag. Correct "ref" in the site's source.`);
}

/** A folder of a repository without slashes around it; '' is the whole repository. Throws `JobError` `GitFolderInvalid`. */
export function checkFolder(folder: string): string {
  const inside = repositoryFolder(folder);
  if (inside !== undefined) return inside;
  throw new JobError(
    'GitFolderInvalid',
    `"${folder}" cannot be a folder of a repository. Correct "folder" in the site's source.`,
  );
}

function withoutUser(text: string): string {
  return text.replace(/(?<=:\/\/)[^/]*@/, '***@');
}
