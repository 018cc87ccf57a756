import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { PageSource } from '../page/page-types.ts';
import { readPage } from './own-page.ts';
import type { FinishedPage } from '../page/read-page.ts';

export interface FinishedFolder {
  pages: (Omit<PageSource, 'build'> & { build(): Promise<FinishedPage> })[];
  /** HTML of the folder's 404 page. */
  notFound?: string;
  /** Every other file. */
  assets: { path: string; file: string }[];
}

/**
 * The pages and other files of a finished site. `paths` are its pages ('guides/install', '' = home) in the order they
 * shall have; a Markdown file beside a page (`guides/install.md`) is its mirror.
 */
export function readFolder(root: string, paths: string[], options: { defaultLanguage: string }): FinishedFolder {
  const taken = new Set<string>(['404.html']);
  const pages = paths.flatMap((path) => {
    const file = pageFile(root, path);
    if (file === undefined) return [];
    const mirror = existsSync(join(root, `${path || 'index'}.md`)) ? `${path || 'index'}.md` : undefined;
    for (const name of [file, mirror]) if (name) taken.add(name);
    const read = () => readFileSync(join(root, file), 'utf8');
    const readMirror = () => (mirror === undefined ? undefined : readFileSync(join(root, mirror), 'utf8'));
    return [
      {
        path,
        file,
        build: async () => readPage(path, read(), { ...options, markdown: readMirror() }),
      },
    ];
  });
  return {
    pages,
    notFound: existsSync(join(root, '404.html')) ? readFileSync(join(root, '404.html'), 'utf8') : undefined,
    assets: filesBelow(root)
      .filter((path) => !taken.has(path) && !path.endsWith('.html'))
      .map((path) => ({ path, file: join(root, path) })),
  };
}

function pageFile(root: string, path: string): string | undefined {
  const names = path === '' ? ['index.html'] : [`${path}/index.html`, `${path}.html`];
  return names.find((name) => existsSync(join(root, name)));
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
