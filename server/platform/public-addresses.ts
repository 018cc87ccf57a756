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
  /** @default 'POST' */
  method?: string;
  headers: Record<string, string>;
  body?: string;
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

/** Like `guardedText`, with the first 500 characters of the response. */
export async function guardedRequest(request: GuardedRequest): Promise<{ status: number; excerpt: string }> {
  const { status, text } = await guardedText(request, largestAnswer);
  return { status, excerpt: storable(text.slice(0, longestExcerpt)) };
}

/**
 * Sends a request and returns the status and the text of the response. Follows no redirects and stops reading behind `most` bytes.
 * Throws what `publicAddresses` throws, and an `Error` without a response in time.
 */
export async function guardedText(
  { url, method = 'POST', headers, body, allowed, milliseconds, authorities }: GuardedRequest,
  most: number,
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(milliseconds);
  const agents =
    authorities === undefined ? undefined : { 'http:': new http.Agent(), 'https:': new https.Agent({ ca: authorities }) };
  const pool = agents && { agents, isProxied: false };
  try {
    const response = await safeRequest(new URL(url), { method, headers, body, allowed, signal, pool });
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of response.body ?? []) {
      pieces.push(piece);
      length += piece.length;
      if (length > most) break;
    }
    return { status: response.status, text: Buffer.concat(pieces).toString('utf8') };
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
