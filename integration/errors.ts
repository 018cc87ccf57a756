import type codes from './error-codes.json';

/** The code of an error: a key of error-codes.json, of which the manual's page is made. It is permanent: scripts match on it. */
export type ExportErrorCode = keyof typeof codes;

/** An error that is shown to users. `message` says what happened and where, `hint` says what to do next. */
export class ExportError extends Error {
  override name = 'ExportError';
  readonly code: ExportErrorCode;
  readonly hint: string | undefined;
  /** Where the fault is: a file of the docs folder, and the 1-based position in it. */
  readonly at: { file: string; line: number; column: number } | undefined;

  constructor(code: ExportErrorCode, message: string, hint?: string, options?: ErrorOptions & Partial<Pick<ExportError, 'at'>>) {
    super(message, options);
    this.code = code;
    this.hint = hint;
    this.at = options?.at;
  }
}

/** The code of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
