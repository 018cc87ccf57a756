import { JobError } from '../platform/errors.ts';
import type { RunLog } from '../platform/run-log.ts';
import type { EndedProcess } from '../platform/run-process.ts';
import type { GitSource } from './git-url.ts';

/** Whether git reports damage in its own files, from a killed run or a damaged disk. */
export function isMirrorBroken(output: string): boolean {
  return /\.lock'|\.lock:|corrupt|bad object|object file|not a git repository|index-pack failed|unresolved delta|did not send all/i.test(
    output,
  );
}

const branches = 'refs/heads/';

/** Sites name a branch or a tag; previews, a branch alone. */
function isPreview(ref: string): boolean {
  return ref.startsWith(branches);
}

const known: { pattern: RegExp; code: string; sentence: (source: GitSource) => string }[] = [
  {
    pattern: /couldn't find remote ref|no such remote ref|not our ref/i,
    code: 'GitRefNotFound',
    sentence: ({ url, ref }) =>
      ref === undefined
        ? `${url} has no default branch: it may be empty. Push to it, or name a branch or tag as "ref".`
        : isPreview(ref)
          ? `${url} has no branch "${ref.slice(branches.length)}" any more. Push it again, or remove the preview.`
          : `${url} has no branch or tag "${ref}". Correct "ref" in the site's source.`,
  },
  {
    pattern:
      /could not read (?:username|password)|terminal prompts disabled|authentication failed|returned error: 40[13]|permission denied/i,
    code: 'GitAccessDenied',
    sentence: ({ url }) =>
      url.startsWith('ssh:')
        ? `${url} refuses the ssh keys of the user that the server runs as. Give the repository that user's public key.`
        : `${url} requires a user name and password; this server sent none, or wrong ones. Put a line https://USER:PASSWORD@${new URL(url).host} into the file that CARREL_GIT_CREDENTIALS names; where the server has several organizations, with organization=… or repositories=… behind it.`,
  },
  {
    pattern: /returned error: 30\d|unable to update url base from redirection/i,
    code: 'GitRedirected',
    sentence: ({ url }) => `${url} redirects to another URL, which is not followed. Use that URL as the site's source.`,
  },
  {
    pattern:
      /returned error: 404|repository '.*' not found|not appear to be a git repository|not valid: is this a git repository/i,
    code: 'GitRepositoryNotFound',
    sentence: ({ url }) =>
      `There is no repository at ${url}, or this server's credentials do not give access to it. Correct the URL.`,
  },
  {
    pattern: /host key verification failed/i,
    code: 'GitHostKeyUnknown',
    sentence: ({ url }) =>
      `The host key of ${url} is unknown. Add it to known_hosts of the user that the server runs as (ssh-keyscan).`,
  },
  {
    pattern: /SSL|certificate/i,
    code: 'GitCertificateRefused',
    sentence: ({ url }) =>
      `The certificate of ${url} is not trusted: see the job's log. Add your own certificate authority to the file that CARREL_GIT_AUTHORITIES names.`,
  },
  {
    pattern:
      /could not resolve host|failed to connect|connection (?:refused|timed out|reset)|couldn't connect|operation (?:timed out|too slow)|no route to host|empty reply/i,
    code: 'GitHostUnreachable',
    sentence: ({ url }) => `The host of ${url} does not answer. Try again later, or correct the URL.`,
  },
];

/** The code of a usual reason why git failed with this output. */
export function usualGitFault(output: string): string | undefined {
  return known.find(({ pattern }) => pattern.test(output))?.code;
}

/** The reason why a fetch failed, in a sentence; the output of git if the reason is not a usual one. */
export function fetchFailure(source: GitSource, { code, signal, tail }: EndedProcess, log: RunLog): JobError {
  const usual = known.find(({ pattern }) => pattern.test(tail));
  if (usual) return new JobError(usual.code, usual.sentence(source));
  const own = log.clean(tail).trim().split('\n').at(-1) || `it ended with ${signal ?? `code ${code}`}`;
  return new JobError('GitFailed', `${source.url} cannot be fetched: ${own}`);
}
