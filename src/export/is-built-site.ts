import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { walkFolder } from '../source/walk.ts';

/**
 * Whether a folder contains a built site instead of docs: HTML, and neither `docs.json` nor `mint.json` nor Markdown, except for the
 * Markdown versions of pages and a few files that accompany a home page.
 */
export function isBuiltSite(folder: string): boolean {
  if (existsSync(join(folder, 'docs.json')) || existsSync(join(folder, 'mint.json')) || !existsSync(folder)) return false;
  const ignored = (path: string) => /(?:^|\/)(?:node_modules|\.[^/]*)$/.test(path);
  const paths = new Set(walkFolder(folder, { folder: ignored, file: () => false }).files);
  const html = [...paths].filter((path) => /\.html?$/i.test(path)).length;
  const markdown = [...paths].filter((path) => {
    const name = /^(.*)\.mdx?$/i.exec(path)?.[1];
    return name !== undefined && !paths.has(`${name}.html`) && !paths.has(`${name}/index.html`);
  }).length;
  return html > 0 && (markdown === 0 || (paths.has('index.html') && markdown < html));
}
