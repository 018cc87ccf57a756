import type { Site } from '../model.ts';
import { redirectFor } from '../redirects.ts';

/** The first page, in navigation order, of each folder with neither an index page nor a redirect. */
export function folderPages({ pages, redirectRules }: Pick<Site, 'pages' | 'redirectRules'>): Map<string, string> {
  const paths = new Set(pages.map(({ path }) => path));
  const first = new Map<string, string>();
  for (const { path } of pages) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      if (!paths.has(folder) && !first.has(folder)) first.set(folder, path);
    }
  }
  for (const folder of first.keys()) if (redirectFor(redirectRules, paths, folder) !== undefined) first.delete(folder);
  return first;
}
