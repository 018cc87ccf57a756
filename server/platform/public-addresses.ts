// URLs that callers set (git, models, webhooks) may lead into private networks, so they are checked.
import http from 'node:http';
import https from 'node:https';
import { AddressError, checkedAddresses, safeRequest } from '../../integration/remote/safe-fetch.ts';
import { ApiError } from './errors.ts';

/** Like `checkedAddresses`, but throws `ApiError` 400 `AddressPrivate` or `HostUnknown`. */
export async function publicAddresses(host: string, allowed: readonly string[]): Promise<string[]> {
  return await checkedAddresses(host, allowed).catch((error: unknown) => {
    throw addressRefused(host, error);
  });
}

export interface GuardedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Like `allowed` of `publicAddresses`. */
  allowed: string[];
  /** From the DNS lookup to the end of the response. */
  milliseconds: number;
  /** Certificate authorities to trust in place of the system's, in PEM. */
  authorities?: string;
}

// Only the beginning of the response is used. Some more is read, so that a well-behaved receiver can finish.
const largestAnswer = 64 * 1024;
const longestExcerpt = 500;

/**
 * Posts a body and returns the status and the first 500 characters of the response. Follows no redirects and reads only the beginning of the response.
 * Throws what `publicAddresses` throws, and an `Error` without a response in time.
 */
export async function guardedRequest(request: GuardedRequest): Promise<{ status: number; excerpt: string }> {
  const { url, headers, body, allowed, milliseconds, authorities } = request;
  const signal = AbortSignal.timeout(milliseconds);
  const agents =
    authorities === undefined ? undefined : { 'http:': new http.Agent(), 'https:': new https.Agent({ ca: authorities }) };
  const pool = agents && { agents, isProxied: false };
  try {
    const response = await safeRequest(new URL(url), { method: 'POST', headers, body, allowed, signal, pool });
    let length = 0;
    let begin = Buffer.alloc(0);
    for await (const piece of response.body ?? []) {
      if (length < longestExcerpt * 4) begin = Buffer.concat([begin, piece]);
      length += piece.length;
      if (length > largestAnswer) break;
    }
    return { status: response.status, excerpt: storable(begin.toString('utf8')).slice(0, longestExcerpt) };
  } catch (error) {
    if (signal.aborted) throw new Error('There was no complete response in time.', { cause: signal.reason });
    throw addressRefused(new URL(url).hostname, error);
  }
}

/** PostgreSQL stores no NUL; other control characters could change how the text around them is shown. */
function storable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, '\uFFFD');
}

function addressRefused(host: string, cause: unknown): unknown {
  if (!(cause instanceof AddressError)) return cause;
  if (cause.code === 'HostUnknown') {
    return new ApiError('HostUnknown', `The host "${host}" was not found. Check its name.`, { cause });
  }
  return new ApiError(
    'AddressPrivate',
    `The host "${host}" is in a private or reserved network, which this server does not connect to. Use a public host, or have the operator add the host to CARREL_PRIVATE_HOSTS.`,
    { cause },
  );
}
