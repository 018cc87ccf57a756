import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageView, Reader } from '../site/view/page-view.ts';
import type { ThemeManifest } from './build.ts';

export interface Theme {
  /** HTML of one page, addresses in it root-absolute. Throws when the page cannot be rendered. */
  render(page: PageView): Promise<string>;
  /** Root-absolute addresses of the reader's own files. */
  reader: Reader;
  /** Files that go into an export: `path` in its `_carrel` folder. Read at once, so that a theme compiled meanwhile mixes nothing up. */
  assets: { path: string; contents: Uint8Array }[];
  /** Changes with anything in the compiled theme. */
  digest: string;
}

/** Opens a theme that `buildTheme` compiled. */
export async function loadTheme(dir: string): Promise<Theme> {
  const manifest = JSON.parse(await readFile(join(dir, 'theme.json'), 'utf8')) as ThemeManifest;
  const { app } = (await import(pathToFileURL(join(dir, 'server/entry.mjs')).href)) as { app: App };
  return {
    render: (page) => render(app, page),
    reader: manifest.reader,
    assets: await Promise.all(
      manifest.assets.map(async (path) => ({ path, contents: await readFile(join(dir, 'assets', path)) })),
    ),
    digest: await digest(dir),
  };
}

interface App {
  render(request: Request, options: { locals: object }): Promise<Response>;
}

// The page comes in `locals`, so one address serves for all: odd characters in a path then never meet Astro's router.
const ADDRESS = 'http://carrel.invalid/page';

async function render(app: App, page: PageView): Promise<string> {
  try {
    const response = await app.render(new Request(ADDRESS), { locals: { page } });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return await response.text();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The theme could not render "/${page.page.path}": ${reason}`, { cause });
  }
}

async function digest(dir: string): Promise<string> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map((entry) => join(entry.parentPath, entry.name).slice(dir.length)).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.replaceAll('\\', '/')).update(await readFile(join(dir, file)));
  return hash.digest('hex');
}
