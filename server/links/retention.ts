import type { Services } from '../services.ts';

export type RetentionServices = Pick<Services, 'storage' | 'jobs' | 'database' | 'options' | 'log'>;

/** Removes what exports of a site beyond the newest `keepExports` and the active one have for themselves, then notes them as expired. */
export async function removeOldExports(_services: RetentionServices, _domain: string): Promise<void> {
  throw new Error('Being written.');
}

/** Removes all that is kept of a site that was deleted. */
export async function removeAllExports(_services: RetentionServices, _domain: string): Promise<void> {
  throw new Error('Being written.');
}
