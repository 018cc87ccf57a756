// Passkeys of members, as of Web Authentication (https://www.w3.org/TR/webauthn-3/). A browser signs a challenge, which works once, for five
// minutes and in the browser that asked for it.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Database } from '../database/database.ts';
import { DatabaseUnavailable } from '../database/unavailable.ts';
import { ApiError, unauthorizedError } from '../platform/errors.ts';
import { hashOfSecret } from '../organizations/keys.ts';
import type { Member } from './members.ts';

const challengeMilliseconds = 5 * 60_000;
/** Of a member. */
const most = 20;
/** EdDSA, ES256 and RS256, as https://www.iana.org/assignments/cose numbers them: what authenticators have. */
const supportedAlgorithmIDs = [-8, -7, -257];

export interface Passkey {
  id: string;
  /** What the member calls it. */
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Where the browser is, which the authenticator confirms. */
export interface Page {
  origin: string;
  /** A text that only this browser sends. */
  browser: string;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

const columns = 'id, name, created_at as "createdAt", last_used_at as "lastUsedAt"';
// Half a second of loading, which only servers with members need.
const load = () => import('@simplewebauthn/server');

export function createPasskeys(database: Database, now: () => number) {
  const challenges = createChallenges(database, now);
  const list = (member: string): Promise<Passkey[]> =>
    database.query<Passkey>(`select ${columns} from carrel.passkeys where key = $1 order by created_at, id`, [member]);

  return {
    ...createSignIn(database, challenges, now),

    /** By age. */
    list,

    /** What `navigator.credentials.create` takes. Throws `ApiError` 409 `PasskeyLimit`. */
    async creationOptions(member: Member, { origin, browser }: Page): Promise<PublicKeyCredentialCreationOptionsJSON> {
      const known = await list(member.id);
      if (known.length >= most) throw limitError();
      const { generateRegistrationOptions } = await load();
      const options = await generateRegistrationOptions({
        rpName: 'Carrel',
        rpID: new URL(origin).hostname,
        userName: member.email,
        userDisplayName: member.name,
        userID: new TextEncoder().encode(member.id),
        excludeCredentials: known.map(({ id }) => ({ id })),
        supportedAlgorithmIDs,
        // It signs in without an email address, and with the finger or the code of the device.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await challenges.remember(options.challenge, browser, member.id);
      return options;
    },

    /** Throws `ApiError` 400 `PasskeyInvalid`, 409 `PasskeyLimit`. */
    async add(
      member: Member,
      { name, credential }: { name: string; credential: RegistrationResponseJSON },
      { origin, browser }: Page,
    ): Promise<Passkey> {
      const { verifyRegistrationResponse } = await load();
      const { registrationInfo } = await verifyRegistrationResponse({
        response: credential,
        supportedAlgorithmIDs,
        expectedChallenge: (challenge) => challenges.use(challenge, browser, member.id),
        expectedOrigin: origin,
        expectedRPID: new URL(origin).hostname,
      }).catch((error: unknown) => {
        throw rethrown(
          error,
          new ApiError('PasskeyInvalid', 'This passkey could not be verified. Try to add it again.', { cause: error }),
        );
      });
      if (!registrationInfo) throw new ApiError('PasskeyInvalid', 'This passkey could not be verified. Try to add it again.');
      const { id, publicKey, counter } = registrationInfo.credential;
      const [added] = await database.query<Passkey>(
        // One at a time for each member, and none once they are removed.
        `with member as materialized (select id from carrel.keys where id = $2 and revoked_at is null for update)
         insert into carrel.passkeys (id, key, name, public_key, counter, created_at)
         select $1, id, $3, $4, $5, $6 from member where (select count(*) from carrel.passkeys where key = $2) < $7
         on conflict (id) do nothing returning ${columns}`,
        [...[id, member.id, name, Buffer.from(publicKey).toString('base64url'), counter], ...[new Date(now()), most]],
      );
      if (!added) throw limitError();
      return added;
    },

    /** Returns what it was. Throws `ApiError` 404 `PasskeyIdUnknown`. */
    async remove(member: string, id: string): Promise<Passkey> {
      const [removed] = await database.query<Passkey>(
        `delete from carrel.passkeys where key = $1 and id = $2 returning ${columns}`,
        [member, id],
      );
      if (removed) return removed;
      throw new ApiError('PasskeyIdUnknown', 'You have no such passkey. GET /v1/passkeys lists yours.');
    },

    removeOld: challenges.removeOld,
  };
}

function createSignIn(database: Database, challenges: ReturnType<typeof createChallenges>, now: () => number) {
  return {
    /** What `navigator.credentials.get` takes. */
    async requestOptions({ origin, browser }: Page): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const { generateAuthenticationOptions } = await load();
      const rpID = new URL(origin).hostname;
      const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
      await challenges.remember(options.challenge, browser, null);
      return options;
    },

    /** The member whose passkey has signed. Throws `ApiError` 401 `PasskeyUnknown`. */
    async memberOf(
      credential: AuthenticationResponseJSON,
      { origin, browser }: Page,
    ): Promise<{ organization: string; id: string }> {
      const [known] = await database.query<{ organization: string; key: string; publicKey: string; counter: string }>(
        `select k.organization, p.key, p.public_key as "publicKey", p.counter::text from carrel.passkeys p
         join carrel.keys k on k.id = p.key where p.id = $1`,
        [credential.id],
      );
      if (!known) throw unknownError('This passkey is not known here: it is of another server, or was removed.');
      const { verifyAuthenticationResponse } = await load();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: credential,
        expectedChallenge: (challenge) => challenges.use(challenge, browser, null),
        expectedOrigin: origin,
        expectedRPID: new URL(origin).hostname,
        credential: {
          id: credential.id,
          publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
          counter: Number(known.counter),
        },
      }).catch((error: unknown) => {
        throw rethrown(error, unknownError('This passkey could not be verified.', error));
      });
      if (!verified) throw unknownError('This passkey could not be verified.');
      const used = await database.query(
        // Of two signatures with one counter, one is of a copy. Many authenticators do not count.
        `update carrel.passkeys set counter = $2, last_used_at = $3 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
        [credential.id, authenticationInfo.newCounter, new Date(now())],
      );
      if (used.length === 0) throw unknownError('This passkey could not be verified.');
      return { organization: known.organization, id: known.key };
    },
  };
}

function createChallenges(database: Database, now: () => number) {
  const hashOf = (challenge: string, browser: string) => hashOfSecret(`${browser} ${challenge}`);
  return {
    /** For a new passkey of a member; null to sign in. */
    async remember(challenge: string, browser: string, member: string | null): Promise<void> {
      await database.query('insert into carrel.challenges (hash, key, expires_at) values ($1, $2, $3)', [
        ...[hashOf(challenge, browser), member, new Date(now() + challengeMilliseconds)],
      ]);
    },

    /** Of two requests with one challenge, one succeeds. */
    async use(challenge: string, browser: string, member: string | null): Promise<boolean> {
      const used = await database.query(
        'delete from carrel.challenges where hash = $1 and key is not distinct from $2 and expires_at > $3 returning hash',
        [hashOf(challenge, browser), member, new Date(now())],
      );
      return used.length > 0;
    },

    async removeOld(): Promise<void> {
      await database.query('delete from carrel.challenges where expires_at <= $1', [new Date(now())]);
    },
  };
}

/** What the library throws says that the credential is not valid. */
function rethrown(error: unknown, refusal: ApiError): unknown {
  return error instanceof DatabaseUnavailable ? error : refusal;
}

function limitError(): ApiError {
  return new ApiError(
    'PasskeyLimit',
    `This passkey is added already, or you have ${most}, which is the limit. Remove one first.`,
  );
}

function unknownError(what: string, cause?: unknown): ApiError {
  return unauthorizedError('PasskeyUnknown', `${what} Sign in in another way.`, { cause });
}
