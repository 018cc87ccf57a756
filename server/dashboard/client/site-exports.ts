import type { SiteExportAnswer } from '../../jobs/routes/export-routes.ts';
import { dateText } from './format.ts';
import type { Session } from './session.ts';

export function pathOfExports(domain: string): string {
  return `/v1/sites/${encodeURIComponent(domain)}/exports`;
}

/** The stored exports of a site, newest first. */
export async function readExports({ client }: Session, domain: string, signal: AbortSignal): Promise<SiteExportAnswer[]> {
  const { exports } = await client.call<{ exports: SiteExportAnswer[] }>('GET', pathOfExports(domain), { signal });
  return exports;
}

/** "v14.2 of 25 Nov 2026, 20:10". */
export function exportName({ version, createdAt }: SiteExportAnswer): string {
  return `${version} of ${dateText(createdAt)}`;
}
