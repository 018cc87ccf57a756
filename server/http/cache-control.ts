// A file whose name carries its hash never changes: _carrel/reader.1a2b3c4d.js, _carrel/search/1a2b3c4d/en/terms-a.js.
const named = [/^_carrel\/(?:.*\/)?[^/]+\.[0-9a-f]{8,}\.[^/]+$/, /^_carrel\/search\/[0-9a-f]{8,}\//];

/** Whether a file of an export carries its hash in its name, so that its content never changes. */
export function isHashed(path: string): boolean {
  return named.some((pattern) => pattern.test(path));
}

/** `Cache-Control` for a file of an export: forever where its name carries its hash, else revalidated each time. */
export function cacheControl(path: string): string {
  return isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}
