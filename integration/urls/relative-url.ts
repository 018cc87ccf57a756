/**
 * URL of one file of the export as written in another: `relativeUrl('guides/a/index.html', 'index.html')` is
 * `../../index.html`. Both are encoded paths without leading slash; a target ending in `/` is a folder.
 */
export function relativeUrl(from: string, to: string): string {
  let shared = 0;
  for (let i = 0; i < from.length && i < to.length && from[i] === to[i]; i++) if (from[i] === '/') shared = i + 1;
  let up = 0;
  for (let i = shared; i < from.length; i++) if (from[i] === '/') up++;
  const rest = to.slice(shared);
  if (up > 0) return '../'.repeat(up) + rest;
  // A first segment with a colon would be read as a scheme, an empty URL as this very file.
  return rest === '' || /^[^/]*:/.test(rest) ? `./${rest}` : rest;
}

// Most paths need no escapes, and looking for some in each takes longer.
const plain = /^[\w./-]*$/;

/** The path of a file as a URL contains it. */
export function encodePath(path: string): string {
  if (plain.test(path)) return path;
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
