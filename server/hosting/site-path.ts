/**
 * From the path of a URL to the path of a file in a site: 'guides/install/' is unchanged, '' is the home.
 * Undefined for any path that could leave the site or reach a hidden file: `..`, NUL, backslash, an encoded slash, dot files, broken escapes.
 */
export function sitePath(pathname: string): string | undefined {
  const segments = pathname.replace(/^\//, '').split('/');
  const decoded = segments.map(decodeSegment);
  const folders = decoded.slice(0, -1);
  if (decoded.some((segment) => segment === undefined) || folders.includes('')) return undefined;
  return decoded.join('/');
}

function decodeSegment(segment: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  if (/[\0\\/]/.test(name)) return undefined;
  // '.well-known' is the one dot name that hosts agree to publish (RFC 8615).
  if (name.startsWith('.') && name !== '.well-known') return undefined;
  return name;
}
