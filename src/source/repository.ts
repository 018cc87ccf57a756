// The repository that a docs folder is from, and the pages of its host that edit a file or open an issue.

export interface Repository {
  program: Program;
  /** URL of its page, without credentials. */
  url: string;
  /** Branch, tag or commit; without one, the host's default branch. */
  ref?: string;
  /** Folder of the docs in it; '' for the whole repository. */
  folder: string;
}

interface Pages {
  /** URL that edits a file; undefined where the program needs a branch and none is known. */
  edit(path: string, ref: string | undefined): string | undefined;
  /** URL of a new issue, without the repository's; undefined where repositories have no issues by default. */
  issue?: (title: string, text: string) => string;
}

const programs = {
  github: {
    edit: (path, ref = 'HEAD') => `/edit/${segments(ref)}/${path}`,
    issue: (title, body) => `/issues/new?${new URLSearchParams({ title, body }).toString()}`,
  },
  gitlab: {
    edit: (path, ref = 'HEAD') => `/-/edit/${segments(ref)}/${path}`,
    issue: (title, description) =>
      `/-/issues/new?${new URLSearchParams({ 'issue[title]': title, 'issue[description]': description }).toString()}`,
  },
  gitea: {
    edit: (path, ref) => (ref === undefined ? undefined : `/_edit/${segments(ref)}/${path}`),
    issue: (title, body) => `/issues/new?${new URLSearchParams({ title, body }).toString()}`,
  },
  bitbucket: { edit: (path, ref = 'HEAD') => `/src/${encodeURIComponent(ref)}/${path}?mode=edit` },
} satisfies Record<string, Pages>;

type Program = keyof typeof programs;

const programNames = Object.keys(programs);

const hosts: [pattern: RegExp, program: Program][] = [
  [/github/, 'github'],
  [/gitlab/, 'gitlab'],
  [/gitea|forgejo|^codeberg\.org$/, 'gitea'],
  [/^bitbucket\.org$/, 'bitbucket'],
];

/**
 * Reads `URL[#ref[:folder]]`. The URL is that of a clone (`https://…`, `ssh://…`, `git@host:path`) or of the repository's page; credentials in
 * it are dropped. `gitlab+https://…` names the program of a host whose name does not say it. Returns the reason if the text is not that.
 */
export function parseRepository(text: string): Repository | string {
  const [address = '', fragment] = text.trim().split(/#(.*)/s);
  const [, named, rest = ''] = /^(?:([a-z]+)\+)?(.*)$/s.exec(address) ?? [];
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(rest);
  const written = short ? `ssh://${short[1]}/${short[2]}` : rest;
  if (!/^(?:https?|ssh):\/\//i.test(written) || !URL.canParse(written)) return 'is not the https or ssh URL of a repository';
  const { protocol, hostname, host, pathname } = new URL(written);
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/i, '');
  if (hostname === '' || path.split('/').filter(Boolean).length < 2)
    return 'does not name a repository, such as https://github.com/acme/docs';
  const program = named ?? hosts.find(([pattern]) => pattern.test(hostname.toLowerCase()))?.[1];
  if (program === undefined)
    return `does not say which program runs ${hostname}; put ${programNames.map((name) => `${name}+`).join(', ')} before it`;
  if (!Object.hasOwn(programs, program)) return `names "${program}", which is not one of ${programNames.join(', ')}`;
  const [ref = '', folder = ''] = (fragment ?? '').split(/:(.*)/s);
  const origin = protocol === 'ssh:' ? `https://${hostname}` : `${protocol}//${host}`;
  return {
    program: program as Program,
    url: origin + path,
    ...(ref !== '' && ref !== 'HEAD' && { ref }),
    folder: folder.split('/').filter(Boolean).join('/'),
  };
}

/** URL that edits a file of the docs folder. */
export function editUrl({ program, url, ref, folder }: Repository, file: string): string | undefined {
  const page = (programs[program] as Pages).edit(segments([folder, file].filter(Boolean).join('/')), ref);
  return page === undefined ? undefined : url + page;
}

/** URL of a new issue with a title and a text. */
export function issueUrl({ program, url }: Repository, title: string, text: string): string | undefined {
  const page = (programs[program] as Pages).issue?.(title, text);
  return page === undefined ? undefined : url + page;
}

function segments(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
