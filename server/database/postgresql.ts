import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../platform/log.ts';
import { createBoss } from './boss.ts';
import type { Database } from './database.ts';
import { asUnavailable } from './unavailable.ts';

const connections = 10;
/** Milliseconds to wait for a connection, new or from the pool. */
const connectionTimeout = 10_000;

/** A pool of connections to a PostgreSQL server. Connects on first use, and again after the server was unavailable. */
export function openPostgresql(url: string, log: Logger): Database {
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: 'carrel',
    connectionTimeoutMillis: connectionTimeout,
    keepAlive: true,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({ ...settings, max: connections });
  // An idle connection that breaks: the pool drops it and opens another one when needed.
  pool.on('error', (error) => log.warn({ err: error }, 'a connection to the database was lost'));
  const listener = createListener(settings, log);
  let closing: Promise<void> | undefined;
  return {
    kind: 'postgresql',
    query: (sql, parameters) => run(pool, sql, parameters),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asUnavailable(error);
      });
      let broken: Error | undefined;
      // A connection that breaks between two statements reports it only here.
      const onError = (error: Error) => (broken = error);
      client.on('error', onError);
      try {
        await run(client, 'begin');
        const result = await work({ query: (sql, parameters) => run(client, sql, parameters) });
        await run(client, 'commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((fault: Error) => (broken ??= fault));
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    listen: (channel, onPayload, onGap) => listener.listen(channel, onPayload, onGap),
    createBoss: () => createBoss({ connectionString: url, application_name: 'carrel-queue', max: 5 }, log),
    close() {
      closing ??= Promise.all([listener.close(), pool.end()]).then(() => {});
      return closing;
    },
  };
}

async function run<Row>(connection: pg.Pool | pg.PoolClient, sql: string, parameters: unknown[] = []): Promise<Row[]> {
  try {
    // Without parameters there may be several statements: a result for each.
    const result: pg.QueryResult | pg.QueryResult[] = await connection.query(sql, parameters.length > 0 ? parameters : undefined);
    return (Array.isArray(result) ? result.at(-1)?.rows : result.rows) ?? [];
  } catch (error) {
    throw asUnavailable(error);
  }
}

function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === pg.types.builtins.INT8 && format !== 'binary') return Number;
  return pg.types.getTypeParser(type, format);
}

interface Subscriber {
  channel: string;
  onPayload: (payload: string) => void;
  onGap: (() => void) | undefined;
}

const firstPause = 100;
const longestPause = 5_000;
/** Milliseconds between two checks of the connection, and until a check counts as failed. */
const checkInterval = 10_000;

export interface Listener {
  listen: Database['listen'];
  close(): Promise<void>;
}

/** Connects at the first `listen`; after a lost connection it listens again and reports the gap to all listeners. */
export function createListener(settings: pg.ClientConfig, log: Logger): Listener {
  const subscribers = new Set<Subscriber>();
  const ending = new AbortController();
  let client: pg.Client | undefined;
  let connecting: Promise<pg.Client> | undefined;

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client(settings);
    let lost = false;
    const onLost = (error?: Error) => {
      if (lost) return;
      lost = true;
      clearInterval(check);
      // A connection that only stopped answering would keep the process alive.
      (next as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
      if (client !== next || ending.signal.aborted) return;
      client = undefined;
      log.warn({ err: error }, 'the connection for notifications was lost');
      void reconnect();
    };
    const check = keepAsking(next, onLost);
    next.on('error', onLost);
    next.on('end', onLost);
    next.on('notification', ({ channel, payload }) => {
      for (const subscriber of [...subscribers]) if (subscriber.channel === channel) subscriber.onPayload(payload ?? '');
    });
    try {
      await next.connect();
      for (const channel of new Set([...subscribers].map((subscriber) => subscriber.channel)))
        await next.query(listenTo(channel));
    } catch (error) {
      onLost();
      throw asUnavailable(error);
    }
    if (ending.signal.aborted) onLost();
    else client = next;
    return next;
  }

  async function reconnect(): Promise<void> {
    for (let wait = firstPause; !ending.signal.aborted; wait = Math.min(wait * 2, longestPause)) {
      try {
        await pause(wait, undefined, { signal: ending.signal, ref: false });
        // A new `listen` may have connected meanwhile, or may be connecting.
        if (!client) await (connecting ??= connect());
        log.info('the connection for notifications is back');
        for (const subscriber of [...subscribers]) subscriber.onGap?.();
        return;
      } catch {
        // The database is still unavailable: waits longer.
      } finally {
        connecting = undefined;
      }
    }
  }

  return {
    async listen(channel, onPayload, onGap) {
      const subscriber: Subscriber = { channel, onPayload, onGap };
      subscribers.add(subscriber);
      try {
        connecting ??= client ? undefined : connect().finally(() => (connecting = undefined));
        const connected = connecting ? await connecting : client!;
        await connected.query(listenTo(channel));
      } catch (error) {
        subscribers.delete(subscriber);
        throw asUnavailable(error);
      }
      return async () => {
        subscribers.delete(subscriber);
      };
    },
    async close() {
      ending.abort();
      subscribers.clear();
      await connecting?.catch(() => {});
      await client?.end().catch(() => {});
    },
  };
}

/** Sends a query at intervals, and reports when there is no answer. */
function keepAsking(client: pg.Client, onLost: (error: Error) => void): NodeJS.Timeout {
  const ask = () => {
    const late = setTimeout(() => onLost(new Error('The database did not answer.')), checkInterval);
    client.query('select 1').then(
      () => clearTimeout(late),
      (error: Error) => (clearTimeout(late), onLost(error)),
    );
  };
  return setInterval(ask, checkInterval).unref();
}

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}
