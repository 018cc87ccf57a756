import type { SiteExportAnswer } from '../../jobs/routes/export-routes.ts';
import { element, type Child } from './element.ts';
import { dateText, time } from './format.ts';
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

/** The export that a site serves although there is a newer one of the whole site, or although the next one will not replace it, and the reason. */
export function heldBack(stored: SiteExportAnswer[]): { active: SiteExportAnswer; reason: Child[] } | undefined {
  const active = stored.find((one) => one.active);
  if (!active) return undefined;
  const name = [element('strong', exportName(active)), ', ', time(active.createdAt)];
  if (active.pinned)
    return { active, reason: ['This site serves a pinned export: ', ...name, '. Newer exports are stored, but not served.'] };
  if (active === stored.find(({ partial }) => !partial)) return undefined;
  return {
    active,
    reason: ['This site serves an earlier export: ', ...name, '. The next export of the whole site replaces it.'],
  };
}
