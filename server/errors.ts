import { randomBytes } from 'node:crypto';

/** HTTP status codes the server answers with on purpose. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 417 | 429 | 431 | 500 | 503;

/**
 * A request that is refused. `code` is permanent, `message` says what happened and what to do next;
 * it is shown to the caller, so it never holds a cause from inside.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ErrorStatus;
  readonly code: string;
  /** Besides the usual ones, such as `retry-after`. */
  readonly headers: Record<string, string>;

  constructor(
    status: ErrorStatus,
    code: string,
    message: string,
    options: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** The one shape of all error answers. */
export interface ErrorBody {
  error: string;
  code: string;
  requestId: string;
}

export function newRequestId(): string {
  return `req_${randomBytes(8).toString('hex')}`;
}
