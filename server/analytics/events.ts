// Stores what readers do, in batches: a request only adds its events to those that wait in memory.
import type { Database, Queryable } from '../database/database.ts';
import { pagePathOf } from '../../integration/urls/page-path.ts';
import { DatabaseUnavailable } from '../database/unavailable.ts';
import { ApiError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { cleanText } from './clean-text.ts';
import type { ReaderEvent } from './event-schemas.ts';
import { createVisitors, dayOf, type Reader } from './visitors.ts';

export type Events = ReturnType<typeof createEvents>;

export interface EventsOptions {
  database: Database;
  now: () => number;
  log: Pick<Logger, 'warn' | 'error'>;
  metrics: Pick<Metrics, 'events'>;
  /** Days that events are stored. */
  days: number;
}

/** What a page sent in one request. */
interface Batch extends Reader {
  domain: string;
  events: ReaderEvent[];
  isPage: (path: string) => boolean;
}

// About 10 MB.
const mostWaiting = 20_000;
const mostAtOnce = 1000;
const pause = 1000;
const pauseAfterFailure = 5000;
const longestQuery = 200;

export function createEvents({ database, now, log, metrics, days }: EventsOptions) {
  const visitors = createVisitors(database, now);
  let waiting: Row[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;
  let isClosing = false;

  return {
    /**
     * Takes the events of a reader, and returns how many of them will be stored, within a second or two. Feedback about a page that the site
     * does not have is dropped. Throws `ApiError` 503 `EventsFull`, `DatabaseUnavailable`.
     */
    async add({ domain, events, isPage, ...reader }: Batch): Promise<number> {
      if (waiting.length + events.length > mostWaiting) {
        metrics.events.inc({ result: 'dropped' }, events.length);
        throw new ApiError('EventsFull', 'The database does not store events as fast as they arrive. Try again in 5 s.', {
          headers: { 'retry-after': '5' },
        });
      }
      const visitor = await visitors.hashOf(domain, reader);
      const rows = events.flatMap((event) => rowOf(event, isPage) ?? []);
      const at = now();
      waiting.push(...rows.map((row) => ({ ...row, domain, visitor, at: new Date(at).toISOString(), day: dayOf(at) })));
      flushSoon(waiting.length >= mostAtOnce ? 0 : pause);
      return rows.length;
    },

    /** Stores what waits. It stays in memory while the database is unavailable. */
    flush,

    /** Removes what is older than `days`, and the salts of past days. */
    async removeOld(): Promise<void> {
      const oldest = new Date(now() - days * 86_400_000);
      await database.query('delete from carrel.events where at <= $1', [oldest]);
      await database.query('delete from carrel.page_feedback where given_at <= $1', [oldest]);
      await visitors.removeOld();
    },

    /** Stores what waits, for the last time. */
    async close(): Promise<void> {
      isClosing = true;
      await flush();
      clearTimeout(timer);
      if (waiting.length > 0) log.warn({ events: waiting.length }, 'events were lost: the database is unavailable');
    },
  };

  function flushSoon(milliseconds: number): void {
    if (isClosing) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, milliseconds).unref();
  }

  function flush(): Promise<void> {
    flushing ??= storeAll().finally(() => (flushing = undefined));
    return flushing;
  }

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, mostAtOnce);
      try {
        await store(database, rows);
        metrics.events.inc({ result: 'stored' }, rows.length);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) {
          log.warn({ err: error, events: waiting.length }, 'events wait for the database');
          return flushSoon(pauseAfterFailure);
        }
        // The next ones must not wait for these forever.
        log.error({ err: error, events: rows.length }, 'events could not be stored');
        metrics.events.inc({ result: 'dropped' }, rows.length);
      }
      waiting = waiting.slice(rows.length);
    }
  }
}

/** An event in the columns of both tables. */
interface Row extends Partial<Stored> {
  domain: string;
  visitor: string;
  at: string;
  day: string;
}

interface Stored {
  type: ReaderEvent['type'];
  path: string | null;
  found: boolean;
  referrer: string | null;
  query: string;
  results: number;
  answer: string;
  helpful: boolean;
  comment: string | null;
}

function rowOf(event: ReaderEvent, isPage: (path: string) => boolean): Partial<Stored> | undefined {
  const { type } = event;
  const pageAt = (given: string | null | undefined) => {
    const path = given === null || given === undefined ? undefined : pagePathOf(given);
    return path !== undefined && isPage(path) ? path : null;
  };
  switch (event.type) {
    case 'view': {
      const path = pageAt(event.path);
      return {
        type,
        path: path ?? cleanText(pagePathOf(event.path), 200),
        found: path !== null,
        referrer: originOf(event.referrer),
      };
    }
    case 'search': {
      const query = cleanText(event.query, longestQuery);
      return query === '' ? undefined : { type, query, results: event.hits, path: pageAt(event.clicked) };
    }
    case 'question': {
      const query = cleanText(event.query, longestQuery);
      return query === '' ? undefined : { type, query, answer: event.answer, path: pageAt(event.path) };
    }
    case 'page_feedback': {
      const path = pageAt(event.path);
      const comment = cleanText(event.comment ?? '', 1000) || null;
      return path === null ? undefined : { type, path, helpful: event.helpful, comment };
    }
  }
}

function originOf(referrer: string | null | undefined): string | null {
  const url = URL.parse(referrer ?? '');
  return url && /^https?:$/.test(url.protocol) && url.origin.length <= 200 ? url.origin : null;
}

async function store(database: Database, rows: Row[]): Promise<void> {
  const feedback = new Map<string, Row>();
  for (const row of rows) {
    if (row.type !== 'page_feedback') continue;
    const key = JSON.stringify([row.domain, row.path, row.day, row.visitor]);
    // One statement can't change the same row twice.
    feedback.set(key, { ...row, comment: row.comment ?? feedback.get(key)?.comment });
  }
  const events = rows.filter(({ type }) => type !== 'page_feedback');
  await database.transaction(async (transaction) => {
    if (events.length > 0) await storeEvents(transaction, events);
    if (feedback.size > 0) await storeFeedback(transaction, [...feedback.values()]);
  });
}

// A site that was removed in the meantime stores nothing; one that is being removed waits.

async function storeEvents(transaction: Queryable, rows: Row[]): Promise<void> {
  await transaction.query(
    `insert into carrel.events (domain, at, type, visitor, path, found, referrer, query, results, answer)
     select e.domain, at, type, visitor, path, found, referrer, query, results, answer
     from jsonb_to_recordset($1::jsonb) as e (
       domain text, at timestamptz, type text, visitor text, path text, found boolean, referrer text, query text, results integer,
       answer text
     ) join carrel.sites s on s.domain = e.domain for key share of s`,
    [JSON.stringify(rows)],
  );
}

async function storeFeedback(transaction: Queryable, rows: Row[]): Promise<void> {
  await transaction.query(
    `insert into carrel.page_feedback as known (domain, path, day, visitor, helpful, comment, given_at)
     select e.domain, path, day, visitor, helpful, comment, at
     from jsonb_to_recordset($1::jsonb) as e (
       domain text, path text, day date, visitor text, helpful boolean, comment text, at timestamptz
     ) join carrel.sites s on s.domain = e.domain
     order by e.domain, path, day, visitor
     for key share of s
     on conflict (domain, path, day, visitor) do update
       set helpful = excluded.helpful, comment = coalesce(excluded.comment, known.comment), given_at = excluded.given_at`,
    [JSON.stringify(rows)],
  );
}
