// A docs folder as an ordinary Astro site: what `astro build` and `astro dev` at the root need besides the page component.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { problemLine, type Problem } from '../integration/diagnostics.ts';
import { openDocs } from './open-docs.ts';
import { notFoundHtml, viewOf, type PageRenderer } from './render-pages.ts';
import type { PageView } from './site/page-view.ts';

interface RenderedPage {
  path: string;
  view: PageView;
  markdown: string;
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
 * in the output, the folder's files, the theme's files, the Markdown version of every page, and the 404 page.
 */
export function docsFolder(folder: string): AstroIntegration {
  let docs: PageRenderer;
  let rendered: Promise<RenderedPage[]> | undefined;
  const pages = () => (rendered ??= renderedPages(docs));
  return {
    name: 'carrel-docs-folder',
    hooks: {
      'astro:config:setup': async ({ command, updateConfig }) => {
        docs = await openWhole(folder);
        if (command === 'build') builds.set(folder, pages);
        updateConfig({ redirects: Object.fromEntries(docs.site.redirects.map(({ from, to }) => [`/${from}`, to])) });
      },
      'astro:build:done': async ({ dir, logger }) => {
        const problems = [...docs.site.problems];
        const out = fileURLToPath(dir);
        for (const asset of docs.assets) {
          if ('file' in asset) copy(asset.file, join(out, asset.path));
          else write(join(out, asset.path), asset.contents);
        }
        for (const page of await pages()) {
          problems.push(...page.problems);
          write(join(out, `${page.path || 'index'}.md`), page.markdown);
        }
        builds.delete(folder);
        write(join(out, '404.html'), await notFoundHtml(docs));
        for (const problem of problems) if (problem.severity !== 'note') logger.warn(problemLine(problem));
      },
    },
  };
}

/** Every page of a docs folder for Astro's `getStaticPaths`, in navigation order. */
export async function staticPaths(): Promise<{ params: { path: string | undefined }; props: { page: PageView } }[]> {
  const folder = docsFolderOf(process.env);
  const pages = await (builds.get(folder)?.() ?? renderedPages(await openWhole(folder)));
  return pages.map(({ path, view }) => ({ params: { path: path || undefined }, props: { page: view } }));
}

/** An Astro build has no navigation scripts. */
async function openWhole(folder: string): Promise<PageRenderer> {
  return { ...(await openDocs(folder)), wholeSidebar: true };
}

async function renderedPages(docs: PageRenderer): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  for (const page of docs.site.pages) {
    const { view, rendered } = await viewOf(docs, page);
    pages.push({ path: page.path, view, markdown: rendered.markdown, problems: rendered.problems });
  }
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
