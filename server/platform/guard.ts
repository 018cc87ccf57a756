// Addresses that others give to the server (git, models, webhooks) may lead into private networks, so they are checked.
import { AddressError, checkedAddresses, safeRequest } from '../../integration/remote/safe-fetch.ts';
import { ApiError } from './errors.ts';

/** As `checkedAddresses`. Throws `ApiError` 400 `AddressPrivate` or `HostUnknown`. */
export async function publicAddresses(host: string, allowed: readonly string[]): Promise<string[]> {
  return await checkedAddresses(host, allowed).catch((error: unknown) => {
    throw addressRefused(host, error);
  });
}

export interface GuardedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** As for `publicAddresses`. */
  allowed: string[];
  /** For all of it, from looking up the name to the end of the answer. */
  milliseconds: number;
}

// No one uses the answer. Some of it is read, so that a well-behaved receiver can finish.
const largestAnswer = 64 * 1024;

/**
 * Posts a body and returns the status of the answer. Follows no redirect and reads little of the answer.
 * Throws what `publicAddresses` throws, and an `Error` when there is no answer, or none in time.
 */
export async function guardedRequest({ url, headers, body, allowed, milliseconds }: GuardedRequest): Promise<number> {
  const signal = AbortSignal.timeout(milliseconds);
  try {
    const response = await safeRequest(new URL(url), { method: 'POST', headers, body, allowed, signal });
    let length = 0;
    for await (const piece of response.body ?? []) {
      length += piece.length;
      if (length > largestAnswer) break;
    }
    return response.status;
  } catch (error) {
    if (signal.aborted) throw new Error('There was no whole answer in time.', { cause: signal.reason });
    throw addressRefused(new URL(url).hostname, error);
  }
}

function addressRefused(host: string, cause: unknown): unknown {
  if (!(cause instanceof AddressError)) return cause;
  if (cause.code === 'HostUnknown') {
    return new ApiError(400, 'HostUnknown', `The host "${host}" was not found. Check its name.`, { cause });
  }
  return new ApiError(
    400,
    'AddressPrivate',
    `The host "${host}" is in a private or reserved network, which this server does not connect to. Use a public address, or have the operator list the host in CARREL_PRIVATE_HOSTS.`,
    { cause },
  );
}
