import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { problemLine } from '../integration/diagnostics.ts';
import { openDocs } from './open-docs.ts';
import { notFoundHtml, viewOf, type Press } from './render-pages.ts';

/**
 * What an Astro build of a docs folder needs besides the pages in `src/pages`: redirects in Astro's configuration and,
 * in the output, the folder's files, the theme's files, the Markdown version of every page, and the 404 page.
 */
export function docsFolder(folder: string): AstroIntegration {
  let docs: Press;
  return {
    name: 'carrel-docs-folder',
    hooks: {
      'astro:config:setup': async ({ updateConfig }) => {
        docs = await openDocs(folder);
        updateConfig({ redirects: Object.fromEntries(docs.site.redirects.map(({ from, to }) => [`/${from}`, to])) });
      },
      'astro:build:done': async ({ dir, logger }) => {
        const problems = [...docs.site.problems];
        const out = fileURLToPath(dir);
        for (const asset of docs.assets) {
          if ('file' in asset) copy(asset.file, join(out, asset.path));
          else write(join(out, asset.path), asset.contents);
        }
        for (const page of docs.site.pages) {
          const { rendered } = await viewOf(docs, page);
          problems.push(...rendered.problems);
          write(join(out, `${page.path || 'index'}.md`), rendered.markdown);
        }
        write(join(out, '404.html'), await notFoundHtml(docs));
        for (const problem of problems) if (problem.severity !== 'note') logger.warn(problemLine(problem));
      },
    },
  };
}

function copy(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(file, target);
}

function write(target: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, contents);
}
