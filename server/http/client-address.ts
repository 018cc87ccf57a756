// Whose request it is: the socket's other end, or what proxies that we trust say about it.
import { isInside, parseAddress, parseRange } from '../platform/address-range.ts';

/**
 * The caller's address. Every proxy adds to the right of `X-Forwarded-For` whom it heard, so the header is read from the right
 * and only for as long as whoever said it is among `trusted` (addresses and CIDR ranges); what stands further left, anybody may
 * have written. Empty when there is no socket, as in a request that does not come over the network.
 */
export function clientAddress(socket: string | undefined, forwarded: string | undefined, trusted: string[]): string {
  let address = parseAddress(socket ?? '') ?? '';
  if (forwarded === undefined || trusted.length === 0) return address;
  const ranges = trusted.map(parseRange).filter((range) => range !== undefined);
  const hops = forwarded.split(',');
  while (hops.length > 0 && isInside(address, ranges)) {
    const next = parseAddress(withoutPort(hops.pop()!.trim()));
    // A proxy that does not know whom it heard: the proxy itself is the last address that somebody vouches for.
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/** Some proxies write `192.0.2.1:5678` and `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}
