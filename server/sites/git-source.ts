// Checks git sources. Their values become arguments of git commands, so none may look like an option or point outside the repository.
import { escapePattern } from '../../integration/text/path-patterns.ts';

/** The error in a repository URL; undefined if it is valid. Never quotes the URL, since it may contain a password. */
export function gitUrlFault(text: string): string | undefined {
  // The form that git's own commands take.
  const [, user, host, path] = /^([\w.-]+)@([\w.-]+):\/?([\w./~-]+)$/.exec(text) ?? [];
  if (host !== undefined) return `must be an https:// or ssh:// URL: https://${host}/${path} or ssh://${user}@${host}/${path}`;
  if (!/^(https|ssh):\/\//i.test(text) || !URL.canParse(text) || /[\s\p{Cc}\\]/u.test(text)) {
    return 'must be an https:// or ssh:// URL, such as https://git.example.com/docs.git';
  }
  const url = new URL(text);
  if (url.password !== '' || (url.protocol === 'https:' && url.username !== '')) {
    return 'must not contain a user or password: lists would show them. Credentials go into the file that CARREL_GIT_CREDENTIALS names on the server';
  }
  if (/[?#]/.test(text)) return 'must not contain "?" or "#": lists would show a token there';
  // git hands user and host to ssh, which would read a leading dash as an option.
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9_.-]*)$/i.test(url.hostname)) {
    return 'must name a host, such as https://git.example.com/docs.git';
  }
  if (url.username !== '' && !/^[a-z0-9_][a-z0-9_.-]*$/i.test(url.username)) {
    return 'must have a plain user name, such as ssh://git@git.example.com/docs.git';
  }
  if (/^\/*$/.test(url.pathname)) return 'must name a repository, such as https://git.example.com/docs.git';
  return undefined;
}

/** Whether git allows the name of a branch or tag (git-check-ref-format), and it does not look like an option. */
export function isGitRef(text: string): boolean {
  const faults = [/^[-+/.]/, /[/.]$/, /\.\./, /\/[/.]/, /\.lock(\/|$)/, /@\{/, /^@$/, /[\s\p{Cc}~^:?*[\\]/u];
  return text !== '' && !faults.some((fault) => fault.test(text));
}

/** A folder of a repository, such as `docs/site`; undefined if it is outside or looks like an option. Empty for the whole repository. */
export function repositoryFolder(text: string): string | undefined {
  if (/^\/|[\p{Cc}\\]/u.test(text)) return undefined;
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  return parts.some((part) => part === '..' || part.startsWith('-') || part.toLowerCase() === '.git')
    ? undefined
    : parts.join('/');
}

/** `*` matches any part of a name, `**` any path. */
export function pathPattern(text: string): RegExp {
  const parts = text.split(/(\*\*|\*)/);
  const source = parts.map((part) => ({ '**': '.*', '*': '[^/]*' })[part] ?? escapePattern(part));
  return new RegExp(`^${source.join('')}$`);
}
