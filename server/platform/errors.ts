import { randomBytes } from 'node:crypto';

/** HTTP status codes the server answers with on purpose. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 417 | 429 | 431 | 500 | 503;

/** Every code that the API answers with; permanent. */
export const errorCodes = [
  'AddressNotAllowed',
  'AddressPrivate',
  'AnswerUnknown',
  'AssetUnknown',
  'AstroNeedsOperator',
  'BodyInvalid',
  'BodyNotExpected',
  'BodyNotJson',
  'BodyTooLarge',
  'CursorInvalid',
  'DatabaseUnavailable',
  'DomainTaken',
  'ExpectationUnknown',
  'ExpiryPassed',
  'ExportExpired',
  'FolderNeedsOperator',
  'GitCredentialsShared',
  'HeadersTooLarge',
  'HostUnknown',
  'IdempotencyKeyReused',
  'InternalError',
  'JobCanceled',
  'JobFailed',
  'JobFinished',
  'JobNotFinished',
  'JobUnknown',
  'KeyExpired',
  'KeyIdUnknown',
  'KeyMissing',
  'KeyNotAdmin',
  'KeyNotAssistant',
  'KeyTooStrong',
  'KeyUnknown',
  'LanguageUnknown',
  'LinkExpired',
  'LinkInvalid',
  'MethodNotAllowed',
  'MetricsTokenWrong',
  'NotReady',
  'OrganizationExists',
  'OrganizationUnknown',
  'OriginNotAllowed',
  'PageUnknown',
  'PathUnknown',
  'PlanWithoutExport',
  'QueueFull',
  'ReportMissing',
  'RequestInvalid',
  'RequestMalformed',
  'RequestTimeout',
  'RouteUnknown',
  'ScopeMissing',
  'SessionUnknown',
  'SiteUnknown',
  'SiteWithoutExport',
  'SshNeedsOperator',
  'Starting',
  'StorageUnavailable',
  'StreamsFull',
  'ThreadUnknown',
  'TooManyAnswers',
  'TooManyKeys',
  'TooManyRequests',
  'TooManyStreams',
  'TooManyWebhooks',
  'WebhookAddressInvalid',
  'WebhookUnknown',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

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

  constructor(
    status: ErrorStatus,
    code: ErrorCode,
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

/** Why a job cannot be done, as a human-readable message. `code` is permanent; another run would end the same way. */
export class JobError extends Error {
  override name = 'JobError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
