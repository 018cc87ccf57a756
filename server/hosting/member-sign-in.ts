// How members sign in to a private site: they go to the dashboard, which knows who is signed in, and come back with a code.
import { randomBytes } from 'node:crypto';
import { stateOf, type ReaderCodes } from '../sites/reader-codes.ts';
import { readerSeconds, type ReaderTokens } from '../sites/reader-tokens.ts';
import { isViewer } from '../sites/site-people.ts';
import type { RegisteredSite } from '../sites/sites.ts';
import { signInPage, type SignInPlace } from './sign-in-page.ts';
import { formOf, isForeign, pathBelow, redirect, type ReaderCookies } from './sign-in-requests.ts';

export interface MemberSignInParts {
  readerCodes: Pick<ReaderCodes, 'use'>;
  publicUrl: string;
  sitesUrl: string;
}

const stateSeconds = 3600;

/** How long someone sees a site as an audience does. */
const viewSeconds = 3600;

export function createMemberSignIn(
  { readerCodes, publicUrl }: MemberSignInParts,
  { tokens, cookies }: { tokens: ReaderTokens; cookies: ReaderCookies },
) {
  const secretsIn = (request: Request, site: RegisteredSite): string[] =>
    [...new Set(cookies.tokensIn(request, 'carrel-reader-state', site))]
      .filter((token) => /^[\w-]{43}$/.test(token))
      .slice(0, mostSecrets);

  const goToDashboard = (request: Request, site: RegisteredSite, asked: string[][]): Response => {
    // Another tab may have begun as well.
    const value = secretsIn(request, site)[0] ?? randomBytes(32).toString('base64url');
    const query = new URLSearchParams([['read', site.domain], ...asked, ['state', stateOf(value)]]);
    const cookie = cookies.set(request, site, { name: 'carrel-reader-state', value, seconds: stateSeconds });
    return redirect(303, `${publicUrl}/dashboard?${query}`, { 'set-cookie': cookie });
  };
  return {
    /** To the dashboard. Undefined for what is no form. */
    async leave(request: Request, site: RegisteredSite, place: SignInPlace): Promise<Response | undefined> {
      const form = await formOf(request);
      if (!form) return undefined;
      const to = pathBelow(place.base, form.get('to') ?? '');
      if (isForeign(request)) return signInPage(request, { ...place, status: 403, to });
      return goToDashboard(request, site, Object.entries({ to, from: request.headers.get('origin') ?? '' }));
    },

    /** To the dashboard and back, which ties the view of an audience to this browser. */
    look: (request: Request, site: RegisteredSite, groups: string[]): Response =>
      goToDashboard(
        request,
        site,
        groups.map((group) => ['view', group]),
      ),

    /** Lets in who comes back with a code. Undefined for a code that is not, or no longer, good in this browser. */
    async comeBack(
      request: Request,
      site: RegisteredSite,
      { base, code }: { base: string; code: string },
    ): Promise<Response | undefined> {
      for (const secret of secretsIn(request, site)) {
        const used = await readerCodes.use(code, { domain: site.domain, state: stateOf(secret) });
        if (!used) continue;
        const seconds = isViewer(used.person) ? viewSeconds : readerSeconds;
        const value = tokens.createForPerson(site, used.person, seconds);
        const cookie = cookies.set(request, site, { name: 'carrel-reader', value, seconds, isSecure: used.isSecure });
        return redirect(303, `./${wanted(request, base)}`, { 'set-cookie': cookie });
      }
      return undefined;
    },

    /** What a code that is not good leads to: the page, for a reader who loads the URL again, or a page to try again on. */
    async afterCode(request: Request, { isReader, ...place }: SignInPlace & { isReader: boolean }): Promise<Response> {
      const to = wanted(request, place.base);
      if (isReader) return redirect(303, `./${to}`);
      return signInPage(request, { ...place, status: 401, to, fault: 'signInFailed' });
    },
  };
}

/** Pages on other ports of the host can add cookies of this name. */
const mostSecrets = 4;

function wanted(request: Request, base: string): string {
  return pathBelow(base, new URL(request.url).searchParams.get('to') ?? '');
}
