// The cookie of a session. Cookies ignore ports, and exported sites are served on another port of the same host, so the cookie alone opens
// nothing: the request also needs a header that pages of other origins cannot send, and must come from a page of the API's own origin.
import { ApiError } from '../platform/errors.ts';

interface Addresses {
  publicUrl: string;
  sitesUrl: string;
}

/** Sent by the dashboard with each request. Pages of other origins cannot send it, since the API answers no preflight. */
export const sessionHeader = 'x-carrel-session';

const secureName = '__Host-carrel-session';
const plainName = 'carrel-session';

/**
 * The token of the session that a request uses; undefined without the header or the cookie.
 * Throws `ApiError` 403 `OriginNotAllowed` when a page of another origin sends it.
 */
export function sessionToken(addresses: Addresses, headers: Headers): string | undefined {
  if (!headers.has(sessionHeader)) return undefined;
  checkOwnOrigin(addresses, headers);
  const cookies = sessionCookies(headers);
  const secure = cookies.filter(({ name }) => name === secureName);
  // Pages on other ports, and over http, can set the plain cookie: it does not count where https is known, nor when there are two.
  const plain = isPublicHttps(addresses, headers) ? [] : cookies.filter(({ name }) => name === plainName);
  const [cookie, ...others] = secure.length > 0 ? secure : plain;
  return others.length === 0 ? cookie?.token : undefined;
}

/** Throws `ApiError` 403 `OriginNotAllowed` when the browser says that the request comes from a page of another origin. */
export function checkOwnOrigin(addresses: Addresses, headers: Headers): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  if ((origin === null || isOwnOrigin(addresses, origin, headers.get('host'))) && (site === null || site === 'same-origin'))
    return;
  throw new ApiError(
    403,
    'OriginNotAllowed',
    `A session may only be used from the pages of this server, and the request comes from ${origin === null ? 'another site' : `"${origin.slice(0, 200)}"`}. Open the dashboard at ${addresses.publicUrl}/dashboard, or send a key as bearer.`,
  );
}

/** `Set-Cookie` for a new session. It ends with the browser, or earlier when the server ends the session. */
export function cookieOfSession({ publicUrl }: Addresses, headers: Headers, token: string): string {
  // The page that signs in knows best whether it was loaded over https; a program sends no origin.
  const { protocol } = new URL(headers.get('origin') ?? publicUrl);
  return setCookie(protocol === 'https:' ? secureName : plainName, token);
}

/** `Set-Cookie` that removes each session cookie of a request. */
export function removedCookies(headers: Headers): string[] {
  const names = new Set(sessionCookies(headers).map(({ name }) => name));
  return [...names].map((name) => `${setCookie(name, '')}; Max-Age=0`);
}

function setCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${name === secureName ? '; Secure' : ''}`;
}

function sessionCookies(headers: Headers): { name: string; token: string }[] {
  return (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([name]) => name === secureName || name === plainName)
    .map(([name = '', token = '']) => ({ name, token }));
}

/** Besides at its public URL, the server may be reached by other names, such as through a tunnel; the browser then sends that one as host. */
function isOwnOrigin({ publicUrl, sitesUrl }: Addresses, origin: string, host: string | null): boolean {
  const known = new URL(publicUrl);
  if (origin === known.origin) return true;
  if (origin === new URL(sitesUrl).origin || host === known.host || !URL.canParse(origin)) return false;
  return host !== null && new URL(origin).host === host;
}

function isPublicHttps({ publicUrl }: Addresses, headers: Headers): boolean {
  const { protocol, host } = new URL(publicUrl);
  return protocol === 'https:' && headers.get('host') === host;
}
