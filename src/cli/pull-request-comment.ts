import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';

interface Comment {
  text: string;
  /** Nothing to say: an earlier comment says so, but none is written for that. */
  isEmpty: boolean;
  /** What it is about: a pull request has one comment of each. */
  about: string;
}

const commentsSchema = z.array(z.object({ id: z.int(), body: z.string().nullish() }));
const perPage = 100;

/**
 * Writes the comment of a pull request in place of the one that an earlier run wrote. Reads `GITHUB_REPOSITORY` (`owner/name`), `GITHUB_TOKEN`, and
 * `GITHUB_API_URL`. Throws `ExportError` `CommentRefused`. The routes: https://docs.github.com/en/rest/issues/comments
 */
export async function writeComment(
  number: number,
  { text, isEmpty, about }: Comment,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const {
    GITHUB_REPOSITORY: repository = '',
    GITHUB_TOKEN: token = '',
    GITHUB_API_URL: api = 'https://api.github.com',
  } = environment;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || token === '')
    throw refused(
      'GITHUB_REPOSITORY (owner/name) and GITHUB_TOKEN are not both set',
      'A workflow of GitHub sets the first, and you the second: ${{ github.token }}.',
    );
  const request = async (method: string, path: string, body?: string): Promise<unknown> => {
    const response = await fetch(`${api}/repos/${repository}/issues/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      ...(body !== undefined && { body: JSON.stringify({ body }) }),
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    }).catch((cause: Error) => {
      throw refused(
        `${api} does not respond: ${cause.cause instanceof Error ? cause.cause.message : cause.message}`,
        'Run the command again.',
      );
    });
    if (response.ok) return response.json();
    const reason = z.object({ message: z.string() }).safeParse(await response.json().catch(() => undefined)).data?.message;
    throw refused(
      `${method} ${path} was answered with ${response.status}${reason ? `: ${reason}` : ''}`,
      'The token needs the permission "pull-requests: write", which a pull request from a fork does not have.',
    );
  };
  const mark = `<!-- carrel changes ${about.replaceAll('--', '- -')} -->`;
  for (let page = 1; ; page++) {
    const comments = commentsSchema.parse(await request('GET', `${number}/comments?per_page=${perPage}&page=${page}`));
    const own = comments.find(({ body }) => body?.startsWith(mark));
    if (own) return void (await request('PATCH', `comments/${own.id}`, `${mark}\n${text}`));
    if (comments.length < perPage) break;
  }
  if (!isEmpty) await request('POST', `${number}/comments`, `${mark}\n${text}`);
}

function refused(reason: string, hint: string): ExportError {
  return new ExportError('CommentRefused', `The comment could not be written: ${reason}.`, hint);
}
