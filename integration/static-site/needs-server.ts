// Parts of a page that only the site's own server can answer.
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

/** Reports each kind and URL once per page. */
export function serverProblems(page: string, found: NeedsServer[]): Problem[] {
  const reported = new Set<string>();
  return found.flatMap(({ kind, address }) => {
    if (reported.has(kind + address)) return [];
    reported.add(kind + address);
    return [kind === 'form' ? formProblem(page, address) : islandProblem(page)];
  });
}

function formProblem(page: string, address: string): Problem {
  return {
    kind: 'form-needs-server',
    severity: 'warning',
    page,
    message: `A form posts to ${address === '' ? 'its own page' : `"${address}"`}, but an export has no server to answer it.`,
    hint: 'Post to an absolute URL, or offer another way as well.',
  };
}

function islandProblem(page: string): Problem {
  return {
    kind: 'server-island',
    severity: 'warning',
    page,
    message: 'Only a server renders a server island, so the export shows its fallback.',
    hint: 'Remove "server:defer", or put what offline readers should see into the "fallback" slot.',
  };
}
