import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Logger } from '../platform/log.ts';
import { logErrors } from './boss-errors.ts';
import { bossOptions } from './boss-options.ts';
import type { Database } from './database.ts';
import { createListener } from './listener.ts';
import { asUnavailable } from './unavailable.ts';

const connections = 10;
/** Milliseconds to wait for a connection, be it new or one of the pool. */
const connectionTimeout = 10_000;

/** A pool of connections to a PostgreSQL server. Connects when it is first used, and again after the server was away. */
export function openPostgresql(url: string, log: Logger): Database {
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: 'carrel',
    connectionTimeoutMillis: connectionTimeout,
    keepAlive: true,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({ ...settings, max: connections });
  // An idle connection that breaks: the pool drops it and makes another when one is needed.
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
    createBoss() {
      return logErrors(new PgBoss({ ...bossOptions, connectionString: url, application_name: 'carrel-queue', max: 5 }), log);
    },
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
