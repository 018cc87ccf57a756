import { ExportError } from './errors.ts';

/** An `ExportError` as Astro shows it; others are as they were. */
export function buildError(error: unknown): unknown {
  return error instanceof ExportError ? new BuildError(error.message, error.hint) : error;
}

/** What `work` gives; its `ExportError` is thrown as Astro shows it. */
export function toldByAstro<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw buildError(error);
  }
}

/** Astro knows its users' errors by this name, and shows the hint. Its own class may not be found from here: it is the project's package. */
class BuildError extends Error {
  override name = 'AstroUserError';
  readonly type = 'AstroUserError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(`@carrel/astro: ${message}`);
    this.hint = hint;
  }
}
