import { errorMessage } from '../../integration/errors.ts';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Values by key that outlive an export. Safe to delete at any time, safe for several processes. No method throws. */
export interface Store {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Writes the new values and drops the oldest above the size limit. */
  close(): void;
  /** Why values could not be read or written, if that happened; final once the store is closed. */
  fault(): string | undefined;
}

export interface StoreOptions {
  /** Size limit in bytes; the least recently used values are dropped first. @default 2 GiB */
  maxBytes?: number;
  /** How long to wait for another process, in milliseconds. @default 10,000 */
  timeout?: number;
  /** Milliseconds since 1970: the time at which this run uses its values. */
  now: number;
}

const day = 86_400_000;
// SQLITE_CORRUPT and SQLITE_NOTADB.
const damaged = [11, 26];

/**
 * Opens the store in a folder, creating it if needed. A file that is not a readable database is replaced, because everything in it
 * can be computed again. SQLite comes with Node, takes its own locks and survives a killed process.
 * A store that cannot be opened stays empty: that costs time, but does not fail the export.
 */
export function openStore(folder: string, { timeout = 10_000, ...options }: StoreOptions): Store {
  const file = join(folder, 'pages.sqlite');
  const open = () => storeOn(openDatabase(file, timeout), () => removeDatabase(file), options);
  try {
    mkdirSync(folder, { recursive: true });
    try {
      return open();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      removeDatabase(file);
      return open();
    }
  } catch (error) {
    const message = errorMessage(error);
    return { get: () => undefined, set() {}, close() {}, fault: () => message };
  }
}

function openDatabase(file: string, timeout: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout });
  try {
    try {
      database.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      // Another process is doing it now.
      if (isDamaged(error)) throw error;
    }
    // The keys are random. Their index stays apart from the values and in memory: otherwise each read and write of one more value would
    // read the disk, and cost more the more values there are.
    database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;
      DROP TABLE IF EXISTS value;
      CREATE TABLE IF NOT EXISTS entry (key TEXT NOT NULL UNIQUE, used INTEGER NOT NULL, value TEXT NOT NULL);`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && damaged.includes(Number(error.errcode));
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/** `remove` is called after a damaged database is closed. */
function storeOn(database: DatabaseSync, remove: () => void, { now, maxBytes = 2 ** 31 }: Omit<StoreOptions, 'timeout'>): Store {
  const select = database.prepare('SELECT value, used FROM entry WHERE key = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO entry (key, value, used) VALUES (?, ?, ?)');
  const touch = database.prepare('UPDATE entry SET used = ? WHERE key = ?');
  const stale: string[] = [];
  let pending: [key: string, value: string][] = [];
  let pendingLength = 0;
  let fault: unknown;
  let isClosed = false;

  const forget = (): void => {
    pending = [];
    pendingLength = 0;
    stale.length = 0;
  };

  // Nothing is written after a fault: a process that waited once for another would wait each time.
  const write = (work: () => void): void => {
    if (fault !== undefined) return;
    try {
      work();
    } catch (error) {
      fault = error;
      forget();
    }
  };

  const flush = (): void => {
    if (pending.length === 0 && stale.length === 0) return;
    transaction(database, () => {
      for (const [key, value] of pending) insert.run(key, value, now);
      for (const key of stale) touch.run(now, key);
    });
    forget();
  };

  return {
    get(key) {
      // A database that cannot be written may still be readable.
      if (isDamaged(fault ?? {})) return undefined;
      try {
        const row = select.get(key);
        // Recording use once a day keeps warm runs free of writes.
        if (row && now - Number(row.used) > day) stale.push(key);
        return row?.value as string | undefined;
      } catch (error) {
        fault ??= error;
        return undefined;
      }
    },
    set(key, value) {
      if (fault !== undefined) return;
      pending.push([key, value]);
      pendingLength += value.length;
      if (pendingLength > 8_000_000) write(flush);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      write(flush);
      write(() => dropOldest(database, maxBytes));
      try {
        database.close();
        if (isDamaged(fault ?? {})) remove();
      } catch (error) {
        fault ??= error;
      }
    },
    fault: () => (fault === undefined ? undefined : errorMessage(fault)),
  };
}

function dropOldest(database: DatabaseSync, maxBytes: number): void {
  const pages = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get();
  if (Number(pages?.bytes) <= maxBytes) return;
  let kept = 0;
  const rows = database.prepare('SELECT key, length(value) AS size FROM entry ORDER BY used DESC').all();
  const remove = database.prepare('DELETE FROM entry WHERE key = ?');
  transaction(database, () => {
    for (const row of rows) {
      kept += Number(row.size);
      // Half the limit, so that the next runs need not clean up again.
      if (kept > maxBytes / 2) remove.run(String(row.key));
    }
  });
  database.exec('VACUUM');
}

/** A full disk already ends the transaction. After any other fault it is rolled back, so that the database stays readable. */
function transaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
