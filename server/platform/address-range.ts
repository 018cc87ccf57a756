// Network addresses and CIDR ranges, of IPv4 and IPv6. An IPv4 address mapped into IPv6 (`::ffff:10.0.0.1`) is an IPv4 address.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressRange {
  network: ipaddr.IPv4 | ipaddr.IPv6;
  /** Bits of the network; 0 is every address of its kind. */
  bits: number;
}

/** `10.0.0.1`, `10.0.0.0/8`, `2001:db8::/32`; undefined for anything else, short and octal spellings too. */
export function parseRange(text: string): AddressRange | undefined {
  const [, address = '', width] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  // ipaddr.js would also take 127.1 and 0x7f000001.
  if (!isIP(address)) return undefined;
  const network = ipaddr.parse(address);
  const most = network.kind() === 'ipv4' ? 32 : 128;
  const bits = width === undefined ? most : Number(width);
  if (bits > most) return undefined;
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96) {
    return { network: network.toIPv4Address(), bits: bits - 96 };
  }
  return { network, bits };
}

/** The shortest form of an address; undefined for other texts. A zone (`%eth0`) is removed. */
export function parseAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, '');
  return isIP(address) ? ipaddr.process(address).toString() : undefined;
}

/** Whether an address is in one of the ranges; false for other texts. */
export function isInside(address: string, ranges: AddressRange[]): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  const own = ipaddr.parse(parsed);
  return ranges.some(({ network, bits }) => network.kind() === own.kind() && own.match(network, bits));
}

/** Whether all addresses of a range, as `parseRange` reads it, are in one of the ranges. */
export function isWithin(range: string, ranges: AddressRange[]): boolean {
  const inner = parseRange(range);
  return (
    inner !== undefined &&
    isInside(
      inner.network.toString(),
      ranges.filter(({ network, bits }) => bits <= inner.bits && network.kind() === inner.network.kind()),
    )
  );
}
