// Signing in through an OpenID Connect provider (https://openid.net/specs/openid-connect-core-1_0.html): code flow with PKCE, state and nonce.
import { createHash, randomBytes } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { ServerOptions } from '../platform/options.ts';
import { roleNames, type Role } from './roles.ts';

export type OidcOptions = Pick<
  ServerOptions,
  'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcOrganization' | 'oidcRoles'
>;

/** What the provider says about a person, and what follows from it here. */
export interface Identity {
  /** Issuer and subject, which stay when the address of a person changes. */
  subject: string;
  /** In lower case. */
  email: string;
  name: string;
  groups: string[];
  /** The mapped role; whether it is only that of everyone, which members from before do not get. */
  role: Role;
  isDefault: boolean;
}

export type OidcFault = 'OidcDenied' | 'OidcFailed' | 'OidcUnavailable';

export class OidcError extends Error {
  override name = 'OidcError';
  readonly code: OidcFault;

  constructor(code: OidcFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type Oidc = ReturnType<typeof createOidc>;

const timeoutSeconds = 10;
/** So long, what the provider says about itself is known. */
const knownMilliseconds = 10 * 60_000;
const mostGroups = 100;

/** Undefined without a provider. */
export function createOidc(options: OidcOptions, { publicUrl, now }: { publicUrl: string; now: () => number }) {
  const { oidcIssuer: issuer, oidcClientId: clientId = '', oidcClientSecret: secret, oidcOrganization: organization } = options;
  if (issuer === undefined) return undefined;
  const redirectUri = `${publicUrl}/v1/oidc/callback`;
  let known: { at: number; configuration: Promise<Configuration> } | undefined;

  /** Throws `OidcError` `OidcUnavailable`. */
  const configure = async (): Promise<Configuration> => {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await import('openid-client');
    // Over http only on this machine, as the options say. The signature counts, not the connection alone.
    const execute = [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])];
    if (!known || now() - known.at >= knownMilliseconds)
      known = {
        at: now(),
        configuration: discovery(new URL(issuer), clientId, secret, undefined, { execute, timeout: timeoutSeconds }),
      };
    const tried = known;
    return tried.configuration.catch((cause: unknown) => {
      if (known === tried) known = undefined;
      throw new OidcError('OidcUnavailable', 'The provider cannot be reached, or is none.', { cause });
    });
  };

  return {
    organization,

    /** A secret for the browser's cookie. */
    newSecret: (): string => randomBytes(32).toString('base64url'),

    /** Where the browser goes. Throws `OidcError` `OidcUnavailable`. */
    async urlFor(browserSecret: string): Promise<URL> {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      const { state, nonce, verifier } = derivedFrom(browserSecret);
      return buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        ...{ state, nonce, code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
    },

    /** Who comes back with this query. Throws `OidcError`. */
    async identityOf(search: string, browserSecret: string): Promise<Identity> {
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
      const configuration = await configure();
      const { state, nonce, verifier } = derivedFrom(browserSecret);
      const url = new URL(redirectUri + search);
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      try {
        const tokens = await authorizationCodeGrant(configuration, url, checks);
        const claims = tokens.claims()!;
        // Some providers say more there than in the token.
        const more = configuration.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
        return identityFrom({ ...more, ...claims }, options);
      } catch (error) {
        if (error instanceof OidcError) throw error;
        throw new OidcError('OidcFailed', 'The provider has signed no one in.', { cause: error });
      }
    },
  };
}

/** Only the browser knows the secret, and each value tells nothing of the others. */
function derivedFrom(secret: string): { state: string; nonce: string; verifier: string } {
  const derive = (what: string) => createHash('sha256').update(`oidc ${what} ${secret}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

interface Claims {
  iss?: unknown;
  sub?: unknown;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
  groups?: unknown;
}

function identityFrom(
  { iss, sub, email: given, email_verified: isVerified, name, groups: named }: Claims,
  options: OidcOptions,
): Identity {
  const email = typeof given === 'string' ? given.trim().toLowerCase() : '';
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw new OidcError('OidcDenied', 'The provider gives no email address. Allow the client the scope "email".');
  if (isVerified === false) throw new OidcError('OidcDenied', 'The provider has not verified the email address.');
  const groups = (Array.isArray(named) ? named : []).filter(isGroup).slice(0, mostGroups);
  const mapped = roleFor(email, groups, options.oidcRoles);
  if (!mapped) throw new OidcError('OidcDenied', 'CARREL_OIDC_ROLES gives this person no role.');
  const plain =
    typeof name === 'string'
      ? name
          .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
          .trim()
          .slice(0, 100)
      : '';
  return {
    subject: `${String(iss)} ${String(sub)}`,
    email,
    name: plain === '' ? email.split('@')[0]! : plain,
    groups,
    ...mapped,
  };
}

function isGroup(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 300 && !/[\p{Cc}\p{Cs}]/u.test(value);
}

/** The strongest role of the groups, or else that of the address's domain, or else that of everyone. */
function roleFor(email: string, groups: string[], roles: OidcRole[]): Pick<Identity, 'role' | 'isDefault'> | undefined {
  const strongest = (found: OidcRole[]) => found.toSorted((a, b) => roleNames.indexOf(b.role) - roleNames.indexOf(a.role))[0];
  const ofGroups = strongest(roles.filter(({ of }) => groups.includes(of)));
  if (ofGroups) return { role: ofGroups.role, isDefault: false };
  const others =
    strongest(roles.filter(({ of }) => of.toLowerCase() === email.slice(email.indexOf('@')))) ??
    roles.find(({ of }) => of === '*');
  return others && { role: others.role, isDefault: true };
}

interface OidcRole {
  /** A group, `@` and a domain of addresses, or `*`. */
  of: string;
  role: Role;
}
