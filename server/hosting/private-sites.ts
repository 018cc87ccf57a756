// Who reads a private site: people who know its password, and programs with an assistant key of the site.
import { clientAddress } from '../http/empty-api.ts';
import type { Key } from '../http/key.ts';
import { bearerOf, checkAddress, checkValid } from '../organizations/authenticate.ts';
import type { Keys } from '../organizations/keys.ts';
import { addressSubject, type Limit, type Limits } from '../organizations/limits.ts';
import { ApiError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import { createReaderTokens, readerSeconds } from '../sites/reader-tokens.ts';
import { isPassword } from '../sites/site-password.ts';
import { visibilityOf, type RegisteredSite } from '../sites/sites.ts';
import { privateHeaders, signInPage } from './sign-in-page.ts';

export interface PrivateSitesParts {
  keys: Pick<Keys, 'find' | 'used'>;
  limits: Pick<Limits, 'count'>;
  options: Pick<ServerOptions, 'trustedProxies'>;
  secret: string;
  sitesUrl: string;
  now: () => number;
}

/** A request, with the socket that it came over. */
export interface Connected {
  request: Request;
  /** IP address; undefined if it is not known. */
  socket: string | undefined;
}

const cookieName = 'carrel-reader';
/** Of wrong passwords, for a site from one address. */
const mostTries = 20;
const triesSeconds = 600;
const largestForm = 8 * 1024;

/** Answers requests for private sites, and passes on those for public ones. */
export function createPrivateSites(parts: PrivateSitesParts) {
  const { keys, limits, options, sitesUrl } = parts;
  const tokens = createReaderTokens(parts);
  // A hash takes much processor time on purpose: one at a time.
  let checking: Promise<unknown> = Promise.resolve();

  /**
   * The answer for a reader of the site, or else a page to sign in on, whatever the path, so that it does not show which pages exist. Undefined for
   * other requests than of a browser that opens a page: for these, a private site does not exist.
   */
  return async function answerPrivately(
    connected: Connected,
    site: RegisteredSite,
    { base, answer }: { base: string; answer: () => Promise<Response> },
  ): Promise<Response | undefined> {
    if (visibilityOf(site.settings) === 'public') return answer();
    if (!(await mayRead(connected, site))) return signIn(connected, site, base);
    const response = await answer();
    for (const [name, value] of Object.entries(privateHeaders)) response.headers.set(name, value);
    response.headers.append('vary', 'authorization, cookie');
    return response;
  };

  async function mayRead({ request, socket }: Connected, site: RegisteredSite): Promise<boolean> {
    const bearer = bearerOf(request.headers.get('authorization') ?? undefined);
    if (bearer !== undefined) return isKeyOf(site, await keys.find(bearer), addressOf(request, socket));
    return readerTokens(request.headers).some((token) => tokens.isValid(token, site));
  }

  async function signIn(connected: Connected, site: RegisteredSite, base: string): Promise<Response | undefined> {
    const { request } = connected;
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(base.length);
    if (request.method === 'POST') return path === '' ? signInWith(connected, site, base) : undefined;
    if (!['GET', 'HEAD'].includes(request.method) || !opensPage(request)) return undefined;
    if (`${pathname}/` === base) return redirect(308, `./${base.split('/').at(-2)}/${search}`);
    return signInPage(request, { status: 401, base, to: path + search });
  }

  async function signInWith(connected: Connected, site: RegisteredSite, base: string): Promise<Response | undefined> {
    const { request, socket } = connected;
    const form = await formOf(request);
    if (!form) return undefined;
    const to = form.get('to') ?? '';
    // A page of another origin must not sign anyone in.
    const from = request.headers.get('sec-fetch-site');
    if (from !== null && from !== 'same-origin') return signInPage(request, { status: 403, base, to });
    try {
      const isRight = await check(site, form.get('password') ?? '', addressOf(request, socket));
      if (!isRight) return await signInPage(request, { status: 401, base, to, fault: 'wrongPassword' });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'TooManyRequests') throw error;
      return signInPage(request, { status: 429, base, to, fault: 'tooManyTries', retryAfter: error.headers['retry-after'] });
    }
    const isHttps = (URL.parse(request.headers.get('origin') ?? '') ?? new URL(sitesUrl)).protocol === 'https:';
    // Without a path, the cookie is for the folder that the browser sees, which is another one behind a proxy that removes a prefix.
    const cookie = `${cookieName}=${tokens.create(site)}; Max-Age=${readerSeconds}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
    return redirect(303, `./${pathBelow(base, to)}`, { 'set-cookie': cookie });
  }

  /** Throws `ApiError` 429 `TooManyRequests` after too many wrong passwords. */
  function check(site: RegisteredSite, password: string, address: string): Promise<boolean> {
    const subject = `password ${site.domain} ${addressSubject(address)}`;
    const limit: Limit = { name: 'address', subject, most: mostTries, seconds: triesSeconds };
    const checked = checking.then(async () => {
      await limits.count([{ ...limit, amount: 0 }]);
      const isRight = await isPassword(password, site.settings.password ?? '');
      if (!isRight) await limits.count([limit]);
      return isRight;
    });
    checking = checked.catch(() => {});
    return checked;
  }

  function isKeyOf(site: RegisteredSite, key: Key | undefined, address: string): boolean {
    try {
      checkValid(parts, key);
      checkAddress(key, address);
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
    const { kind, organization, domains } = key;
    const isOf = kind === 'assistant' && organization === site.organization && domains.includes(site.domain);
    if (isOf) keys.used(key.id);
    return isOf;
  }

  function addressOf(request: Request, socket: string | undefined): string {
    return clientAddress(socket, request.headers.get('x-forwarded-for') ?? undefined, options.trustedProxies);
  }
}

function readerTokens(headers: Headers): string[] {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${cookieName}=`)).map((pair) => pair.slice(cookieName.length + 1));
}

/** Whether a browser opens a page. */
function opensPage({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get('accept') ?? '');
}

async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  const length = Number(request.headers.get('content-length') ?? Infinity);
  if (!/^application\/x-www-form-urlencoded\b/i.test(type) || !(length <= largestForm)) return undefined;
  return new URLSearchParams(await request.text());
}

/** A path and query below the base, so that no one is sent to another site. */
function pathBelow(base: string, to: string): string {
  const url = URL.parse(to, `http://site${base}`);
  return url?.host === 'site' && url.pathname.startsWith(base) ? url.pathname.slice(base.length) + url.search : '';
}

function redirect(status: 303 | 308, location: string, extra: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { location, 'cache-control': 'no-store', ...extra } });
}
