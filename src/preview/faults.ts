// What the overlay of a preview shows: why the site cannot be opened, or why a page is not what its author meant.
import { factsOf, type Problem } from '../../integration/diagnostics.ts';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import { frameIn } from '../source/code-frame.ts';

export interface Fault {
  /** Permanent name of what is wrong: the kind of a problem or the code of an error. */
  name: string;
  message: string;
  hint?: string;
  /** Path in the docs folder, with line and column where they are known: 'guides/install.mdx:12:3'. */
  location?: string;
  /** The lines around that location. */
  frame?: string;
}

/** The faults of a page of that file, and of the whole site. */
export function faultsOf(root: string, problems: Problem[], file: string | undefined): Fault[] {
  const shown = problems.filter(
    ({ kind, page }) =>
      factsOf(kind).shownBy === 'site' || (factsOf(kind).shownBy === 'page' && page !== undefined && page === file),
  );
  return shown.map((problem) => faultOf(root, problem));
}

export function isSevere({ kind }: Problem): boolean {
  return factsOf(kind).shownBy !== undefined;
}

export function faultOf(root: string, { kind, message, hint, page, line, column }: Problem): Fault {
  return { name: kind, message, hint, ...located(root, page, line, column) };
}

/** Why a docs folder could not be opened. */
export function faultOfError(root: string, error: unknown): Fault {
  if (!(error instanceof ExportError)) return { name: 'Unexpected', message: errorMessage(error) };
  const { code, message, hint, at } = error;
  return { name: code, message, hint, ...located(root, at?.file, at?.line, at?.column) };
}

function located(root: string, file?: string, line?: number, column?: number): Pick<Fault, 'location' | 'frame'> {
  if (file === undefined) return {};
  const location = [file, ...(line ? [line, ...(column ? [column] : [])] : [])].join(':');
  return { location, frame: frameIn(root, [{ page: file, line, column }]) };
}
