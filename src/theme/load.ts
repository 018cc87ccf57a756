import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../integration/errors.ts';
import type { PackagesByFile } from '../../integration/reader-build/npm-packages.ts';
import type { PageView } from '../site/page-view.ts';
import type { ThemeManifest } from './build.ts';

export type Theme = Awaited<ReturnType<typeof loadTheme>>;

/** Opens a theme compiled by `buildTheme`. */
export async function loadTheme(dir: string) {
  const manifest = JSON.parse(await readFile(join(dir, 'theme.json'), 'utf8')) as ThemeManifest;
  let app: Promise<{ app: App }> | undefined;
  return {
    /** HTML of one page with root-relative URLs. Throws when the page cannot be rendered. */
    async render(page: PageView): Promise<string> {
      // An export without changed pages renders none, and loading the app takes longer than rendering some.
      app ??= import(pathToFileURL(join(dir, 'server/entry.mjs')).href) as Promise<{ app: App }>;
      return render((await app).app, page);
    },
    /** Root-relative URLs of the reader's scripts and styles. */
    reader: manifest.reader,
    /** Files for the `_carrel` folder of an export, by `path`. Read at once, so that a theme compiled meanwhile does not mix versions. */
    assets: await Promise.all(
      manifest.assets.map(async (path) => ({ path, contents: await readFile(join(dir, 'assets', path)) })),
    ),
    /** The packages in `assets`. */
    packages: manifest.packages satisfies PackagesByFile,
    /** The fonts of its text. */
    textFonts: manifest.textFonts,
    /** What draws Mermaid diagrams. */
    drawingProgram: { program: join(dir, manifest.drawing.program), mermaid: join(dir, 'assets', manifest.drawing.mermaid) },
    /** The script that renders components, while the site is built. */
    islandsRuntime: () => readFile(join(dir, 'islands.js'), 'utf8'),
    /** The program that renders pages, which has what it writes of itself. */
    async *programTexts(): AsyncIterable<string> {
      for (const name of await readdir(join(dir, 'server'), { recursive: true }))
        if (name.endsWith('.mjs')) yield await readFile(join(dir, 'server', name), 'utf8');
    },
    /** Changes whenever the compiled theme changes. */
    digest: manifest.digest,
  };
}

interface App {
  render(request: Request, options: { locals: object }): Promise<Response>;
}

// Pages are passed in `locals` under one URL, so that unusual characters in a path never reach Astro's router.
const ADDRESS = 'http://carrel.invalid/page';

async function render(app: App, page: PageView): Promise<string> {
  try {
    const response = await app.render(new Request(ADDRESS), { locals: { page } });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return await response.text();
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new Error(`The theme could not render "/${page.page.path}": ${reason}`, { cause });
  }
}
