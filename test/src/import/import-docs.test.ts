import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importDocs, movedConfig } from '../../../src/import/import-docs.ts';
import { parseConfig } from '../../../src/source/parse-config.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

/** A project with these files; pages that end in `/` or have no text are only there. */
function project(files: Record<string, string>, pages: string[] = []): string {
  return writeFiles(temporaryFolder(), { ...files, ...Object.fromEntries(pages.map((page) => [page, '# Page\n'])) });
}

function imported(root: string) {
  const result = importDocs(root);
  const config = structuredClone(JSON.parse(JSON.stringify(result.config))) as Record<string, unknown>;
  // docs.json reads what an import writes, without a warning.
  expect(parseConfig(config, 'docs.json').problems).toEqual([]);
  const notes = result.notes.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`} ${message}`);
  return { ...result, config, notes };
}

test('MkDocs: navigation with tabs, links, colors, redirects; plugins without a counterpart are named', () => {
  const root = project(
    {
      'mkdocs.yml': `site_name: Harbour
repo_url: https://github.com/example/harbour
theme:
  name: material
  features: [navigation.tabs]
  palette: [{ scheme: default, primary: teal }]
plugins:
  - search
  - redirects: { redirect_maps: { old.md: guide/install.md#npm } }
  - macros
markdown_extensions:
  - pymdownx.emoji: { emoji_index: !!python/name:material.extensions.emoji.twemoji }
hooks: [hook.py]
nav:
  - Home: index.md
  - Guide:
      - guide/install.md
      - Use: [guide/use.md, { Forum: 'https://forum.example.com' }]
`,
    },
    ['docs/index.md', 'docs/guide/install.md', 'docs/guide/use.md'],
  );
  const { config, notes, pagesFolder } = imported(root);
  expect(config).toEqual({
    name: 'Harbour',
    colors: { primary: '#009485' },
    navigation: {
      tabs: [
        { tab: 'Home', pages: ['index'] },
        { tab: 'Guide', pages: ['guide/install', { group: 'Use', pages: ['guide/use'] }] },
      ],
      global: { anchors: [{ anchor: 'Forum', href: 'https://forum.example.com' }] },
    },
    navbar: { links: [{ type: 'github', label: 'Repository', href: 'https://github.com/example/harbour' }] },
    redirects: [{ source: '/old', destination: '/guide/install#npm' }],
  });
  expect(notes).toEqual([
    'mkdocs.yml:10 The plugin "macros" has no counterpart: what it adds to pages is missing.',
    'mkdocs.yml:13 "hooks" has no counterpart in docs.json.',
  ]);
  expect(pagesFolder).toBe(join(root, 'docs'));
});

test('MkDocs: sections without a title have that of their index page, or of their first page', () => {
  const files = {
    'docs/index.md': '# Welcome\n',
    'docs/guide/index.md': '# The guide\n',
    'docs/guide/a.md': '---\ntitle: First steps\n---\n',
    'docs/more/b.md': 'Words.\n',
  };
  const nav = `nav: [{ Start here: index.md }, { "": [guide/a.md, guide/index.md, { " ": [guide/a.md] }] }, { "": [more/b.md] }]`;
  const sections = (features: string) =>
    imported(project({ 'mkdocs.yml': `site_name: Harbour\ntheme: { features: [${features}] }\n${nav}\n`, ...files })).config
      .navigation;
  const pages = ['guide/a', 'guide/index', { group: 'First steps', pages: ['guide/a'] }];
  expect(sections('')).toEqual({ pages: ['index', { group: 'The guide', pages }, { group: 'B', pages: ['more/b'] }] });
  expect(sections('navigation.tabs')).toEqual({
    tabs: [
      { tab: 'Home', pages: ['index'] },
      { tab: 'The guide', pages },
      { tab: 'B', pages: ['more/b'] },
    ],
  });
});

test('MkDocs without nav lists all pages by folder', () => {
  const root = project({ 'mkdocs.yml': 'site_name: Harbour\n' }, ['docs/index.md', 'docs/about.md', 'docs/user-guide/a.md']);
  expect(imported(root).config.navigation).toEqual({
    pages: ['index', 'about', { group: 'User guide', pages: ['user-guide/a'] }],
  });
});

test('Docusaurus: sidebars in TypeScript with ids, categories and generated folders', () => {
  const root = project(
    {
      'docusaurus.config.ts': `import type { Config } from '@docusaurus/types';
import { themes } from 'prism-react-renderer';
const organization = 'example';
const config: Config = {
  title: 'Harbour', tagline: 'Ships and docks',
  presets: [['classic', { docs: { sidebarPath: './sidebars.ts', editUrl: ({ docPath }) => docPath } } satisfies object]],
  themeConfig: {
    navbar: { items: [
      { type: 'docSidebar', sidebarId: 'guide', label: 'The guide' },
      { href: \`https://github.com/\${organization}/harbour\`, label: 'GitHub' },
      { type: 'doc', docId: 'api/first', label: 'API' },
    ] },
    footer: { links: [{ title: 'More', items: [{ label: 'Forum', href: 'https://forum.example.com' }] }] },
    prism: { theme: themes.github },
  },
};
export default config;
`,
      'sidebars.ts': `import { more } from './more';
export default {
  guide: [
    'intro',
    { type: 'category', label: 'Use', link: { type: 'doc', id: 'use/overview' }, collapsed: false, items: ['use/first', ...more] },
    { type: 'link', label: 'Forum', href: 'https://forum.example.com' },
    'nowhere',
  ],
  api: [{ type: 'autogenerated', dirName: 'api' }],
};
`,
      'more.ts': "export const more = ['use/renamed'];\n",
      'docs/use/other.md': '---\nid: renamed\n---\n# Other\n',
      'docs/api/10-last.md': '# Last\n',
      'docs/api/02-first.md': '# First\n',
      'docs/api/types/_category_.json': '{ "label": "All types", "position": 5 }',
    },
    ['docs/01-intro.md', 'docs/use/overview.md', 'docs/use/first.mdx', 'docs/api/types/one.md'],
  );
  const { config, notes } = imported(root);
  expect(config).toMatchObject({
    name: 'Harbour',
    description: 'Ships and docks',
    navigation: {
      tabs: [
        {
          tab: 'The guide',
          pages: ['01-intro', { group: 'Use', root: 'use/overview', expanded: true, pages: ['use/first', 'use/other'] }],
        },
        { tab: 'API', pages: ['api/02-first', { group: 'All types', pages: ['api/types/one'] }, 'api/10-last'] },
      ],
    },
    navbar: { links: [{ type: 'github', label: 'GitHub', href: 'https://github.com/example/harbour' }] },
    footer: { links: [{ header: 'More', items: [{ label: 'Forum', href: 'https://forum.example.com' }] }] },
  });
  expect(notes).toEqual([
    'sidebars.ts The link "Forum" (https://forum.example.com) in a sidebar is not imported.',
    'sidebars.ts There is no page with the id "nowhere". It is not in the navigation.',
  ]);
});

test('Docusaurus: pages have the paths that id, slug, numbers and folders give them, and links of the layout follow', () => {
  const site = (items: string, footer = '') =>
    `module.exports = { title: 'Harbour', presets: [['classic', { docs: {} }]], themeConfig: { navbar: { items: [${items}] }, footer: { links: [${footer}] } } };`;
  const root = project({
    'docusaurus.config.js': site(
      `{ to: 'docs/getting-started', label: 'Start' }, { to: '/docs/use/', label: 'Use' }, { docId: 'use/load', label: 'Load' }, { to: '/blog', label: 'Blog' },
         { label: 'More', items: [{ to: '/docs/getting-started#help', label: 'Help' }, { href: 'https://forum.example.com', label: 'Forum' }] }`,
      `{ title: 'Docs', items: [{ to: '/docs/', label: 'Home' }, { html: '<b>x</b>' }] }, { label: 'Cargo', to: 'docs/cargo' }`,
    ),
    'docs/GettingStarted.md': '---\nid: getting-started\n---\n# Start\n',
    'docs/home.md': '---\nslug: /\n---\n# Home\n',
    'docs/02-use/01-load.md': '# Load\n',
    'docs/02-use/03-unload.md': '---\nslug: ./discharge\n---\n# Unload\n',
    'docs/02-use/_category_.yml': 'label: Using it\nlink: { type: doc, id: overview }\n',
    'docs/02-use/overview.md': '---\nslug: /use\n---\n# Overview\n',
    'docs/cargo/Cargo.md': '# Cargo\n',
    'docs/cargo/2.0-notes.md': '# Notes\n',
    'docs/cargo/plain.md': '---\nslug: "/a b?c"\n---\n# Plain\n',
    'docs/other/index.md': '---\nid: ignored\n---\n# Other\n',
  });
  const { config, notes, pagesFolder } = imported(root);
  expect(config.rewrites).toEqual({
    GettingStarted: '/getting-started',
    home: '/',
    '02-use/01-load': '/use/load',
    '02-use/03-unload': '/use/discharge',
    '02-use/overview': '/use',
    'cargo/Cargo': '/cargo',
  });
  expect(config.navigation).toEqual({
    pages: [
      { group: 'Using it', root: '02-use/overview', pages: ['02-use/01-load', '02-use/03-unload'] },
      'GettingStarted',
      'home',
      { group: 'Cargo', root: 'cargo/Cargo', pages: ['cargo/2.0-notes', 'cargo/plain'] },
      { group: 'Other', root: 'other/index', pages: [] },
    ],
  });
  expect(config.navbar).toEqual({
    links: [
      { label: 'Start', href: '/getting-started' },
      { label: 'Use', href: '/use' },
      { label: 'Load', href: '/use/load' },
      { label: 'Help', href: '/getting-started#help' },
      { label: 'Forum', href: 'https://forum.example.com' },
    ],
  });
  expect(config.footer).toEqual({
    links: [{ header: 'Docs', items: [{ label: 'Home', href: '/' }] }, { items: [{ label: 'Cargo', href: '/cargo' }] }],
  });
  expect(notes).toEqual(['docusaurus.config.js The link "Blog" (/blog) is not imported: it is not a page of the docs.']);
  expect(movedConfig(importDocs(root), root).rewrites).toMatchObject({ 'docs/home': '/' });
  expect(pagesFolder).toBe(join(root, 'docs'));
});

test('Docusaurus: static files outside the folder of the pages are named', () => {
  const pages = ['docs/a.md'];
  const files = { 'docusaurus.config.js': 'module.exports = {}', 'static/img/a.svg': '<svg/>' };
  expect(imported(project(files, pages)).notes).toEqual([
    'docusaurus.config.js The files in static/, such as /img/…, are outside the folder of the pages: move static/ to docs/static/, or import with --out docs.json, which is beside both.',
  ]);
  const moved = {
    'docusaurus.config.js': "module.exports = { staticDirectories: ['docs/static'] }",
    'docs/static/a.svg': '<svg/>',
  };
  expect(imported(project(moved, pages)).notes).toEqual([]);
});

test('VitePress: sidebars by path become tabs, functions that return a list are read, and languages', () => {
  const root = project(
    {
      'docs/.vitepress/config.mts': `import { defineConfig, type DefaultTheme } from 'vitepress';
import french from './french';
export default defineConfig({
  title: 'Harbour', lastUpdated: true,
  transformHead() { return []; },
  locales: { root: { label: 'English', lang: 'en-US' }, fr: { label: 'Français', themeConfig: french } },
  themeConfig: {
    nav: [{ text: 'The guide', link: '/guide/' }, { text: 'Forum', link: 'https://forum.example.com' }],
    sidebar: { '/guide/': { base: '/guide/', items: guide() }, '/api/': [{ text: 'All', items: [{ text: 'One', link: '/api/one.html#top' }] }] },
    socialLinks: [{ icon: 'github', link: 'https://github.com/example/harbour' }],
  },
});
function guide(): DefaultTheme.SidebarItem[] {
  return [{ text: 'Start', collapsed: false, items: [{ text: 'Home', link: '' }, { text: 'Install', link: 'install' }] }];
}
`,
      'docs/.vitepress/french.ts': "export default { sidebar: [{ text: 'Début', link: '/fr/debut' }] };\n",
    },
    ['docs/guide/index.md', 'docs/guide/install.md', 'docs/api/one.md', 'docs/fr/debut.md'],
  );
  const { config, notes } = imported(root);
  expect(config).toEqual({
    name: 'Harbour',
    navigation: {
      languages: [
        {
          language: 'en',
          tabs: [
            { tab: 'The guide', pages: [{ group: 'Start', expanded: true, pages: ['guide/index', 'guide/install'] }] },
            { tab: 'Api', pages: [{ group: 'All', pages: ['api/one'] }] },
          ],
        },
        { language: 'fr', pages: ['fr/debut'] },
      ],
    },
    navbar: { links: [{ label: 'Forum', href: 'https://forum.example.com' }] },
    footer: { socials: { github: 'https://github.com/example/harbour' } },
    metadata: { timestamp: true },
  });
  expect(notes).toEqual(['docs/.vitepress/config.mts:5 transformHead was not read: it is a function.']);
});

test('VitePress: a sidebar that several paths share is imported once, and links that are lost are named', () => {
  const root = project(
    {
      '.vitepress/config.ts': `const shared = [{ text: 'Start', items: [{ link: '/guide/a' }, { link: '/api/b' }] }];
export default {
  locales: { root: { label: 'English' }, de: { label: 'Deutsch', link: 'https://de.example.com/' } },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/' }, { text: 'Team', link: '/team' }, { text: 'Rules', link: '/rules' }, { text: 'Forum', link: 'https://forum.example.com' },
      { text: 'More', items: [{ text: 'News', link: '/news' }] },
    ],
    footer: { message: '<a href="/license">License</a>' },
    sidebar: { '/guide/': shared, '/api/': shared, '/team/': [{ link: '/team' }] },
  },
};`,
    },
    ['guide/a.md', 'api/b.md', 'team.md'],
  );
  const { config, notes } = imported(root);
  expect(config.navigation).toEqual({
    tabs: [
      { tab: 'Guide', pages: [{ group: 'Start', pages: ['guide/a', 'api/b'] }] },
      { tab: 'Team', pages: ['team'] },
    ],
  });
  expect(notes).toEqual([
    '.vitepress/config.ts The link "Rules" (/rules) of the navigation bar is not imported.',
    '.vitepress/config.ts The menu "More" of the navigation bar is not imported.',
    '.vitepress/config.ts The text of the footer is not imported.',
    '.vitepress/config.ts The language "de" (https://de.example.com/) is not imported.',
  ]);
});

test('VitePress: rewrites move pages, and entries of the navigation are files', () => {
  const root = project(
    {
      '.vitepress/config.ts': `export default {
  rewrites: { 'packages/:name/docs/:rest*': ':name/:rest*', 'start.md': 'index.md', 'a.b.md': 'guide/index.md', 'none.md': 'x.md' },
  markdown: { attrs: { leftDelimiter: '[[', rightDelimiter: ']]' } },
  themeConfig: { sidebar: [{ text: 'All', link: '/', items: [{ link: '/ui/deep/use' }, { link: '/guide/' }, { link: '/plain' }] }] },
};`,
    },
    ['start.md', 'packages/ui/docs/deep/use.md', 'a.b.md', 'aXb.md', 'plain.md'],
  );
  const { config, notes } = imported(root);
  expect(config.rewrites).toEqual({ start: '/', 'packages/ui/docs/deep/use': '/ui/deep/use', 'a.b': '/guide' });
  expect(config.navigation).toEqual({
    pages: [{ group: 'All', root: 'start', pages: ['packages/ui/docs/deep/use', 'a.b', 'plain'] }],
  });
  expect(notes).toEqual([
    '.vitepress/config.ts The delimiters of attributes in pages ([[) are not known: write {#id} or %{#id}%.',
  ]);
});

test.each([
  ['packages/docs/.vitepress/config/index.ts', 'export default { title: "Docs" }', 'packages/docs'],
  ['packages/website/docusaurus.config.js', 'module.exports = {}', 'packages/website/docs'],
  ['packages/ui/docs/.vitepress/config.ts', 'export default {}', 'packages/ui/docs'],
  ['apps/docs/mkdocs.yml', 'nav: [index.md]', 'apps/docs/docs'],
  ['docs/src/.vitepress/config.ts', 'export default {}', 'docs/src'],
])('the docs of a monorepo are found at its root: %s', (file, text, folder) => {
  const root = project({ [file]: text, 'packages/node_modules/x/mint.json': '{}', 'package.json': '{}' }, [`${folder}/index.md`]);
  const { files, pagesFolder, notes } = imported(root);
  expect([files, pagesFolder, notes]).toEqual([[file], join(root, folder), []]);
});

test('further docs of a monorepo are named', () => {
  const config = 'export default { title: "Docs" }';
  const root = project({ 'packages/a/.vitepress/config.ts': config, 'packages/docs/.vitepress/config.ts': config });
  const { files, notes } = imported(root);
  expect(files).toEqual(['packages/docs/.vitepress/config.ts']);
  expect(notes).toEqual([
    'packages/docs/.vitepress/config.ts Further docs were found, and not imported: packages/a/.vitepress/config.ts.',
  ]);
});

test('Fern: tabs, sections and APIs, and the paths that the navigation gives pages', () => {
  const operation = { 'x-fern-sdk-group-name': ['docks'], 'x-fern-sdk-method-name': 'list_all' };
  const root = project(
    {
      'fern/fern.config.json': '{}',
      'fern/docs.yml': `instances: [{ url: harbour.docs.buildwithfern.com/docs, custom-domain: https://example.com/docs }]
title: Harbour
colors: { accent-primary: { light: '#123456', dark: '#abcdef' } }
logo: { light: assets/light.svg, dark: assets/dark.svg }
navbar-links: [{ type: filled, text: Sign in, url: https://app.example.com }, { type: github, value: https://github.com/example/harbour }]
css: ./styles.css
landing-page: { page: Welcome, path: pages/welcome.mdx }
tabs: { guides: { display-name: EVM APIs }, api: { display-name: Reference, skip-slug: true }, blog: { display-name: Blog, href: https://example.com/blog } }
navigation:
  - tab: guides
    layout:
      - page: Start in 2 minutes
        path: ./pages/start.mdx
      - section: Use it
        path: pages/use.mdx
        contents:
          - page: Load
            slug: loading
            path: pages/load.mdx
          - page: Moved
            path: pages/moved.mdx
          - page: Not listed
            hidden: true
            path: pages/hidden.mdx
          - link: Forum
            href: https://forum.example.com
      - section: Flat
        skip-slug: true
        contents:
          - page: Start again
            path: pages/start.mdx
          - link: Inside
            href: /docs/evm-ap-is/use-it
      - folder: pages/more
        title: Everything else
      - changelog: changelog
  - tab: api
    layout:
      - api: API reference
        api-name: v1
        layout: [{ section: Docks, contents: [{ page: About docks, path: pages/docks.mdx }, GET /docks] }]
  - tab: blog
redirects: [{ source: /docs/old, destination: /docs/evm-ap-is/use-it }, { source: /docs, destination: /docs/evm-ap-is }]
`,
      'fern/apis/v1/generators.yml': 'api: { specs: [{ openapi: ../../openapi.json }] }',
      'fern/openapi.json': JSON.stringify({ openapi: '3.1.0', paths: { '/docks': { get: operation, post: {} } } }),
      'fern/pages/start.mdx': 'Without a title.\n',
      'fern/pages/moved.mdx': '---\ntitle: Moved\nslug: elsewhere/moved\n---\n',
    },
    ['welcome', 'use', 'load', 'hidden', 'docks', 'more/index', 'more/all_of-it']
      .map((name) => `fern/pages/${name}.mdx`)
      .concat('fern/changelog/2026-01-02.md', 'fern/changelog/2026-02-01.md'),
  );
  const { config, notes, base } = imported(root);
  expect(base).toBe('/docs');
  expect(config.navigation).toEqual({
    tabs: [
      {
        tab: 'EVM APIs',
        pages: [
          { group: 'Start in 2 minutes', root: 'pages/start', pages: [] },
          {
            group: 'Use it',
            root: 'pages/use',
            pages: [
              'pages/load',
              'pages/moved',
              { group: 'Not listed', hidden: true, pages: ['pages/hidden'] },
              { group: 'Forum', href: 'https://forum.example.com', pages: [] },
            ],
          },
          {
            group: 'Flat',
            pages: [
              { group: 'Start again', root: 'pages/start', pages: [] },
              { group: 'Inside', href: '/evm-ap-is/use-it', pages: [] },
            ],
          },
          { group: 'Everything else', pages: ['pages/more/all_of-it', 'pages/more/index'] },
          { group: 'Changelog', pages: ['changelog/2026-02-01', 'changelog/2026-01-02'] },
        ],
      },
      {
        tab: 'Reference',
        pages: [
          { group: 'API reference', openapi: { source: '/openapi.json', directory: 'api-reference' }, pages: ['pages/docks'] },
        ],
      },
      { tab: 'Blog', href: 'https://example.com/blog' },
    ],
  });
  expect(config.rewrites).toEqual({
    'pages/start': '/evm-ap-is/start-in-2-minutes',
    'pages/use': '/evm-ap-is/use-it',
    'pages/load': '/evm-ap-is/use-it/loading',
    'pages/moved': '/elsewhere/moved',
    'pages/hidden': '/evm-ap-is/use-it/not-listed',
    'pages/more/index': '/evm-ap-is/more',
    'pages/more/all_of-it': '/evm-ap-is/more/all-of-it',
    'changelog/2026-01-02': '/evm-ap-is/changelog/2026-01-02',
    'changelog/2026-02-01': '/evm-ap-is/changelog/2026-02-01',
    'pages/docks': '/api-reference/about-docks',
    'pages/welcome': '/',
    'GET /docks': '/api-reference/docks/list-all',
  });
  expect(config.redirects).toEqual([
    { source: '/old', destination: '/evm-ap-is/use-it' },
    { source: '/evm-ap-is/start-again', destination: '/evm-ap-is/start-in-2-minutes' },
  ]);
  expect(config).toMatchObject({
    name: 'Harbour',
    colors: { primary: '#123456', light: '#abcdef' },
    logo: { light: '/assets/light.svg', dark: '/assets/dark.svg' },
    navbar: {
      links: [{ type: 'github', label: 'GitHub', href: 'https://github.com/example/harbour' }],
      primary: { type: 'button', label: 'Sign in', href: 'https://app.example.com' },
    },
  });
  expect(notes).toEqual(['fern/docs.yml:6 "css" has no counterpart in docs.json.']);
  expect(movedConfig(importDocs(root), root).rewrites).toMatchObject({
    'fern/pages/welcome': '/',
    'GET /docks': '/api-reference/docks/list-all',
  });
});

test('Fern: products have versions, whose first one has no path of its own', () => {
  const root = project(
    {
      'fern/fern.config.json': '{}',
      'fern/docs.yml': `products:
  - { display-name: User guide, path: ./guide/guide.yml }
  - { display-name: API, slug: api, path: ./api/v1.yml, versions: [{ display-name: Latest, path: ./api/v2.yml }, { display-name: v1, path: ./api/v1.yml }] }
`,
      'fern/guide/guide.yml': 'navigation: [{ page: Start, path: ./pages/start.mdx }]',
      'fern/api/v1.yml': 'navigation: [{ page: Use, path: ./one.mdx }, { api: Operations }]',
      'fern/api/v2.yml': 'navigation: [{ page: Use, path: ./two.mdx }]',
    },
    ['fern/guide/pages/start.mdx', 'fern/api/one.mdx', 'fern/api/two.mdx'],
  );
  const { config, notes } = imported(root);
  expect(config.navigation).toEqual({
    products: [
      { product: 'User guide', pages: ['guide/pages/start'] },
      {
        product: 'API',
        versions: [
          { version: 'Latest', pages: ['api/two'] },
          { version: 'v1', pages: ['api/one'] },
        ],
      },
    ],
  });
  expect(config.rewrites).toEqual({ 'guide/pages/start': '/user-guide/start', 'api/two': '/api/use', 'api/one': '/api/v-1/use' });
  expect(config.redirects).toEqual([{ source: '/api/latest/:path*', destination: '/api/:path*' }]);
  expect(notes).toEqual(['fern/docs.yml The API "Operations" is not imported: no OpenAPI file was found for it in apis.']);
});

test('mdBook and GitBook: parts, nested chapters and drafts of SUMMARY.md', () => {
  const summary = `# Summary

[Introduction](README.md)

# The basics

- [Install](basics/install.md)
  - [On Linux](basics/linux.md)
- [Later]()

---

[Authors](authors.md)
`;
  const root = project(
    {
      'book.toml': '[book]\ntitle = "Harbour"\n[output.html.redirect]\n"/old.html" = "basics/install.html#top"\n',
      'src/SUMMARY.md': summary,
    },
    ['src/README.md', 'src/basics/install.md', 'src/basics/linux.md', 'src/authors.md'],
  );
  const pages = [
    { group: 'The basics', pages: [{ group: 'Install', root: 'basics/install', pages: ['basics/linux'] }] },
    'authors',
  ];
  const book = imported(root);
  expect(book.config).toMatchObject({
    name: 'Harbour',
    navigation: { pages: ['index', ...pages] },
    redirects: [{ source: '/old', destination: '/basics/install#top' }],
  });
  expect(book.notes).toEqual([
    'SUMMARY.md:9 "Later" has no page of these docs. It is not imported.',
    'book.toml Beside a docs.json, README.md is not a page. Rename it to index.md: README.md.',
  ]);
  const gitbook = project({ '.gitbook.yaml': 'root: ./content/\n', 'content/SUMMARY.md': summary }, [
    'content/basics/install.md',
  ]);
  expect(imported(gitbook).notes).toContainEqual(expect.stringContaining('3 pages without a file: '));
});

test('mint.json is converted', () => {
  const root = project({ 'docs/mint.json': '{ "name": "Harbour", "navigation": [{ "group": "Guide", "pages": ["intro"] }] }' }, [
    'docs/intro.mdx',
  ]);
  const { config, pagesFolder } = importDocs(root);
  expect(config).toMatchObject({ name: 'Harbour', navigation: { groups: [{ group: 'Guide', pages: ['intro'] }] } });
  expect(pagesFolder).toBe(join(root, 'docs'));
});

test('the paths of a docs.json in a folder above begin there', () => {
  const root = project({ 'mkdocs.yml': 'site_name: Harbour\nnav: [index.md, { Use: [use.md] }]\n' }, [
    'docs/index.md',
    'docs/use.md',
  ]);
  expect(movedConfig(importDocs(root), root).navigation).toEqual({
    pages: ['docs/index', { group: 'Use', pages: ['docs/use'] }],
  });
  expect(() => movedConfig(importDocs(root), join(root, 'elsewhere'))).toThrow('which is not inside');
});

test('files and constants that name each other end', () => {
  const root = project(
    {
      'docusaurus.config.js':
        "module.exports = { title: 'Harbour', presets: [['classic', { docs: { sidebarPath: 'sidebars.js' } }]] };\n",
      'sidebars.js':
        "import one from './one.js';\nconst a = [...b];\nconst b = [...a];\nexport default { docs: ['intro', ...a, ...one] };\n",
      'one.js': "import two from './two.js';\nexport default two;\n",
      'two.js': "import one from './one.js';\nexport default one;\n",
    },
    ['docs/intro.md'],
  );
  expect(imported(root).config.navigation).toEqual({ pages: ['intro'] });
});

test('nothing runs, and nothing outside the project is read', () => {
  const outside = project({ 'secret.json': '["secret"]' });
  const root = project({
    'docusaurus.config.mjs': `globalThis.ran = true;
import secret from '${join(outside, 'secret.json')}';
import above from '../../../../../../etc/hostname.json';
export default { title: (() => { globalThis.ran = true; return 'x'; })(), tagline: secret, presets: [] };
`,
  });
  const { config, notes } = importDocs(root);
  expect(config).not.toHaveProperty('name');
  expect(config).not.toHaveProperty('description');
  expect(notes.map(({ line, message }) => [line, message])).toContainEqual([4, expect.stringContaining('title was not read')]);
  expect(globalThis).not.toHaveProperty('ran');
});

test.each<[Record<string, string>, string, string]>([
  [{ 'docusaurus.config.js': 'export default {' }, 'ImportUnreadable', 'docusaurus.config.js cannot be read'],
  [{ 'mkdocs.yml': 'site_name: Harbour\nnav:\n  - a: [\n' }, 'ImportUnreadable', 'mkdocs.yml is not valid YAML at line '],
  [{ 'notes.txt': 'x' }, 'ImportNothing', 'has no configuration to import'],
  [{ 'docs.json': '{}' }, 'ImportNothing', 'has no configuration to import'],
])('%j is an error', (files, code, message) => {
  const read = () => importDocs(project(files));
  expect(read).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
});
