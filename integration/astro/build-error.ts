import { ExportError } from '../errors.ts';

/** An `ExportError` as Astro shows it, with its code, by which the manual has it; others are as they were. */
export function buildError(error: unknown): unknown {
  return error instanceof ExportError ? new BuildError(error) : error;
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

  constructor({ code, message, hint }: ExportError) {
    super(`@carrel/astro: ${code}: ${message}`);
    this.hint = hint;
    // Astro prints the whole stack, whose lines are those of the export, not of the site.
    this.stack = '';
  }
}
