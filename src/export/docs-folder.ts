// A docs folder as an ordinary Astro site: what `astro build` and `astro dev` at the root need besides the page component.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { navigationsFile } from '../../integration/astro/own-files.ts';
import { problemLine, withoutCopies, type Problem } from '../../integration/diagnostics.ts';
import { collected, isOnlyIfUsed, neededAssets } from '../../integration/page/asset.ts';
import { openDocs } from '../render/open-docs.ts';
import { listsOf, listViewOf, navigationsOf, notFoundHtml, viewOf, type PageRenderer } from '../render/render-pages.ts';
import { extrasOf } from '../site/extras.ts';
import type { PageView } from '../site/page-view.ts';

interface RenderedPage {
  path: string;
  view: PageView;
  /** List pages have none. */
  markdown?: string;
  extras: string[];
  problems: Problem[];
}

// A build needs each page twice, in getStaticPaths and for the files beside the pages, and renders it once: the integration leaves its
// renderer here. `astro dev` renders the pages again each time that it asks for them.
const builds = new Map<string, () => Promise<RenderedPage[]>>();

/** The docs folder of `astro build` and `astro dev` at the root: `CARREL_DOCS`, or else the manual. */
export function docsFolderOf(environment: NodeJS.ProcessEnv): string {
  return environment.CARREL_DOCS ?? 'src/manual';
}

/**
 * What an Astro build of a docs folder needs besides the pages in `src/pages`: redirects in Astro's configuration and,
 * in the output, the folder's files, the theme's files, the Markdown version of every page, the 404 page, and the whole sidebars, which the
 * export makes scripts.
 */
export function docsFolder(folder: string): AstroIntegration {
  let docs: PageRenderer;
  let rendered: Promise<RenderedPage[]> | undefined;
  const pages = () => (rendered ??= renderedPages(docs));
  return {
    name: 'carrel-docs-folder',
    hooks: {
      'astro:config:setup': async ({ command, updateConfig }) => {
        docs = await openDocs(folder);
        if (command === 'build') builds.set(folder, pages);
        updateConfig({ redirects: Object.fromEntries(docs.site.redirects.map(({ from, to }) => [`/${from}`, to])) });
      },
      'astro:build:done': async ({ dir, logger }) => {
        const problems = [...docs.site.problems];
        const out = fileURLToPath(dir);
        const extras = new Set((await pages()).flatMap(({ extras }) => extras));
        for (const needed of neededAssets(docs.assets, extras)) {
          // Astro copies the public folder of its project itself.
          if (isOnlyIfUsed(needed)) continue;
          const asset = await collected(needed, extras);
          if ('file' in asset) copy(asset.file, join(out, asset.path));
          else write(join(out, asset.path), asset.contents);
        }
        for (const page of await pages()) {
          problems.push(...page.problems);
          if (page.markdown !== undefined) write(join(out, `${page.path || 'index'}.md`), page.markdown);
        }
        write(join(out, navigationsFile), JSON.stringify([...(await navigationsOf(docs))]));
        builds.delete(folder);
        write(join(out, '404.html'), await notFoundHtml(docs));
        for (const problem of withoutCopies(problems)) if (problem.severity !== 'note') logger.warn(problemLine(problem));
      },
    },
  };
}

/** Every page of a docs folder for Astro's `getStaticPaths`: in navigation order, then the list pages. */
export async function staticPaths(): Promise<{ params: { path: string | undefined }; props: { page: PageView } }[]> {
  const folder = docsFolderOf(process.env);
  const pages = await (builds.get(folder)?.() ?? renderedPages(await openDocs(folder)));
  return pages.map(({ path, view }) => ({ params: { path: path || undefined }, props: { page: view } }));
}

async function renderedPages(docs: PageRenderer): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  for (const page of docs.site.pages) {
    const { view, rendered } = await viewOf(docs, page);
    pages.push({ path: page.path, view, markdown: rendered.markdown, extras: extrasOf(rendered), problems: rendered.problems });
  }
  for (const list of listsOf(docs.site))
    pages.push({ path: list.list.path, view: await listViewOf(docs, list), extras: [], problems: [] });
  return pages;
}

function copy(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(file, target);
}

function write(target: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, contents);
}
