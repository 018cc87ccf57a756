// What a git source may be: an https or ssh address, a branch or tag, a folder. Checked before any of it comes near a command line.
import { JobError } from '../exports/job-error.ts';

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
  const refuse = (why: string): never => {
    throw new JobError('GitAddressInvalid', `The git address "${withoutUser(text)}" ${why}.`);
  };
  if (/[\s\u0000-\u001f\u007f\\]/.test(text)) refuse('has blanks, control characters or backslashes in it');
  const protocol = /^(https|ssh):\/\/[^/]/i.exec(text)?.[1]?.toLowerCase() as GitAddress['protocol'] | undefined;
  if (protocol === undefined || !URL.canParse(text))
    return refuse('must begin with https:// or ssh:// and name a host; write git@host:path as ssh://git@host/path');
  const url = new URL(text);
  if (url.password !== '' || (protocol === 'https' && url.username !== ''))
    refuse('has a user or password in it; put them into the file of CARREL_GIT_CREDENTIALS');
  if (url.username !== '' && !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(url.username)) refuse('has an unusual user name');
  if (url.hash !== '' || url.search !== '') refuse('has "?" or "#" in it; name the branch or tag as "ref"');
  // A host that begins with a dash would be read as an option by ssh.
  if (!/^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*)|\[[0-9A-Fa-f:.]+\])$/.test(url.hostname)) refuse('has no valid host');
  if (url.pathname.replaceAll('/', '') === '') refuse('names no repository');
  return {
    protocol,
    url: url.href,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (protocol === 'https' ? 443 : 22),
  };
}

/** Throws `JobError` `GitRefInvalid` for what can be no name of a branch or tag (`git check-ref-format`). */
export function checkRef(ref: string): string {
  const isName =
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-+./]|[./]$|\.lock(?:\/|$)|\/\./.test(ref) && ref !== '@' && ref !== '';
  if (!isName) throw new JobError('GitRefInvalid', `"${ref}" can be no branch or tag. Correct "ref" in the site's source.`);
  return ref;
}

/** A folder of a repository without slashes around it; '' is all of it. Throws `JobError` `GitFolderInvalid`. */
export function repositoryFolder(folder: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || /[\u0000-\u001f\\]/.test(folder) || parts[0]?.toLowerCase() === '.git') {
    throw new JobError(
      'GitFolderInvalid',
      `"${folder}" can be no folder of a repository. Correct "folder" in the site's source.`,
    );
  }
  return parts.join('/');
}

function withoutUser(text: string): string {
  return text.replace(/(?<=:\/\/)[^/]*@/, '***@');
}
