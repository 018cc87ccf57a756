import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import { isElsewhere } from '../urls/parts.ts';
import { loaded, type Resolver } from '../urls/resolver.ts';
import { isRecord, jsonValue, listOf, objectOf } from '../text/json.ts';

/** Whether a file is a web manifest by its name: `site.webmanifest`, `manifest.json`. */
export function isWebManifest(file: string): boolean {
  return /\.webmanifest$|(?:^|\/)manifest\.json$/i.test(file);
}

/**
 * A web manifest with URLs relative to it; external URLs stay or point to their vendored files.
 * Text that is not a manifest, or does not need a change, is returned unchanged.
 */
export function relativeWebManifest(
  text: string,
  { resolver, file, vendored }: { resolver: Resolver; file: string; vendored: Map<string, string> },
): string {
  const manifest = jsonValue(text);
  // Browsers ignore anything else, too.
  if (!isRecord(manifest)) return text;
  const from = encodePath(file);
  let changed = false;

  const rewrite = (holder: unknown, key: string, write: (url: string) => string) => {
    const value = objectOf(holder)[key];
    if (typeof value !== 'string' || value === '') return;
    const written = write(value);
    if (written === value) return;
    objectOf(holder)[key] = written;
    changed = true;
  };
  const relative = (url: string): string => {
    const local = vendored.get(url);
    if (local !== undefined) return relativeUrl(from, local);
    if (resolver.isElsewhere(url) || (!isElsewhere(url) && url[0] !== '/')) return url;
    const target = loaded(resolver.resolve(url, ''));
    return relativeUrl(from, target.file) + target.query + target.hash;
  };
  // A scope is a URL prefix, not a file.
  const folder = (url: string): string => relative(url).replace(/(^|\/)index\.html$/, '$1') || './';

  rewrite(manifest, 'start_url', relative);
  rewrite(manifest, 'scope', folder);
  const shortcuts = listOf(manifest['shortcuts']);
  for (const shortcut of shortcuts) rewrite(shortcut, 'url', relative);
  for (const holder of [manifest, ...shortcuts])
    for (const image of [...listOf(objectOf(holder)['icons']), ...listOf(objectOf(holder)['screenshots'])])
      rewrite(image, 'src', relative);
  return changed ? `${JSON.stringify(manifest, undefined, 2)}\n` : text;
}
