import { hash } from 'node:crypto';
import { buildSite, type SiteOptions } from '../../../src/site/build-site.ts';
import type { Site } from '../../../src/site/model.ts';
import { readFrontmatter } from '../../../src/source/frontmatter.ts';
import { pagePath } from '../../../src/source/read-source.ts';
import { parseConfig } from '../../../src/source/parse-config.ts';
import { bodyFacts } from '../../../src/source/read-texts.ts';
import type { Source, SourcePage } from '../../../src/source/source.ts';

/** A source in memory: texts by file, a list of files whose titles are their names, or both; `config` as in docs.json. */
export function sourceOf(
  files: Record<string, string> | string[],
  config: Record<string, unknown> | null,
  assets: string[] = [],
): Source {
  const texts = Array.isArray(files)
    ? Object.fromEntries(files.map((file) => [file, `---\ntitle: ${file.replace(/\.mdx?$/, '')}\n---\n`]))
    : files;
  const pages = Object.entries(texts).map(([name, text]): SourcePage => {
    const file = /\.mdx?$/.test(name) ? name : `${name}.mdx`;
    const { frontmatter, body, bodyLine } = readFrontmatter(text, file);
    const kind = file.endsWith('.mdx') ? 'mdx' : 'md';
    const path = pagePath(file, config === null);
    return { path, file, frontmatter, body, ...bodyFacts(body), bodyLine, kind, digest: hash('sha256', text) };
  });
  const parsed = config && parseConfig(config, 'docs.json');
  return {
    root: '/docs/my-docs',
    config: parsed?.config ?? null,
    ...(config && { configFile: 'docs.json' }),
    configFiles: config ? ['docs.json'] : [],
    pages: pages.sort((a, b) => (a.path < b.path ? -1 : 1)),
    assets: assets.map((path) => ({ path, file: `/docs/my-docs/${path}`, size: 1 })),
    snippets: new Map(),
    problems: parsed?.problems ?? [],
  };
}

/** A site of a docs.json with this navigation. */
export function siteOf(files: Record<string, string> | string[], navigation: unknown, options?: SiteOptions): Site {
  return buildSite(sourceOf(files, { name: 'Docs', navigation }), options);
}

/** A site of a folder without configuration. */
export function plainSite(files: Record<string, string> | string[], options?: SiteOptions): Site {
  return buildSite(sourceOf(files, null), options);
}

/** A sidebar as indented lines. */
export function outline(site: Site, context: string): string[] {
  const lines = (nodes: NonNullable<ReturnType<Site['contexts']['get']>>['sidebar'], indent: string): string[] =>
    nodes.flatMap((node) =>
      node.kind === 'page'
        ? [`${indent}${node.title} ${node.href}`]
        : [
            `${indent}${node.expanded ? '-' : '+'} ${node.title}${node.href ? ` ${node.href}` : ''}`,
            ...lines(node.children, `${indent}  `),
          ],
    );
  return lines(site.contexts.get(context)!.sidebar, '');
}

/** Of each page that shows a part of an API, the name of the part and the path of the page. */
export function describedPaths({ pages }: Site): string[] {
  return pages.flatMap(({ path, source }) => (source.described ? `${source.described.name} ${path}` : []));
}

export function kinds(site: Site): string[] {
  return site.problems.map((problem) => problem.kind);
}
