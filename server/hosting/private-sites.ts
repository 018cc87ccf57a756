// Who reads a private site: people who know its password, and programs with an assistant key of the site.
import { cookiesNamed } from '../http/cookies.ts';
import { clientAddress } from '../http/empty-api.ts';
import type { Key } from '../http/key.ts';
import { bearerOf, checkAddress, checkValid } from '../organizations/authenticate.ts';
import type { Keys } from '../organizations/keys.ts';
import { addressSubject, type Limit, type Limits } from '../organizations/limits.ts';
import { ApiError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import { createReaderTokens, readerSeconds } from '../sites/reader-tokens.ts';
import { findPassword } from '../sites/site-password.ts';
import { audiencesOf, visibilityOf, type Audience } from '../sites/site-readers.ts';
import type { RegisteredSite } from '../sites/sites.ts';
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
/** For a site from one address: of wrong passwords, and of all, since a right one costs as much. */
const most = { wrong: 10, all: 60 };
const triesSeconds = 600;
/** That wait at the same time, from one address and in all. */
const mostWaiting = { address: 3, all: 20 };
const largestForm = 8 * 1024;

/** Answers requests for private sites, and passes on those for public ones. */
export function createPrivateSites(parts: PrivateSitesParts) {
  const { keys, options, sitesUrl } = parts;
  const tokens = createReaderTokens(parts);
  const check = createPasswordCheck(parts);

  /**
   * The answer for a reader of the site, or else a page to sign in on, whatever the path, so that it does not show which pages exist. Undefined for
   * other requests than of a browser that opens a page: for these, a private site does not exist.
   */
  return async function answerPrivately(
    connected: Connected,
    site: RegisteredSite,
    { base, answer }: { base: string; answer: (groups: string[], more?: Record<string, string>) => Promise<Response> },
  ): Promise<Response | undefined> {
    if (visibilityOf(site.settings) === 'public') return answer([]);
    if (isSignIn(connected.request, base)) return signInWith(connected, site, base);
    const groups = await groupsOf(connected, site);
    if (!groups) return askToSignIn(connected.request, base);
    return answer(groups, privateHeaders);
  };

  /** The groups of a reader, besides everybody; undefined for strangers. */
  async function groupsOf({ request, socket }: Connected, site: RegisteredSite): Promise<string[] | undefined> {
    const bearer = bearerOf(request.headers.get('authorization') ?? undefined);
    if (bearer !== undefined) return isKeyOf(site, await keys.find(bearer), addressOf(request, socket)) ? [] : undefined;
    for (const { token } of cookiesNamed(request.headers, [cookieName])) {
      const audience = tokens.audienceOf(token, site);
      if (audience) return audience.groups;
    }
    return undefined;
  }

  async function signInWith({ request, socket }: Connected, site: RegisteredSite, base: string): Promise<Response | undefined> {
    const form = await formOf(request);
    if (!form) return undefined;
    const to = form.get('to') ?? '';
    // A page of another origin must not sign anyone in.
    const from = request.headers.get('sec-fetch-site');
    if (from !== null && from !== 'same-origin') return signInPage(request, { status: 403, base, to });
    let audience: Audience | undefined;
    try {
      audience = await check(request, site, { password: form.get('password') ?? '', address: addressOf(request, socket) });
      if (!audience) return await signInPage(request, { status: 401, base, to, fault: 'wrongPassword' });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'TooManyRequests') throw error;
      return signInPage(request, { status: 429, base, to, fault: 'tooManyTries', retryAfter: error.headers['retry-after'] });
    }
    const isHttps = (URL.parse(request.headers.get('origin') ?? '') ?? new URL(sitesUrl)).protocol === 'https:';
    // Without a path, the cookie is for the folder that the browser sees, which is another one behind a proxy that removes a prefix.
    const cookie = `${cookieName}=${tokens.create(site, audience)}; Max-Age=${readerSeconds}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
    return redirect(303, `./${pathBelow(base, to)}`, { 'set-cookie': cookie });
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

function createPasswordCheck({ limits }: Pick<PrivateSitesParts, 'limits'>) {
  /** The addresses of those whose password is being checked. */
  const waiting: string[] = [];

  /** The audience whose password it is. Throws `ApiError` 429 `TooManyRequests`. */
  return async function check(
    { signal }: Request,
    { domain, previewOf = domain, settings }: RegisteredSite,
    { password, address }: { password: string; address: string },
  ): Promise<Audience | undefined> {
    const subscriber = addressSubject(address);
    const isFull = waiting.length >= mostWaiting.all;
    if (isFull || waiting.filter((one) => one === subscriber).length >= mostWaiting.address)
      throw new ApiError('TooManyRequests', 'Too many passwords are being checked.', { headers: { 'retry-after': '5' } });
    // A preview has the password of its site.
    const limitOf = (kind: keyof typeof most, amount = 1): Limit => {
      const subject = `password ${kind} ${previewOf} ${subscriber}`;
      return { name: 'address', subject, most: most[kind], seconds: triesSeconds, amount };
    };
    waiting.push(subscriber);
    try {
      await limits.count([limitOf('all'), limitOf('wrong', 0)]);
      const audiences = audiencesOf(settings);
      const hashes = audiences.map((audience) => audience.password);
      const audience = audiences[await findPassword(password, hashes, signal)];
      if (!audience) await limits.count([limitOf('wrong')]);
      return audience;
    } finally {
      waiting.splice(waiting.indexOf(subscriber), 1);
    }
  };
}

/** Whether a browser sends the form of the page to sign in on. */
function isSignIn(request: Request, base: string): boolean {
  return request.method === 'POST' && opensPage(request) && new URL(request.url).pathname === base;
}

async function askToSignIn(request: Request, base: string): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  if (!['GET', 'HEAD'].includes(request.method) || !opensPage(request)) return undefined;
  if (`${pathname}/` === base) return redirect(308, `./${base.split('/').at(-2)}/${search}`);
  return signInPage(request, { status: 401, base, to: pathname.slice(base.length) + search });
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
