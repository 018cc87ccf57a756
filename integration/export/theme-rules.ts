// Sites of our own theme: pages are folders, and authors write URLs in many ways.
import { cachedValue, type ExportCache } from '../output/export-cache.ts';
import { styleLoads } from '../html/css.ts';
import { placeLoads } from '../html/load.ts';
import { publishedFolder, publishedPath } from '../urls/parts.ts';
import type { UrlRules } from '../urls/site-paths.ts';
import type { SiteRules } from './export-input.ts';

export interface ThemeRulesOptions {
  /** The folder that the site is published in, such as '/docs'. @default the path of `siteUrl` */
  base?: string;
  siteUrl?: string;
  /** Whether root-absolute URLs can belong to other sites on the host. */
  isPartOfHost?: boolean;
  /** Stores what stylesheets load. */
  cache?: ExportCache;
  /** Program and version, for the cache. */
  generator?: string;
}

export function themeRules({ base, siteUrl, isPartOfHost, cache, generator }: ThemeRulesOptions): SiteRules {
  return {
    urls: { ...themeUrls(base, siteUrl), isPartOfHost },
    remote: {
      onBlocked: 'placeholder',
      allow: [],
      reader: {
        page: async (_, { loads }) => loads,
        async file(file, text) {
          if (!/\.css$/i.test(file)) return { loads: [] };
          const css = text();
          const loads = await cachedValue(cache, 'style-loads', [generator, css], () => placeLoads(css, styleLoads(css)));
          return { loads };
        },
      },
    },
    keepsFiles: false,
    ownUrls: [],
    hasMarkdown: () => true,
    manifest: {},
  };
}

/** Every way in which authors write the URL of a page links to it. */
function themeUrls(base: string | undefined, siteUrl: string | undefined): UrlRules {
  const folder = publishedFolder({ base, siteUrl });
  return {
    base: '/',
    siteUrl: siteUrl?.replace(/\/*$/, '/'),
    optionalBase: folder === '' ? undefined : `/${folder}/`,
    isLenient: true,
    nameOf: ({ path }) => path,
    candidates(path) {
      if (path === '') return [];
      const bare = path.replace(/\.(?:html?|mdx?)$/i, '').replace(/(?:^|\/)(?:index|README)$/, '');
      const names = bare === path ? [path] : [path, bare];
      // Generators publish what these folders contain at the root of the site.
      return [...names, publishedPath(path), `static/${path}`, `public/${path}`, `docs/${path}`];
    },
    pathOf: (name) => name,
    // The URL of a page is a folder. Other generators serve pages as files, where relative URLs start from the folder above.
    startsOf: ({ path }) => [folderOf(path), folderOf(path.slice(0, Math.max(path.lastIndexOf('/'), 0)))],
    excluded: (page) => ({ onSite: `${page}/`, file: `${page}/index.html` }),
  };
}

function folderOf(path: string): string {
  return path === '' ? '/' : `/${path}/`;
}
