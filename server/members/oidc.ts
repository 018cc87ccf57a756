// Signing in through an OpenID Connect provider (https://openid.net/specs/openid-connect-core-1_0.html): code flow with PKCE, state and nonce.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
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

/** Of an answer of the provider: of its metadata, tokens, keys and claims. */
const mostBytes = 1_000_000;
/** So long, what the provider says about itself is known. */
const knownMilliseconds = 10 * 60_000;
const mostGroups = 100;

interface Surroundings {
  publicUrl: string;
  now: () => number;
  /** For a whole answer of the provider. */
  timeoutSeconds?: number;
}

/** Undefined without a provider. */
export function createOidc(options: OidcOptions, { publicUrl, now, timeoutSeconds = 10 }: Surroundings) {
  const { oidcIssuer: issuer, oidcClientId: clientId = '', oidcClientSecret: secret, oidcOrganization: organization } = options;
  if (issuer === undefined) return undefined;
  const redirectUri = `${publicUrl}/v1/oidc/callback`;
  let known: { at: number; configuration: Promise<Configuration> } | undefined;

  /** Throws `OidcError` `OidcUnavailable`. */
  const configure = async (): Promise<Configuration> => {
    const { customFetch, discovery, allowInsecureRequests, enableNonRepudiationChecks } = await import('openid-client');
    // Over http only on this machine, as the options say. The signature counts, not the connection alone.
    const execute = [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])];
    if (!known || now() - known.at >= knownMilliseconds)
      known = {
        at: now(),
        configuration: discovery(new URL(issuer), clientId, secret, undefined, {
          ...{ execute, timeout: timeoutSeconds, [customFetch]: fetchLimited },
        }),
      };
    const tried = known;
    return tried.configuration.catch((cause: unknown) => {
      if (known === tried) known = undefined;
      throw new OidcError('OidcUnavailable', discoveryFault(cause, issuer), { cause });
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
      if (!isHttp(configuration.serverMetadata().authorization_endpoint))
        throw new OidcError('OidcUnavailable', 'The provider names no page to sign in on.');
      return buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        ...{ state, nonce, code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
    },

    /** What the provider says about who comes back with this query. Throws `OidcError`. */
    claimsOf: async (search: string, browserSecret: string): Promise<Claims> =>
      fetchClaims(await configure(), new URL(redirectUri + search), browserSecret),

    /** Whom claims name. Throws `OidcError` `OidcDenied`, `OidcFailed`. */
    identityFrom: (claims: Claims): Identity => identityFrom(claims, options),

    /** What is wrong with what the provider says about itself now. */
    async problems(): Promise<string[]> {
      known = undefined;
      try {
        const metadata = (await configure()).serverMetadata();
        const { response_types_supported: types = ['code'] } = metadata;
        const named = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter((name) => !metadata[name]);
        return [
          ...named.map(
            (name) => `The provider names no "${name}". Check that CARREL_OIDC_ISSUER is a provider of OpenID Connect.`,
          ),
          ...(types.includes('code')
            ? []
            : ['The provider does not offer the authorization code flow ("code"). Allow it there.']),
        ];
      } catch (error) {
        if (error instanceof OidcError) return [error.message];
        throw error;
      }
    },

    /** Where a browser signs out of the provider; undefined if it offers no such page, or does not answer within 3 s. */
    async signOutUrl(): Promise<string | undefined> {
      const { buildEndSessionUrl } = await import('openid-client');
      const late = setTimeout(3000, undefined, { ref: false });
      const configuration = await Promise.race([configure().catch(() => undefined), late]);
      const isOffered = isHttp(configuration?.serverMetadata().end_session_endpoint);
      if (!configuration || !isOffered) return undefined;
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${publicUrl}/dashboard` }).href;
    },
  };
}

function isHttp(url = ''): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

/** Rejects with an `AnswerTooLarge`; the caller's signal ends it when it is late. A redirect is an answer, since openid-client asks for that. */
async function fetchLimited(url: string, init: object): Promise<Response> {
  const response = await fetch(url, init);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new AnswerTooLarge();
    pieces.push(piece);
  }
  return new Response(bytes > 0 ? Buffer.concat(pieces) : null, response);
}

class AnswerTooLarge extends Error {}

/** The error of openid-client, and what it was thrown for. */
interface Fault {
  code?: string;
  /** Of an answer by OAuth 2.0. */
  error?: string;
  cause?: Fault & { status?: number };
}

/** Why the provider's description of itself is not there, as a human-readable sentence. */
function discoveryFault(fault: unknown, issuer: string): string {
  const { code, cause } = fault as Fault;
  const at = `The provider at ${issuer}`;
  if (fault instanceof AnswerTooLarge || cause instanceof AnswerTooLarge) return `${at} answers with more than 1 MB.`;
  const reasons: Record<string, string> = {
    OAUTH_TIMEOUT: `${at} does not answer in time. Check the address, and that this server may reach it.`,
    OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: `${at} names another issuer. Set CARREL_OIDC_ISSUER exactly as the provider writes it, such as with or without a slash at its end.`,
    OAUTH_RESPONSE_IS_NOT_CONFORM: `${at} answers with status ${cause?.status} instead of its metadata (.well-known/openid-configuration). Check CARREL_OIDC_ISSUER.`,
  };
  const isUnreachable = code === undefined || code === 'OAUTH_ABORT';
  return (
    reasons[code ?? ''] ??
    (isUnreachable
      ? `${at} cannot be reached. Check the address, and that this server may reach it.`
      : `${at} answers with something else than the metadata of a provider of OpenID Connect. Check CARREL_OIDC_ISSUER.`)
  );
}

/** Why no one is signed in, as a human-readable sentence. */
function signInFault(fault: unknown): string {
  const { code, error } = fault as Fault;
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return `The provider does not accept this client (${error}). Check CARREL_OIDC_CLIENT_ID and CARREL_OIDC_CLIENT_SECRET.`;
  const what = error !== undefined && /^[\w-]{1,60}$/.test(error) ? error : code;
  return `The provider has signed no one in${what === undefined ? '' : ` (${what})`}. Try again.`;
}

/** Throws `OidcError` `OidcFailed`. */
async function fetchClaims(configuration: Configuration, url: URL, browserSecret: string): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
  const { state, nonce, verifier } = derivedFrom(browserSecret);
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
    return { ...more, ...claims, email, email_verified };
  } catch (error) {
    throw new OidcError('OidcFailed', signInFault(error), { cause: error });
  }
}

/** Only the browser knows the secret, and each value tells nothing of the others. */
function derivedFrom(secret: string): { state: string; nonce: string; verifier: string } {
  const derive = (what: string) => createHash('sha256').update(`oidc ${what} ${secret}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

export interface Claims {
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
