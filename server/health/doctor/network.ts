// The ports and URLs of the server: free, in use by this server, or by another program.
import { createServer, isIP } from 'node:net';
import { connect } from 'node:tls';
import { lockingInstance } from '../../database/locks.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { examine, fail, ok, reasonOf, warn, type Finding } from './finding.ts';

/** A running server with this configuration. */
export interface Running {
  /** Its URL; absent when none responds. */
  api?: string;
  /** Identifies it, if its database is embedded. */
  instance?: string;
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
  return { api, instance: found.instance, ready: answer?.ok ? 'yes' : (body?.error ?? 'it does not respond.') };
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
  return examine('public-url', 30, async () => {
    if (publicUrl === undefined) return ok('CARREL_PUBLIC_URL is not set: links work on this machine only');
    const found = await carrelAt(publicUrl);
    const isOther = found?.instance !== undefined && running.instance !== undefined && found.instance !== running.instance;
    if (found && !isOther) return await tlsState(publicUrl, `${publicUrl} is the URL of a Carrel server`);
    if (!running.api)
      return warn(`${publicUrl} does not respond, and no server is running here.`, 'Start the server, then run doctor again.');
    const why = isOther ? 'another Carrel server answers there' : await faultAt(`${publicUrl}/healthz`);
    return fail(
      `${publicUrl} is not the URL of this server: ${why}.`,
      `Check the proxy, its certificate and the DNS: it must forward requests to ${running.api}.`,
    );
  });
}

/** Whether readers reach the sites, on a host of their own. */
export function checkSitesUrl({ sitesUrl, publicUrl, role }: ServerOptions, running: Running): Promise<Finding> {
  return examine('sites-url', 30, async () => {
    if (role === 'worker') return ok('A worker serves no sites');
    if (sitesUrl === undefined) return ok('CARREL_SITES_URL is not set: sites are reached on this machine only');
    if (publicUrl !== undefined && new URL(publicUrl).hostname === new URL(sitesUrl).hostname)
      return warn(
        'CARREL_SITES_URL and CARREL_PUBLIC_URL have the same host, so the browser sends the cookie of the dashboard to the sites, too.',
        'Give the sites a host of their own.',
      );
    const answer = await fetch(`${sitesUrl}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    const isOurs = answer?.ok && (await answer.text()).trim() === 'ok';
    if (isOurs) return await tlsState(sitesUrl, `${sitesUrl} is the URL of the sites`);
    if (!running.api)
      return warn(`${sitesUrl} does not respond, and no server is running here.`, 'Start the server, then run doctor again.');
    return fail(
      `${sitesUrl} is not the URL of the sites: ${await faultAt(`${sitesUrl}/healthz`)}.`,
      'Check the proxy, its certificate and the DNS: it must forward requests to the port of the sites (SITES_PORT).',
    );
  });
}

/** A URL that answers: whether it is encrypted, and for how long its certificate is valid. */
async function tlsState(text: string, message: string) {
  const url = new URL(text);
  if (url.protocol === 'http:') {
    if (/^(?:localhost|127\..*|\[::1\])$/.test(url.hostname)) return ok(message);
    return warn(
      `${text} is not encrypted: everyone on the way can read keys and sessions.`,
      'Put a proxy with TLS in front of the server.',
    );
  }
  const days = Math.floor(((await certificateEnd(url)) - Date.now()) / 86_400_000);
  if (days < 14) return warn(`The certificate of ${url.host} expires in ${days} days.`, 'Renew it.');
  return ok(`${message}; its certificate is valid for ${days} days`);
}

function certificateEnd({ hostname, port }: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port) || 443, servername: isIP(host) ? undefined : host, timeout: 5000 }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.once('error', reject).once('timeout', () => socket.destroy(new Error('There was no answer.')));
  });
}

/** Why a URL does not give what it should. */
async function faultAt(url: string): Promise<string> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
    return `it responds with status ${status}, and not as Carrel does`;
  } catch (error) {
    return reasonOf(error);
  }
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
