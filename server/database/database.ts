// One connection, whichever database is behind it: the embedded one (PGlite) or PostgreSQL. All SQL is the same for both.
import type { PgBoss } from 'pg-boss';

export interface Queryable {
  /**
   * Rows of one statement with `$1` parameters. `timestamptz` comes as Date, `jsonb` as values, `bigint` as number.
   * An array is for `text[]`; for `jsonb` give an object, or JSON text. Without parameters there may be several statements.
   * Throws `DatabaseUnavailable` when the database cannot be reached.
   */
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgresql';
  /** Of an embedded database in a folder: the name of this opening, which the lock of the folder holds. */
  readonly instance?: string;
  /** Commits when `work` resolves, else rolls back. Use only `transaction` inside: the embedded database has one connection. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /**
   * Hears `pg_notify(channel, payload)` of all processes; survives a lost connection: `onGap` is called when it is back, since
   * what was told meanwhile was not heard. Gives what stops it.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  /** The job queue on the same database; not started. */
  createBoss(): PgBoss;
  close(): Promise<void>;
}
