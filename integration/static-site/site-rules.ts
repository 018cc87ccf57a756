// Existing sites: a URL means the file that a static host would serve.
import type { SiteRules } from '../export/export-input.ts';
import { isMissingPage } from '../page/not-found-page.ts';
import type { UrlRules } from '../urls/site-paths.ts';
import { createLoadReader } from './read-loads.ts';
import type { StaticSite } from './static-site.ts';

export function staticSiteRules(site: StaticSite, open?: SiteRules['open']): SiteRules {
  const { base, url, ownUrls = [], allow, markdown } = site;
  return {
    urls: staticSiteUrls(base, url),
    remote: { onBlocked: 'fail', allow, reader: createLoadReader() },
    keepsFiles: true,
    ownUrls: [...(url === undefined ? [] : [url]), ...ownUrls],
    hasMarkdown: (path) => markdown !== false && !isMissingPage(path),
    manifest: { guest: { allow: [...new Set(allow)].sort() } },
    open,
  };
}

function staticSiteUrls(base: string, siteUrl: string | undefined): UrlRules {
  return {
    base,
    siteUrl,
    isLenient: false,
    nameOf: ({ file = '' }) => file,
    candidates: (path, isFolder) => (isFolder || path === '' ? asFolder(path) : asFile(path)),
    pathOf: (name) => name.replace(/(?:^|\/)index\.html$|\.html$/, ''),
    startsOf: ({ file = '' }) => [base + file, base + otherFile(file)],
    excluded: (_, path) => ({ onSite: path.replace(/^\//, ''), file: path.replace(/^\/+|\/+$/g, '') }),
  };
}

function asFolder(path: string): string[] {
  if (path === '') return ['index.html', 'index.htm', ''];
  return [`${path}/index.html`, `${path}/index.htm`, path, `${path}.html`, ...asSource(path)];
}

function asFile(path: string): string[] {
  return [path, `${path}.html`, `${path}/index.html`, `${path}.htm`, `${path}/index.htm`, ...asSource(path)];
}

/** The pages built from a source file that a link names: `install.md`, `guides/README.md`. */
function asSource(path: string): string[] {
  const name = /^(.*)\.mdx?$/i.exec(path)?.[1];
  if (name === undefined) return [];
  const bare = name.replace(/(?:^|\/)(?:index|README)$/i, '');
  return [...new Set([`${name}.html`, `${name}/index.html`, bare === '' ? 'index.html' : `${bare}/index.html`])];
}

/** The file that a page would have under its other URL (`/guides/install`, `/guides/install/`). */
function otherFile(file: string): string {
  const folder = /^(.*?)(?:^|\/)index\.html?$/i.exec(file)?.[1];
  return folder === undefined ? file.replace(/\.html?$/i, '/index.html') : folder;
}
