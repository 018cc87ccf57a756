// The ports and URLs of the server: free, in use by this server, or by another program.
import { createServer } from 'node:net';
import { lockingInstance } from '../../database/locks.ts';
import { checkModel } from '../../assistant/model/model-check.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { modelOfServer } from '../../sites/model-settings.ts';
import { examine, fail, ok, warn, type Finding } from './finding.ts';

/** A running server with this configuration. */
export interface Running {
  /** Its URL; absent when none responds. */
  api?: string;
  /** `yes`, or what is unavailable. */
  ready?: string;
  /** URL of a Carrel server with another data folder that uses the same port. */
  other?: string;
}

type Places = Pick<ServerOptions, 'host' | 'port' | 'data' | 'databaseUrl'>;

/** An embedded database belongs to the one server that the lock of the data folder names. */
export async function findRunning({ host, port, data, databaseUrl }: Places): Promise<Running> {
  if (port === 0) return {};
  const api = `http://${reachable(host)}:${port}`;
  const found = await carrelAt(api);
  if (!found) return {};
  if (databaseUrl === undefined && (found.instance === undefined || found.instance !== (await lockingInstance(data))))
    return { other: api };
  const answer = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  const body = (await answer?.json().catch(() => undefined)) as { error?: string } | undefined;
  return { api, ready: answer?.ok ? 'yes' : (body?.error ?? 'it does not respond.') };
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
    if (port === 0) return ok('Any free port is used');
    const code = await listenFault(host, port);
    if (code === undefined) return ok(`Port ${port} of ${host} is free`);
    if (code === 'EADDRINUSE' && api) return ok(`The running server uses port ${port} of ${host}`);
    const next = `Stop that program, or set ${variable} to another port.`;
    if (code === 'EADDRINUSE' && other && name === 'port')
      return fail(`Another Carrel server, with another data folder, uses port ${port} of ${host}.`, next);
    if (code === 'EADDRINUSE') return fail(`Another program uses port ${port} of ${host}.`, next);
    if (code === 'EACCES')
      return fail(`This user is not allowed to listen on port ${port}.`, `Set ${variable} to a port from 1024 up.`);
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

/** Whether callers reach the API at the URL that responses contain. */
export function checkPublicUrl({ publicUrl }: Pick<ServerOptions, 'publicUrl'>, running: Running): Promise<Finding> {
  return examine('public-url', 15, async () => {
    if (publicUrl === undefined) return ok('CARREL_PUBLIC_URL is not set: links work on this machine only');
    if (await carrelAt(publicUrl)) return ok(`${publicUrl} is the URL of a Carrel server`);
    if (!running.api)
      return warn(`${publicUrl} does not respond, and no server is running here.`, 'Start the server, then run doctor again.');
    return fail(
      `${publicUrl} is not the URL of this server.`,
      `Check the proxy, its certificate and the DNS: it must forward requests to ${running.api}.`,
    );
  });
}

/** Whether the server's own model answers; models of sites are not checked. */
export function checkServerModel(options: ServerOptions): Promise<Finding> {
  return examine('model', 15, async () => {
    const model = modelOfServer(options);
    if (!model) return ok('No model is set: answers quote the docs');
    const { state, detail } = await checkModel(model, options.privateHosts);
    const name = `The model "${model.model}" at ${model.baseUrl}`;
    if (state === 'ok') return ok(`${name} is available`);
    if (state === 'unlisted')
      return warn(
        `${name} is not in the list of its server: ${detail}.`,
        'Set CARREL_MODEL to one of them, unless the server takes any name.',
      );
    if (state === 'rejected') return fail(`${name} rejects the key (${detail}).`, 'Correct CARREL_MODEL_KEY.');
    return warn(`${name} is unavailable (${detail}): answers quote the docs.`, 'Start its server, or correct CARREL_MODEL_URL.');
  });
}

/** The health response of a Carrel server; undefined when none responds. */
async function carrelAt(url: string): Promise<{ instance?: string } | undefined> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
    const body = (await answer.json()) as { status?: string; instance?: string };
    const isCarrel = answer.ok && body.status === 'ok' && (answer.headers.get('x-request-id') ?? '').startsWith('req_');
    return isCarrel ? body : undefined;
  } catch {
    return undefined;
  }
}

/** A server that listens on all addresses is reached through the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
