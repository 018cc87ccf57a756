import type { SiteData } from './site-data.ts';

/** Relative address, from the site's root, of the file that holds a page. */
export function filePath(path: string, { files = {}, ending = '/index.html' }: Pick<SiteData, 'files' | 'ending'> = {}): string {
  const file = Object.hasOwn(files, path) ? files[path]! : path === '' ? 'index.html' : path + ending;
  return file.split('/').map(encodeURIComponent).join('/');
}

/** Path of the page at an address relative to the site's root; servers may leave out `index.html` or the last slash. */
export function pagePath(address: string, { files = {} }: Pick<SiteData, 'files'> = {}): string {
  const file = address.split('/').map(decode).join('/');
  const path = file.replace(/(^|\/)(index\.html)?$/, '').replace(/\.html$/, '');
  const mapped = Object.entries(files).find(([, name]) => name === file || name === `${path}/index.html`);
  return mapped?.[0] ?? path;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
