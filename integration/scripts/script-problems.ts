// What is told of scripts in more than one place.
import type { Problem } from '../problem.ts';

/** A script of the site that does not parse; `message` says why. */
export function notBundled(page: string, line: number | undefined, message: string): Problem {
  return {
    kind: 'script-not-bundled',
    severity: 'warning',
    page,
    line,
    message: `This script is not JavaScript that can be bundled: ${message}`,
    hint: 'The pages open without it; correct the script.',
  };
}

/** A script that starts a worker from a file. */
export function startsWorker(page: string, line: number): Problem {
  return {
    kind: 'script-worker',
    severity: 'warning',
    page,
    line,
    message: 'This script starts a worker, which browsers refuse in a file that was opened from disk.',
    hint: 'Served over http the worker runs; from file:// what it does is missing.',
  };
}
