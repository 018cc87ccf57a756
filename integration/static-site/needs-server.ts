// Parts of a page that only the site's own server can answer.
import { isElsewhere } from '../urls/parts.ts';
import { attribute, type Tag } from '../html/read-html.ts';
import { createProblem, type Problem } from '../diagnostics.ts';

export interface NeedsServer {
  kind: 'form' | 'island';
  /** Where a form posts to; empty for its own page. */
  url: string;
}

/** Forms that post to the site, and Astro's server islands. */
export function needsServer(tag: Tag): NeedsServer | undefined {
  if (tag.name === 'script' && attribute(tag, 'data-island-id') !== undefined) return { kind: 'island', url: '' };
  if (tag.name !== 'form' || attribute(tag, 'method')?.trim().toLowerCase() !== 'post') return undefined;
  const url = attribute(tag, 'action') ?? '';
  return isElsewhere(url) ? undefined : { kind: 'form', url };
}

/** Reports each kind and URL once per page. */
export function serverProblems(page: string, found: NeedsServer[]): Problem[] {
  const reported = new Set<string>();
  return found.flatMap(({ kind, url }) => {
    if (reported.has(kind + url)) return [];
    reported.add(kind + url);
    return [kind === 'form' ? formProblem(page, url) : islandProblem(page)];
  });
}

function formProblem(page: string, url: string): Problem {
  return createProblem({
    kind: 'form-needs-server',
    page,
    message: `A form posts to ${url === '' ? 'its own page' : `"${url}"`}, but an export has no server to answer it.`,
    hint: 'Post the form to an absolute URL, or give readers another way to send this.',
  });
}

function islandProblem(page: string): Problem {
  return createProblem({
    kind: 'server-island',
    page,
    message: 'Only a server renders a server island, so the export shows its fallback.',
    hint: 'Remove "server:defer", or put what offline readers should see into the "fallback" slot.',
  });
}
