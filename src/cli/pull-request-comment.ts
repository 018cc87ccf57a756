import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import type { ChangesText } from '../../integration/output/changes-text.ts';
import { forgeHeaders, RefusedRequest } from '../../server/sources/forge.ts';
import { writeComment, type PullRequestApi } from '../../server/sources/pull-requests.ts';

interface Service {
  forge: PullRequestApi['forge'];
  /** Of the routes of the repository. */
  url: string;
  token: string;
  permission: string;
}

/**
 * Writes the comment of a pull request in place of the one that an earlier run wrote, on GitHub or, in a job of GitLab, on a merge request. Throws
 * `ExportError` `CommentRefused`.
 */
export async function commentOn(
  number: number,
  comment: ChangesText & { about: string },
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { forge, url, token, permission } = serviceOf(environment);
  const send = async (method: string, to: string, body?: object): Promise<unknown> => {
    const response = await fetch(to, {
      method,
      headers: forgeHeaders(forge, token),
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    }).catch((cause: Error) => {
      throw refused(
        `${new URL(to).origin} does not respond: ${cause.cause instanceof Error ? cause.cause.message : cause.message}`,
        'Run the command again.',
      );
    });
    if (response.ok) return response.json();
    const reason = z.object({ message: z.string() }).safeParse(await response.json().catch(() => undefined)).data?.message;
    throw new RefusedRequest(
      response.status,
      `${method} ${new URL(to).pathname} was answered with ${response.status}${reason ? `: ${reason}` : ''}`,
    );
  };
  await writeComment({ forge, url, send }, number, comment).catch((error: Error) => {
    if (error instanceof ExportError) throw error;
    const hint = error instanceof RefusedRequest ? permission : 'Look at the pull request, then run the command again.';
    throw refused(error.message, hint);
  });
}

function serviceOf(environment: NodeJS.ProcessEnv): Service {
  const { CI_API_V4_URL: gitlab, CI_PROJECT_ID: project, GITLAB_TOKEN, GITHUB_TOKEN } = environment;
  if (gitlab !== undefined && project !== undefined) {
    if (GITLAB_TOKEN)
      return {
        ...{ forge: 'gitlab', url: `${gitlab}/projects/${project}`, token: GITLAB_TOKEN },
        permission: 'The token needs the scope "api" and the role Reporter.',
      };
    throw refused('GITLAB_TOKEN is not set', 'Set it as a CI/CD variable: an access token of the project with the scope "api".');
  }
  const { GITHUB_REPOSITORY: repository = '', GITHUB_API_URL: api = 'https://api.github.com' } = environment;
  if (/^[\w.-]+\/[\w.-]+$/.test(repository) && GITHUB_TOKEN)
    return {
      ...{ forge: 'github', url: `${api}/repos/${repository}`, token: GITHUB_TOKEN },
      permission: 'The token needs the permission "pull-requests: write", which a pull request from a fork does not have.',
    };
  throw refused(
    'GITHUB_REPOSITORY (owner/name) and GITHUB_TOKEN are not both set',
    'A workflow of GitHub sets the first, and you the second: ${{ github.token }}.',
  );
}

function refused(reason: string, hint: string): ExportError {
  return new ExportError('CommentRefused', `The comment could not be written: ${reason}.`, hint);
}
