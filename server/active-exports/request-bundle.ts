// A link to a bundle: whoever has it has the bundle, so nothing tells more of it than where it leads.
import { ExportError } from '../../integration/errors.ts';
import { createProxiedPool, RefusedUrl, safeFetch } from '../../integration/remote/safe-fetch.ts';

/** What a link answers that no longer leads to its bundle. */
export const deadStatuses = new Set([401, 403, 404, 410]);

/** The link as it may be told: without its query, which holds the signature. */
export function toldLink(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const pool = createProxiedPool();

/**
 * A GET that follows a few redirects, never from https to http. The operator chose the link, so it may lead into any network.
 * Throws `ExportError` `BundleNotFetched` for a redirect it does not follow, and what `safeFetch` throws.
 */
export async function requestBundle(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  try {
    return await safeFetch(new URL(link), { headers, signal, pool: () => pool, allowed: anyNetwork });
  } catch (error) {
    throw error instanceof RefusedUrl ? notFetched(link, error) : error;
  }
}

function anyNetwork(url: URL, from: URL | undefined): 'any' {
  if (from?.protocol === 'https:' && url.protocol === 'http:') {
    throw new RefusedUrl(`it redirects from https to http, on ${url.host}`);
  }
  return 'any';
}

export async function linkDead(url: string, response: Response): Promise<ExportError> {
  const reason = await reasonOf(response);
  return new ExportError(
    'BundleLinkDead',
    `The link to the bundle is dead: ${toldLink(url)} answered ${response.status}${reason ? ` (${reason})` : ''}.`,
    'Links expire. Ask the API for a new one, of the same job: POST /v1/static-export/jobs/{jobId}/bundle',
  );
}

export function notFetched(url: string, cause: unknown): ExportError {
  return new ExportError(
    'BundleNotFetched',
    `The bundle at ${toldLink(url)} could not be fetched: ${causeOf(cause)}.`,
    'Check that this machine reaches the address; a download that broke off goes on where it ended.',
    { cause },
  );
}

export function tooLarge(url: string, bytes: number, limit: number): ExportError {
  return new ExportError(
    'BundleTooLarge',
    `The bundle at ${toldLink(url)} has ${bytes} bytes or more; ${limit} are the limit.`,
    'If it is the right one, raise the limit: --max-size',
  );
}

/** The innermost reason. */
function causeOf(error: unknown): string {
  const { cause, message, code } = error as Error & { code?: string };
  if (cause instanceof Error) return causeOf(cause);
  return message || code || 'no reason given';
}

/** What our API, or a service like S3, gives as its reason. Only known places are read: the rest may hold parts of the link. */
async function reasonOf(response: Response): Promise<string> {
  const text = await startOf(response, 4096).catch(() => '');
  const found = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? '';
  const plain = found.replace(/\\./g, ' ').replace(/[\p{C}\s]+/gu, ' ');
  return plain.replace(/\?\S*/g, '?…').trim().slice(0, 200);
}

async function startOf(response: Response, bytes: number): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= bytes) break;
  }
  return text.slice(0, bytes);
}
