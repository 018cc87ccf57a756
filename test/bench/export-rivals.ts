// The same pages as ordinary projects of other generators, for comparison. They are made inside the repository, whose packages Astro then finds.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GeneratedPage } from './generate-docs.ts';

export const rivalNames = ['hugo', 'astro', 'starlight'] as const;
export type RivalName = (typeof rivalNames)[number];

/** Writes a project into a folder that does not exist yet. */
type WriteProject = (project: string, pages: GeneratedPage[]) => Promise<void>;

const write: Record<RivalName, WriteProject> = {
  /** One page template, and the highlighting that Hugo does by default. */
  hugo: (project, pages) =>
    writeProject(project, pages, 'content', {
      'hugo.toml': `baseURL = 'https://docs.example/'
title = 'Bench'
disableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']
`,
      'layouts/_default/single.html': hugoPage,
      'layouts/_default/list.html': hugoPage,
    }),

  /** A content collection, one page template, Shiki as Astro sets it up. */
  astro: (project, pages) =>
    writeProject(project, pages, 'src/content/docs', {
      'package.json': packageJson('astro'),
      'astro.config.mjs': `import { defineConfig } from 'astro/config';
export default defineConfig({ cacheDir: './cache', vite: { cacheDir: './vite' }, devToolbar: { enabled: false } });
`,
      'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
export const collections = { docs: defineCollection({ loader: glob({ base: './src/content/docs', pattern: '**/*.md' }) }) };
`,
      'src/pages/[...slug].astro': `---
import { getCollection, render } from 'astro:content';
export async function getStaticPaths() {
  return (await getCollection('docs')).map((entry) => ({ params: { slug: entry.id }, props: { entry } }));
}
const { entry } = Astro.props;
const { Content } = await render(entry);
---
<html lang="en">
  <head><meta charset="utf-8" /><title>{entry.data.title}</title></head>
  <body><main><h1>{entry.data.title}</h1><Content /></main></body>
</html>
`,
    }),

  /** Starlight with the same highlighting, without Pagefind, each page's sidebar trimmed to its own group. */
  starlight: (project, pages) =>
    writeProject(project, pages, 'src/content/docs', {
      'package.json': packageJson('astro', '@astrojs/starlight'),
      'astro.config.mjs': `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({
  cacheDir: './cache',
  vite: { cacheDir: './vite' },
  devToolbar: { enabled: false },
  integrations: [starlight({ title: 'Bench', pagefind: false, expressiveCode: false, routeMiddleware: './src/trim-sidebar.ts' })],
});
`,
      'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
      'src/trim-sidebar.ts': `import { defineRouteMiddleware } from '@astrojs/starlight/route-data';
export const onRequest = defineRouteMiddleware((context) => {
  const route = context.locals.starlightRoute;
  route.sidebar = route.sidebar.filter((group) => group.type === 'group' && group.entries.some((entry) => entry.isCurrent));
});
`,
    }),
};

const hugoPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>{{ .Title }}</title></head>
  <body><main><h1>{{ .Title }}</h1>{{ .Content }}</main></body>
</html>
`;

export interface Rival {
  write: WriteProject;
  /** Program and arguments that build the project in the current folder; undefined where the program is not installed. */
  command(repository: string): string[] | undefined;
  /** What it writes, below the project. */
  output: string;
}

export const rivals: Record<RivalName, Rival> = {
  hugo: {
    write: write.hugo,
    // Hugo before 0.110 looks for config.toml only.
    command: () => (spawnSync('hugo', ['version']).status === 0 ? ['hugo', '--config', 'hugo.toml', '--quiet'] : undefined),
    output: 'public',
  },
  astro: { write: write.astro, command: astroBuild, output: 'dist' },
  starlight: { write: write.starlight, command: astroBuild, output: 'dist' },
};

function astroBuild(repository: string): string[] {
  return [process.execPath, path.join(repository, 'node_modules/astro/bin/astro.mjs'), 'build'];
}

async function writeProject(
  project: string,
  pages: GeneratedPage[],
  content: string,
  files: Record<string, string>,
): Promise<void> {
  const all = { ...files, ...Object.fromEntries(pages.map((page) => [`${content}/${page.path}.md`, page.markdown])) };
  for (const folder of new Set(Object.keys(all).map((file) => path.dirname(file)))) {
    await mkdir(path.join(project, folder), { recursive: true });
  }
  for (const [file, text] of Object.entries(all)) await writeFile(path.join(project, file), text);
}

// Vite bundles the packages that Astro knows of only where package.json names them; without, the build ends on "astro:" imports.
function packageJson(...packages: string[]): string {
  return JSON.stringify({
    name: 'bench',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(packages.map((name) => [name, '*'])),
  });
}
