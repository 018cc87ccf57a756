import { randomBytes } from 'node:crypto';
import errorCodes from './error-codes.json' with { type: 'json' };

/** Every code that the API answers with; permanent. error-codes.json has its HTTP status, and the meaning that the manual lists. */
export type ErrorCode = keyof typeof errorCodes;
/** HTTP status codes the server answers with on purpose. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 417 | 429 | 431 | 500 | 502 | 503;

/**
 * A request that is refused. `code` is permanent, `message` says what happened and what to do next;
 * it is shown to the caller, so it never holds a cause from inside.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ErrorStatus;
  readonly code: ErrorCode;
  /** Besides the usual ones, such as `retry-after`. */
  readonly headers: Record<string, string>;
  /** The fields of a body, or the parts of a path, that are not valid. */
  readonly fields: FieldFault[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { headers?: Record<string, string>; fields?: FieldFault[] | undefined } = {},
  ) {
    super(message, options);
    this.status = errorCodes[code].status as ErrorStatus;
    this.code = code;
    this.headers = options.headers ?? {};
    this.fields = options.fields;
  }
}

/** What is wrong with a field, to be read after its name: "must be a string". */
export interface FieldFault {
  /** With dots: `features.assistant.suggestions.0`. */
  path: string;
  message: string;
}

/** A request whose caller has to identify itself. For this scheme, browsers ask for no password. */
export function unauthorizedError(code: ErrorCode, message: string, options?: ErrorOptions): ApiError {
  return new ApiError(code, message, { ...options, headers: { 'www-authenticate': 'Bearer realm="carrel"' } });
}

/** The one shape of all error answers. */
export interface ErrorBody {
  error: string;
  code: string;
  requestId: string;
  fields?: FieldFault[];
}

/** A request whose body is not valid. */
export function fieldsInvalid(fields: FieldFault[]): ApiError {
  const faults = fields.map(({ path, message }) => `${path} ${message}`.trim());
  return new ApiError('RequestInvalid', `The request is not valid. ${faults.join('; ')}.`, { fields });
}

export function newRequestId(): string {
  return `req_${randomBytes(8).toString('hex')}`;
}

/** Why a job cannot be done, as a human-readable message. `code` is permanent; another run would end the same way. */
export class JobError extends Error {
  override name = 'JobError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
