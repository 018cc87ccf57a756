// Conversations as records: which questions came together, what was answered, what readers thought of it.
// A thread is never read back to a caller of the public API: the prompt is built from the request's own messages.
import { createHmac, randomBytes } from 'node:crypto';
import { sameText } from '../../platform/same-text.ts';
import { hashOfSecret } from '../../organizations/secret.ts';
import type { Queryable } from '../../database/database.ts';
import type { AnswerEvent } from '../answer/answer-events.ts';
import type { EndReason } from '../model/model-outcome.ts';
import type { Source } from '../retrieve/passages.ts';
import { isUlid, ulid } from '../../platform/ulid.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Asker } from '../request/asker.ts';

/** How a caller shows that a thread is theirs. With its secret, nothing else is asked; without, key and reader must be the same. */
export interface Claim extends Asker {
  threadId: string;
  threadKey?: string;
}

export interface Thread {
  id: string;
  /** SHA-256 of its secret. */
  secretHash: string;
}

export type EndedBy = EndReason | 'left';

export interface AnswerRecord {
  text: string;
  sources: Source[];
  /** `left`: the reader did not wait for the end. */
  ended: EndedBy;
  writtenBy: Extract<AnswerEvent, { type: 'end' }>['by'] | null;
}

export interface Threads {
  /** A new thread with its first question. `secret` is given this once. */
  open(asker: Asker, answer: NewAnswer): Promise<Thread & { secret: string }>;
  /** The thread that a claim is about; undefined when there is none, it has expired, or is somebody else's: the three look alike. */
  find(claim: Claim): Promise<Thread | undefined>;
  /** Notes a question in a thread, which lives on from now. */
  ask(threadId: string, answer: NewAnswer): Promise<void>;
  /** Notes what was answered. An answer whose thread was removed meanwhile is not kept. */
  answered(answerId: string, record: AnswerRecord): Promise<void>;
  /** Removes a thread with all that belongs to it. */
  remove(threadId: string): Promise<void>;
  /** A later rating of an answer takes the place of the earlier one. False when the thread has no such answer. */
  rate(threadId: string, answerId: string, feedback: { rating: 'up' | 'down'; comment?: string }): Promise<boolean>;
  /** As `secretHash` of the thread that a secret is of. */
  hashOf(secret: string): string;
  /** Removes what has expired. */
  removeOld(): Promise<void>;
}

export interface NewAnswer {
  /** `msg_` and 16 hex digits. */
  id: string;
  question: string;
}

// Enough to know what was asked; a question may be as long as a body.
const longestQuestion = 20_000;

export interface ThreadsOptions {
  database: Queryable;
  /** Readers are kept as a hash that needs it. */
  secret: string;
  now: () => number;
  /** Days after its last question that a thread lives. */
  days: number;
}

export function createThreads({ database, secret, now, days }: ThreadsOptions): Threads {
  const oldest = () => new Date(now() - days * 86_400_000);

  return {
    async open({ organization, domain, key, fp }, answer) {
      const id = ulid(now());
      const threadSecret = randomBytes(32).toString('base64url');
      const secretHash = hashOfSecret(threadSecret);
      await database.query(
        `with thread as (
           insert into carrel.threads (id, organization, domain, key, reader_hash, secret_hash, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7)
         )
         insert into carrel.answers (id, thread, question, asked_at) values ($8, $1, $9, $7)`,
        [
          id,
          organization,
          domain,
          key,
          readerHash(secret, domain, fp),
          secretHash,
          new Date(now()),
          answer.id,
          kept(answer.question),
        ],
      );
      return { id, secret: threadSecret, secretHash };
    },

    async find({ threadId, threadKey, organization, domain, key, fp }) {
      if (!isUlid(threadId)) return undefined;
      const [row] = await database.query<{ id: string; key: string; readerHash: string; secretHash: string }>(
        `select id, key, reader_hash as "readerHash", secret_hash as "secretHash" from carrel.threads
         where id = $1 and organization = $2 and domain = $3 and updated_at > $4`,
        [threadId, organization, domain, oldest()],
      );
      if (!row) return undefined;
      const isTheirs =
        threadKey === undefined
          ? row.key === key && sameText(row.readerHash, readerHash(secret, domain, fp))
          : sameText(row.secretHash, hashOfSecret(threadKey));
      return isTheirs ? { id: row.id, secretHash: row.secretHash } : undefined;
    },

    async ask(threadId, { id, question }) {
      // Of a thread that was removed just now, nothing is left to add to. Two questions of one moment keep their order.
      await database.query(
        `with thread as (update carrel.threads set updated_at = $4 where id = $1 returning id)
         insert into carrel.answers (id, thread, question, asked_at)
         select $2, id, $3, greatest($4::timestamptz, (select max(asked_at) from carrel.answers where thread = $1) + interval '1 millisecond')
         from thread`,
        [threadId, id, kept(question), new Date(now())],
      );
    },

    async answered(answerId, { text, sources, ended, writtenBy }) {
      await database.query(
        `update carrel.answers set answer = $2, sources = $3::jsonb, ended = $4, written_by = $5, answered_at = $6 where id = $1`,
        [answerId, storable(text), JSON.stringify(sources, (_, value) => storable(value)), ended, writtenBy, new Date(now())],
      );
    },

    async remove(threadId) {
      await database.query('delete from carrel.threads where id = $1', [threadId]);
    },

    async rate(threadId, answerId, { rating, comment }) {
      const rated = await database.query(
        `insert into carrel.feedback (answer, rating, comment, given_at)
         select id, $3, $4, $5::timestamptz from carrel.answers where thread = $1 and id = $2
         on conflict (answer) do update set rating = excluded.rating, comment = excluded.comment, given_at = excluded.given_at
         returning answer`,
        [threadId, answerId, rating, comment === undefined ? null : storable(comment), new Date(now()).toISOString()],
      );
      return rated.length > 0;
    },

    hashOf: hashOfSecret,

    async removeOld() {
      await database.query('delete from carrel.threads where updated_at <= $1', [oldest()]);
    },
  };
}

export function threadUnknown(id: string): ApiError {
  return new ApiError(
    404,
    'ThreadUnknown',
    `There is no thread "${id.slice(0, 60)}" of this reader: it may have expired, or its key is another. Leave threadId out to open a new one.`,
  );
}

/** A reader in a site: nobody can tell who it is without the server's secret, nor that two sites have the same one. */
export function readerHash(secret: string, domain: string, fp: string): string {
  return createHmac('sha256', secret).update(`reader ${domain} ${fp}`).digest('hex');
}

function kept(question: string): string {
  return storable(question.length > longestQuestion ? `${question.slice(0, longestQuestion)}…` : question);
}

/** PostgreSQL keeps neither a character 0 nor half a character. What is no text stays as it is. */
function storable<Value>(value: Value): Value {
  if (typeof value !== 'string') return value;
  return value.replace(/\0|\p{Surrogate}/gu, '\uFFFD') as Value;
}
