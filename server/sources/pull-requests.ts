// The pull requests of a branch, which GitLab calls merge requests, and the one comment of ours that each has.
// GitHub: https://docs.github.com/rest/pulls/pulls and https://docs.github.com/rest/issues/comments
// GitLab: https://docs.gitlab.com/api/merge_requests/ and https://docs.gitlab.com/api/notes/
import { z } from 'zod';
import type { ChangesText } from '../../integration/output/changes-text.ts';

export interface PullRequestApi {
  forge: 'github' | 'gitlab';
  /** Sends a request to a route of the repository, and returns the JSON of the answer. Throws unless its status is 2xx. */
  send(method: string, path: string, body?: object): Promise<unknown>;
}

interface Comment extends ChangesText {
  /** What it is about: a pull request has one comment of each. */
  about: string;
}

const routes = {
  github: { of: (number: number) => `/issues/${number}/comments`, comments: () => '/issues/comments', change: 'PATCH' },
  gitlab: {
    of: (number: number) => `/merge_requests/${number}/notes`,
    comments: (number: number) => `/merge_requests/${number}/notes`,
    change: 'PUT',
  },
};

/** Writes the comment of a pull request in place of the one that was written before. If nothing has changed, only the one before says so. */
export async function writeComment(api: PullRequestApi, number: number, { text, isEmpty, about }: Comment): Promise<void> {
  const mark = `<!-- carrel changes ${about.replaceAll('--', '- -')} -->`;
  const { of, comments, change } = routes[api.forge];
  const own = await markedComment(api, of(number), mark);
  const body = { body: `${mark}\n${text}` };
  if (own !== undefined) await api.send(change, `${comments(number)}/${own}`, body);
  else if (!isEmpty) await api.send('POST', of(number), body);
}

const commentsSchema = z.array(z.object({ id: z.int(), body: z.string().nullish() }));
const perPage = 100;
const mostPages = 50;

async function markedComment({ send }: PullRequestApi, path: string, mark: string): Promise<number | undefined> {
  for (let page = 1; page <= mostPages; page++) {
    const comments = answerOf(commentsSchema, await send('GET', `${path}?per_page=${perPage}&page=${page}`));
    const own = comments.find(({ body }) => body?.startsWith(mark));
    if (own || comments.length < perPage) return own?.id;
  }
  throw new Error(`it has more than ${mostPages * perPage} comments`);
}

const repositorySchema = z.object({ id: z.int() });
const openSchemas = {
  github: z.array(
    z.object({
      number: z.int(),
      head: z.object({ repo: repositorySchema.nullable() }),
      base: z.object({ repo: repositorySchema }),
    }),
  ),
  gitlab: z.array(z.object({ iid: z.int(), source_project_id: z.int().nullable(), target_project_id: z.int() })),
};

/** The numbers of the open pull requests of a branch, without those of forks whose branch has the same name. `owner` is that of the repository. */
export async function openPullRequests({ forge, send }: PullRequestApi, owner: string, branch: string): Promise<number[]> {
  if (forge === 'gitlab') {
    const query = new URLSearchParams({ state: 'opened', source_branch: branch });
    const found = answerOf(openSchemas.gitlab, await send('GET', `/merge_requests?${query}`));
    return found.flatMap((one) => (one.source_project_id === one.target_project_id ? one.iid : []));
  }
  const query = new URLSearchParams({ state: 'open', head: `${owner}:${branch}` });
  const found = answerOf(openSchemas.github, await send('GET', `/pulls?${query}`));
  return found.flatMap(({ number, head, base }) => (head.repo?.id === base.repo.id ? number : []));
}

function answerOf<Value>(schema: z.ZodType<Value>, answer: unknown): Value {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new Error('the answer is not that of its API');
}
