// IP addresses and CIDR ranges, of IPv4 and IPv6. An IPv4 address mapped into IPv6 (`::ffff:10.0.0.1`) is an IPv4 address.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressRange {
  network: ipaddr.IPv4 | ipaddr.IPv6;
  /** Bits of the network; 0 is every address of its family. */
  bits: number;
}

/** `10.0.0.1`, `10.0.0.0/8`, `2001:db8::/32`; undefined for anything else, including short and octal spellings. */
export function parseRange(text: string): AddressRange | undefined {
  const [, address = '', width] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  // ipaddr.js also accepts 127.1 and 0x7f000001.
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

/** Whether an address is in one of the ranges; false for texts that are not addresses or ranges. */
export function isInside(address: string, ranges: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && includes(ranges, { network: ipaddr.parse(parsed), bits: 128 });
}

/** Whether one of the ranges contains all addresses of another range; false for texts that are not ranges. */
export function isWithin(range: string, ranges: readonly string[]): boolean {
  const inner = parseRange(range);
  return inner !== undefined && includes(ranges, inner);
}

function includes(ranges: readonly string[], inner: AddressRange): boolean {
  return ranges.some((text) => {
    const outer = parseRange(text);
    if (!outer || outer.network.kind() !== inner.network.kind()) return false;
    return outer.bits <= inner.bits && inner.network.match(outer.network, outer.bits);
  });
}

/** The host of a URL without the brackets around an IPv6 address, in lower case. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

/** Whether a text is the IP address of a host on the internet; brackets around it are ignored. */
export function isPublicAddress(text: string): boolean {
  if (!isIP(bareHost(text))) return false;
  const address = ipaddr.parse(bareHost(text));
  const embedded = embeddedAddress(address);
  if (embedded) return embedded.range() === 'unicast';
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  // Nothing outside 2000::/3 is globally routable, not even named ranges such as the old IPv4-compatible ::127.0.0.1.
  return address.range() === 'unicast' && address.match(ipaddr.parse('2000::'), 3);
}

/** Whether an address, or the IPv4 address that it maps to, is in one of the ranges. */
export function isEmbeddedInside(address: string, ranges: readonly string[]): boolean {
  const embedded = embeddedAddress(ipaddr.parse(address));
  return isInside(address, ranges) || (embedded !== undefined && isInside(embedded.toString(), ranges));
}

/** The IPv4 address that an IPv6 address maps to: mapped (::ffff:0:0/96), by NAT64 (64:ff9b::/96) or by 6to4 (2002::/16). */
function embeddedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const bytes = address.toByteArray();
  if (address.isIPv4MappedAddress() || address.match(ipaddr.parse('64:ff9b::'), 96)) return new ipaddr.IPv4(bytes.slice(12));
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  return undefined;
}
