// Addresses that others give us (git, webhooks) may lead into private networks. Here they are checked, and connected to as checked.
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import ipaddr from 'ipaddr.js';
import { ApiError } from './errors.ts';

/**
 * The addresses of a host, which may be an address itself, with brackets or without. Each is in the public internet, or is in
 * `allowed` (host names, addresses, CIDR ranges), or the host is.
 * Throws `ApiError` 400 `AddressPrivate`, also when only one of several addresses is private; `HostUnknown`.
 */
export async function publicAddresses(host: string, allowed: string[]): Promise<string[]> {
  const name = bare(host);
  const found = await lookup(name, { all: true }).catch((cause: unknown) => {
    throw new ApiError(400, 'HostUnknown', `The host "${host}" was not found. Check its name.`, { cause });
  });
  const addresses = found.map(({ address }) => address);
  const hostAllowed = allowed.some((entry) => bare(entry) === name);
  const refused = hostAllowed ? undefined : addresses.find((address) => !isPublic(address) && !isWithin(address, allowed));
  if (refused !== undefined || addresses.length === 0) {
    throw new ApiError(
      400,
      'AddressPrivate',
      `The host "${host}" is in a private or reserved network, which this server does not connect to. Use a public address, or have the operator list the host in CARREL_PRIVATE_HOSTS.`,
    );
  }
  return addresses;
}

export interface GuardedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** As for `publicAddresses`. */
  allowed: string[];
  /** For all of it, from looking up the name to the end of the answer. */
  milliseconds: number;
}

// What is read of an answer that nobody uses, so that a well-behaved receiver can finish it.
const largestAnswer = 64 * 1024;

/**
 * Posts a body and gives the status of the answer. Connects only to an address that was checked, whatever the name resolves to a
 * moment later; follows no redirect; reads little of the answer.
 * Throws what `publicAddresses` throws, and an `Error` when there is no answer, or none in time.
 */
export async function guardedRequest({ url, headers, body, allowed, milliseconds }: GuardedRequest): Promise<number> {
  const signal = AbortSignal.timeout(milliseconds);
  const { hostname, protocol } = new URL(url);
  const addresses = await untilAborted(publicAddresses(hostname, allowed), signal);
  const known = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return await new Promise<number>((answered, failed) => {
    const request = (protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      // An agent of its own: no connection of another request is used, and no proxy of the environment.
      agent: false,
      signal,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
      // Not called for a host that is an address; that one is checked as it stands.
      lookup: (_name, options, callback) => {
        if (options.all) callback(null, known);
        else callback(null, known[0]!.address, known[0]!.family);
      },
    });
    request.on('error', (error) => failed(signal.aborted ? tooSlow(signal) : error));
    request.on('response', (response) => {
      let length = 0;
      const done = () => answered(response.statusCode!);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= largestAnswer) return;
        done();
        request.destroy();
      });
      response.on('end', done);
      response.on('error', (error) => failed(signal.aborted ? tooSlow(signal) : error));
    });
    request.end(body);
  });
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function isPublic(text: string): boolean {
  const address = ipaddr.parse(text);
  const embedded = embeddedAddress(address);
  if (embedded) return embedded.range() === 'unicast';
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  // Outside 2000::/3 nothing is in global use, whatever else there is a name for, such as the old IPv4-compatible ::127.0.0.1.
  return address.range() === 'unicast' && address.match(ipaddr.parse('2000::'), 3);
}

function isWithin(text: string, ranges: string[]): boolean {
  const address = ipaddr.parse(text);
  return [address, embeddedAddress(address)].some((one) => one !== undefined && ranges.some((range) => contains(range, one)));
}

function contains(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ipaddr.isValidCIDR(range)) {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  }
  return ipaddr.isValid(bare(range)) && ipaddr.parse(bare(range)).toString() === address.toString();
}

/** The IPv4 address that an IPv6 address leads to: mapped (::ffff:0:0/96), by NAT64 (64:ff9b::/96) or by 6to4 (2002::/16). */
function embeddedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const bytes = address.toByteArray();
  if (address.isIPv4MappedAddress() || address.match(ipaddr.parse('64:ff9b::'), 96)) return new ipaddr.IPv4(bytes.slice(12));
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  return undefined;
}

/** Name look-ups cannot be called off; their answer is no longer waited for. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return Promise.race([
    promise,
    new Promise<never>((_, failed) => signal.addEventListener('abort', () => failed(tooSlow(signal)), { once: true })),
  ]);
}

function tooSlow(signal: AbortSignal): Error {
  return new Error('There was no whole answer in time.', { cause: signal.reason });
}
