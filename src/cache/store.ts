import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Values by key, kept between exports. Safe to delete at any time and safe for several processes. */
export interface Store {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Writes what was set, drops the oldest values over the size limit. */
  close(): void;
}

export interface StoreOptions {
  /** Values are dropped, least recently used first, when they pass this many bytes. @default 2 GiB */
  maxBytes?: number;
  /** Milliseconds since 1970: when this run uses its values. */
  now: number;
}

const day = 86_400_000;
// SQLITE_CORRUPT and SQLITE_NOTADB.
const damaged = [11, 26];

/**
 * Opens the store in a folder, which is made when it does not exist. A file that is not a readable database is started
 * anew: nothing in it cannot be computed again. SQLite comes with Node, takes its own locks and survives a killed process.
 */
export function openStore(folder: string, options: StoreOptions): Store {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'pages.sqlite');
  let database: DatabaseSync;
  try {
    database = openDatabase(file);
  } catch (error) {
    if (!damaged.includes((error as { errcode?: number }).errcode ?? 0)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    database = openDatabase(file);
  }
  return storeOn(database, options);
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS value (key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;`);
  return database;
}

function storeOn(database: DatabaseSync, { now, maxBytes = 2 ** 31 }: StoreOptions): Store {
  const select = database.prepare('SELECT value, used FROM value WHERE key = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO value (key, value, used) VALUES (?, ?, ?)');
  const touch = database.prepare('UPDATE value SET used = ? WHERE key = ?');
  const stale: string[] = [];
  let pending: [key: string, value: string][] = [];
  let pendingLength = 0;

  const flush = (): void => {
    if (pending.length === 0 && stale.length === 0) return;
    database.exec('BEGIN IMMEDIATE');
    for (const [key, value] of pending) insert.run(key, value, now);
    for (const key of stale) touch.run(now, key);
    database.exec('COMMIT');
    pending = [];
    pendingLength = 0;
    stale.length = 0;
  };

  return {
    get(key) {
      const row = select.get(key);
      // Noting the use once a day keeps a warm run free of writes.
      if (row && now - Number(row.used) > day) stale.push(key);
      return row?.value as string | undefined;
    },
    set(key, value) {
      pending.push([key, value]);
      pendingLength += value.length;
      if (pendingLength > 8_000_000) flush();
    },
    close() {
      flush();
      dropOldest(database, maxBytes);
      database.close();
    },
  };
}

function dropOldest(database: DatabaseSync, maxBytes: number): void {
  const pages = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get();
  if (Number(pages?.bytes) <= maxBytes) return;
  database.exec('BEGIN IMMEDIATE');
  let kept = 0;
  const rows = database.prepare('SELECT key, length(value) AS size FROM value ORDER BY used DESC').all();
  const remove = database.prepare('DELETE FROM value WHERE key = ?');
  for (const row of rows) {
    kept += Number(row.size);
    // Half the limit, so that the next runs do not clean up again at once.
    if (kept > maxBytes / 2) remove.run(String(row.key));
  }
  database.exec('COMMIT; VACUUM');
}
