// Who reads a private site: people who know its password or are members, and programs with an assistant key of the site.
import { clientAddress } from '../http/empty-api.ts';
import type { Key } from '../http/key.ts';
import { bearerOf, checkAddress, checkValid } from '../organizations/authenticate.ts';
import type { Keys } from '../organizations/keys.ts';
import { addressSubject, type Limit, type Limits } from '../organizations/limits.ts';
import { ApiError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { Secrets } from '../platform/secrets.ts';
import { createReaderTokens, readerSeconds } from '../sites/reader-tokens.ts';
import { findPassword } from '../sites/site-password.ts';
import type { PageReader } from '../sites/page-tokens.ts';
import { groupsOfPerson, isViewer } from '../sites/site-people.ts';
import { passwordsOf, visibilityOf, type Audience } from '../sites/site-readers.ts';
import type { RegisteredSite } from '../sites/sites.ts';
import { createMemberSignIn, type MemberSignInParts } from './member-sign-in.ts';
import { privateHeaders, signInPage, type SignInBy, type SignInPlace, type SiteLook } from './sign-in-page.ts';
import {
  codeOf,
  createReaderCookies,
  formOf,
  isForeign,
  isSignIn,
  opensPage,
  pathBelow,
  redirect,
  viewOf,
} from './sign-in-requests.ts';

export interface PrivateSitesParts extends MemberSignInParts {
  keys: Pick<Keys, 'find' | 'recent' | 'used'>;
  limits: Pick<Limits, 'count'>;
  options: Pick<ServerOptions, 'trustedProxies'>;
  secrets: Secrets;
  now: () => number;
}

/** A request, with the socket that it came over. */
export interface Connected {
  request: Request;
  /** IP address; undefined if it is not known. */
  socket: string | undefined;
}

interface Answering {
  base: string;
  look: SiteLook;
  answer(reader: PageReader, more?: Record<string, string>): Promise<Response>;
}

/** For a site from one address: of wrong passwords, and of all, since a right one costs as much. */
const most = { wrong: 10, all: 60 };
const triesSeconds = 600;
/** That wait at the same time, from one address and in all. */
const mostWaiting = { address: 3, all: 20 };

/** Answers requests for private sites, and passes on those for public ones. */
export function createPrivateSites(parts: PrivateSitesParts) {
  const { keys, options, publicUrl } = parts;
  const tokens = createReaderTokens(parts);
  const cookies = createReaderCookies(parts.sitesUrl);
  const check = createPasswordCheck(parts);
  const members = createMemberSignIn(parts, { tokens, cookies });

  /**
   * The answer for a reader of the site, or else a page to sign in on, whatever the path, so that it does not show which pages exist. Undefined for
   * other requests than of a browser that opens a page: for these, a private site does not exist.
   */
  return async function answerPrivately(
    connected: Connected,
    site: RegisteredSite,
    { base, look, answer }: Answering,
  ): Promise<Response | undefined> {
    const visibility = visibilityOf(site.settings);
    if (visibility === 'public') return answer({ groups: [] });
    const by = visibility === 'password' ? 'password' : 'membership';
    const place: SignInPlace = { base, by, look, publicUrl };
    const { request } = connected;
    if (isSignIn(request, base))
      return by === 'password' ? signInWith(connected, site, place) : members.leave(request, site, place);
    const view = viewOf(request, base);
    if (view) return members.look(request, site, view);
    const code = codeOf(request, base);
    const returned = code === undefined ? undefined : await members.comeBack(request, site, { base, code });
    if (returned) return returned;
    const reader = await readerOf(connected, site, by);
    if (code !== undefined) return members.afterCode(request, { ...place, isReader: reader !== undefined });
    if (!reader) return askToSignIn(request, place);
    return answer(reader, privateHeaders);
  };

  /** Undefined for strangers. */
  async function readerOf({ request, socket }: Connected, site: RegisteredSite, by: SignInBy): Promise<PageReader | undefined> {
    const bearer = bearerOf(request.headers.get('authorization') ?? undefined);
    const address = addressOf(request, socket);
    if (bearer !== undefined) return isKeyOf(site, await keys.find(bearer), address) ? { groups: [] } : undefined;
    for (const token of cookies.tokensIn(request, 'carrel-reader', site)) {
      const audience = by === 'password' ? tokens.audienceOf(token, site) : undefined;
      if (audience) return { groups: audience.groups };
      const person = tokens.personOf(token, site);
      if (person === undefined || (by === 'password' && !isViewer(person))) continue;
      const groups = await groupsOfPerson(parts, site, { id: person, address });
      if (groups) return by === 'password' ? { groups } : { groups, person };
    }
    return undefined;
  }

  async function signInWith(
    { request, socket }: Connected,
    site: RegisteredSite,
    place: SignInPlace,
  ): Promise<Response | undefined> {
    const form = await formOf(request);
    if (!form) return undefined;
    const to = form.get('to') ?? '';
    if (isForeign(request)) return signInPage(request, { ...place, status: 403, to });
    let audience: Required<Audience> | undefined;
    try {
      audience = await check(request, site, { password: form.get('password') ?? '', address: addressOf(request, socket) });
      if (!audience) return await signInPage(request, { ...place, status: 401, to, fault: 'wrongPassword' });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'TooManyRequests') throw error;
      return signInPage(request, { ...place, status: 429, to, fault: 'tooManyTries', retryAfter: error.headers['retry-after'] });
    }
    const value = tokens.create(site, audience);
    const cookie = cookies.set(request, site, { name: 'carrel-reader', value, seconds: readerSeconds });
    return redirect(303, `./${pathBelow(place.base, to)}`, { 'set-cookie': cookie });
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

async function askToSignIn(request: Request, place: SignInPlace): Promise<Response | undefined> {
  const { base } = place;
  const { pathname, search } = new URL(request.url);
  if (!['GET', 'HEAD'].includes(request.method) || !opensPage(request)) return undefined;
  if (`${pathname}/` === base) return redirect(308, `./${base.split('/').at(-2)}/${search}`);
  return signInPage(request, { ...place, status: 401, to: pathname.slice(base.length) + search });
}

function createPasswordCheck({ limits }: Pick<PrivateSitesParts, 'limits'>) {
  /** The addresses of those whose password is being checked. */
  const waiting: string[] = [];

  /** The audience whose password it is. Throws `ApiError` 429 `TooManyRequests`. */
  return async function check(
    { signal }: Request,
    { domain, previewOf = domain, settings }: RegisteredSite,
    { password, address }: { password: string; address: string },
  ): Promise<Required<Audience> | undefined> {
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
      const audiences = passwordsOf(settings);
      const hashes = audiences.map((audience) => audience.password);
      const audience = audiences[await findPassword(password, hashes, signal)];
      if (!audience) await limits.count([limitOf('wrong')]);
      return audience;
    } finally {
      waiting.splice(waiting.indexOf(subscriber), 1);
    }
  };
}
