import type { Site } from '../model.ts';
import { redirectFor } from '../redirects.ts';

/** First page, in order of navigation, of each folder that has neither a page of its own nor a redirect. */
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
