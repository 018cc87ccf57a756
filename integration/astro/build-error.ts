import { ExportError } from '../errors.ts';

/** Turns an `ExportError` into an error that Astro shows with its code, which the manual lists; other errors stay unchanged. */
export function buildError(error: unknown): unknown {
  return error instanceof ExportError ? new BuildError(error) : error;
}

/** Returns the result of `work`; throws its `ExportError` as an error that Astro shows. */
export function withAstroErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw buildError(error);
  }
}

/** Astro recognizes user errors by this name and shows the hint. Its own class may not be importable from here: Astro is a package of the project. */
class BuildError extends Error {
  override name = 'AstroUserError';
  readonly type = 'AstroUserError';
  readonly hint: string | undefined;

  constructor({ code, message, hint }: ExportError) {
    super(`@carrel/astro: ${code}: ${message}`);
    this.hint = hint;
    // Astro prints the whole stack, whose lines are those of the export, not of the site.
    this.stack = '';
  }
}
