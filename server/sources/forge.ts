// Services that host repositories, and how each is told the state of a commit.
// GitHub: https://docs.github.com/rest/commits/statuses
// GitLab: https://docs.gitlab.com/api/commits/#set-commit-pipeline-status
// Gitea and Forgejo: https://docs.gitea.com/api/ (repoCreateStatus)
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

interface StatusRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

// GitHub refuses longer ones.
const longestText = 140;

/** The request that sets a status. `repository` is the https URL of the repository; the request goes to its host, or to the API of github.com. */
export function statusRequest(forge: Forge, repository: string, token: string, status: CommitStatus): StatusRequest {
  const { origin, hostname, pathname } = new URL(repository);
  const names = pathname
    .replace(/(?:\.git)?\/*$/, '')
    .split('/')
    .filter(Boolean)
    .map((name) => encodeURIComponent(decodeURIComponent(name)));
  const { commit, state, name, url, text } = status;
  const description = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
  const json = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'Carrel' };
  if (forge === 'gitlab')
    return {
      url: `${origin}/api/v4/projects/${names.join('%2F')}/statuses/${commit}`,
      headers: { ...json, 'private-token': token },
      body: JSON.stringify({ state: state === 'failure' ? 'failed' : state, name, target_url: url, description }),
    };
  const body = JSON.stringify({ state, context: name, target_url: url, description });
  if (forge === 'github') {
    const api = hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
    return {
      url: `${api}/repos/${names.join('/')}/statuses/${commit}`,
      headers: { ...json, accept: 'application/vnd.github+json', authorization: `Bearer ${token}` },
      body,
    };
  }
  // It may be below a path of its host.
  const base = [origin, ...names.slice(0, -2)].join('/');
  return {
    url: `${base}/api/v1/repos/${names.slice(-2).join('/')}/statuses/${commit}`,
    headers: { ...json, authorization: `token ${token}` },
    body,
  };
}
