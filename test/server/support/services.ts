import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../../../server/http/api.ts';
import type { Scope } from '../../../server/http/key.ts';
import { openServices, type Services } from '../../../server/services.ts';
import { carrelExport } from '../jobs/exporters.ts';
import { createLog } from '../../../server/platform/log.ts';
import { serverOptionsSchema, type ServerOptions } from '../../../server/platform/options.ts';
import { createApi } from '../../../server/routes.ts';
import { openMigratedDatabase } from './databases.ts';
import { atFileEnd } from '../../support/at-file-end.ts';

export interface TestServer {
  services: Services;
  api: Api;
  /** Milliseconds since 1970 that the server believes in; may be set. */
  clock: { now: number };
  /** Secrets of the organization `default`. */
  adminKey: string;
  /** Sends a request with a bearer, the admin key by default; an object as body goes as JSON. */
  request(method: string, path: string, body?: unknown, key?: string | null, headers?: Record<string, string>): Promise<Response>;
  /** A key of the organization `default` or another one: an admin key if nothing else is given. */
  keyWith(more?: Partial<Parameters<Services['keys']['create']>[0]>): ReturnType<Services['keys']['create']>;
  /** A key of another organization, which is made when it is not there. */
  keyOf(organization: string, scopes?: Scope[]): Promise<string>;
}

/** The whole API over a database of its own in PostgreSQL and a storage in a temporary folder; no port, no workers. One for a test file. */
export async function openTestServer(overrides: Partial<ServerOptions> = {}): Promise<TestServer> {
  const data = mkdtempSync(join(tmpdir(), 'carrel-server-'));
  const options = { ...serverOptionsSchema.parse({ data }), ...overrides };
  const clock = { now: Date.now() };
  const log = createLog('silent');
  const database = await openMigratedDatabase();
  const services = await openServices({
    exporter: carrelExport,
    options,
    database,
    log,
    publicUrl: overrides.publicUrl ?? 'http://api.example.com',
    sitesUrl: 'http://sites.example.com',
    secrets: ['a secret of the tests, which is long enough'],
    now: () => clock.now,
  });
  await services.queue.start();
  await services.jobs.open();
  atFileEnd(async () => {
    await services.jobs.close();
    await services.queue.stop(0);
    rmSync(data, { recursive: true, force: true });
  });
  const keyWith: TestServer['keyWith'] = (more = {}) =>
    services.keys.create({ organization: 'default', kind: 'admin', name: 'test', ...more }, { unlimited: true });
  const keyOf = async (organization: string, scopes: Scope[] = ['read', 'write']) => {
    if (!(await services.organizations.get(organization)))
      await services.organizations.create({ id: organization, name: organization, plan: 'enterprise' });
    return (await keyWith({ organization, scopes })).secret;
  };
  const adminKey = await keyOf('default', ['read', 'write', 'operator']);
  const api = createApi(services);
  return {
    services,
    api,
    clock,
    adminKey,
    keyWith,
    keyOf,
    request: async (method, path, body, key = adminKey, headers) => api.request(path, requestOf(method, body, key, headers)),
  };
}

/** A request with a bearer; an object as body goes as JSON. */
export function requestOf(method: string, body: unknown, key: string | null, headers: Record<string, string> = {}): RequestInit {
  return {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  };
}
