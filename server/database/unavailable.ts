import { errorCode } from '../../integration/errors.ts';

/** The database could not be reached: the same request can succeed later. The API responds with 503. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  readonly code = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super("The database can't be reached. Try again in a few seconds.", { cause });
  }
}

/** `DatabaseUnavailable` for a driver's error about a lost or refused connection; else the error itself. */
export function asUnavailable(error: unknown): unknown {
  return isConnectionLoss(error) ? new DatabaseUnavailable(error) : error;
}

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

// SQLSTATE: class 08 is a connection failure; then server going down, crashed, starting; too many connections.
const states = /^(?:08...|57P01|57P02|57P03|53300)$/;

// The drivers give these no code.
const messages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|PGlite is clos)/;

function isConnectionLoss(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  return (code !== undefined && (systemCodes.has(code) || states.test(code))) || messages.test(error.message);
}
