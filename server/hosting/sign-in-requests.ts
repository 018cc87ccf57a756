// Requests with which readers of a private site sign in, and the responses that let them in.
import { isOverHttps, tokensIn } from '../http/cookies.ts';
import { codeParameter } from '../sites/reader-code-routes.ts';
import type { RegisteredSite } from '../sites/sites.ts';

const largestForm = 8 * 1024;

/** Whether a browser sends the form of the page to sign in on. */
export function isSignIn(request: Request, base: string): boolean {
  return request.method === 'POST' && opensPage(request) && new URL(request.url).pathname === base;
}

/** The code with which a browser comes back. */
export function codeOf(request: Request, base: string): string | undefined {
  const { pathname, searchParams } = new URL(request.url);
  return request.method === 'GET' && opensPage(request) && pathname === base
    ? (searchParams.get(codeParameter) ?? undefined)
    : undefined;
}

/** The groups of the audience that someone comes from the dashboard to look at. */
export function viewOf(request: Request, base: string): string[] | undefined {
  const { pathname, searchParams } = new URL(request.url);
  const groups = searchParams.getAll('carrel-view');
  return groups.length > 0 && request.method === 'GET' && opensPage(request) && pathname === base ? groups : undefined;
}

/** A page of another origin must not sign anyone in. */
export function isForeign({ headers }: Request): boolean {
  const from = headers.get('sec-fetch-site');
  return from !== null && from !== 'same-origin';
}

/** Whether a browser opens a page. */
export function opensPage({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get('accept') ?? '');
}

export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  const length = Number(request.headers.get('content-length') ?? Infinity);
  if (!/^application\/x-www-form-urlencoded\b/i.test(type) || !(length <= largestForm)) return undefined;
  return new URLSearchParams(await request.text());
}

/** A path and query below the base, so that no one is sent to another site. */
export function pathBelow(base: string, to: string): string {
  const url = URL.parse(to, `http://site${base}`);
  return url?.host === 'site' && url.pathname.startsWith(base) ? url.pathname.slice(base.length) + url.search : '';
}

export function redirect(status: 303 | 308, location: string, extra: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { location, 'cache-control': 'no-store', ...extra } });
}

/** Of readers who have signed in; and of those who are away to do so, which ties the way back to the browser that left. */
type CookieName = 'carrel-reader' | 'carrel-reader-state';

export type ReaderCookies = ReturnType<typeof createReaderCookies>;

/** The cookies of readers. With the prefix `__Host-`, which no other host can set, the path is that of the whole host: the name says which site it is of. */
export function createReaderCookies(sitesUrl: string) {
  const secureName = (name: CookieName, { domain }: RegisteredSite) => `__Host-${name}.${domain}`;
  const urlsOf = ({ settings }: RegisteredSite) => [sitesUrl, settings.siteUrl];
  return {
    tokensIn: ({ headers }: Request, name: CookieName, site: RegisteredSite): string[] =>
      tokensIn(headers, { secure: secureName(name, site), plain: name }, urlsOf(site)),

    /** `Set-Cookie`. By default, the request says whether the site is read over https. */
    set(
      { headers }: Request,
      site: RegisteredSite,
      {
        isSecure = isOverHttps(headers, urlsOf(site)),
        ...cookie
      }: { name: CookieName; value: string; seconds: number; isSecure?: boolean },
    ): string {
      const { name, value, seconds } = cookie;
      const always = `${value}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
      // Without a path, it is for the folder that the browser sees, which is another one behind a proxy that removes a prefix.
      return isSecure ? `${secureName(name, site)}=${always}; Path=/; Secure` : `${name}=${always}`;
    },
  };
}
