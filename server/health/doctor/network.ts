// The ports and addresses of the server: free, ours, or another program's.
import { createServer } from 'node:net';
import { lockingInstance } from '../../database/lock.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { examine, fail, ok, warn, type Finding } from './finding.ts';

/** A server with this configuration that runs now. */
export interface Running {
  /** Its address; absent when none answers. */
  api?: string;
  /** `yes`, or what is away. */
  ready?: string;
  /** Address of a Carrel server that answers in its place, with another data folder. */
  other?: string;
}

type Places = Pick<ServerOptions, 'host' | 'port' | 'data' | 'databaseUrl'>;

/** An embedded database belongs to one server: the one that the lock of the data folder names. */
export async function findRunning({ host, port, data, databaseUrl }: Places): Promise<Running> {
  if (port === 0) return {};
  const api = `http://${reachable(host)}:${port}`;
  const found = await carrelAt(api);
  if (!found) return {};
  if (databaseUrl === undefined && (found.instance === undefined || found.instance !== (await lockingInstance(data))))
    return { other: api };
  const answer = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  const body = (await answer?.json().catch(() => undefined)) as { error?: string } | undefined;
  return { api, ready: answer?.ok ? 'yes' : (body?.error ?? 'it does not answer.') };
}

export async function checkPorts(options: ServerOptions, running: Running): Promise<Finding[]> {
  const { host, port, sitesPort, role } = options;
  const ports: [string, number][] = [['port', port]];
  if (role !== 'worker') ports.push(['sites-port', sitesPort]);
  return Promise.all(ports.map(([name, number]) => checkPort(name, host, number, running)));
}

function checkPort(name: string, host: string, port: number, { api, other }: Running): Promise<Finding> {
  const variable = name === 'port' ? 'PORT' : 'SITES_PORT';
  return examine(name, 5, async () => {
    if (port === 0) return ok('Any free port is taken');
    const code = await listenFault(host, port);
    if (code === undefined) return ok(`Port ${port} of ${host} is free`);
    if (code === 'EADDRINUSE' && api) return ok(`Port ${port} of ${host} is the running server's`);
    const next = `Stop what holds it, or set ${variable} to another port.`;
    if (code === 'EADDRINUSE' && other && name === 'port')
      return fail(`Port ${port} of ${host} is taken by another Carrel server, which has another data folder.`, next);
    if (code === 'EADDRINUSE') return fail(`Port ${port} of ${host} is taken by another program.`, next);
    if (code === 'EACCES') return fail(`This user may not listen on port ${port}.`, `Set ${variable} to a port from 1024 up.`);
    return fail(`Nothing can listen on "${host}" (${code}).`, 'Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.');
  });
}

function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Whether callers reach the API at the address that answers bear. */
export function checkPublicUrl({ publicUrl }: Pick<ServerOptions, 'publicUrl'>, running: Running): Promise<Finding> {
  return examine('public-url', 15, async () => {
    if (publicUrl === undefined) return ok('CARREL_PUBLIC_URL is not set: links work on this machine only');
    if (await carrelAt(publicUrl)) return ok(`${publicUrl} leads to a Carrel server`);
    if (!running.api)
      return warn(`${publicUrl} does not answer, and no server runs here.`, 'Start the server, then run doctor again.');
    return fail(
      `${publicUrl} does not lead to the server.`,
      `Look at the proxy before it, its certificate and the DNS: it must pass requests on to ${running.api}.`,
    );
  });
}

/** What a Carrel server says about itself; undefined when none answers. */
async function carrelAt(address: string): Promise<{ instance?: string } | undefined> {
  try {
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
    const body = (await answer.json()) as { status?: string; instance?: string };
    const isCarrel = answer.ok && body.status === 'ok' && (answer.headers.get('x-request-id') ?? '').startsWith('req_');
    return isCarrel ? body : undefined;
  } catch {
    return undefined;
  }
}

/** A server that listens on all addresses is called on this machine's own. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
