// Conversations as records: their questions, answers and feedback.
// A thread is never read back to a caller of the public API: the prompt is built from the request's own messages.
import { createHmac, randomBytes } from 'node:crypto';
import { shortened } from '../../../integration/text/beginning.ts';
import { isSignedWith, sameText, type Secrets } from '../../platform/secrets.ts';
import { hashOfSecret } from '../../organizations/keys.ts';
import type { Queryable } from '../../database/database.ts';
import type { AnswerEvent } from '../answer/answer-event.ts';
import type { EndReason } from '../model/model-outcome.ts';
import type { Source } from '../retrieve/sources.ts';
import { isUlid, ulid } from '../../platform/ulid.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Asker } from '../request/asker.ts';

/** How a caller shows that a thread belongs to them: by its secret or else by the same key and reader. */
interface Claim extends Asker {
  threadId: string;
  threadKey?: string;
}

export interface Thread {
  id: string;
  /** SHA-256 of its secret. */
  secretHash: string;
}

type EndedBy = EndReason | 'left';

export interface AnswerRecord {
  text: string;
  sources: Source[];
  /** `left`: the reader did not wait for the end. */
  ended: EndedBy;
  writtenBy: Extract<AnswerEvent, { type: 'end' }>['by'] | null;
}

export type Threads = ReturnType<typeof createThreads>;

interface NewAnswer {
  /** `msg_` and 16 hex digits. */
  id: string;
  question: string;
  /** Whether a page or a program asks. */
  caller?: 'web' | 'api';
}

// Enough to understand the question, which may be as long as a body.
const longestQuestion = 20_000;

export interface ThreadsOptions {
  database: Queryable;
  /** Readers are stored as a hash that needs one. */
  secrets: Secrets;
  now: () => number;
  /** Days after its last question until a thread expires. */
  days: number;
}

export function createThreads({ database, secrets, now, days }: ThreadsOptions) {
  const oldest = () => new Date(now() - days * 86_400_000);

  return {
    /** Opens a thread with its first question. `secret` is returned only here. */
    async open({ organization, domain, key, fp }: Asker, answer: NewAnswer): Promise<Thread & { secret: string }> {
      const id = ulid(now());
      const threadSecret = randomBytes(32).toString('base64url');
      const secretHash = hashOfSecret(threadSecret);
      await database.query(
        `with thread as (
           insert into carrel.threads (id, organization, domain, key, reader_hash, secret_hash, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7)
         )
         insert into carrel.answers (id, thread, question, asked_at, caller) values ($8, $1, $9, $7, $10)`,
        [
          ...[id, organization, domain, key, readerHash(secrets[0], domain, fp), secretHash, new Date(now())],
          ...[answer.id, storable(shortened(answer.question, longestQuestion)), answer.caller ?? null],
        ],
      );
      return { id, secret: threadSecret, secretHash };
    },

    /** The thread that a claim is about; undefined, without a difference, when it does not exist, has expired or belongs to another reader. */
    async find({ threadId, threadKey, organization, domain, key, fp }: Claim): Promise<Thread | undefined> {
      if (!isUlid(threadId)) return undefined;
      const [row] = await database.query<{ id: string; key: string; readerHash: string; secretHash: string }>(
        `select id, key, reader_hash as "readerHash", secret_hash as "secretHash" from carrel.threads
         where id = $1 and organization = $2 and domain = $3 and updated_at > $4`,
        [threadId, organization, domain, oldest()],
      );
      if (!row) return undefined;
      const isTheirs =
        threadKey === undefined
          ? row.key === key && isSignedWith(secrets, row.readerHash, (secret) => readerHash(secret, domain, fp))
          : sameText(row.secretHash, hashOfSecret(threadKey));
      return isTheirs ? { id: row.id, secretHash: row.secretHash } : undefined;
    },

    /** Adds a question to a thread, which expires later from now on. */
    async ask(threadId: string, { id, question, caller }: NewAnswer): Promise<void> {
      // A thread that was removed just now gets no question. Two questions of one moment keep their order.
      await database.query(
        `with thread as (update carrel.threads set updated_at = $4 where id = $1 returning id)
         insert into carrel.answers (id, thread, question, asked_at, caller)
         select $2, id, $3, greatest($4::timestamptz, (select max(asked_at) from carrel.answers where thread = $1) + interval '1 millisecond'), $5
         from thread`,
        [threadId, id, storable(shortened(question, longestQuestion)), new Date(now()), caller ?? null],
      );
    },

    /** Stores an answer. It is not stored when its thread was removed in the meantime. */
    async answered(answerId: string, { text, sources, ended, writtenBy }: AnswerRecord): Promise<void> {
      await database.query(
        `update carrel.answers set answer = $2, sources = $3::jsonb, ended = $4, written_by = $5, answered_at = $6 where id = $1`,
        [
          answerId,
          storable(text),
          JSON.stringify(sources, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value)),
          ended,
          writtenBy,
          new Date(now()),
        ],
      );
    },

    /** Removes a thread with all that belongs to it. */
    async remove(threadId: string): Promise<void> {
      await database.query('delete from carrel.threads where id = $1', [threadId]);
    },

    /** A later rating of an answer replaces the earlier one. False when the thread has no such answer. */
    async rate(
      threadId: string,
      answerId: string,
      { rating, comment }: { rating: 'up' | 'down'; comment?: string },
    ): Promise<boolean> {
      const rated = await database.query(
        `insert into carrel.feedback (answer, rating, comment, given_at)
         select id, $3, $4, $5::timestamptz from carrel.answers where thread = $1 and id = $2
         on conflict (answer) do update set rating = excluded.rating, comment = excluded.comment, given_at = excluded.given_at
         returning answer`,
        [threadId, answerId, rating, comment === undefined ? null : storable(comment), new Date(now()).toISOString()],
      );
      return rated.length > 0;
    },

    /** The `secretHash` of the thread with this secret. */
    hashOf: hashOfSecret,

    /** Removes expired threads. */
    async removeOld(): Promise<void> {
      await database.query('delete from carrel.threads where updated_at <= $1', [oldest()]);
    },
  };
}

export function threadUnknownError(id: string): ApiError {
  return new ApiError(
    'ThreadUnknown',
    `There is no thread "${id.slice(0, 60)}" of this reader: it may have expired, or belong to another key. Omit threadId to open a new one.`,
  );
}

/** A reader of a site: without the server's secret, the hash shows neither who it is nor that two sites have the same reader. */
function readerHash(secret: string, domain: string, fp: string): string {
  return createHmac('sha256', secret).update(`reader ${domain} ${fp}`).digest('hex');
}

/** PostgreSQL stores neither a character 0 nor half a surrogate pair. */
function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}
