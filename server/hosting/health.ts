// For the monitoring of a server of one site. No file of a site has an address like these: names that begin with a dot
// are never served (site-path.ts).

/** What is being served. */
export interface Shown {
  site: string;
  version: string | undefined;
}

/**
 * Answers `/.carrel/live` (200 while the process lives) and `/.carrel/ready` (200 when there is a site to show, else 503),
 * wherever the site is mounted; undefined for all other requests.
 */
export function answerHealth(request: Request, shown: Shown | undefined): Response | undefined {
  const { pathname } = new URL(request.url);
  if (pathname !== '/.carrel/live' && pathname !== '/.carrel/ready') return undefined;
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { ...headers, allow: 'GET, HEAD' } });
  }
  const isReady = pathname === '/.carrel/live' || shown !== undefined;
  const answer = pathname === '/.carrel/live' ? { status: 'ok' } : { status: shown ? 'ok' : 'starting', ...shown };
  return Response.json(answer, { status: isReady ? 200 : 503, headers });
}
