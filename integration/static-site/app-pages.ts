// How the URLs of a site become files of its export, for its scripts: a rule, and the pages that are exceptions to it.
import type { AppPages } from '../reader/page-app.ts';
import type { SiteFile } from './read-folder.ts';

/** `pages` are those of the export, with their files in it. */
export function appPages(pages: SiteFile[], site: Pick<AppPages, 'origin' | 'base'>): AppPages {
  const files = pages.map(({ path, file }): [path: string, file: string] => [path, file]);
  const isAt = (suffix: string) => files.filter(([path, file]) => file === path + suffix).length;
  const form = isAt('.html') > isAt('/index.html') ? 'file' : 'folder';
  const suffix = form === 'file' ? '.html' : '/index.html';
  // A name with a dot looks like that of a file.
  const isException = ([path, file]: [string, string]) => path !== '' && (file !== path + suffix || /\.[a-z]\w*$/i.test(path));
  return { ...site, form, others: Object.fromEntries(files.filter(isException)) };
}
