import type { Problem } from '../diagnostics.ts';

/** Reports a script of the site that does not parse; `message` says why. */
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
