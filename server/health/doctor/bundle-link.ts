// `carrel serve` on this machine: whether the link to its bundle works, for how long, and what replaces it.
import type { ExportError } from '../../../integration/errors.ts';
import { probeBundle } from '../../active-exports/fetch-bundle.ts';
import { examine, ok, warn, type Finding } from './finding.ts';

const timeout = 10_000;

export function checkBundleLink(environment: NodeJS.ProcessEnv, now: number): Promise<Finding> {
  return examine('bundle-link', 15, async () => {
    const { CARREL_BUNDLE_URL: link = '', CARREL_BUNDLE_REFRESH_URL: api } = environment;
    if (!URL.canParse(link)) return warn('CARREL_BUNDLE_URL is not a URL.', 'Request a link: carrel export-remote DOMAIN');
    const expires = expiryOf(new URL(link).searchParams);
    const when = expires === undefined ? '' : new Date(expires).toISOString();
    const isExpired = expires !== undefined && expires <= now;
    if (api && isExpired) return ok(`CARREL_BUNDLE_URL expired at ${when}; ${api} replaces it`);
    const next =
      'Set CARREL_BUNDLE_REFRESH_URL and CARREL_BUNDLE_KEY, with which `carrel serve` requests links itself, or a new link.';
    if (isExpired)
      return warn(`CARREL_BUNDLE_URL expired at ${when}: \`carrel serve\` serves only a bundle that it has stored.`, next);
    const fault = await probeBundle(link, AbortSignal.timeout(timeout)).catch((error: unknown) => error as ExportError);
    if (fault && api) return ok(`CARREL_BUNDLE_URL does not work, but ${api} replaces it`);
    if (fault) return warn(fault.message, fault.hint ?? next);
    if (expires === undefined) return ok('CARREL_BUNDLE_URL works, and has no expiry');
    if (api) return ok(`CARREL_BUNDLE_URL works, and expires at ${when}; ${api} replaces it`);
    return warn(`CARREL_BUNDLE_URL works, but expires at ${when}, and nothing replaces it.`, next);
  });
}

/** Milliseconds since 1970: of links to this server, and of signed links to buckets. */
function expiryOf(query: URLSearchParams): number | undefined {
  const seconds = Number(query.get('expires') ?? NaN);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? '') ?? [];
  if (year === undefined) return undefined;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + Number(query.get('X-Amz-Expires')) * 1000;
}
