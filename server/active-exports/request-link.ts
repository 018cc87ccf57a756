// Asks the API of a Carrel server for a new link to a bundle, for a process that starts after its last link expired.
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import { createProxiedPool, safeRequest } from '../../integration/remote/safe-fetch.ts';
import { jsonValue } from '../../integration/text/json.ts';
import { causeOf, reasonIn, startOf } from './fetch-bundle.ts';

/** Where new links come from. */
export interface LinkSource {
  /** URL of the API without a slash at its end. */
  api: string;
  /** The active export of this site, or the export of this job. */
  of: { domain: string } | { jobId: string };
  /** An admin key with the scope `write`. It is in no message. */
  key: string;
}

export interface RequestLinkOptions {
  /** Digest of the `carrel.json` that the caller has: then the link may be to a delta from it. */
  since?: string;
  signal?: AbortSignal;
  /** Milliseconds for the link, with all retries. @default 30,000 */
  timeLimit?: number;
  /** Milliseconds to wait before each retry while the API is unavailable. @default [500, 1000, 2000, 4000] */
  waits?: number[];
}

const siteSchema = z.object({ activeJob: z.string().nullable() });
const linkSchema = z.object({
  bundleUrl: z.url({ protocol: /^https?$/ }).refine((url) => new URL(url).username === ''),
  // Servers of earlier versions do not send it.
  manifest: z.string().optional(),
  deltaFrom: z.string().optional(),
});

export interface BundleLink {
  url: string;
  /** Digest of the `carrel.json` of its export. */
  manifest?: string;
  /** Whether it is to a delta from the export with the digest `since`. */
  isDelta?: boolean;
}

/**
 * A new link to a bundle, or to a delta to it. The active export of a site is looked up each time, so that a later call leads to a newer export.
 * Throws `ExportError` `BundleLinkRefused` (the API does not give one) and `BundleLinkNotReceived` (it did not answer, or not with a link).
 */
export async function requestLink(source: LinkSource, options: RequestLinkOptions = {}): Promise<BundleLink> {
  const { timeLimit = 30_000, signal, since } = options;
  const timeout = AbortSignal.timeout(timeLimit);
  const ending = AbortSignal.any([timeout, ...(signal ? [signal] : [])]);
  try {
    const jobId =
      'jobId' in source.of ? source.of.jobId : await activeJob(source, source.of.domain, { ...options, signal: ending });
    const query = since === undefined ? '' : `?since=${since}`;
    const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}/bundle${query}`;
    const link = await ask(source, { method: 'POST', path, schema: linkSchema }, { ...options, signal: ending });
    const { bundleUrl, manifest, deltaFrom } = link;
    if (source.api.startsWith('https:') && bundleUrl.startsWith('http:'))
      throw notReceivedError(source, new Error('its link is not https, but the API is'));
    return { url: bundleUrl, manifest, isDelta: since !== undefined && deltaFrom !== undefined };
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted && !(error instanceof ExportError))
      throw notReceivedError(source, new Error(`it did not answer within ${timeLimit / 1000} seconds`));
    throw error;
  }
}

async function activeJob(source: LinkSource, domain: string, options: RequestLinkOptions): Promise<string> {
  const path = `/v1/sites/${encodeURIComponent(domain)}`;
  const { activeJob } = await ask(source, { method: 'GET', path, schema: siteSchema }, options);
  if (activeJob !== null) return activeJob;
  throw new ExportError(
    'BundleLinkRefused',
    `The site "${domain}" at ${source.api} does not have an export yet.`,
    `Start one, and wait for it: POST /v1/static-export/jobs with {"domain":"${domain}"}`,
  );
}

interface Question<Schema> {
  method: 'GET' | 'POST';
  path: string;
  schema: Schema;
}

const pool = createProxiedPool();

async function ask<Schema extends z.ZodType>(source: LinkSource, question: Question<Schema>, options: RequestLinkOptions) {
  const { waits = [500, 1000, 2000, 4000], signal } = options;
  for (let attempt = 0; ; attempt++) {
    try {
      return await askOnce(source, question, signal);
    } catch (error) {
      if (error instanceof ExportError || signal?.aborted) throw error;
      if (attempt === waits.length) throw notReceivedError(source, error);
      await pause(waits[attempt], undefined, { signal });
    }
  }
}

/** Throws an `Error` that is not an `ExportError` if the same question may be answered a little later. */
async function askOnce<Schema extends z.ZodType>(
  source: LinkSource,
  { method, path, schema }: Question<Schema>,
  signal: AbortSignal | undefined,
): Promise<z.output<Schema>> {
  const headers = { authorization: `Bearer ${source.key}`, accept: 'application/json' };
  // A redirect is not followed, since it would take the key elsewhere.
  const response = await safeRequest(new URL(`${source.api}${path}`), { method, headers, signal, pool, allowed: 'any' });
  const text = await startOf(response, largestAnswer);
  if (response.ok) {
    const answer = schema.safeParse(jsonValue(text));
    if (answer.success) return answer.data;
    throw notReceivedError(source, new Error('its answer is not that of a Carrel server'));
  }
  const answered = `it answered ${response.status}`;
  if (response.status >= 500 || [408, 425, 429].includes(response.status)) throw new Error(answered);
  const reason = reasonIn(text).replaceAll(source.key, 'svc_…');
  if (response.status < 400) throw notReceivedError(source, new Error(`${answered}, a redirect, which is not followed`));
  throw new ExportError(
    'BundleLinkRefused',
    `The API at ${source.api} refused to create a link to the bundle of ${nameOf(source)}: ${answered}${reason ? ` (${reason})` : ''}.`,
    [401, 403].includes(response.status)
      ? 'Set CARREL_BUNDLE_KEY to a valid admin key of the organization of the site, with the scope write.'
      : 'Check the URL of the API, and the domain or job that the link is for.',
  );
}

const largestAnswer = 64 * 1024;

function nameOf({ of }: LinkSource): string {
  return 'domain' in of ? `the site "${of.domain}"` : `the job "${of.jobId}"`;
}

function notReceivedError(source: LinkSource, cause: unknown): ExportError {
  return new ExportError(
    'BundleLinkNotReceived',
    `The API at ${source.api} did not send a link to the bundle of ${nameOf(source)}: ${causeOf(cause)}.`,
    'Check that this machine can reach the API, and that the URL is that of a Carrel server.',
    { cause },
  );
}
