// One interface to both databases: the embedded one (PGlite) and PostgreSQL. All SQL is the same for both.
import type { PgBoss } from 'pg-boss';

export interface Queryable {
  /**
   * Rows of one statement with `$1` parameters. Returns `timestamptz` as Date, `jsonb` as values, `bigint` as number.
   * An array is a `text[]`; pass an object or JSON text for `jsonb`. Without parameters there may be several statements.
   * Throws `DatabaseUnavailable` when the database cannot be reached.
   */
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgresql';
  /** For an embedded database in a folder: identifies this instance in the lock of the folder. */
  readonly instance?: string;
  /** Commits when `work` resolves, else rolls back. Use only `transaction` inside: the embedded database has one connection. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /**
   * Listens to `pg_notify(channel, payload)` of all processes. After a lost connection it calls `onGap`, since notifications may be missing.
   * Returns a function that stops listening.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  /** The job queue on the same database, not started yet. */
  createBoss(): PgBoss;
  close(): Promise<void>;
}
