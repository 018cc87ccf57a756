import { randomBytes } from 'node:crypto';

/** Every code that the API answers with, and its HTTP status; permanent. */
export const errorStatuses = {
  AddressNotAllowed: 403,
  AddressPrivate: 400,
  AnalyticsOff: 403,
  AnswerUnknown: 404,
  AssetUnknown: 404,
  AssistantOff: 403,
  AstroNeedsOperator: 403,
  TrustNeedsOperator: 403,
  BodyInvalid: 400,
  BodyNotExpected: 400,
  BodyNotJson: 415,
  BodyTooLarge: 413,
  CursorInvalid: 400,
  DatabaseUnavailable: 503,
  DeliveryUnknown: 404,
  DomainNotProven: 409,
  DomainTaken: 409,
  EventsFull: 503,
  ExpectationUnknown: 417,
  ExpiryPassed: 400,
  ExportExpired: 410,
  ExportNotPinned: 404,
  ExportPartial: 409,
  FolderNeedsOperator: 403,
  GitCredentialsShared: 409,
  HeadersTooLarge: 431,
  HostNotAllowed: 403,
  HostUnknown: 400,
  HtmlNeedsOperator: 403,
  IdempotencyKeyReused: 409,
  InternalError: 500,
  JobCanceled: 409,
  JobFailed: 409,
  JobFinished: 409,
  JobNotFinished: 409,
  JobUnknown: 404,
  KeyExpired: 401,
  KeyIdUnknown: 404,
  KeyMissing: 401,
  KeyNotAdmin: 403,
  KeyNotAssistant: 403,
  KeyNotMember: 403,
  KeyTooStrong: 403,
  KeyUnknown: 401,
  LanguageUnknown: 400,
  LinkExpired: 403,
  LinkForSelf: 403,
  LastOwner: 409,
  LinkInvalid: 403,
  MailOff: 404,
  MemberExists: 409,
  MemberUnknown: 404,
  MethodNotAllowed: 405,
  MetricsTokenWrong: 401,
  NotReady: 503,
  OidcOff: 404,
  OidcRequired: 403,
  OidcUntried: 409,
  OrganizationExists: 409,
  OrganizationIsOwn: 409,
  OrganizationUnknown: 404,
  OriginNotAllowed: 403,
  PageTokenExpired: 401,
  PageTokenInvalid: 401,
  PageUnknown: 404,
  PasskeyInvalid: 400,
  PasskeyUnknown: 401,
  PasskeyIdUnknown: 404,
  PasskeyLimit: 409,
  PathUnknown: 400,
  PlanWithoutExport: 403,
  PlaygroundHostRefused: 403,
  PlaygroundTargetFailed: 502,
  PreviewUnknown: 404,
  ProvidersNeedOperator: 403,
  PushHookUnknown: 404,
  PushRefused: 401,
  QueueFull: 429,
  ReportMissing: 404,
  RequestInvalid: 400,
  RequestMalformed: 400,
  RequestTimeout: 408,
  RouteUnknown: 404,
  ScopeMissing: 403,
  SecretNotGenerated: 409,
  SessionIdUnknown: 404,
  SessionLinkInvalid: 401,
  SessionUnknown: 401,
  SiteNotForYou: 403,
  SitePinned: 409,
  SiteUnknown: 404,
  SiteWithoutExport: 404,
  SourceNotReadable: 400,
  SshNeedsOperator: 403,
  Starting: 503,
  StorageUnavailable: 503,
  StreamsFull: 503,
  ThreadUnknown: 404,
  TooManyAnswers: 429,
  TooManyConnections: 503,
  TooManyKeys: 429,
  TooManyRequests: 429,
  TooManyStreams: 429,
  TooManyWebhooks: 409,
  WebhookAddressInvalid: 400,
  WebhookUnknown: 404,
} as const;
export type ErrorCode = keyof typeof errorStatuses;
/** HTTP status codes the server answers with on purpose. */
export type ErrorStatus = (typeof errorStatuses)[ErrorCode];

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
    this.status = errorStatuses[code];
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
