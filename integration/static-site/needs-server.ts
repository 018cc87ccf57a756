// What a page has that only the site's own server can answer.
import { isElsewhere } from '../urls/address.ts';
import { attribute, type Tag } from '../html/read-html.ts';
import type { Problem } from '../diagnostics.ts';

export interface NeedsServer {
  kind: 'form' | 'island';
  /** Where a form posts to; empty for its own page. */
  address: string;
}

/** Forms that post to the site, and Astro's server islands. */
export function needsServer(tag: Tag): NeedsServer | undefined {
  if (tag.name === 'script' && attribute(tag, 'data-island-id') !== undefined) return { kind: 'island', address: '' };
  if (tag.name !== 'form' || attribute(tag, 'method')?.trim().toLowerCase() !== 'post') return undefined;
  const address = attribute(tag, 'action') ?? '';
  return isElsewhere(address) ? undefined : { kind: 'form', address };
}

/** Each kind and address is told once a page. */
export function serverProblems(page: string, found: NeedsServer[]): Problem[] {
  const told = new Set<string>();
  return found.flatMap(({ kind, address }) => {
    if (told.has(kind + address)) return [];
    told.add(kind + address);
    return [kind === 'form' ? formProblem(page, address) : islandProblem(page)];
  });
}

function formProblem(page: string, address: string): Problem {
  return {
    kind: 'form-needs-server',
    severity: 'warning',
    page,
    message: `A form posts to ${address === '' ? 'its own page' : `"${address}"`}, which no server answers in an export.`,
    hint: 'Let it post to a full address, or offer another way beside it.',
  };
}

function islandProblem(page: string): Problem {
  return {
    kind: 'server-island',
    severity: 'warning',
    page,
    message: 'A server island is filled by a server, so the export shows what stands in its place until then.',
    hint: 'Take "server:defer" off it, or put into its "fallback" slot what offline readers shall see.',
  };
}
