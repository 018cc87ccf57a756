import { createProblem, type Problem } from '../diagnostics.ts';

/**
 * Reports a module, or an import map, that the bundler cannot read; `message` says why. Only the pages' own bundling fails:
 * a classic script that browsers cannot parse either is `script-not-parsed`.
 */
export function unbundlableScriptProblem(page: string, line: number | undefined, message: string): Problem {
  return createProblem({
    kind: 'script-not-bundled',
    page,
    line,
    message: `This script cannot be bundled: ${message}`,
    hint: 'The pages open without it; correct the script.',
  });
}
