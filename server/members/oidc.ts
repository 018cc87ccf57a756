// Signing in through an OpenID Connect provider (https://openid.net/specs/openid-connect-core-1_0.html): code flow with PKCE, state and nonce.
import { createHash, randomBytes } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { emailSchema, nameSchema } from '../http/field-schemas.ts';
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
  /** Whether the provider says that it is theirs; some providers do not say. */
  isVerified: boolean;
  name: string;
  /** Undefined if the provider says nothing of groups. */
  groups: string[] | undefined;
  /** The mapped role, if there is one, and whether it is only that of the address or of everyone: roles given here stay above it. */
  role: Role | undefined;
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
      const configuration = await configure();
      const { authorization_endpoint: endpoint = '' } = configuration.serverMetadata();
      if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
        throw new OidcError('OidcUnavailable', 'The provider names no page to sign in on.');
      return buildAuthorizationUrl(configuration, {
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
        // The address, and whether it is verified, from one source.
        const { email, email_verified } = (claims.email === undefined ? more : claims) as Claims;
        return identityFrom({ ...more, ...claims, email, email_verified }, options);
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
  { iss, sub, email: given, email_verified, name, groups: named }: Claims,
  { oidcRoles }: OidcOptions,
): Identity {
  const email = emailSchema.safeParse(given).data;
  if (email === undefined)
    throw new OidcError(
      'OidcDenied',
      'The provider gives no email address that can be used. Allow the client the scope "email".',
    );
  const isVerified = email_verified === true || email_verified === 'true';
  if (!isVerified && email_verified !== undefined)
    throw new OidcError('OidcDenied', 'The provider has not verified the email address.');
  if (typeof sub !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(sub))
    throw new OidcError('OidcFailed', 'The subject is not valid.');
  const groups = Array.isArray(named) ? [...new Set(named.filter(isGroup))] : undefined;
  return {
    subject: `${String(iss)} ${sub}`,
    ...{ email, isVerified },
    name: nameSchema.safeParse(name).data ?? email.split('@')[0]!,
    groups: groups?.slice(0, mostGroups),
    ...roleFor({ email: isVerified ? email : '', groups: groups ?? [] }, oidcRoles),
  };
}

function isGroup(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 300 && !/[\p{Cc}\p{Cs}]/u.test(value);
}

/** The strongest role of the groups, or else that of the domain of a verified address, or else that of everyone. */
function roleFor(
  { email, groups }: { email: string; groups: string[] },
  roles: OidcRole[],
): Pick<Identity, 'role' | 'isDefault'> {
  const strongest = (isFor: (of: string) => boolean) =>
    roles.filter(({ of }) => isFor(of)).toSorted((a, b) => roleNames.indexOf(b.role) - roleNames.indexOf(a.role))[0]?.role;
  const isOther = (of: string) => of === '*' || of.startsWith('@');
  const ofGroups = strongest((of) => !isOther(of) && groups.includes(of));
  if (ofGroups) return { role: ofGroups, isDefault: false };
  const domain = email.slice(email.lastIndexOf('@'));
  const ofDomain = strongest((of) => of.startsWith('@') && of.toLowerCase() === domain);
  return { role: ofDomain ?? strongest((of) => of === '*'), isDefault: true };
}

interface OidcRole {
  /** A group, `@` and a domain of addresses, or `*`. */
  of: string;
  role: Role;
}
