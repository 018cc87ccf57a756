// The pull requests of a branch, which GitLab calls merge requests, and the one comment of ours that each has.
// GitHub: https://docs.github.com/rest/pulls/pulls and https://docs.github.com/rest/issues/comments
// GitLab: https://docs.gitlab.com/api/merge_requests/ and https://docs.gitlab.com/api/notes/
import { z } from 'zod';
import type { ChangesText } from '../../integration/output/changes-text.ts';
import { RefusedRequest } from './forge.ts';

export interface PullRequestApi {
  forge: 'github' | 'gitlab';
  /** Of the routes of the repository. */
  url: string;
  /** Sends a request, and returns the JSON of the answer. Throws `RefusedRequest` unless its status is 2xx. */
  send(method: string, url: string, body?: object): Promise<unknown>;
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
  const own = await ownComment(api, of(number), mark);
  const body = { body: `${mark}\n${text}` };
  const isChanged =
    own !== undefined &&
    (await api.send(change, `${api.url}${comments(number)}/${own}`, body).then(
      () => true,
      (error: unknown) => notAllowed(error, false),
    ));
  if (!isChanged && !isEmpty) await api.send('POST', api.url + of(number), body);
}

const authorSchema = z.object({ id: z.int(), type: z.string().optional() });
const commentsSchema = z.array(
  z.object({ id: z.int(), body: z.string().nullish(), user: authorSchema.nullish(), author: authorSchema.nullish() }),
);
type Author = z.infer<typeof authorSchema>;
const perPage = 100;
const mostPages = 50;

/** The comment with a mark that the token has written: others can write the mark, too. */
async function ownComment(api: PullRequestApi, path: string, mark: string): Promise<number | undefined> {
  let isOwn: ((author: Author) => boolean) | undefined;
  for (let page = 1; page <= mostPages; page++) {
    const comments = answerOf(commentsSchema, await api.send('GET', `${api.url}${path}?per_page=${perPage}&page=${page}`));
    for (const { id, body, user, author = user } of comments) {
      if (!body?.startsWith(mark) || !author) continue;
      isOwn ??= await ownAuthor(api);
      if (isOwn(author)) return id;
    }
    if (comments.length < perPage) return undefined;
  }
  throw new Error(`it has more than ${mostPages * perPage} comments`);
}

async function ownAuthor({ url, send }: PullRequestApi): Promise<(author: Author) => boolean> {
  const user = await send('GET', url.replace(/\/(?:repos|projects)\/.*/s, '/user')).catch((error: unknown) =>
    notAllowed(error, undefined),
  );
  // A token of an app, such as that of a workflow, does not have a user. What it writes is by a bot, and people are not bots.
  if (user === undefined) return ({ type }) => type === 'Bot';
  const { id } = answerOf(authorSchema, user);
  return (author) => author.id === id;
}

/** Returns `value` if a token is not allowed to do something; throws any other error. */
function notAllowed<Value>(error: unknown, value: Value): Value {
  if (error instanceof RefusedRequest && [403, 404].includes(error.status)) return value;
  throw error;
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
export async function openPullRequests({ forge, url, send }: PullRequestApi, owner: string, branch: string): Promise<number[]> {
  if (forge === 'gitlab') {
    const query = new URLSearchParams({ state: 'opened', source_branch: branch });
    const found = answerOf(openSchemas.gitlab, await send('GET', `${url}/merge_requests?${query}`));
    return found.flatMap((one) => (one.source_project_id === one.target_project_id ? one.iid : []));
  }
  const query = new URLSearchParams({ state: 'open', head: `${owner}:${branch}` });
  const found = answerOf(openSchemas.github, await send('GET', `${url}/pulls?${query}`));
  return found.flatMap(({ number, head, base }) => (head.repo?.id === base.repo.id ? number : []));
}

function answerOf<Value>(schema: z.ZodType<Value>, answer: unknown): Value {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new Error('the answer is not that of its API');
}
