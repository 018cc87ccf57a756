import { isIP } from 'node:net';
import type { ServerOptions } from '../platform/options.ts';

/**
 * Whether a request's host, without its port, is a name of this server: one of `names`, an IP address, or a name that public DNS does not have.
 * The owner of any other name can give it this server's address, and the pages there could then read what readers of theirs reach.
 */
export function isOwnHost(hostname: string, names: readonly (string | undefined)[]): boolean {
  const name = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  if (isIP(name) !== 0 || !name.includes('.') || /\.(?:localhost|local|internal|svc|test)$/.test(name)) return true;
  return names.includes(name) || names.includes('*');
}

/** What an operator's server is called. */
export function namesOf(options: Pick<ServerOptions, 'host' | 'allowHosts'>, urls: string[]): string[] {
  return [options.host, ...options.allowHosts, ...urls.map((url) => new URL(url).hostname)];
}
