import ipaddr from 'ipaddr.js';

/** An address (of version 6 with brackets or without), or a range in CIDR notation, as address and length of its prefix; undefined for anything else. */
export function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  text = text.replace(/^\[(.*)\]$/, '$1');
  // Short forms such as "127.1" are read differently by different programs.
  const isWhole = text.includes(':') || /^\d+\.\d+\.\d+\.\d+(\/\d+)?$/.test(text);
  if (!isWhole) return undefined;
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return undefined;
  }
}
