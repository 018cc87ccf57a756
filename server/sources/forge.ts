// Services that host repositories, and how each is asked to show the state of a commit.
// GitHub: https://docs.github.com/rest/commits/statuses
// GitLab: https://docs.gitlab.com/api/commits/#set-commit-pipeline-status
// Gitea and Forgejo: https://docs.gitea.com/api/ (repoCreateStatus)
import { shortened } from '../../integration/text/beginning.ts';

export const forges = ['github', 'gitlab', 'gitea'] as const;
export type Forge = (typeof forges)[number];

export interface CommitStatus {
  commit: string;
  state: 'pending' | 'success' | 'failure';
  /** Tells it from the statuses of other programs. */
  name: string;
  url: string;
  text: string;
}

export interface ForgeApi {
  /** Of the routes of a repository. */
  url: string;
  headers: Record<string, string>;
}

/** A request that was answered with another status than 2xx. */
export class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `repository` is the https URL of the repository; requests go to its host, or to the API of github.com. */
export function forgeApi(forge: Forge, repository: string, token: string): ForgeApi {
  const { origin, hostname, pathname } = new URL(repository);
  const names = pathname
    .replace(/(?:\.git)?\/*$/, '')
    .split('/')
    .filter(Boolean)
    .map((name) => encodeURIComponent(decodeURIComponent(name)));
  const headers = forgeHeaders(forge, token);
  if (forge === 'gitlab') return { url: `${origin}/api/v4/projects/${names.join('%2F')}`, headers };
  if (forge === 'github') {
    const api = hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
    return { url: `${api}/repos/${names.join('/')}`, headers };
  }
  // It may be below a path of its host.
  const base = [origin, ...names.slice(0, -2)].join('/');
  return { url: `${base}/api/v1/repos/${names.slice(-2).join('/')}`, headers };
}

export function forgeHeaders(forge: Forge, token: string): Record<string, string> {
  const json = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'Carrel' };
  if (forge === 'gitlab') return { ...json, 'private-token': token };
  if (forge === 'gitea') return { ...json, authorization: `token ${token}` };
  return { ...json, accept: 'application/vnd.github+json', authorization: `Bearer ${token}` };
}

// GitHub refuses longer ones.
const longestText = 140;

/** The body that sets a status, for the route `/statuses/COMMIT` of a repository. */
export function statusBody(forge: Forge, { state, name, url, text }: CommitStatus): object {
  const description = shortened(text, longestText);
  const common = { target_url: url, description };
  return forge === 'gitlab'
    ? { state: state === 'failure' ? 'failed' : state, name, ...common }
    : { state, context: name, ...common };
}
