import type { SiteData } from './site-data.ts';
import { decode } from '../shared/decode.ts';

/** Relative URL, from the site's root, of the file of a page. */
export function filePath(path: string, { files = {}, ending = '/index.html' }: Pick<SiteData, 'files' | 'ending'> = {}): string {
  const named = Object.hasOwn(files, path) ? files[path] : undefined;
  const file = named ?? (path === '' ? 'index.html' : path + ending);
  return file.split('/').map(encodeURIComponent).join('/');
}

/** Path of the page at a URL relative to the site's root; servers may omit `index.html` or the last slash. */
export function pagePath(url: string, { files = {} }: Pick<SiteData, 'files'> = {}): string {
  const file = url.split('/').map(decode).join('/');
  const path = file.replace(/(^|\/)(index\.html)?$/, '').replace(/\.html$/, '');
  const mapped = Object.entries(files).find(([, name]) => name === file || name === `${path}/index.html`);
  return mapped?.[0] ?? path;
}
