// Which URLs are external, and which hosts are allowed.

/**
 * The external URL as a browser requests it; undefined if it stays on the site: relative, `data:`, `blob:`, or not a URL at all.
 * Browsers read `HTTPS:\\host`, `//host` and `ht\ntps://host` as the same host.
 */
export function externalUrl(text: string): string | undefined {
  const bare = text.replace(/[\t\n\r]/g, '').replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '');
  if (!/^(?:(?:https?|wss?|ftp):|[\\/]{2})/i.test(bare)) return undefined;
  const url = URL.parse(/^[\\/]/.test(bare) ? `https:${bare}` : bare);
  return url && url.hostname !== '' ? url.href : undefined;
}

/** Whether a URL is external, as `externalUrl` decides. */
export function isExternal(text: string): boolean {
  return externalUrl(text) !== undefined;
}

/**
 * Whether one of `allow`, as `hostSchema` gives them, names the host of a URL: `cdn.example.com`, `*.example.com` (any depth below it),
 * with a port or without.
 */
export function isAllowed(url: string, allow: readonly string[]): boolean {
  if (allow.length === 0) return false;
  const { hostname, host } = new URL(url);
  return allow.some((entry) => {
    if (!entry.startsWith('*.')) return entry === hostname || entry === host;
    return hostname.endsWith(entry.slice(1)) || host.endsWith(entry.slice(1));
  });
}
