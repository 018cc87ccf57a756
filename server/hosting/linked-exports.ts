// Stored exports that are opened with a link, before or after they are served.
import { LRUCache } from 'lru-cache';
import { FileRemoved, openStoredSite } from '../active-exports/active-exports.ts';
import type { Jobs } from '../jobs/model/jobs.ts';
import type { Secrets } from '../platform/secrets.ts';
import { exportOfPath } from '../storage/export-link.ts';
import type { Storage } from '../storage/storage.ts';
import { siteHandler, type SiteHandlerOptions } from './handler.ts';
import { withProvidersOff } from './with-settings.ts';

export interface LinkedExportsParts {
  jobs: Pick<Jobs, 'get'>;
  storage: Storage;
  secrets: Secrets;
  now: () => number;
}

type Handler = ReturnType<typeof siteHandler>;
/** Why a link opens nothing. */
type Refusal = 'unknown' | 'expired' | 'removed';

// A manifest of 20,000 files takes a few MB.
const mostOpened = 8;

/**
 * Answers requests below `/exports/`. The pages have the settings that the export was written with, so their panel quotes the docs and nothing
 * is counted.
 */
export function createLinkedExports({ jobs, storage, secrets, now }: LinkedExportsParts, encode: SiteHandlerOptions['encode']) {
  const opened = new LRUCache<string, Promise<Handler | undefined>>({ max: mostOpened });

  return async function handle(
    request: Request,
    answerBelow: (request: Request, answer: Handler) => Promise<Response>,
  ): Promise<Response | Refusal> {
    const link = exportOfPath(secrets, new URL(request.url).pathname);
    if (!link) return 'unknown';
    if (now() >= link.expires.getTime()) return 'expired';
    const job = await jobs.get(link.jobId);
    if (!job?.result || job.expiredAt) return 'removed';
    const { domain, result } = job;
    const known = opened.get(link.base) ?? open(domain, result.manifest, link.base);
    opened.set(link.base, known);
    try {
      const answer = await known;
      if (!answer) return 'removed';
      const response = await answerBelow(request, answer);
      // The URL is a secret until it expires.
      response.headers.set('cache-control', 'private, no-cache');
      response.headers.set('referrer-policy', 'no-referrer');
      response.headers.set('x-robots-tag', 'noindex');
      return response;
    } catch (error) {
      opened.delete(link.base);
      if (error instanceof FileRemoved) return 'removed';
      throw error;
    }
  };

  async function open(domain: string, manifest: string, base: string): Promise<Handler | undefined> {
    const stored = await openStoredSite(storage, domain, manifest);
    return stored && siteHandler(withProvidersOff(stored.opened), { base, encode });
  }
}
